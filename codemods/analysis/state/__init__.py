"""Attributes that do not pickle: how a class leaves them out and makes them again."""
