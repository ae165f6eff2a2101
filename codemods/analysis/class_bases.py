"""Bases, metaclasses and decorators: does making a class from them have effects beyond the class?"""

from __future__ import annotations

import ast
import builtins

from codemods.analysis.model import Model
from codemods.analysis.movable import is_movable
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import ScopeKind

PLAIN_BASES = frozenset(
    {
        "abc.ABC",
        "argparse.Action",
        "argparse.ArgumentParser",
        "argparse.HelpFormatter",
        "ast.NodeTransformer",
        "ast.NodeVisitor",
        "collections.ChainMap",
        "collections.Counter",
        "collections.OrderedDict",
        "collections.UserDict",
        "collections.UserList",
        "collections.UserString",
        "collections.defaultdict",
        "collections.deque",
        "contextlib.AbstractContextManager",
        "contextlib.ContextDecorator",
        "contextlib.ExitStack",
        "datetime.date",
        "datetime.datetime",
        "datetime.timedelta",
        "datetime.tzinfo",
        "decimal.Decimal",
        "enum.Enum",
        "enum.Flag",
        "enum.IntEnum",
        "enum.IntFlag",
        "enum.StrEnum",
        "fractions.Fraction",
        "html.parser.HTMLParser",
        "io.BytesIO",
        "io.RawIOBase",
        "io.StringIO",
        "io.TextIOBase",
        "json.JSONDecoder",
        "json.JSONEncoder",
        "logging.Filter",
        "logging.Formatter",
        "logging.Handler",
        "logging.LoggerAdapter",
        "logging.StreamHandler",
        "multiprocessing.Process",
        "numbers.Number",
        "pickle.Pickler",
        "pickle.Unpickler",
        "queue.Queue",
        "random.Random",
        "sklearn.base.BaseEstimator",
        "sklearn.base.ClassifierMixin",
        "sklearn.base.ClusterMixin",
        "sklearn.base.RegressorMixin",
        "sklearn.base.TransformerMixin",
        "threading.Thread",
        "torch.autograd.Function",
        "torch.nn.Module",
        "torch.optim.Optimizer",
        "torch.utils.data.Dataset",
        "torch.utils.data.IterableDataset",
        "torch.utils.data.Sampler",
        "types.SimpleNamespace",
        "typing.Generic",
        "typing.NamedTuple",
        "typing.Protocol",
        "typing.TypedDict",
        "typing_extensions.NamedTuple",
        "typing_extensions.Protocol",
        "typing_extensions.TypedDict",
    }
)
"""Classes that do nothing beyond the class itself when a subclass is made."""

_SIDE_EFFECTS = frozenset({"__init_subclass__", "__subclasses__"})


def check_bases(model: Model, node: ast.ClassDef, anchor: ast.stmt) -> None:
    """Refuse a class whose bases or metaclass do more, or other things, when it is made only once and at import.

    Raises:
        Refused: naming the base or the keyword.
    """
    if "__subclasses__" in model.identifiers:
        raise Refused("class-registered", name="__subclasses__")
    for base in node.bases:
        if not (is_movable(model, base, anchor, annotation=True) or _is_builtin_class(base)):
            raise Refused("class-base", name=ast.unparse(base))
        if not _is_plain(model, base, set()):
            raise Refused("class-registered", name=ast.unparse(base))
    for keyword in node.keywords:
        if keyword.arg == "metaclass":
            name = model.dotted_name(keyword.value)
            if name is None or not model.catalog.moves_safely(name):
                raise Refused("class-registered", name=ast.unparse(keyword.value))
        elif not is_movable(model, keyword.value, anchor):
            raise Refused("class-base", name=ast.unparse(keyword.value))


def check_decorators(model: Model, node: ast.ClassDef, anchor: ast.stmt) -> None:
    """Refuse a class with a decorator that is not known to do the same wherever the class stands.

    Raises:
        Refused: naming the decorator.
    """
    for decorator in node.decorator_list:
        function = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = model.dotted_name(function)
        arguments: list[ast.expr] = []
        if isinstance(decorator, ast.Call):
            arguments = [*decorator.args, *(keyword.value for keyword in decorator.keywords)]
        is_known = name is not None and model.catalog.moves_safely(name) and is_movable(model, function, anchor)
        if not is_known or not all(is_movable(model, argument, anchor) for argument in arguments):
            raise Refused("class-decorator", name=ast.unparse(decorator))


def base_names(model: Model, node: ast.ClassDef) -> set[str]:
    """The dotted names of everything outside of this file that a class derives from, as far as it is known."""
    names: set[str] = set()
    pending, seen = [node], set[ast.AST]()
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        for base in current.bases:
            expression = base.value if isinstance(base, ast.Subscript) else base
            definition = class_of(model, expression)
            name = model.dotted_name(expression)
            if definition is not None:
                pending.append(definition)
            elif name is not None:
                names.add(name)
    return names


def class_of(model: Model, expression: ast.expr) -> ast.ClassDef | None:
    """The class statement that a name stands for, where it is the name's only binding."""
    if not isinstance(expression, ast.Name):
        return None
    owner = model.scopes.around[expression].resolve(expression.id)
    bindings = [binding for _, binding in owner.all_bindings(expression.id)]
    return bindings[0] if len(bindings) == 1 and isinstance(bindings[0], ast.ClassDef) else None


def _is_builtin_class(base: ast.expr) -> bool:
    return isinstance(base, ast.Name) and isinstance(getattr(builtins, base.id, None), type)


def _is_plain(model: Model, base: ast.expr, seen: set[ast.AST]) -> bool:
    """Whether nothing but the class comes of deriving from a base."""
    if isinstance(base, ast.Subscript):
        base = base.value
    definition = class_of(model, base)
    if definition is not None:
        return definition in seen or _is_plain_definition(model, definition, seen | {definition})
    name = model.dotted_name(base)
    if name is None or name == "type":
        return False
    return name in PLAIN_BASES or model.catalog.canonical(name) in PLAIN_BASES or _is_builtin(model, base, name)


def _is_plain_definition(model: Model, definition: ast.ClassDef, seen: set[ast.AST]) -> bool:
    if model.scopes.around[definition].kind is not ScopeKind.MODULE:
        return False
    if _SIDE_EFFECTS & model.scopes.of_node[definition].bindings.keys():
        return False
    for keyword in definition.keywords:
        name = model.dotted_name(keyword.value) if keyword.arg == "metaclass" else None
        if name is None or not model.catalog.moves_safely(name):
            return False
    return all(_is_plain(model, base, seen) for base in definition.bases)


def _is_builtin(model: Model, base: ast.expr, name: str) -> bool:
    is_class = isinstance(getattr(builtins, name, None), type)
    return is_class and isinstance(base, ast.Name) and model.is_builtin(name, model.scopes.around[base])
