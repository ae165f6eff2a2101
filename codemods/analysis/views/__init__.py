"""Views of dicts, and iterators, that come to rest."""
