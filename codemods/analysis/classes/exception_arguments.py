"""Exceptions that can be dumped but not loaded: their constructor is called with what it gave to its base."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from codemods.analysis.classes.hierarchy import class_of
from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused

_OWN_WAYS = frozenset({"__reduce__", "__reduce_ex__", "__new__", "__getnewargs__", "__getnewargs_ex__"})
_OWN_ARGUMENTS = (OSError, UnicodeError, SyntaxError, ImportError)
"""Their constructors do more with the arguments than to keep them; their ``__reduce__`` knows about it."""


def is_broken(model: Model, node: ast.ClassDef) -> bool:
    """Whether an exception class has a constructor that does not get back its own arguments when it is loaded.

    ``BaseException.__reduce__`` calls the class with ``self.args``: what its ``__init__`` gave to that of its base.

    Args:
        model: the file.
        node: a class.
    """
    constructor = constructor_of(node)
    if constructor is None or not _is_exception(model, node, set()):
        return False
    call = base_call_of(model, node, constructor)
    if call is None:
        return False
    parameters = positional_parameters(constructor)
    passed = [argument.id if isinstance(argument, ast.Name) else "" for argument in _passed(call)]
    if constructor.args.vararg is not None or any(isinstance(argument, ast.Starred) for argument in _passed(call)):
        return not _passes_all_on(constructor, call, parameters)
    required = len(parameters) - len(constructor.args.defaults)
    is_prefix = passed == parameters[: len(passed)] and len(passed) >= required
    needs_keywords = any(default is None for default in constructor.args.kw_defaults)
    return not is_prefix or needs_keywords or bool(call.keywords)


def recipe_of(model: Model, node: ast.ClassDef) -> list[str]:
    """The expressions that give back the arguments of an exception's constructor, in their order.

    Args:
        model: the file.
        node: a class for which :func:`is_broken` holds.

    Raises:
        Refused: naming an argument that is not kept, or what else speaks against it.
    """
    constructor = constructor_of(node)
    assert constructor is not None
    for subclass in _subclasses(model, node):
        if constructor_of(subclass) is not None:
            raise Refused("subclass-constructor", name=subclass.name)
    if constructor.args.kwonlyargs or constructor.args.vararg or constructor.args.kwarg:
        raise Refused("constructor-arguments", name=ast.unparse(constructor.args))
    call = base_call_of(model, node, constructor)
    assert call is not None
    return [_kept(model, node, constructor, call, name) for name in positional_parameters(constructor)]


def constructor_of(node: ast.ClassDef) -> ast.FunctionDef | None:
    """The ``__init__`` of a class's own."""
    found = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"]
    return found[0] if len(found) == 1 and not found[0].decorator_list else None


def positional_parameters(constructor: ast.FunctionDef) -> list[str]:
    """The positional parameters after ``self``."""
    return [argument.arg for argument in (*constructor.args.posonlyargs, *constructor.args.args)][1:]


def base_call_of(model: Model, node: ast.ClassDef, constructor: ast.FunctionDef) -> ast.Call | None:
    """The one call of the base's ``__init__``, where it is a statement that always runs."""
    calls = [call for call in _calls(constructor) if _is_base_call(model, node, call)]
    if len(calls) != 1 or model.parents[model.parents[calls[0]]] is not constructor:
        return None
    return calls[0]


def _calls(constructor: ast.FunctionDef) -> Iterator[ast.Call]:
    return (inner for inner in ast.walk(constructor) if isinstance(inner, ast.Call))


def _is_base_call(model: Model, node: ast.ClassDef, call: ast.Call) -> bool:
    """``super().__init__(…)`` or ``Exception.__init__(self, …)``, where it means the builtin exception's."""
    if not (isinstance(call.func, ast.Attribute) and call.func.attr == "__init__"):
        return False
    receiver = call.func.value
    is_super = isinstance(receiver, ast.Call) and isinstance(receiver.func, ast.Name) and receiver.func.id == "super"
    is_base = ast.unparse(receiver) in [ast.unparse(base) for base in node.bases]
    return (is_super or is_base) and not any(_has_constructor(model, base) for base in node.bases)


def _passed(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call of the base's constructor, without ``self``."""
    assert isinstance(call.func, ast.Attribute)
    return call.args if isinstance(call.func.value, ast.Call) else call.args[1:]


def _has_constructor(model: Model, base: ast.expr) -> bool:
    definition = class_of(model, base)
    if definition is None:
        return False
    own = any(isinstance(item, ast.FunctionDef) and item.name == "__init__" for item in definition.body)
    return own or any(_has_constructor(model, inner) for inner in definition.bases)


def _is_exception(model: Model, node: ast.ClassDef, seen: set[ast.ClassDef]) -> bool:
    """Whether a class derives from builtin exceptions that keep their arguments, and pickles as they do."""
    if node in seen or not node.bases or node.keywords or node.decorator_list:
        return False
    if _OWN_WAYS & model.scopes.of_node[node].bindings.keys():
        return False
    found = False
    for base in node.bases:
        definition = class_of(model, base)
        if definition is not None:
            if not _is_exception(model, definition, seen | {node}):
                return False
            found = True
            continue
        name = model.dotted_name(base)
        kind = getattr(builtins, name, None) if name is not None else None
        if not isinstance(kind, type) or not issubclass(kind, BaseException) or issubclass(kind, _OWN_ARGUMENTS):
            return False
        found = True
    return found


def _passes_all_on(constructor: ast.FunctionDef, call: ast.Call, parameters: list[str]) -> bool:
    """``super().__init__(first, *rest)`` in a constructor that takes just that."""
    arguments = [ast.unparse(argument) for argument in _passed(call)]
    variadic = [f"*{constructor.args.vararg.arg}"] if constructor.args.vararg is not None else []
    return arguments == [*parameters, *variadic] and not call.keywords


def _subclasses(model: Model, node: ast.ClassDef) -> Iterator[ast.ClassDef]:
    for other in model.nodes.get(ast.ClassDef, ()):
        assert isinstance(other, ast.ClassDef)
        if any(class_of(model, base) is node for base in other.bases):
            yield other
            yield from _subclasses(model, other)


def _kept(model: Model, node: ast.ClassDef, constructor: ast.FunctionDef, call: ast.Call, name: str) -> str:
    """Where an argument is found again: in an attribute that holds it, or in ``self.args``."""
    scope = model.scopes.of_node[constructor]
    if len(list(scope.all_bindings(name))) == 1:
        for statement in constructor.body:
            attribute = _attribute_set_to(statement, constructor, name)
            if attribute is not None and _is_set_once(node, attribute):
                return f"self.{attribute}"
        passed = [argument.id if isinstance(argument, ast.Name) else "" for argument in _passed(call)]
        if name in passed and not any(isinstance(argument, ast.Starred) for argument in _passed(call)):
            return f"self.args[{passed.index(name)}]"
    raise Refused("constructor-arguments", name=name)


def _attribute_set_to(statement: ast.stmt, constructor: ast.FunctionDef, name: str) -> str | None:
    """The attribute of ``self`` that a statement sets to a parameter as it is."""
    value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    if not (isinstance(value, ast.Name) and value.id == name):
        return None
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]  # type: ignore[attr-defined]
    own = [*constructor.args.posonlyargs, *constructor.args.args][0].arg
    for target in targets:
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == own:
            return str(target.attr)
    return None


def _is_set_once(node: ast.ClassDef, attribute: str) -> bool:
    """Whether an attribute is a plain one that nothing in the class sets again."""
    stores = [
        inner
        for inner in ast.walk(node)
        if isinstance(inner, ast.Attribute) and inner.attr == attribute and not isinstance(inner.ctx, ast.Load)
    ]
    defined = any(getattr(item, "name", None) == attribute for item in node.body)
    return len(stores) == 1 and not defined and attribute != "args"
