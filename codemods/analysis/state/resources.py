"""Which expressions make something that pickle refuses."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, Function, Scope, ScopeKind
from codemods.analysis.state.attributes import self_name
from codemods.analysis.syntax import defaults, own_nodes, parameters
from codemods.catalog.entries import Resource, Restore

MODULE = Resource("module", "TypeError: cannot pickle 'module' object", "", Restore.BY_NAME, False)
GENERATOR = Resource(
    "generator",
    "TypeError: cannot pickle 'generator' object",
    "",
    Restore.REBUILD_WITH_STATE,
    False,
    note="it starts again",
)
_INDEXED = frozenset({"h5py.File", "netCDF4.Dataset"})
_HANDLE_METHODS = frozenset({"begin", "cursor", "makefile", "open_session", "pubsub", "socket", "unary_unary"})
"""Methods that return an object which goes on using the one that it comes from."""
_WITH_DEFAULT = frozenset({"get", "pop", "setdefault"})
"""Methods that give what was passed in, or else their second argument."""
_PROXIES = frozenset({"__members__", "__dict__"})
_CONTAINERS = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)


@dataclass(frozen=True, eq=False)
class Made:
    """Something that pickle refuses, as an expression makes it.

    Args:
        resource: what.
        node: the expression that makes it, which may stand elsewhere than where the value is used.
        by_name: whether the expression is a name of the module, or of an imported one, that refers to it.
        inside: whether it sits inside a container that the expression makes.
        helper: the function that makes it and returns it.
        home: the file of that function, if it is another one.
        passed: whether it comes in as an argument.
    """

    resource: Resource
    node: ast.expr
    by_name: bool = False
    inside: bool = False
    helper: Function | None = None
    home: Model | None = None
    passed: bool = False


class Resources:
    """Recognises resources in a file.

    Args:
        model: the file.
        open_calls: the calls that are being looked at; they may lead to themselves: ``f = table.get("f", f)``.
    """

    def __init__(self, model: Model, open_calls: set[ast.Call] | None = None) -> None:
        self.model = model
        self._open_calls = set() if open_calls is None else open_calls

    def made_by(self, node: ast.expr) -> Made | None:
        """What an expression makes, if pickle refuses it."""
        if isinstance(node, ast.Call):
            return self._called(node)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._named(node)
        if isinstance(node, ast.GeneratorExp):
            return Made(GENERATOR, node)
        if isinstance(node, _CONTAINERS):
            inner = next((made for part in _elements(node) if (made := self.made_by(part))), None)
            return Made(inner.resource, node, inside=True) if inner is not None else None
        return None

    def holds_names(self, node: ast.expr) -> bool:
        """Whether an expression makes a container of constants and of objects that are found under a name."""
        if isinstance(node, ast.Dict) and None in node.keys:
            return False
        parts = list(_elements(node)) if isinstance(node, (ast.List, ast.Tuple, ast.Set, ast.Dict)) else []
        made = (self.made_by(part) for part in parts if not isinstance(part, ast.Constant))
        return bool(parts) and all(found is not None and found.by_name for found in made)

    def constructor(self, node: ast.expr) -> Resource | None:
        """The resource that a call of an expression makes; None for those that pickle."""
        name = self.model.dotted_name(self._alias(node))
        resource = self.model.catalog.resource(name) if name is not None else None
        return None if resource is None or resource.restore is Restore.KEEP else resource

    def _alias(self, node: ast.expr) -> ast.expr:
        """The expression that a name of the module stands for, where it is assigned once: ``make = threading.Lock``."""
        if not isinstance(node, ast.Name) or node not in self.model.scopes.around:
            return node
        owner = self.model.scopes.around[node].resolve(node.id)
        bindings = [binding for _, binding in owner.all_bindings(node.id)]
        statement = self.model.parents.get(bindings[0]) if len(bindings) == 1 else None
        if owner.kind is not ScopeKind.MODULE or not isinstance(statement, ast.Assign):
            return node
        is_plain = isinstance(statement.value, ast.Attribute) and bindings[0] in statement.targets
        return statement.value if is_plain else node

    def _called(self, node: ast.Call) -> Made | None:
        if node in self._open_calls:
            return None
        self._open_calls.add(node)
        try:
            return self._made_by_call(node)
        finally:
            self._open_calls.remove(node)

    def _made_by_call(self, node: ast.Call) -> Made | None:
        resource = self.constructor(node.func)
        if resource is not None:
            return Made(resource, node)
        if self.model.dotted_name(node.func) == "collections.defaultdict" and node.args:
            factory = self.constructor(node.args[0])
            return Made(factory, node, inside=True) if factory is not None else None
        if isinstance(node.func, ast.Attribute) and node.func.attr in _WITH_DEFAULT and len(node.args) == 2:
            made = self.made_by(node.args[1])
            return replace(made, passed=True) if made is not None and not made.inside else None
        function = self._function(node.func) or self._own_method(node)
        if function is not None:
            return self._returned(node, function)
        return self._made_elsewhere(node)

    def _made_elsewhere(self, node: ast.Call) -> Made | None:
        """What a function of another file makes and returns."""
        found = self.model.definition(node.func)
        if found is None or len(found.nodes) != 1 or not isinstance(found.nodes[0], FUNCTIONS):
            return None
        home = self.model.home(found)
        bindings = [binding for _, binding in home.scopes.module.all_bindings(found.name)]
        if len(bindings) != 1 or not isinstance(bindings[0], FUNCTIONS) or bindings[0].decorator_list:
            return None
        made = Resources(home, self._open_calls)._returned(node, bindings[0])
        return replace(made, home=home) if made is not None else None

    def _function(self, node: ast.expr) -> Function | None:
        """The function of the module that a name surely means."""
        if not isinstance(node, ast.Name) or node not in self.model.scopes.around:
            return None
        owner = self.model.scopes.around[node].resolve(node.id)
        bindings = [binding for _, binding in owner.all_bindings(node.id)]
        if len(bindings) == 1 and isinstance(bindings[0], FUNCTIONS) and not bindings[0].decorator_list:
            return bindings[0]
        return None

    def _own_method(self, node: ast.Call) -> Function | None:
        """The method of the same class that ``self.name()`` calls, as far as the class itself tells."""
        if not isinstance(node.func, ast.Attribute) or not isinstance(node.func.value, ast.Name):
            return None
        methods = [outer for outer in self.model.ancestors(node) if isinstance(outer, FUNCTIONS)]
        owner = self.model.parents[methods[-1]] if methods else None
        if not isinstance(owner, ast.ClassDef) or self_name(methods[-1]) != node.func.value.id:
            return None
        named = [inner for inner in owner.body if isinstance(inner, FUNCTIONS) and inner.name == node.func.attr]
        return named[0] if len(named) == 1 and not named[0].decorator_list else None

    def _returned(self, node: ast.Call, function: Function) -> Made | None:
        own = list(own_nodes(function))
        if any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in own):
            return Made(GENERATOR, node) if isinstance(function, ast.FunctionDef) else None
        for inner in own:
            if isinstance(inner, ast.Return) and isinstance(inner.value, (ast.Call, ast.Name, ast.Attribute)):
                value = self.local_value(inner.value) if isinstance(inner.value, ast.Name) else inner.value
                resource = self.constructor(value.func) if isinstance(value, ast.Call) else None
                if resource is None and not isinstance(inner.value, ast.Call):
                    named = self._named(inner.value)
                    resource = named.resource if named is not None and named.by_name else None
                if resource is not None:
                    return Made(resource, node, helper=function)
        return None

    def local_value(self, node: ast.Name) -> ast.expr | None:
        """The expression that a local variable is bound to, where it has one binding."""
        owner = self.model.scopes.around[node].resolve(node.id)
        if owner.kind is not ScopeKind.FUNCTION:
            return None
        bindings = [binding for _, binding in owner.all_bindings(node.id)]
        if len(bindings) != 1 or not isinstance(bindings[0], ast.Name):
            return None
        statement = self.model.parents[bindings[0]]
        if isinstance(statement, ast.NamedExpr):
            return statement.value
        return statement.value if isinstance(statement, ast.Assign) and bindings[0] in statement.targets else None

    def _named(self, node: ast.Name | ast.Attribute) -> Made | None:
        root = node
        while isinstance(root, ast.Attribute):
            if not isinstance(root.value, (ast.Attribute, ast.Name)):
                return None
            root = root.value
        if root not in self.model.scopes.around:
            return None
        if self._is_module(node):
            return Made(MODULE, node, by_name=True)
        if (found := self._imported(node)) is not None:
            return found
        if isinstance(node, ast.Attribute):
            return self._proxy(node) or self._of_class(node)
        owner = self.model.scopes.around[node].resolve(node.id)
        if owner.kind is ScopeKind.MODULE:
            return self._global(node, node.id, owner)
        value = self.local_value(node)
        if value is None:
            return self._default(node, owner)
        return self.made_by(value) if isinstance(value, (ast.Call, ast.GeneratorExp)) else None

    def _default(self, node: ast.Name, owner: Scope) -> Made | None:
        """What a parameter holds if nothing is passed: its default, or what it is set to where it is None."""
        bindings = [binding for _, binding in owner.all_bindings(node.id)]
        if not isinstance(owner.node, FUNCTIONS) or not bindings or not is_parameter(owner.node, node.id):
            return None
        values = [value for parameter, value in defaults(owner.node.args) if parameter.arg == node.id]
        for binding in bindings:
            statement = self.model.parents.get(binding)
            if isinstance(statement, ast.Assign) and binding in statement.targets:
                values.append(statement.value)
        made = next((made for value in values if isinstance(value, ast.Call) and (made := self._called(value))), None)
        return replace(made, passed=True) if made is not None and not made.inside else None

    def _imported(self, node: ast.Name | ast.Attribute) -> Made | None:
        """A module of the project, or what a name at the top level of one holds."""
        found = self.model.definition(node)
        if found is None or all(isinstance(statement, ast.ClassDef) for statement in found.nodes):
            return Made(MODULE, node, by_name=True) if found is not None and not found.name else None
        home = self.model.home(found)
        return Resources(home, self._open_calls)._global(node, found.name, home.scopes.module)

    def _proxy(self, node: ast.Attribute) -> Made | None:
        """The mapping that a class of the file shows under ``__members__`` or ``__dict__``."""
        if node.attr not in _PROXIES or not isinstance(node.value, ast.Name):
            return None
        owner = self.model.scopes.around[node.value].resolve(node.value.id)
        bindings = [binding for _, binding in owner.all_bindings(node.value.id)]
        resource = self.model.catalog.resource("types.MappingProxyType")
        if resource is None or len(bindings) != 1 or not isinstance(bindings[0], ast.ClassDef):
            return None
        return Made(resource, node, by_name=True) if owner.kind is ScopeKind.MODULE else None

    def _of_class(self, node: ast.Attribute) -> Made | None:
        """What the body of a class of the module keeps under a name: ``Owner.lock``."""
        if not isinstance(node.value, ast.Name):
            return None
        owner = self.model.scopes.around[node.value].resolve(node.value.id)
        bindings = [binding for _, binding in owner.all_bindings(node.value.id)]
        if owner.kind is not ScopeKind.MODULE or len(bindings) != 1 or not isinstance(bindings[0], ast.ClassDef):
            return None
        made = self.in_class_body(bindings[0], node.attr)
        return Made(made.resource, node, by_name=True) if made is not None else None

    def in_class_body(self, owner: ast.ClassDef, name: str) -> Made | None:
        """What a class body binds a name to, once and for all, if pickle refuses it."""
        stored = self.model.scopes.of_node[owner].bindings.get(name, [])
        statement = self.model.parents.get(stored[0]) if len(stored) == 1 else None
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
            return None
        made = self._called(statement.value)
        return made if made is not None and not made.inside else None

    def _global(self, node: ast.expr, name: str, owner: Scope) -> Made | None:
        """What a variable of the module holds, which may be None where something is not installed."""
        bindings = [binding for _, binding in owner.all_bindings(name) if not self.is_fallback(binding)]
        if len(bindings) != 1:
            return None
        binding = bindings[0]
        if isinstance(binding, FUNCTIONS):
            for decorator in binding.decorator_list:
                resource = self.constructor(decorator.func if isinstance(decorator, ast.Call) else decorator)
                if resource is not None:
                    return Made(resource, node, by_name=True)
            return None
        statement = self.model.parents.get(binding)
        if not isinstance(statement, ast.Assign) or binding not in statement.targets:
            return None
        made = self._called(statement.value) if isinstance(statement.value, ast.Call) else None
        return Made(made.resource, node, by_name=True) if made is not None and not made.inside else None

    def is_fallback(self, binding: ast.AST) -> bool:
        """Whether a binding at the top level, in a branch or an exception handler, is to None."""
        statement = self.model.parents.get(binding)
        return (
            isinstance(statement, ast.Assign)
            and isinstance(statement.value, ast.Constant)
            and statement.value.value is None
            and isinstance(self.model.parents[statement], (ast.If, ast.Try, ast.ExceptHandler))
            and not any(isinstance(outer, FUNCTIONS) for outer in self.model.ancestors(statement))
        )

    def _is_module(self, node: ast.Name | ast.Attribute) -> bool:
        """Whether a dotted name is surely a module: bound by ``import``, or a submodule of the standard library."""
        name = self.model.dotted_name(node)
        if name is None:
            return False
        if name in ("os.path", "xml.etree.ElementTree", "concurrent.futures", "importlib.util"):
            return True
        if not isinstance(node, ast.Name):
            return self._is_imported_submodule(name)
        owner = self.model.scopes.around[node].resolve(node.id)
        bindings = [binding for _, binding in owner.all_bindings(node.id)]
        return bool(bindings) and all(isinstance(binding, ast.Import) for binding in bindings)

    def _is_imported_submodule(self, name: str) -> bool:
        """Whether an ``import a.b`` of the file makes ``a.b`` a module of the standard library."""
        return name.partition(".")[0] in sys.stdlib_module_names and any(
            alias.name == name and alias.asname is None
            for statement in self.model.nodes.get(ast.Import, ())
            if isinstance(statement, ast.Import)
            for alias in statement.names
        )


def derived_from(node: ast.expr, owner: Made) -> Made | None:
    """What an expression takes out of a resource, where that does not pickle either: a data set of a file, a cursor."""
    name = owner.resource.name
    if isinstance(node, ast.Subscript) and name in _INDEXED and not isinstance(node.slice, (ast.Slice, ast.Tuple)):
        return Made(replace(owner.resource, name=f"{name} item", restore=Restore.REBUILD), node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _HANDLE_METHODS:
        resource = replace(owner.resource, name=f"{name}.{node.func.attr}", restore=Restore.REBUILD_WITH_STATE, note="")
        return Made(resource, node)
    return None


def alternatives(node: ast.expr) -> Iterator[ast.expr]:
    """The expressions one of which gives the value of an expression."""
    if isinstance(node, ast.IfExp):
        yield from alternatives(node.body)
        yield from alternatives(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from alternatives(value)
    elif isinstance(node, ast.NamedExpr):
        yield from alternatives(node.value)
    else:
        yield node


def is_parameter(function: Function, name: str) -> bool:
    """Whether a function has a parameter of that name."""
    return any(parameter.arg == name for parameter in parameters(function.args))


def _elements(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        yield from node.elts
    elif isinstance(node, ast.Dict):
        yield from node.values
    elif isinstance(node, (ast.ListComp, ast.SetComp)):
        yield node.elt
    elif isinstance(node, ast.DictComp):
        yield node.value
