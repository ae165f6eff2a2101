"""Black, on what was written and nothing else.

Importing this module imports black, which takes a while: import it where something is rewritten, not before.
"""

from __future__ import annotations

import black
from black.parsing import ASTSafetyError, InvalidInput

from codemods.style import Style


def formatted(text: str, style: Style) -> str | None:
    """The text as black lays it out; None where black cannot read it.

    Args:
        text: a whole file.
        style: the project's settings of black.
    """
    mode = black.Mode(
        line_length=style.line_length,
        string_normalization=not style.skip_string_normalization,
        magic_trailing_comma=not style.skip_magic_trailing_comma,
        preview=style.preview,
    )
    try:
        return black.format_str(text, mode=mode)
    except (InvalidInput, ASTSafetyError):
        return None


def is_clean(text: str, style: Style) -> bool:
    """Whether black would leave the text as it is."""
    return formatted(text, style) == text
