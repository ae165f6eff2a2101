"""The public functions on text, without files or a command line."""

from __future__ import annotations

from codemods import engine
from codemods.finding import FileResult, Finding
from codemods.job import with_deep_stack

_PATH = "<string>"


def check(text: str, options: engine.Options | None = None) -> tuple[Finding, ...]:
    """Find what pickle refuses in a module's text.

    Args:
        text: the source of one module.
        options: what is looked for; the defaults of the command line if left out.

    Raises:
        SyntaxError: if the text is not Python.
        ValueError: if it cannot be analysed for another reason, for example because it is nested too deeply.
    """
    return _done(with_deep_stack(engine.check, _PATH, text.encode(), options or engine.Options())).findings


def fix(text: str, options: engine.Options | None = None) -> str:
    """Rewrite a module's text so that its objects can be pickled.

    Args:
        text: the source of one module.
        options: what is rewritten; the defaults of the command line if left out.

    Raises:
        SyntaxError: if the text is not Python.
        ValueError: if it cannot be rewritten for another reason, for example because it is nested too deeply.
    """
    return _done(with_deep_stack(engine.fix, _PATH, text.encode(), options or engine.Options())).after.decode()


def _done(result: FileResult) -> FileResult:
    if result.error is None:
        return result
    if result.error.syntax:
        raise SyntaxError(result.error.message)
    raise ValueError(result.error.message)
