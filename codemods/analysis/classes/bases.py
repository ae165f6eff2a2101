"""Bases, metaclasses and decorators: does making a class from them have effects beyond the class?"""

from __future__ import annotations

import ast
import builtins

from codemods.analysis.classes.hierarchy import class_of
from codemods.analysis.classes.repeatable import is_repeatable
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

_BASE_FACTORIES = frozenset({"collections.namedtuple", "typing.NamedTuple", "typing_extensions.NamedTuple"})
_SIDE_EFFECTS = frozenset({"__init_subclass__", "__subclasses__"})


def check_bases(model: Model, node: ast.ClassDef, anchor: ast.stmt) -> None:
    """Refuse a class whose bases or metaclass do more, or other things, when it is made only once and at import.

    Raises:
        Refused: naming the base or the keyword.
    """
    if "__subclasses__" in model.identifiers:
        raise Refused("class-registered", name="__subclasses__")
    for base in node.bases:
        if isinstance(base, ast.Call) and _is_plain_factory(model, base, node, anchor):
            continue
        is_available = is_movable(model, base, anchor, annotation=True) or _is_builtin_class(base)
        if not is_available and not is_class_around(model, base, anchor):
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


def _is_plain_factory(model: Model, base: ast.Call, node: ast.ClassDef, anchor: ast.stmt) -> bool:
    """Whether a base is made on the spot: ``class Row(namedtuple("Row", "x y"))``."""
    return model.dotted_name(base.func) in _BASE_FACTORIES and is_repeatable(
        model, base, model.scopes.around[node], anchor
    )


def is_class_around(model: Model, base: ast.expr, anchor: ast.stmt) -> bool:
    """Whether a base is the very class that a local class stands in, with something below it to stand above."""
    is_last = anchor is model.module.body[-1]
    return class_of(model, base) is anchor and not getattr(anchor, "decorator_list", []) and not is_last


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
