"""Nested functions: what they capture, how they move, and what decorators make of them."""
