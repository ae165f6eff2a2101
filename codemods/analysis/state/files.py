"""How a file is opened again: nothing is truncated, and reading goes on where it was."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.state.family import Family
from codemods.analysis.state.resources import Made
from codemods.analysis.state.uses import is_closed_anywhere, is_iterated

_OPEN = frozenset({"open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open"})
_PATH_OPEN = "pathlib.Path.open"
_ARCHIVES = frozenset({"zipfile.ZipFile", "tarfile.open", "h5py.File"})


@dataclass(frozen=True)
class Reopening:
    """How a file is opened again.

    Args:
        text: the call.
        keeps_position: whether the position has to be kept in the state and sought again.
        may_be_closed: whether the state has to tell that the file was closed.
    """

    text: str
    keeps_position: bool = False
    may_be_closed: bool = False


def reopening(model: Model, family: Family, attribute: str, made: Made, text: str) -> Reopening:
    """How a file is opened again.

    Args:
        model: the file that is rewritten.
        family: the class that holds it.
        attribute: where.
        made: the call that opened it.
        text: the same call, as it can be written in ``__setstate__``.

    Raises:
        Refused: if opening it again could lose something.
    """
    assert isinstance(made.node, ast.Call)
    name = made.resource.name
    position = 0 if name == _PATH_OPEN else 1
    mode = _mode(made.node, position)
    written = f"self.{family.written(attribute)}"
    if name in _ARCHIVES:
        if mode not in (None, "r") or not _is_path(made.node):
            raise Refused("holds-state", name=name, what="open it again by hand, in a mode that keeps its content")
        return Reopening(text)
    if name not in _OPEN | {_PATH_OPEN} or mode is not None and not isinstance(mode, str):
        raise Refused("not-made-again", name=name, what="open it where it is needed, from a path that is kept")
    if position and (not made.node.args or isinstance(made.node.args[0], ast.Starred)):
        raise Refused("not-made-again", name=name, what="open it where it is needed, from a path that is kept")
    if position and _is_null_device(model, made.node.args[0]):
        return Reopening(text)
    letters = set(mode or "r")
    is_closed = is_closed_anywhere(model, family, attribute)
    if "+" in letters:
        raise Refused("holds-state", name=name, what="open it again by hand, with r+, and seek to its position")
    if "a" in letters:
        return Reopening(text, may_be_closed=is_closed)
    if letters & {"w", "x"}:
        return Reopening(_appending(model, made.node, position, text), may_be_closed=is_closed)
    if is_iterated(model, family, attribute):
        raise Refused("partly-read", name=written)
    return Reopening(text, keeps_position=True, may_be_closed=is_closed)


def _mode(node: ast.Call, position: int) -> object:
    """The literal mode, None for the default one, the expression where it is not literal."""
    value = _mode_argument(node, position)
    if value is None or isinstance(value, ast.Constant):
        return value.value if isinstance(value, ast.Constant) else None
    return value


def _is_path(node: ast.Call) -> bool:
    return bool(node.args) and not isinstance(node.args[0], (ast.Call, ast.Starred))


def _is_null_device(model: Model, node: ast.expr) -> bool:
    return model.dotted_name(node) == "os.devnull"


def _mode_argument(node: ast.Call, position: int) -> ast.expr | None:
    given = next((keyword.value for keyword in node.keywords if keyword.arg == "mode"), None)
    return node.args[position] if len(node.args) > position else given


def _appending(model: Model, node: ast.Call, position: int, text: str) -> str:
    """The call with a mode that appends."""
    mode = _mode_argument(node, position)
    assert mode is not None
    old = model.source.segment(mode)
    new = old.replace("w", "a").replace("x", "a")
    before, separator, after = text.rpartition(old)
    if not separator or text.count(old) != 1:
        raise Refused("initialiser-too-complex")
    return before + new + after
