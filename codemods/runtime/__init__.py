"""What is known only when a program runs: reading its tracebacks, tracing its pickles, proving that objects travel."""
