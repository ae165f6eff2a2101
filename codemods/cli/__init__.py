"""The command line. Nothing else of the package prints."""

import gc

# Hardly anything that is imported becomes garbage: to look for it over and over, from the first module on, takes a
# tenth of a run over a small file.
gc.set_threshold(20_000)
