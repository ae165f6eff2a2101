"""The other files of a project, as far as the file at hand has to do with them."""
