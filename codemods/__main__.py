"""``python -m codemods`` is the command ``picklefix``."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    # Python has put the current folder first on the path: there the code that is to be rewritten, which must never be
    # run, could pass itself off as one of the modules that are imported from here on.
    if not getattr(sys.flags, "safe_path", False) and sys.path[0] != os.path.dirname(os.path.dirname(__file__)):
        del sys.path[0]
    from codemods.cli.main import main

    main()
