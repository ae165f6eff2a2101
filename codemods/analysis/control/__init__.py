"""Control flow: where names are bound, and what may still happen to them."""
