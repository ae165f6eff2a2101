"""Code that looks at functions, frames and namespaces: where it does, a moved function would show."""

from __future__ import annotations

import ast
import pathlib
import re

from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import FUNCTIONS, Scope
from codemods.analysis.sweeps import shows_private_names

NAMESPACE_CALLS = frozenset({"locals", "vars", "dir", "eval", "exec"})
FRAME_NAMES = frozenset({"_getframe", "currentframe", "stack", "getouterframes", "extract_stack", "f_back", "f_locals"})
CODE_ATTRIBUTES = frozenset({"__qualname__", "co_name", "co_qualname", "co_freevars", "co_firstlineno"})
"""What a function answers differently once it stands at the top level."""
SOURCE_NAMES = frozenset({"getsource", "getsourcelines", "getsourcefile", "findsource"})
FUNCTION_ATTRIBUTES = frozenset(
    {"__closure__", "__code__", "__defaults__", "__kwdefaults__", "__globals__", "cell_contents", "func_closure"}
)
"""What a function has and a partial has not."""
FUNCTION_TESTS = frozenset(
    {"FunctionType", "LambdaType", "isfunction", "isroutine", "ismethod", "getclosurevars", "get_type_hints"}
)
SIGNATURE_NAMES = frozenset({"signature", "getfullargspec", "getargspec"})
"""What shows the defaults of a function's parameters."""
NEEDED_BY_FUNCTOOLS = frozenset(
    {"_collections_abc", "_py_abc", "_pyio", "_weakrefset", "abc", "codecs", "collections", "encodings", "functools"}
    | {"io", "keyword", "linecache", "operator", "reprlib", "types"}
)
"""The modules that are imported before or by ``functools`` (CPython 3.10 to 3.13, measured)."""
_LOOKS_AT_SOURCE = re.compile(rf"\b(?:{'|'.join(sorted(SOURCE_NAMES))})\b")
_LOOKS_AT_FUNCTIONS = re.compile(rf"\b(?:{'|'.join(sorted(SOURCE_NAMES | FUNCTION_TESTS))})\b|\btype\(lambda\b")
_RUNTIME_PROTOCOL = re.compile(r"\bruntime_checkable\b")
_PROTOCOL_NAME = re.compile(
    rf"^\s+(?:def )?(?:__name__|__qualname__|{'|'.join(sorted(FUNCTION_ATTRIBUTES))})\b", re.MULTILINE
)
"""A member of a protocol that a function has and a partial has not."""
_DEEP_COPIERS = re.compile(r"\b(?:asdict|astuple|deepcopy)\b")
_COPIERS = re.compile(rf"{_DEEP_COPIERS.pattern}|\bcopy\.copy\b|\bfrom\s+copy\s+import\b")


def check_surroundings(model: Model, scope: Scope) -> None:
    """Refuse a function that looks at its frame, or whose surroundings look at their variables.

    Args:
        model: the file.
        scope: the scope that the function opens.

    Raises:
        Refused: if it or a function around it does.
    """
    for inner in scope.descendants():
        for name in FRAME_NAMES & inner.references.keys():
            raise Refused("frame-introspection", name=name)
    for node in ast.walk(scope.node):
        if isinstance(node, ast.Attribute) and node.attr in FRAME_NAMES:
            raise Refused("frame-introspection", name=node.attr)
    around = [outer for outer in scope.ancestors() if isinstance(outer.node, (*FUNCTIONS, ast.Lambda))]
    for watched in (*scope.descendants(), *around):
        for name in NAMESPACE_CALLS & watched.references.keys():
            if model.may_be_builtin(name, watched) and _is_observing_call(model, watched, name):
                raise Refused("namespace-observed", name=name)


def _is_observing_call(model: Model, scope: Scope, name: str) -> bool:
    """Whether one of the references is a call that sees the scope's variables; ``vars(x)`` and ``dir(x)`` do not."""
    for reference in scope.references[name]:
        call = model.parents[reference]
        if not (isinstance(call, ast.Call) and call.func is reference):
            return True
        if name not in ("vars", "dir") or not (call.args or call.keywords):
            return True
    return False


def check_module(model: Model, becomes_partial: bool) -> None:
    """Refuse where the module looks at functions in a way that a rewritten one would answer differently.

    Raises:
        Refused: naming what the module uses.
    """
    if becomes_partial and _is_needed_by_functools(model):
        raise Refused("import-cycle")
    watched_attributes = CODE_ATTRIBUTES | SOURCE_NAMES
    watched_names = SOURCE_NAMES
    if becomes_partial:
        watched_attributes |= FUNCTION_ATTRIBUTES | FUNCTION_TESTS
        watched_names |= FUNCTION_TESTS
    for name in sorted(watched_attributes | watched_names):
        if name in model.identifiers and _is_used(model, name, watched_attributes, watched_names):
            raise Refused("code-observed", name=name)
    if becomes_partial and any(_is_type_of_function(node) for node in model.nodes.get(ast.Call, ())):
        raise Refused("code-observed", name="type(function)")
    if shows_private_names(model):
        raise Refused("globals-swept")


def check_users(model: Model, origin: ast.AST, becomes_partial: bool) -> None:
    """Refuse where another file that a function gets to looks at functions in such a way.

    Args:
        model: the file of the function.
        origin: the function.
        becomes_partial: whether a partial or an object stands for it.

    Raises:
        Refused: naming what the other file uses.
    """
    pattern = _LOOKS_AT_FUNCTIONS if becomes_partial else _LOOKS_AT_SOURCE
    for file in model.flow.around(origin).joined.files:
        if file.path != model.path and (found := pattern.search(file.source.text)) is not None:
            raise Refused("code-observed", name=found[0])
        if becomes_partial and _RUNTIME_PROTOCOL.search(file.source.text) and _PROTOCOL_NAME.search(file.source.text):
            raise Refused("code-observed", name="runtime_checkable")


def _is_needed_by_functools(model: Model) -> bool:
    """Whether ``functools`` imports a module of this name, which in turn does not import ``functools`` yet."""
    path = pathlib.PurePath(model.source.path)
    name = path.parent.name if path.stem == "__init__" else path.stem
    if name not in NEEDED_BY_FUNCTOOLS:
        return False
    imports = (node for node in model.module.body if isinstance(node, (ast.Import, ast.ImportFrom)))
    return not any(
        "functools" in (alias.name, getattr(node, "module", None)) for node in imports for alias in node.names
    )


def copies_deeply(model: Model, origin: ast.AST) -> bool:
    """Whether deep copies, which share functions, but copy what a partial holds, are made where a function gets to.

    Args:
        model: the file of the function.
        origin: the function.
    """
    return _is_mentioned(_DEEP_COPIERS, model, origin)


def copies_objects(model: Model, origin: ast.AST) -> bool:
    """Whether any copies, which share functions, but not what an object holds, are made where a function gets to."""
    return _is_mentioned(_COPIERS, model, origin)


def _is_mentioned(pattern: re.Pattern[str], model: Model, origin: ast.AST) -> bool:
    """Whether the file of a function, or another one that it gets to, mentions something."""
    return any(pattern.search(file.source.text) for file in model.flow.around(origin).joined.files)


def _is_used(model: Model, name: str, attributes: frozenset[str], names: frozenset[str]) -> bool:
    if name in attributes:
        for node in model.nodes.get(ast.Attribute, ()):
            assert isinstance(node, ast.Attribute)
            if node.attr == name and isinstance(node.ctx, ast.Load) and not is_class_expression(node.value):
                return True
    return name in names and any(
        isinstance(node, ast.Name) and node.id == name for node in model.nodes.get(ast.Name, ())
    )


def is_class_expression(node: ast.expr) -> bool:
    """Whether an expression is a class by the way it is written: ``type(x)``, ``x.__class__``, ``cls``."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "type" and len(node.args) == 1
    if isinstance(node, ast.Attribute):
        return node.attr == "__class__"
    return isinstance(node, ast.Name) and node.id in ("cls", "klass", "__class__")


def _is_type_of_function(node: ast.AST) -> bool:
    """``type(lambda: 0)``, an old spelling of ``types.FunctionType``."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "type"
        and len(node.args) == 1
        and isinstance(node.args[0], ast.Lambda)
    )
