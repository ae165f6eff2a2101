"""Tests with the libraries that people pickle with."""
