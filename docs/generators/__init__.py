"""Pages and tables made from the code that they describe. Importing these modules does not need mkdocs."""
