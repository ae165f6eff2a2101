"""Value flow: where objects go, and how far."""
