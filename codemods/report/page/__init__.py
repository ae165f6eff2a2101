"""Pages that hold all they need: they work from a file, without a network, in the dark and in the light."""
