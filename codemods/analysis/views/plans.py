"""Decides what becomes of a view of a dict."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from codemods.analysis.model import Model
from codemods.analysis.reasons import refusal
from codemods.analysis.scopes import ScopeKind
from codemods.analysis.values.reach import Search, State
from codemods.analysis.values.reach_moves import Kind
from codemods.analysis.views.aliases import Liveness
from codemods.analysis.views.calls import ViewCall, is_mapping_protocol
from codemods.analysis.views.elsewhere import Elsewhere
from codemods.analysis.views.reach import search_everywhere, stored_states
from codemods.analysis.views.receivers import Receiver, Receivers
from codemods.analysis.views.stores import OwnView, own_view, store_places
from codemods.analysis.views.uses import Uses
from codemods.finding import Level, Refusal, Safety


@dataclass(frozen=True)
class ViewPlan:
    """What becomes of a view: one of ``wrapped``, ``own`` and ``refusal`` says it.

    Args:
        wrapped: the expressions that become lists.
        own: the view of an object's own attribute that is to become a property.
        safety: whether the program surely stays as it is.
        refusal: why there is no change.
    """

    wrapped: tuple[ast.expr, ...] = ()
    own: OwnView | None = None
    safety: Safety = Safety.SAFE
    refusal: Refusal | None = None


class ViewPlanner:
    """Plans for the views of one file.

    Args:
        model: the file.
        always: whether every view that is stored becomes a list, also where the receiver may be no dict.
    """

    def __init__(self, model: Model, always: bool = False) -> None:
        self.model = model
        self.always = always
        self.receivers = Receivers(model)
        self.liveness = Liveness(model)
        self.uses = Uses(model)
        self.elsewhere = Elsewhere(model, self.liveness)

    def plan(self, view: ViewCall, level: Level) -> ViewPlan | None:
        """What becomes of a view; None if it is no view, or is nobody's concern.

        Args:
            view: a call that may make a view.
            level: how far it flows.
        """
        if level is Level.LOCAL and not (self.always and self._is_bound(view.node)):
            return None
        receiver = self.receivers.judge(view)
        if receiver is Receiver.OTHER or is_mapping_protocol(self.model, view):
            return None
        search = search_everywhere(self.model, view.node, Kind.VIEW)
        if search.resting is None and search.sunk is None and level is not Level.LOCAL:
            return None
        stored = stored_states(search)
        if (
            search.sunk is None
            and not stored
            and level is not Level.LOCAL
            and self.liveness.aliases(view.receiver).outlives
        ):
            return None
        if receiver is Receiver.MIXED:
            return ViewPlan(refusal=refusal("receiver-not-always-dict"))
        if receiver is Receiver.ITSELF:
            return ViewPlan(refusal=refusal("dict-changes", name=ast.unparse(view.receiver)))
        return self._plan(view, receiver, search, any(_is_on_attribute(state) for state in stored))

    def _is_bound(self, node: ast.expr) -> bool:
        """Whether a view is bound to something or returned, wherever that goes."""
        parent = self.model.parents[node]
        while isinstance(parent, (ast.IfExp, ast.BoolOp, ast.List, ast.Tuple, ast.Dict)):
            parent = self.model.parents[parent]
        return isinstance(parent, (ast.Assign, ast.AnnAssign, ast.Return, ast.Yield, ast.NamedExpr))

    def _plan(self, view: ViewCall, receiver: Receiver, search: Search, on_attribute: bool) -> ViewPlan:
        refused = self.uses.against(view.node, search) or self._changed(view.node, view) or self.elsewhere.against(view)
        if refused is None:
            return ViewPlan((view.node,), safety=self._safety(view, receiver, on_attribute))
        stores = store_places(self.model, view)
        if stores and self._allows(view, stores, search):
            return ViewPlan(stores, safety=self._safety(view, receiver, on_attribute))
        own = own_view(self.model, view)
        if own is not None:
            certain = receiver in (Receiver.DICT, Receiver.LIKELY)
            return ViewPlan(own=own, safety=Safety.SAFE if certain else Safety.UNSAFE, refusal=refused)
        return ViewPlan(refusal=refused)

    def _allows(self, view: ViewCall, stores: tuple[ast.Name, ...], search: Search) -> bool:
        """Whether lists will do where a variable that holds a view is stored."""
        graph = self.model.flow.graph
        origin = graph.of_node[view.node]
        local = frozenset({origin, *(edge.target for edge in graph.out[origin])})
        if self.uses.against_stored(view.node, search, local) is not None:
            return False
        return all(self._changed(store, view) is None for store in stores) and self.elsewhere.against(view) is None

    def _changed(self, made: ast.expr, view: ViewCall) -> Refusal | None:
        change = self.liveness.change_after(made, view.receiver)
        return refusal("dict-changes", name=ast.unparse(change.node).partition("\n")[0]) if change else None

    def _safety(self, view: ViewCall, receiver: Receiver, on_attribute: bool) -> Safety:
        """Whether the dict is one, and keeps its keys, as far as can be seen."""
        if receiver in (Receiver.NAMESPACE, Receiver.DOUBTFUL):
            return Safety.UNSAFE
        if receiver is Receiver.LIKELY and not on_attribute and not self.always:
            return Safety.UNSAFE
        if self.liveness.handed_on_after(view.node, view.receiver) is not None:
            return Safety.UNSAFE
        return Safety.UNSAFE if self._is_open_global(view) else Safety.SAFE

    def _is_open_global(self, view: ViewCall) -> bool:
        """Whether the dict is a global that other modules may still fill."""
        receiver = view.receiver
        if not isinstance(receiver, ast.Name):
            return False
        owner = self.model.scopes.around[receiver].resolve(receiver.id)
        if owner.kind is not ScopeKind.MODULE:
            return False
        if self.model.scopes.around[view.node].function.kind in (ScopeKind.MODULE, ScopeKind.CLASS):
            return True
        values = [
            getattr(self.model.parents.get(binding), "value", None) for _, binding in owner.all_bindings(receiver.id)
        ]
        return any(isinstance(value, (ast.Dict, ast.Call)) and _is_empty(value) for value in values)


def _is_empty(value: ast.Dict | ast.Call) -> bool:
    return not value.keys if isinstance(value, ast.Dict) else not value.args and not value.keywords


def _is_on_attribute(state: State) -> bool:
    return bool(state.path) and state.path[-1].isidentifier()
