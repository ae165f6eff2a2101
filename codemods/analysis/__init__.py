"""What the code does, read from its syntax tree: scopes, control flow, the flow of values."""
