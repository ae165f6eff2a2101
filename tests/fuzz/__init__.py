"""A differential fuzzer: programs behave the same before and after they are rewritten."""
