"""How a class defined in a function moves to the top level: whether it may, and under which name."""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from codemods.analysis import inspection
from codemods.analysis.classes import identity as class_identity
from codemods.analysis.classes.bases import is_class_around
from codemods.analysis.classes.bodies import check_definition
from codemods.analysis.classes.global_names import GlobalNames
from codemods.analysis.classes.hierarchy import base_names, bases_in_file, is_enum
from codemods.analysis.functions.captures import UNPICKLABLE_MAKERS, creation_point
from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused, WaitsFor
from codemods.analysis.scopes import FUNCTIONS, Scope, ScopeKind, mangle
from codemods.finding import Refusal

_STATE_METHODS = frozenset({"__getstate__", "__reduce__", "__reduce_ex__"})


@dataclass(frozen=True)
class ClassMove:
    """How one class moves.

    Args:
        node: the class.
        name: its name at the top level.
        keeps_variable: whether the function goes on having a variable for it, because the name differs.
        references: the uses of its own name inside the class, which have to follow the new name.
        restores_name: whether ``__name__`` has to be set to what it was.
        above: the top-level statement that it stands above.
    """

    node: ast.ClassDef
    name: str
    keeps_variable: bool
    references: tuple[ast.Name, ...]
    restores_name: bool
    above: ast.stmt


class ClassPlanner:
    """Decides, class by class, how it moves to the top level; remembers its decisions.

    Args:
        model: the file.
        names: hands out the names that classes have already.
        name_for: gives a new top-level name for a class of a name, always the same for the same class.
        check_free: raises ``Refused`` for a class that is to stay as it is, whatever could be done.
    """

    def __init__(
        self,
        model: Model,
        names: GlobalNames,
        name_for: Callable[[ast.AST, str], str],
        check_free: Callable[[ast.AST], None] = lambda node: None,
    ) -> None:
        self.model = model
        self.names = names
        self.name_for = name_for
        self.check_free = check_free
        self._decisions: dict[ast.ClassDef, ClassMove | Refusal] = {}

    def plan(self, node: ast.ClassDef) -> ClassMove | Refusal:
        """How a class moves, or why it stays. A class inside a local class moves along with that one."""
        node = outermost(self.model, node)
        if node not in self._decisions:
            try:
                self._decisions[node] = Refused("class-captures", name=node.name).refusal
                self._decisions[node] = self._plan(node)
            except Refused as refused:
                self._decisions[node] = refused.refusal
        return self._decisions[node]

    def _plan(self, node: ast.ClassDef) -> ClassMove:
        model, owner = self.model, self.model.scopes.around[node]
        scope = model.scopes.of_node[node]
        for inner in ast.walk(node):
            if isinstance(inner, ast.ClassDef) and outermost(model, inner) is node:
                self.check_free(inner)
        if not owner.binds(node.name) or mangle(node.name, "C") != node.name:
            raise Refused("unsupported-syntax", name=f"class {node.name}")
        self._check_bases(node)
        self._check_captures(node, scope, owner)
        check_definition(model, node, model.top_level_statement(node))
        inspection.check_surroundings(model, scope)
        inspection.check_module(model, becomes_partial=False)
        self._check_observed(node)
        class_identity.check_variable(model, owner, node.name, node)
        class_identity.check_results(model, owner, node.name, node)
        class_identity.check_comparisons(model, owner, [node, *bases_in_file(model, node)])
        class_identity.check_state(model, node)
        if _compares_classes(model, node):
            class_identity.check_equality(model, owner)
        _check_picklable(model, node)
        return self._named(node, scope, owner)

    def _check_bases(self, node: ast.ClassDef) -> None:
        """A base that is a local class itself has to move first."""
        for base in node.bases:
            expression = base.value if isinstance(base, ast.Subscript) else base
            if isinstance(expression, ast.Name):
                owner = self.model.scopes.around[expression].resolve(expression.id)
                if owner.kind is not ScopeKind.MODULE:
                    self._wait_for(owner, expression.id, "class-base")

    def _check_captures(self, node: ast.ClassDef, scope: Scope, owner: Scope) -> None:
        for name, captured_from in scope.captures().items():
            is_own = captured_from.node is node or (captured_from is owner and name == node.name)
            if not is_own:
                self._wait_for(captured_from, name, "class-captures")

    def _wait_for(self, owner: Scope, name: str, reason: str) -> None:
        """Refuse because of a captured name, for good, or until the class that it means has moved."""
        nodes = [binding for _, binding in owner.all_bindings(name)]
        if len(nodes) == 1 and isinstance(nodes[0], ast.ClassDef):
            move = self.plan(nodes[0])
            if isinstance(move, ClassMove) and not move.keeps_variable:
                raise WaitsFor(nodes[0], reason, name=name)
        raise Refused(reason, name=name)

    def _check_observed(self, node: ast.ClassDef) -> None:
        """The qualified name changes: that is what makes the class picklable."""
        model = self.model
        if "__qualname__" in model.identifiers:
            raise Refused("name-observed", name="__qualname__")
        if "getmembers" in model.identifiers:
            raise Refused("globals-swept")
        if _is_dataclass(model, node) and _shows_representations(model):
            raise Refused("name-observed", name="__repr__")

    def _named(self, node: ast.ClassDef, scope: Scope, owner: Scope) -> ClassMove:
        uses = [use for inner in scope.descendants() for use in _uses_of(inner, node.name, owner)]
        if self._is_only_value(node, owner, set(uses)) and self.names.claim(node.name, node, owner):
            return ClassMove(node, node.name, False, (), False, self._place_of(node))
        if uses and self._is_rebound(node, owner):
            raise Refused("rebound-after-capture", name=node.name)
        for use in uses:
            if self.model.is_shown(use) or unicodedata.normalize("NFKC", self.model.source.segment(use)) != use.id:
                raise Refused("name-shown", name=node.name)
        if _has_private_names(node):
            name = f"_{node.name.lstrip('_')}"
            if name in self.model.identifiers or not self.names.claim(name, node, owner):
                raise Refused("private-names", name=node.name)
        else:
            name = self.name_for(node, node.name)
        return ClassMove(node, name, True, tuple(uses), self._shows_name(node), self._place_of(node))

    def _place_of(self, node: ast.ClassDef) -> ast.stmt:
        """Above the statement that the class stands in, or below it where that is a base of the class."""
        anchor = self.model.top_level_statement(node)
        if not any(is_class_around(self.model, base, anchor) for base in node.bases):
            return anchor
        body = self.model.module.body
        return body[body.index(anchor) + 1]

    def _is_only_value(self, node: ast.ClassDef, owner: Scope, inside: set[ast.Name]) -> bool:
        """Whether the variable holds the class wherever it is read, so that a global can take its place."""
        if [binding for _, binding in owner.all_bindings(node.name)] != [node]:
            return False
        flow = self.model.control_flow(owner)
        for use in owner.uses(node.name):
            if use in inside:
                continue
            point = use if self.model.scopes.around[use] is owner else self._creation(use, owner)
            if not flow.is_definitely_bound(node.name, point):
                return False
        return True

    def _creation(self, use: ast.Name, owner: Scope) -> ast.AST:
        scope = self.model.scopes.around[use]
        return creation_point(self.model, scope.function if scope.function is not owner else scope, owner)

    def _is_rebound(self, node: ast.ClassDef, owner: Scope) -> bool:
        flow = self.model.control_flow(owner)
        elsewhere = any(inner.function is not owner for inner, _ in owner.all_bindings(node.name))
        return elsewhere or flow.may_be_rebound_after_binding(node.name, node)

    def _shows_name(self, node: ast.ClassDef) -> bool:
        """Whether the class's own name may be seen: in the text of its objects, or where the module asks for it."""
        if "__name__" in self.model.identifiers or _is_dataclass(self.model, node):
            return True
        return bool(base_names(self.model, node) - {"object", "abc.ABC", "typing.Generic", "typing.Protocol"})


def outermost(model: Model, node: ast.ClassDef) -> ast.ClassDef:
    """The class of a function that a class is, or that it is nested in."""
    while isinstance(parent := model.scopes.around[node].function.node, ast.ClassDef):
        node = parent
    return node


def is_local(model: Model, node: ast.ClassDef) -> bool:
    """Whether a class, or the class that it is nested in, belongs to a function."""
    node = outermost(model, node)
    scope = model.scopes.around[node]
    return scope.kind is ScopeKind.FUNCTION and node.name not in scope.global_names


def _uses_of(scope: Scope, name: str, owner: Scope) -> list[ast.Name]:
    return scope.references.get(name, []) if scope.resolve(name) is owner else []


def _is_dataclass(model: Model, node: ast.ClassDef) -> bool:
    decorators = (item.func if isinstance(item, ast.Call) else item for item in node.decorator_list)
    names = {model.dotted_name(decorator) or "" for decorator in decorators}
    return any(name.rpartition(".")[0] not in ("functools", "enum", "typing", "typing_extensions") for name in names)


def _compares_classes(model: Model, node: ast.ClassDef) -> bool:
    """Whether two objects are equal only if their classes are the same, or one tests for the other's class by name."""
    calls = (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))
    tests_for_itself = any(class_identity.tests_for(call, node.name) for call in calls)
    return is_enum(model, node) or _is_dataclass(model, node) or tests_for_itself


def _shows_representations(model: Model) -> bool:
    calls = (node for node in model.nodes.get(ast.Call, ()) if isinstance(node, ast.Call))
    if any(isinstance(call.func, ast.Name) and call.func.id in ("repr", "ascii") for call in calls):
        return True
    formatted = (node for node in model.nodes.get(ast.FormattedValue, ()) if isinstance(node, ast.FormattedValue))
    return any(node.conversion in (ord("r"), ord("a")) for node in formatted) or "%r" in model.source.text


def _has_private_names(node: ast.ClassDef) -> bool:
    for inner in ast.walk(node):
        names = [getattr(inner, field, None) for field in ("id", "attr", "arg", "name")]
        if any(isinstance(name, str) and mangle(name, "C") != name for name in names):
            return True
    return False


def _check_picklable(model: Model, node: ast.ClassDef) -> None:
    """Refuse a class whose instances hold what never pickles: moving it alone would gain nothing."""
    if any(isinstance(item, FUNCTIONS) and item.name in _STATE_METHODS for item in node.body):
        return
    for assignment in ast.walk(node):
        if isinstance(assignment, ast.Assign) and isinstance(assignment.value, ast.Call):
            maker = model.dotted_name(assignment.value.func)
            target = assignment.targets[0]
            if isinstance(target, ast.Attribute) and maker in UNPICKLABLE_MAKERS:
                raise Refused("holds-unpicklable", name=ast.unparse(target), what=f"made by `{maker}(...)`")
