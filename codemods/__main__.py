"""``python -m codemods`` is the command ``picklefix``."""

from __future__ import annotations

from codemods.cli.main import main

if __name__ == "__main__":
    main()
