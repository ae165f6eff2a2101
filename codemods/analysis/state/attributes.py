"""Where attributes are set: every store to an attribute of an instance that a file shows."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, Function, mangle
from codemods.analysis.state.classes import Class
from codemods.analysis.syntax import children, parameters

_ADDING_METHODS = frozenset({"add", "append", "appendleft", "insert", "put", "put_nowait", "setdefault"})
_STORING = (
    *(ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete, ast.For, ast.AsyncFor, ast.withitem),
    ast.Call,
)
_FIELD_MAKERS = frozenset({"dataclasses.field", "attr.ib", "attrs.field"})


@dataclass(frozen=True, eq=False)
class Store:
    """One place that sets, changes or deletes an attribute.

    Args:
        attribute: its name, as the instance's ``__dict__`` has it.
        node: the target.
        value: the expression that is stored; None where it is not known, or the attribute is deleted.
        method: the function that it stands in; None for a field of a dataclass.
        in_closure: whether it stands in a function inside that one.
        deletes: whether it deletes.
        factory: whether ``value`` is called to make what is stored.
        cached: whether the first use of a cached property stores it.
        inside: whether it puts the value into the object that the attribute holds.
    """

    attribute: str
    node: ast.expr
    value: ast.expr | None
    method: Function | None
    in_closure: bool = False
    deletes: bool = False
    factory: bool = False
    cached: bool = False
    inside: bool = False


class Attributes:
    """All stores to attributes in a file.

    Args:
        model: the file.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._of_class: dict[Class, list[Store]] = {}
        self._of_method: dict[Function, list[tuple[ast.AST, bool]]] = {}

    def of(self, found: Class) -> list[Store]:
        """The stores of a class's own methods to ``self``, and its fields, in the order of the text."""
        if found not in self._of_class:
            stores = [*self._fields(found)]
            for method in found.methods.values():
                stores.extend(self._in_method(found, method))
                stores.extend(self._cached(found, method))
            self._of_class[found] = sorted(stores, key=lambda store: (store.node.lineno, store.node.col_offset))
        return self._of_class[found]

    def contents(self, found: Class) -> Iterator[Store]:
        """What a class's own methods put into the objects that attributes of ``self`` hold."""
        for method in found.methods.values():
            name = self_name(method)
            for node, in_closure in self._storing_in(method) if name is not None else ():
                for base, value in _contents(node):
                    if isinstance(base, ast.Attribute) and is_named(base.value, name or ""):
                        attribute = mangle(base.attr, found.name)
                        yield Store(attribute, base, value, method, in_closure, inside=True)

    def _storing_in(self, method: Function) -> list[tuple[ast.AST, bool]]:
        if method not in self._of_method:
            self._of_method[method] = _storing(method)
        return self._of_method[method]

    @functools.cached_property
    def foreign(self) -> frozenset[str]:
        """The names of attributes that are set, changed or deleted on something that is not a method's ``self``."""
        own = {id(node) for node in self._self_targets()}
        return frozenset(
            node.attr
            for node in self.model.nodes.get(ast.Attribute, ())
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and id(node) not in own
        ) | frozenset(self._set_by_key())

    @functools.cached_property
    def has_foreign_dynamic(self) -> bool:
        """Whether code sets attributes through the dictionary of an object, or by names that are not known."""
        for node in self.model.nodes.get(ast.Subscript, ()):
            assert isinstance(node, ast.Subscript)
            if not isinstance(node.ctx, ast.Load) and is_dictionary(node.value) and not _has_literal_key(node):
                return True
        return any(
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("update", "clear", "pop", "setdefault", "popitem")
            and is_dictionary(node.func.value)
            for node in self.model.nodes.get(ast.Call, ())
        )

    def _set_by_key(self) -> Iterator[str]:
        """The names of attributes that code sets through a dictionary, or through ``setattr`` on other objects."""
        for node in self.model.nodes.get(ast.Subscript, ()):
            assert isinstance(node, ast.Subscript)
            if not isinstance(node.ctx, ast.Load) and _has_literal_key(node) and is_dictionary(node.value):
                assert isinstance(node.slice, ast.Constant)
                if not (isinstance(node.value, ast.Attribute) and is_named(node.value.value, "self")):
                    yield str(node.slice.value)
        for call in self.model.nodes.get(ast.Call, ()):
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Name)
                and len(call.args) >= 2
                and call.func.id in ("setattr", "delattr")
                and isinstance(call.args[1], ast.Constant)
                and not is_named(call.args[0], "self")
            ):
                yield str(call.args[1].value)

    def _self_targets(self) -> Iterator[ast.AST]:
        for node in self.model.nodes.get(ast.ClassDef, ()):
            assert isinstance(node, ast.ClassDef)
            for method in node.body:
                if isinstance(method, FUNCTIONS) and (name := self_name(method)) is not None:
                    yield from (
                        inner
                        for inner in ast.walk(method)
                        if isinstance(inner, ast.Attribute) and is_named(inner.value, name)
                    )

    def _fields(self, found: Class) -> Iterator[Store]:
        """The fields of a dataclass that a factory fills."""
        if not (found.is_dataclass or found.is_attrs):
            return
        for statement in found.node.body:
            if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
                continue
            name = mangle(statement.target.id, found.name)
            factory = self._factory(statement.value)
            if factory is None:
                yield Store(name, statement.target, None, None)
            elif isinstance(factory, ast.Lambda):
                yield Store(name, statement.target, factory.body, None)
            else:
                yield Store(name, statement.target, factory, None, factory=True)

    def _cached(self, found: Class, method: Function) -> Iterator[Store]:
        """What a cached property stores in the instance."""
        for decorator in method.decorator_list:
            if self.model.dotted_name(decorator) == "functools.cached_property":
                for node in ast.walk(method):
                    if isinstance(node, ast.Return) and node.value is not None:
                        yield Store(mangle(method.name, found.name), node.value, node.value, method, cached=True)

    def _factory(self, value: ast.expr | None) -> ast.expr | None:
        if not isinstance(value, ast.Call) or self.model.dotted_name(value.func) not in _FIELD_MAKERS:
            return None
        factories = (keyword.value for keyword in value.keywords if keyword.arg in ("default_factory", "factory"))
        return next(factories, None)

    def _in_method(self, found: Class, method: Function) -> Iterator[Store]:
        name = self_name(method)
        if name is None:
            return
        for node, in_closure in self._storing_in(method):
            for target, value, deletes in _targets(node):
                attribute = _attribute(target, name)
                if attribute is not None:
                    yield Store(mangle(attribute, found.name), target, value, method, in_closure, deletes)
            if isinstance(node, ast.Call):
                for attribute, value in _set_by_name(node, name):
                    yield Store(attribute, node, value, method, in_closure)


def self_name(method: Function) -> str | None:
    """What a method calls its instance; None for static methods, class methods and ``__new__``."""
    names = {ast.unparse(decorator) for decorator in method.decorator_list}
    positional = [*method.args.posonlyargs, *method.args.args]
    if names & {"staticmethod", "classmethod"} or not positional or method.name in ("__new__", "__init_subclass__"):
        return None
    return positional[0].arg


def is_named(node: ast.AST, name: str) -> bool:
    """Whether an expression is a bare name."""
    return isinstance(node, ast.Name) and node.id == name


def is_dictionary(node: ast.expr) -> bool:
    """Whether an expression is ``x.__dict__`` or ``vars(x)``."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "vars" and len(node.args) == 1
    return isinstance(node, ast.Attribute) and node.attr == "__dict__"


def _has_literal_key(node: ast.Subscript) -> bool:
    return isinstance(node.slice, ast.Constant)


def _storing(method: Function) -> list[tuple[ast.AST, bool]]:
    """The nodes of a method's body that may store something, with whether they stand in a function inside it."""
    found: list[tuple[ast.AST, bool]] = []
    pending: list[tuple[ast.AST, bool]] = [(statement, False) for statement in reversed(method.body)]
    while pending:
        node, in_closure = pending.pop()
        if isinstance(node, _STORING):
            found.append((node, in_closure))
        elif isinstance(node, ast.ClassDef):
            continue
        elif isinstance(node, (*FUNCTIONS, ast.Lambda)):
            if _hides(node, method):
                continue
            in_closure = True
        pending.extend([(child, in_closure) for child in reversed(children(node))])
    return found


def _hides(node: Function | ast.Lambda, method: Function) -> bool:
    """Whether a function has a parameter of its own that is called like the method's instance."""
    return any(parameter.arg == self_name(method) for parameter in parameters(node.args))


def _targets(node: ast.AST) -> Iterable[tuple[ast.expr, ast.expr | None, bool]]:
    """The targets that a statement stores to, with the value where it is known."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _pairs(target, node.value)
    elif isinstance(node, ast.AnnAssign):
        if node.value is not None:
            yield node.target, node.value, False
    elif isinstance(node, ast.AugAssign):
        yield node.target, None, False
    elif isinstance(node, ast.Delete):
        yield from ((target, None, True) for target in node.targets)
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        yield from _pairs(node.target, None)
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield from _pairs(node.optional_vars, None)


def _pairs(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[ast.expr, ast.expr | None, bool]]:
    if not isinstance(target, (ast.Tuple, ast.List)):
        yield target, value, False
        return
    values: list[ast.expr | None] = [None] * len(target.elts)
    if (
        isinstance(value, (ast.Tuple, ast.List))
        and len(value.elts) == len(target.elts)
        and not any(isinstance(element, ast.Starred) for element in (*value.elts, *target.elts))
    ):
        values = list(value.elts)
    for element, part in zip(target.elts, values, strict=True):
        yield from _pairs(element.value if isinstance(element, ast.Starred) else element, part)


def _attribute(target: ast.expr, name: str) -> str | None:
    """The attribute of the instance that a target is: ``self.x`` or ``self.__dict__["x"]``."""
    if isinstance(target, ast.Attribute) and is_named(target.value, name):
        return target.attr
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        base = target.value
        if isinstance(base, ast.Attribute) and base.attr == "__dict__" and is_named(base.value, name):
            return str(target.slice.value)
    return None


def _contents(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The container and the value of ``container[key] = value`` and ``container.append(value)``."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                yield target.value, node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ADDING_METHODS:
        for argument in node.args[-1:]:
            yield node.func.value, argument


def _set_by_name(call: ast.Call, name: str) -> Iterator[tuple[str, ast.expr]]:
    """The attributes and values of ``setattr(self, "x", value)``, ``object.__setattr__`` and ``__dict__.update``.

    A name that is not literal is given in angle brackets.
    """
    if (
        isinstance(call.func, ast.Attribute)
        and call.func.attr == "update"
        and is_dictionary(call.func.value)
        and any(is_named(node, name) for node in ast.walk(call.func.value))
    ):
        yield from ((keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg is not None)
    is_setattr = isinstance(call.func, ast.Name) and call.func.id == "setattr"
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr == "__setattr__"
    arguments = call.args
    if is_method and len(arguments) == 2:
        arguments = [ast.Name(name), *arguments]
    if not (is_setattr or is_method) or len(arguments) != 3 or not is_named(arguments[0], name):
        return
    attribute = arguments[1]
    if isinstance(attribute, ast.Constant) and isinstance(attribute.value, str):
        yield attribute.value, arguments[2]
    else:
        yield f"<{ast.unparse(attribute)}>", arguments[2]
