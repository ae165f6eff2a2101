"""The formats: each module is one, discovered by its name."""
