"""The main guard of a script."""
