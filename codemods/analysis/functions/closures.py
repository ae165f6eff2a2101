"""How nested functions move to the top level: lambda lifting, for the whole group of functions that need each other.

A function takes along what it captures. What it captures may be another nested function, which then has to move as
well. Such a group is converted whole or not at all.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

from codemods.analysis import inspection
from codemods.analysis.functions import cells as cells_of
from codemods.analysis.functions import observed, shared_cells
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
from codemods.analysis.functions.hoists import Default, Form, Group, Hoist, Reference
from codemods.analysis.functions.shapes import check_shape, evaluated_defaults
from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import Scope, ScopeKind
from codemods.finding import Refusal

_CALL = re.compile(r"[ \t]*\(")
_STATE = frozenset({"shared-cell", "rebinds-captured-variable"})
"""Why a function stays that may become a method of an object which holds its variables."""


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
        check_free: raises ``Refused`` for a function that is to stay as it is, whatever could be done.
    """

    def __init__(
        self, model: Model, name_for: Callable[[Origin], str], check_free: Callable[[ast.AST], None] = lambda node: None
    ) -> None:
        self.model = model
        self.name_for = name_for
        self.check_free = check_free
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
        inspection.check_users(self.model, origin, becomes_partial=True)
        if inspection.copies_objects(self.model, origin):
            raise Refused("deep-copied-state", name=observed.name_of(origin))
        for member in members:
            function = member.function
            self.check_free(function)
            check_shape(self.model, function)
            for default in evaluated_defaults(self.model, function):
                raise Refused("definition-time-default", name=default.parameter)
            if observed.has_attributes(self.model, function) or self.model.flow.told_by_identity(function):
                raise Refused("identity-observed", name=function.name)
            observed.check_observed(self.model, function, Form.METHOD)
            observed.check_form(self.model, function, Form.METHOD)
            observed.check_place(self.model, function, Form.METHOD)
            for held in member.held:
                if isinstance(self.plan(held), Refusal):
                    raise Refused("held-by-declined", name=observed.name_of(held))
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
        """Whether nothing that is seen can tell what stands for the functions from the functions themselves.

        ``copy.deepcopy`` shares functions, but copies what a partial binds. And a function may get to so many places
        that not all of them have been looked at.
        """
        if any(hoist.captures and inspection.copies_deeply(self.model, hoist.origin) for hoist in group):
            return False
        return not any(self.model.flow.goes_too_far(hoist.origin) for hoist in group)

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
        self.check_free(origin)
        check_shape(self.model, origin)
        draft = _Draft(origin, defaults=evaluated_defaults(self.model, origin))
        cells: list[str] = []
        if isinstance(origin, ast.FunctionDef) and cells_of.needs_object(
            self.model, origin, observed.must_be_fresh(self.model, origin)
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
                    if is_bound and (needed or is_object or observed.must_be_fresh(self.model, sibling.function)):
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

    def _hoist(self, draft: _Draft, passed: dict[Origin, tuple[str, ...]]) -> Hoist:
        origin = draft.origin
        captures = passed[origin]
        form = (
            Form.PARTIAL if captures or draft.defaults or observed.must_be_fresh(self.model, origin) else Form.FUNCTION
        )
        form = Form.OBJECT if draft.is_object else form
        if form is Form.PARTIAL and not (captures or draft.defaults):
            observed.check_worth(self.model, origin)
        inspection.check_module(self.model, becomes_partial=form is not Form.FUNCTION)
        inspection.check_users(self.model, origin, becomes_partial=form is not Form.FUNCTION)
        observed.check_observed(self.model, origin, form)
        observed.check_form(self.model, origin, form)
        observed.check_place(self.model, origin, form)
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
        for default in evaluated_defaults(self.model, sibling.function):
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
                if not is_call and (passed[sibling.function] or observed.must_be_fresh(self.model, sibling.function)):
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
