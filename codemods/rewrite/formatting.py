"""Black, on what was written and nothing else.

Importing this module imports black, which takes a while: import it where something is rewritten, not before.
"""

from __future__ import annotations

import black
from black.mode import TargetVersion
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
        # A version that this black does not know yet is laid out like one of which nothing was said.
        target_versions={version for version in TargetVersion if version.name.lower() in style.target_versions},
    )
    try:
        return black.format_str(text, mode=mode)
    except (InvalidInput, ASTSafetyError):
        return None


def shortened(text: str, style: Style) -> str:
    """A definition whose first line is laid out on several lines if it is too long; the rest is left as it is."""
    head, separator, rest = text.partition("\n")
    head, carriage_return = head.removesuffix("\r"), "\r" if head.endswith("\r") else ""
    if len(head) <= style.line_length or not head.endswith(":"):
        return text
    laid_out = formatted(f"{head} pass", style)
    if laid_out is None:
        return text
    lines = laid_out.rstrip().removesuffix("pass").rstrip().splitlines()
    return f"{carriage_return}\n".join(lines) + carriage_return + separator + rest


def laid_out_statement(text: str, indent: str, newline: str, style: Style) -> str:
    """A statement on one line or, if that is too long, on several, with its indentation.

    What has several lines already may hold a string, whose inside must not be indented: it is left as it is.
    """
    width = len(indent.expandtabs(4))
    if width + len(text) <= style.line_length or "\n" in text or "\r" in text:
        return indent + text
    narrower = style._replace(line_length=max(style.line_length - width, 1))
    lines = (formatted(text, narrower) or text).rstrip().splitlines()
    return newline.join(indent + line for line in lines)


def laid_out_definition(text: str, newline: str, style: Style) -> str:
    """A definition that was made of an expression, laid out by black; strings stay as they are written."""
    kept_strings = style._replace(skip_string_normalization=True)
    laid_out = formatted(text.replace(newline, "\n"), kept_strings)
    return text if laid_out is None else laid_out.replace("\n", newline)


def is_clean(text: str, style: Style) -> bool:
    """Whether black would leave the text as it is."""
    return formatted(text, style) == text
