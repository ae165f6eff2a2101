"""Tests of what happens at run time."""
