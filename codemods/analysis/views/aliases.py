"""Whether the dict behind a view may change after the view has been made."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import NamedTuple

from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, ScopeKind
from codemods.analysis.values.fields import RETURN, UNSAVED, Path, is_unsaved, matches
from codemods.analysis.values.graph import Edge, Op
from codemods.analysis.values.reach import NATIVE, Search, State
from codemods.analysis.values.reach_moves import Kind, backward
from codemods.analysis.views.calls import view_call
from codemods.analysis.views.makers import is_fresh

_CHANGING = frozenset(
    {"__delitem__", "__ior__", "__setitem__", "clear", "move_to_end", "pop", "popitem", "setdefault", "subtract"}
    | {"update"}
)
_LOOKING = frozenset(
    {
        "copy",
        "elements",
        "fromkeys",
        "get",
        "items",
        "keys",
        "most_common",
        "total",
        "values",
        "__contains__",
        "__len__",
    }
)
_HARMLESS_CALLS = frozenset(
    (
        "all",
        "any",
        "bool",
        "dict",
        "enumerate",
        "filter",
        "frozenset",
        "isinstance",
        "iter",
        "len",
        "list",
        "map",
        "max",
    )
    + ("min", "print", "repr", "reversed", "set", "sorted", "str", "sum", "tuple", "type", "zip", "json.dump")
    + ("json.dumps", "copy.copy", "copy.deepcopy", "collections.OrderedDict", "collections.Counter", "id", "range")
    + ("pickle.dump", "pickle.dumps", "pprint.pprint", "next", "hasattr")
)


class Change(NamedTuple):
    """Something that changes a dict.

    Args:
        target: the expression that gives the dict.
        node: what changes it.
    """

    target: ast.expr
    node: ast.AST


class _Aliases(Search):
    """A search for everything that may hold the very same object, wherever it came from."""

    def before(self, state: State, edge: Edge) -> Iterator[State]:
        for path in _origins(state.path, edge):
            yield State(state.entry, edge.source, path, True)


def _origins(path: Path, edge: Edge) -> list[Path]:
    """The paths on which the beginning of an edge holds the object that its end holds on a path."""
    if edge.op in (Op.KEEP, Op.STORE):
        return [path[1:]] if path and matches(edge.field, path[0]) else []
    if edge.op is Op.COPY:
        return [path] if path else []
    return backward(path, edge)


class Aliases(NamedTuple):
    """Where a dict may be.

    Args:
        places: the places whose values it may be.
        outlives: whether something that lives longer than the function may hold it.
        attributes: the names of the attributes that may hold it.
    """

    places: frozenset[int]
    outlives: bool
    attributes: frozenset[str] = frozenset()


class Liveness:
    """Follows the dicts of one file.

    Args:
        model: the file.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._aliases: dict[ast.expr, Aliases] = {}

    def aliases(self, node: ast.expr) -> Aliases:
        """Where the dict that a receiver gives may be."""
        if node not in self._aliases:
            self._aliases[node] = self._find(node)
        return self._aliases[node]

    def _find(self, node: ast.expr) -> Aliases:
        graph = self.model.flow.graph
        place = graph.of_operand.get(node)
        if place is None:
            return Aliases(frozenset(), not is_fresh(self.model, node))
        search = _Aliases(graph, place, Kind.RESOURCE)
        search.push(State(NATIVE, place, (), True), -1, None)
        states = list(search.exhaust())
        # A call of a known maker of dicts counts as unknown in the graph, and so do parameters of known callers.
        fresh = {graph.of_node[call] for call in self._fresh_calls if call in graph.of_node}
        places = frozenset(state.place for state in states if not state.path)
        outlives = len(states) >= search.LIMIT or any(
            (search.rests(state) and not is_unsaved(state.path) and RETURN not in state.path)
            or (not state.path and state.place in graph.parameters)
            or (state.place in graph.unknown and state.place not in fresh)
            for state in states
        )
        attributes = {state.path[-1].removeprefix(UNSAVED) for state in states if state.path}
        return Aliases(places, outlives, frozenset(name for name in attributes if name.isidentifier()))

    @functools.cached_property
    def _fresh_calls(self) -> list[ast.Call]:
        calls = self.model.nodes.get(ast.Call, ())
        return [call for call in calls if isinstance(call, ast.Call) and is_fresh(self.model, call)]

    def change_after(self, view: ast.expr, receiver: ast.expr) -> Change | None:
        """Something that may change the dict after ``view`` has been evaluated; None if nothing in the file does.

        Args:
            view: the expression that makes, or reads, the view.
            receiver: what gives the dict.
        """
        places = self.aliases(receiver).places
        by_reading = any(self.model.flow.graph.of_node.get(call) in places for call in self._defaultdicts)
        changes: list[Change] = [*self._changes, *(self._readings if by_reading else ())]
        of_operand = self.model.flow.graph.of_operand
        for change in changes:
            if of_operand.get(change.target) in places and self._is_later(view, receiver, change):
                return change
        return next((change for change in self._bound_methods if _word(change.target) == _word(receiver)), None)

    def attributes(self, receiver: ast.expr) -> frozenset[str]:
        """The names of the attributes that may hold the dict that a receiver gives."""
        names = self.aliases(receiver).attributes
        if isinstance(receiver, ast.Attribute) or self.is_global(receiver):
            return names | {_word(receiver)}
        return names

    def is_global(self, receiver: ast.expr) -> bool:
        """Whether a receiver is a variable of the module, which is an attribute of the module elsewhere."""
        if not isinstance(receiver, ast.Name):
            return False
        return self.model.scopes.around[receiver].resolve(receiver.id).kind is ScopeKind.MODULE

    def changes_of(self, attributes: frozenset[str], origin: str) -> Iterator[Change]:
        """What changes a dict of another file: one that an attribute holds, or that has been handed to that file.

        Args:
            attributes: the names of the attributes that may hold the dict.
            origin: the real path of the other file.
        """
        theirs = {(origin, name) for name in attributes}
        for change in (*self._changes, *self._bound_methods):
            target = change.target
            if isinstance(target, ast.Attribute):
                if target.attr in attributes:
                    yield change
            elif isinstance(target, ast.Name):
                definition = self.model.definition(target)
                if definition and (definition.module.path, definition.name) in theirs:
                    yield change
        yield from self._changes_after_handing(origin)

    def _changes_after_handing(self, origin: str) -> Iterator[Change]:
        """The changes of variables' dicts after a function or class of another file has been called with them."""
        for call in self.model.nodes.get(ast.Call, ()):
            assert isinstance(call, ast.Call)
            arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
            handed = [argument for argument in arguments if isinstance(argument, ast.Name)]
            if not handed or not self._is_of(call.func, origin):
                continue
            for argument in handed:
                reads = (read for read in self._loads(argument) if read in self.model.flow.graph.of_operand)
                change = self.change_after(argument, next(reads, argument))
                if change is not None:
                    yield change

    def _is_of(self, node: ast.expr, origin: str) -> bool:
        """Whether an expression names something of another file; what a star import brings may be it."""
        definition = self.model.definition(node)
        if definition is None and isinstance(node, ast.Name) and self.model.has_star_import:
            project = self.model.project
            module = project.library.module(origin) if project is not None else None
            return module is not None and node.id in module.bound
        return definition is not None and definition.module.path == origin

    def handed_on_after(self, view: ast.expr, receiver: ast.expr) -> ast.Call | None:
        """A call after ``view`` that is given the dict and may change it, for all that is known."""
        if not isinstance(receiver, ast.Name):
            return self._handed_to_project(self.attributes(receiver))
        unresolved = set(self.model.flow.unresolved)
        for node in self._loads(receiver):
            call = self.model.parents[node]
            call = self.model.parents[call] if isinstance(call, ast.keyword) else call
            if not isinstance(call, ast.Call) or call.func is node or self._is_harmless(call):
                continue
            if (call in unresolved or self._keeps(call)) and self._follows(view, call):
                return call
        return None

    def _handed_to_project(self, attributes: frozenset[str]) -> ast.Call | None:
        """A call of another file's code that is given what one of some attributes holds."""
        for node in self.model.nodes.get(ast.Attribute, ()):
            assert isinstance(node, ast.Attribute)
            parent = self.model.parents[node]
            call = self.model.parents[parent] if isinstance(parent, ast.keyword) else parent
            if node.attr not in attributes or not isinstance(call, ast.Call) or call.func is node:
                continue
            if self.model.definition(call.func) is not None:
                return call
        return None

    def _is_harmless(self, call: ast.Call) -> bool:
        if self.model.dotted_name(call.func) in _HARMLESS_CALLS or view_call(self.model, call) is not None:
            return True
        return isinstance(call.func, ast.Attribute) and call.func.attr in ("update", "join")

    def _keeps(self, call: ast.Call) -> bool:
        name = self.model.dotted_name(call.func) or ""
        return name.rpartition(".")[2][:1].isupper()

    def _loads(self, receiver: ast.Name) -> Iterator[ast.Name]:
        owner = self.model.scopes.around[receiver].resolve(receiver.id)
        return owner.uses(receiver.id)

    # What changes dicts

    @functools.cached_property
    def _changes(self) -> list[Change]:
        return [*self._stores(), *self._augmented(), *self._method_calls()]

    def _stores(self) -> Iterator[Change]:
        for node in self.model.nodes.get(ast.Subscript, ()):
            assert isinstance(node, ast.Subscript)
            if not isinstance(node.ctx, ast.Load):
                yield Change(node.value, node)

    def _augmented(self) -> Iterator[Change]:
        for node in self.model.nodes.get(ast.AugAssign, ()):
            assert isinstance(node, ast.AugAssign)
            if not isinstance(node.target, ast.Subscript):
                yield Change(node.target, node)

    def _method_calls(self) -> Iterator[Change]:
        for node in self.model.nodes.get(ast.Call, ()):
            assert isinstance(node, ast.Call)
            if isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
                through_class = node.args and self.model.dotted_name(node.func.value) in _CLASSES
                yield Change(node.args[0] if through_class else node.func.value, node)
            elif node.args and self.model.dotted_name(node.func) in _CHANGING_FUNCTIONS:
                yield Change(node.args[0], node)

    @functools.cached_property
    def _bound_methods(self) -> list[Change]:
        """The changing methods that are handed on rather than called."""
        found: list[Change] = []
        for node in self.model.nodes.get(ast.Attribute, ()):
            assert isinstance(node, ast.Attribute)
            parent = self.model.parents[node]
            if node.attr in _CHANGING and not (isinstance(parent, ast.Call) and parent.func is node):
                found.append(Change(node.value, node))
        return found

    @functools.cached_property
    def _readings(self) -> list[Change]:
        """The subscripts that are read, which changes a defaultdict."""
        nodes = self.model.nodes.get(ast.Subscript, ())
        return [
            Change(node.value, node)
            for node in nodes
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
        ]

    @functools.cached_property
    def _defaultdicts(self) -> list[ast.Call]:
        return [call for call in self._fresh_calls if self.model.dotted_name(call.func) == "collections.defaultdict"]

    # When

    def _is_later(self, view: ast.expr, receiver: ast.expr, change: Change) -> bool:
        here, there = self._function(view), self._function(change.node)
        if here is there:
            return self._follows(view, change.node, self._fresh_bindings(receiver, change.target))
        return self._may_follow_leaving(change)

    def _follows(self, view: ast.expr, node: ast.AST, bindings: frozenset[ast.AST] = frozenset()) -> bool:
        function = self._function(view)
        if function is not self._function(node):
            return True
        statement = self.model.statement(node)
        if statement is self.model.statement(view) and not isinstance(node, ast.Call):
            return True
        flow = self.model.control_flow(self.model.scopes.of_node[function])
        later = node if isinstance(node, ast.Call) else statement
        return flow.may_be_followed_by(view, later, without=bindings)

    def _fresh_bindings(self, receiver: ast.expr, target: ast.expr) -> frozenset[ast.AST]:
        """The assignments that give the variable, which both are, a new dict."""
        if not (isinstance(receiver, ast.Name) and isinstance(target, ast.Name) and receiver.id == target.id):
            return frozenset()
        owner = self.model.scopes.around[receiver].resolve(receiver.id)
        found = set()
        for scope, binding in owner.all_bindings(receiver.id):
            statement = self.model.parents.get(binding)
            if isinstance(statement, ast.Assign) and scope is owner and is_fresh(self.model, statement.value):
                found.add(statement)
        return frozenset(found)

    def _may_follow_leaving(self, change: Change) -> bool:
        """Whether a variable's dict may be changed after it has been handed to somebody else."""
        target = change.target
        if not isinstance(target, ast.Name):
            return True
        owner = self.model.scopes.around[target].resolve(target.id)
        if owner.function.node is not self._function(target) or not isinstance(owner.node, FUNCTIONS):
            return True
        if any(self.model.parents.get(binding) is owner.node.args for _, binding in owner.all_bindings(target.id)):
            return True
        function = self._function(target)
        return any(
            self._function(load) is not function or self._follows(load, change.node)
            for load in owner.uses(target.id)
            if self._leaves(load)
        )

    def _leaves(self, load: ast.Name) -> bool:
        """Whether a read of a variable may give the dict to somebody else."""
        parent = self.model.parents[load]
        if isinstance(parent, ast.Subscript) and parent.value is load:
            return False
        if isinstance(parent, ast.Attribute):
            return parent.attr not in _CHANGING and parent.attr not in _LOOKING
        if isinstance(parent, (ast.Compare, ast.For, ast.comprehension)):
            return False
        return not (isinstance(parent, ast.Call) and parent.func is not load and self._is_harmless(parent))

    def _function(self, node: ast.AST) -> ast.AST:
        """The function, lambda, class or module whose code a node is part of."""
        kinds = (*FUNCTIONS, ast.Lambda, ast.ClassDef, ast.Module)
        return next(ancestor for ancestor in self.model.ancestors(node) if isinstance(ancestor, kinds))


def _word(node: ast.expr) -> str:
    """The last name of a dotted one, something that no name is for other expressions."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", ast.dump(node))


_CHANGING_FUNCTIONS = frozenset({"operator.delitem", "operator.ior", "operator.setitem"})
_CLASSES = frozenset({"dict", "collections.OrderedDict", "collections.defaultdict", "collections.Counter"})
