"""Changes of text: LibCST transformers over the smallest piece that changes, and where the results go."""
