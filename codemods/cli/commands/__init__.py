"""The commands: each module is one, and is imported only when it runs."""
