"""How nested functions move to the top level: lambda lifting, for the whole group of functions that need each other.

A function takes along what it captures. What it captures may be another nested function, which then has to move as
well. Such a group is converted whole or not at all.
"""

from __future__ import annotations

import ast
import enum
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

from codemods.analysis import inspection
from codemods.analysis.functions import cells as cells_of
from codemods.analysis.functions import shared_cells
from codemods.analysis.functions.captures import (
    ClassCell,
    Import,
    Origin,
    Sibling,
    Value,
    captures_of,
    function_bound_by,
)
from codemods.analysis.functions.class_cells import Replacement
from codemods.analysis.model import Model, is_method
from codemods.analysis.movable import is_movable
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import COMPREHENSIONS, FUNCTIONS, Scope, ScopeKind, mangle
from codemods.analysis.syntax import defaults, parameters
from codemods.catalog.entries import Kind
from codemods.finding import Level, Refusal

PARTIAL_ATTRIBUTES = frozenset({"func", "args", "keywords"})
NAME_ATTRIBUTES = frozenset({"__name__", "__qualname__"})
_CALL = re.compile(r"[ \t]*\(")
_BINDING_EXPRESSIONS = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
FUNCTION_ONLY_ATTRIBUTES = inspection.FUNCTION_ATTRIBUTES | {
    "__annotations__",
    "__get__",
    "__module__",
    "__name__",
    "__qualname__",
    "__type_params__",
    "__wrapped__",
}
_INSTANCES = frozenset({"self", "_self", "self_", "this", "instance", "inst", "cls", "klass"})
"""What the first parameter of a method is called."""
_STATE = frozenset({"shared-cell", "rebinds-captured-variable"})
"""Why a function stays that may become a method of an object which holds its variables."""
_CHANGEABLE_ATTRIBUTES = frozenset({"__annotations__", "__kwdefaults__"})
"""Dictionaries that belong to one function, and that could be changed once they have been read."""


class Form(enum.Enum):
    """What stands where the nested function stood."""

    FUNCTION = "function"
    """The hoisted function itself, shared by all evaluations."""
    PARTIAL = "partial"
    """A ``functools.partial`` of it that binds the captures; without captures, a fresh object at each evaluation."""
    OBJECT = "object"
    """An instance of a hoisted class with ``__call__``, whose attributes are the captures, for state of its own."""
    METHOD = "method"
    """A bound method of an instance of a hoisted class, which it shares with the other methods of its group."""


@dataclass(frozen=True)
class Reference:
    """A place inside a hoisted function that means another hoisted function.

    Args:
        node: the name that is replaced.
        function: the function that it means.
        captures: the captured names that have to be passed along, in front.
    """

    node: ast.Name
    function: Origin
    captures: tuple[str, ...]


@dataclass(frozen=True)
class Default:
    """A default that has to be evaluated where the function was defined, each time it was.

    Args:
        parameter: the parameter, as it is written.
        value: the expression.
        is_keyword_only: whether a keyword of ``functools.partial`` says the same.
    """

    parameter: str
    value: ast.expr
    is_keyword_only: bool


@dataclass(frozen=True)
class Hoist:
    """One function that moves to the top level.

    Args:
        origin: the function.
        name: its new name.
        form: what stands in its place.
        captures: the names bound in front of its parameters, as they are written in the function.
        imports: import statements that are repeated inside it.
        references: the names in it that mean other hoisted functions, or itself.
        defaults: the defaults that stay behind.
        replacements: the places in it that mean the class around it.
    """

    origin: Origin
    name: str
    form: Form
    captures: tuple[str, ...]
    imports: tuple[str, ...]
    references: tuple[Reference, ...] = ()
    defaults: tuple[Default, ...] = ()
    replacements: tuple[Replacement, ...] = ()


Group = tuple[Hoist, ...]


@dataclass
class _Draft:
    """A member of a group while the group is being put together."""

    origin: Origin
    values: list[str] = field(default_factory=list)
    held: list[Origin] = field(default_factory=list)
    is_object: bool = False
    imports: list[str] = field(default_factory=list)
    siblings: list[Sibling] = field(default_factory=list)
    defaults: list[Default] = field(default_factory=list)
    replacements: tuple[Replacement, ...] = ()


class ClosurePlanner:
    """Decides, function by function, how it moves to the top level; remembers its decisions.

    Args:
        model: the file.
        name_for: gives the new top-level name of a function, always the same for the same function.
    """

    def __init__(self, model: Model, name_for: Callable[[Origin], str]) -> None:
        self.model = model
        self.name_for = name_for
        self._decisions: dict[Origin, Group | Refusal] = {}

    def plan(self, origin: Origin) -> Group | Refusal:
        """The group that has to move together with a function, in the order of the text, or why it stays."""
        if origin not in self._decisions:
            try:
                self._decisions[origin] = self._plan(origin)
            except Refused as refused:
                self._decisions[origin] = refused.refusal
                if refused.refusal.reason in _STATE:
                    self._try_methods(origin)
        return self._decisions[origin]

    def _plan(self, origin: Origin) -> Group:
        drafts = self._collect(origin)
        passed = self._pass_captures_along(drafts)
        hoists = [self._hoist(draft, passed) for draft in drafts.values()]
        outermost = [hoist for hoist in hoists if not self._is_inside_another(hoist.origin, drafts)]
        return tuple(sorted(outermost, key=lambda hoist: (hoist.origin.lineno, hoist.origin.col_offset)))

    def _try_methods(self, origin: Origin) -> None:
        """Decide on methods for a function and those that it shares variables with, if they can become methods."""
        try:
            group = self._plan_methods(origin)
        except Refused:
            return
        self._decisions.update((hoist.origin, group) for hoist in group)

    def _plan_methods(self, origin: Origin) -> Group:
        members = shared_cells.members_with(self.model, origin)
        inspection.check_module(self.model, becomes_partial=True)
        if inspection.copies_deeply(self.model):
            raise Refused("deep-copied-state", name=_name(origin))
        for member in members:
            function = member.function
            check_shape(self.model, function)
            for default in _evaluated_defaults(self.model, function):
                raise Refused("definition-time-default", name=default.parameter)
            if self._has_attributes(function) or self.model.flow.told_by_identity(function):
                raise Refused("identity-observed", name=function.name)
            self._check_observed(function, Form.METHOD)
            self._check_form(function, Form.METHOD)
            self._check_place(function, Form.METHOD)
            for held in member.held:
                if isinstance(self.plan(held), Refusal):
                    raise Refused("held-by-declined", name=_name(held))
        return tuple(
            Hoist(
                member.function,
                self.name_for(member.function),
                Form.METHOD,
                tuple(member.captures),
                tuple(dict.fromkeys(member.imports)),
                tuple(Reference(node, function, ()) for node, function in member.calls),
            )
            for member in members
        )

    def _is_inside_another(self, origin: Origin, drafts: dict[Origin, _Draft]) -> bool:
        """A function inside another member gets its turn once that one has moved."""
        return any(ancestor in drafts for ancestor in self.model.ancestors(origin))

    def is_safe(self, group: Group) -> bool:
        """Whether nothing in the file could tell a partial from the function that it stands for.

        ``copy.deepcopy`` shares functions, but copies what a partial binds.
        """
        return not inspection.copies_deeply(self.model) or all(not hoist.captures for hoist in group)

    def _collect(self, origin: Origin) -> dict[Origin, _Draft]:
        """The function and all nested functions that it needs, directly or through others."""
        drafts: dict[Origin, _Draft] = {}
        pending = [origin]
        while pending:
            function = pending.pop()
            if function not in drafts:
                drafts[function] = draft = self._draft(function)
                pending.extend(sibling.function for sibling in draft.siblings)
                pending.extend(draft.held)
        return drafts

    def _draft(self, origin: Origin) -> _Draft:
        check_shape(self.model, origin)
        draft = _Draft(origin, defaults=_evaluated_defaults(self.model, origin))
        cells: list[str] = []
        if isinstance(origin, ast.FunctionDef) and cells_of.needs_object(
            self.model, origin, self._must_be_fresh(origin)
        ):
            cells_of.check_object(self.model, origin)
            cells, draft.is_object = cells_of.rebound_captures(self.model.scopes.of_node[origin]), True
            for default in draft.defaults:
                raise Refused("definition-time-default", name=default.parameter)
        draft.held.extend(function for default in draft.defaults for function in self._functions_in(default.value))
        for capture in captures_of(self.model, origin, cells):
            if isinstance(capture, Value):
                draft.values.append(capture.name)
                draft.held.extend(capture.functions)
            elif isinstance(capture, Import):
                draft.imports.append(capture.statement)
            elif isinstance(capture, ClassCell):
                draft.replacements = capture.replacements
            else:
                draft.siblings.append(capture)
        return draft

    def _functions_in(self, node: ast.expr) -> list[Origin]:
        """The nested functions that a local name may hold."""
        if not isinstance(node, ast.Name):
            return []
        owner = self.model.scopes.around[node].resolve(node.id)
        if owner.kind is ScopeKind.MODULE:
            return []
        bound = (function_bound_by(self.model, binding) for _, binding in owner.all_bindings(node.id))
        return [function for function in bound if function is not None]

    def _pass_captures_along(self, drafts: dict[Origin, _Draft]) -> dict[Origin, tuple[str, ...]]:
        """Lambda lifting: who refers to a function whose variable is not bound yet passes that function's captures.

        Where the variable is bound already, it is captured like any other value, unless it holds a plain function.
        """
        captures = {origin: list(draft.values) for origin, draft in drafts.items()}
        changed = True
        while changed:
            changed = False
            for origin, draft in drafts.items():
                for sibling in draft.siblings:
                    if sibling.function is origin and draft.is_object:
                        continue
                    is_bound = sibling.is_bound and not _needs(drafts, sibling.function, origin)
                    if drafts[sibling.function].is_object and not is_bound:
                        raise Refused("shared-cell", name=sibling.name)
                    needed = captures[sibling.function]
                    is_object = drafts[sibling.function].is_object
                    if is_bound and (needed or is_object or self._must_be_fresh(sibling.function)):
                        needed = [sibling.name]
                    missing = [name for name in needed if name not in captures[origin]]
                    changed = changed or bool(missing)
                    captures[origin].extend(missing)
        for origin in drafts:
            self._check_passed_captures(origin, captures[origin])
        return {origin: tuple(names) for origin, names in captures.items()}

    def _check_passed_captures(self, origin: Origin, names: list[str]) -> None:
        """A capture that came from another function has to be a variable that both see."""
        scope = self.model.scopes.of_node[origin]
        own = scope.captures()
        for name in names:
            if name not in own and scope.binds(name):
                raise Refused("shadowed-capture", name=name)

    def _must_be_fresh(self, origin: Origin) -> bool:
        """Whether each evaluation has to give an object of its own."""
        if _is_evaluated_once(self.model, origin):
            return False
        return self._has_attributes(origin) or self.model.flow.compared_by_identity(origin)

    def _has_attributes(self, origin: Origin) -> bool:
        """Whether somebody may have set attributes on a function."""
        flow = self.model.flow
        attributes = flow.attributes_kept(origin)
        special = {name for name in attributes if name.startswith("__") and name.endswith("__")}
        own = attributes - (special - _CHANGEABLE_ATTRIBUTES)
        return bool(own) or flow.is_changed(origin)

    def _hoist(self, draft: _Draft, passed: dict[Origin, tuple[str, ...]]) -> Hoist:
        origin = draft.origin
        captures = passed[origin]
        form = Form.PARTIAL if captures or draft.defaults or self._must_be_fresh(origin) else Form.FUNCTION
        form = Form.OBJECT if draft.is_object else form
        if form is Form.PARTIAL and not (captures or draft.defaults):
            self._check_worth(origin)
        inspection.check_module(self.model, becomes_partial=form is not Form.FUNCTION)
        self._check_observed(origin, form)
        self._check_form(origin, form)
        self._check_place(origin, form)
        references = [
            reference
            for sibling in draft.siblings
            if sibling.name not in captures and not (sibling.function is origin and draft.is_object)
            for reference in self._references(origin, sibling, passed)
        ]
        name = self.name_for(origin)
        return Hoist(
            origin,
            name,
            form,
            captures,
            tuple(draft.imports),
            tuple(references),
            tuple(draft.defaults),
            draft.replacements,
        )

    def _references(self, origin: Origin, sibling: Sibling, passed: dict[Origin, tuple[str, ...]]) -> list[Reference]:
        scope = self.model.scopes.of_node[origin]
        owner = scope.resolve(sibling.name)
        for default in _evaluated_defaults(self.model, sibling.function):
            raise Refused("definition-time-default", name=default.parameter)
        references: list[Reference] = []
        for inner in scope.descendants():
            if sibling.name not in inner.references or inner.resolve(sibling.name) is not owner:
                continue
            for name in passed[sibling.function]:
                if not _means_capture(inner, scope, name):
                    raise Refused("shadowed-capture", name=name)
            for node in inner.references[sibling.name]:
                self._check_reference(node)
                is_call = cells_of.is_call_of(self.model.parents[node], node.id)
                if not is_call and (passed[sibling.function] or self._must_be_fresh(sibling.function)):
                    raise Refused("function-handed-on", name=sibling.name)
                if is_call and not _CALL.match(self.model.source.text, self.model.source.span(node)[1]):
                    raise Refused("unsupported-syntax", name=f"({sibling.name})(...)")
                references.append(Reference(node, sibling.function, passed[sibling.function]))
        return references

    def _check_reference(self, node: ast.Name) -> None:
        if unicodedata.normalize("NFKC", self.model.source.segment(node)) != node.id:
            raise Refused("unsupported-syntax", name=node.id)
        if isinstance(self.model.parents[node], ast.Attribute):
            raise Refused("attribute-of-function", name=node.id)
        if self.model.is_shown(node):
            raise Refused("name-shown", name=node.id)

    def _check_observed(self, origin: Origin, form: Form) -> None:
        attributes = self.model.flow.attributes_read(origin)
        observed = NAME_ATTRIBUTES if form is Form.FUNCTION else FUNCTION_ONLY_ATTRIBUTES | PARTIAL_ATTRIBUTES
        if form in (Form.OBJECT, Form.METHOD):
            observed = FUNCTION_ONLY_ATTRIBUTES | set(self.model.scopes.of_node[origin].captures()) - {_name(origin)}
        if form is Form.PARTIAL or (form is Form.OBJECT and _has_docstring(origin)):
            observed = observed | {"__doc__"}
        for name in sorted(attributes & observed):
            raise Refused("name-observed", name=name)
        if self.model.flow.goes_too_far(origin):
            raise Refused("uses-not-known")

    def _check_worth(self, origin: Origin) -> None:
        """Refuse a partial that binds nothing, only to be a new object each time, where no pickle may ever see it."""
        if self.model.flow.reach(origin).level is Level.LOCAL:
            raise Refused("told-apart")

    def _check_form(self, origin: Origin, form: Form) -> None:
        """Refuse where an API that the function is handed to does not take what would stand for it."""
        forms = self.model.flow.forms(origin)
        if Kind.SOURCE_ONLY in forms:
            raise Refused("source-read")
        needs_function = Kind.FUNCTION_ONLY in forms and form is not Form.FUNCTION
        if needs_function or (Kind.NO_CALLABLE_CLASS in forms and form in (Form.OBJECT, Form.METHOD)):
            raise Refused("function-needed")

    def _check_place(self, origin: Origin, form: Form) -> None:
        """A partial or an object does not bind ``self`` where it ends up in a class."""
        if form is Form.FUNCTION:
            return
        if self.model.scopes.around[origin].kind is ScopeKind.CLASS:
            raise Refused("class-attribute")
        if _looks_like_a_method(origin) or self.model.flow.becomes_method(origin):
            raise Refused("method-binding")
        # In the next pass, with bound values in front, a decorator or the like would not be seen to be one.
        for inner in self.model.scopes.of_node[origin].descendants():
            if self.model.flow.wraps_functions(inner.node):
                raise Refused("may-wrap-method")
            if not is_method(inner) and self.model.flow.becomes_method(inner.node):
                raise Refused("method-binding")


def _is_evaluated_once(model: Model, origin: Origin) -> bool:
    """Whether a function is made as the module is run, outside of all functions and loops."""
    repeating = (*FUNCTIONS, ast.Lambda, *COMPREHENSIONS, ast.For, ast.AsyncFor, ast.While)
    return not any(isinstance(ancestor, repeating) for ancestor in model.ancestors(origin))


def _looks_like_a_method(origin: Origin) -> bool:
    positional = [*origin.args.posonlyargs, *origin.args.args]
    return bool(positional) and positional[0].arg in _INSTANCES


def _has_docstring(origin: Origin) -> bool:
    return isinstance(origin, FUNCTIONS) and ast.get_docstring(origin) is not None


def _needs(drafts: dict[Origin, _Draft], function: Origin, other: Origin) -> bool:
    """Whether a function refers to another one, directly or through others: neither can be bound first."""
    seen: set[Origin] = set()
    pending = [function]
    while pending:
        current = pending.pop()
        if current is other:
            return True
        if current not in seen:
            seen.add(current)
            pending.extend(sibling.function for sibling in drafts[current].siblings)
    return False


def _name(origin: Origin) -> str:
    return "" if isinstance(origin, ast.Lambda) else origin.name


def _means_capture(inner: Scope, origin: Scope, name: str) -> bool:
    """Whether a captured name means the captured variable in a scope inside the function."""
    return not any(scope.binds(name) for scope in _between(inner, origin))


def _between(inner: Scope, outer: Scope) -> list[Scope]:
    scopes = [inner]
    while scopes[-1] is not outer:
        parent = scopes[-1].parent
        assert parent is not None
        scopes.append(parent)
    return scopes


def check_shape(model: Model, origin: Origin) -> None:
    """Refuse a function whose definition cannot move, whatever it captures.

    Raises:
        Refused: with the reason.
    """
    scope = model.scopes.of_node[origin]
    anchor = model.top_level_statement(origin)
    if isinstance(origin, FUNCTIONS):
        if getattr(origin, "type_params", None):
            raise Refused("generic-function")
        if origin.decorator_list:
            raise Refused("decorator-runs-per-call")
        if origin.name in model.scopes.around[origin].global_names:
            raise Refused("unsupported-syntax", name=f"global {origin.name}")
        if ">>> " in (ast.get_docstring(origin) or ""):
            raise Refused("docstring-test")
        _check_annotations(model, origin, anchor)
    elif any(isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)) for node in ast.walk(origin)):
        raise Refused("unsupported-syntax", name="yield in a lambda")
    _check_private_names(model, origin, scope)
    inspection.check_surroundings(model, scope)


def _check_annotations(model: Model, origin: ast.FunctionDef | ast.AsyncFunctionDef, anchor: ast.stmt) -> None:
    if model.scopes.has_lazy_annotations:
        return
    for annotation in [*(parameter.annotation for parameter in parameters(origin.args)), origin.returns]:
        if annotation is not None and not is_movable(model, annotation, anchor, annotation=True):
            raise Refused("annotation-evaluated-per-call", name=ast.unparse(annotation))


def _evaluated_defaults(model: Model, origin: Origin) -> list[Default]:
    """The defaults that mean something else at the top level.

    Raises:
        Refused: if the module looks at signatures, where the default of a positional parameter would show.
    """
    anchor = model.top_level_statement(origin)
    for parameter, value in defaults(origin.args):
        if any(isinstance(node, _BINDING_EXPRESSIONS) for node in ast.walk(value)):
            raise Refused("definition-time-default", name=parameter.arg)
    keyword_only = set(origin.args.kwonlyargs)
    found = [
        Default(parameter.arg, value, parameter in keyword_only)
        for parameter, value in defaults(origin.args)
        if not is_movable(model, value, anchor)
    ]
    if inspection.SIGNATURE_NAMES & model.identifiers:
        for default in found:
            if not default.is_keyword_only:
                raise Refused("definition-time-default", name=default.parameter)
    return found


def _check_private_names(model: Model, origin: Origin, scope: Scope) -> None:
    """Private names are written out when they leave their class; an f-string that shows one cannot be."""
    if scope.private_class is None:
        return
    for node in ast.walk(origin):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if mangle(name, scope.private_class) != name and model.is_shown(node):
            raise Refused("name-shown", name=name)
