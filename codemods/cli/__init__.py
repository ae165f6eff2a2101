"""The command line. Nothing else of the package prints."""
