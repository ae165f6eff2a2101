"""Classes that are made in functions, and exceptions that do not load."""
