"""What is known about other people's code: what pickles, what keeps its arguments, what is pickled by habit."""
