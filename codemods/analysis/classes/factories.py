"""Classes that are made by a call: where such a class goes, so that its name leads to it."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Collection
from dataclasses import dataclass

from codemods.analysis import inspection
from codemods.analysis.classes import identity as class_identity
from codemods.analysis.classes.global_names import GlobalNames, is_free
from codemods.analysis.classes.repeatable import is_repeatable
from codemods.analysis.functions.captures import creation_point
from codemods.analysis.model import Model
from codemods.analysis.movable import is_movable
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import Scope, ScopeKind
from codemods.finding import Refusal

_ENUMS = frozenset(f"enum.{name}" for name in ("Enum", "Flag", "IntEnum", "IntFlag", "StrEnum"))
_DATACLASS = "dataclasses.make_dataclass"
_TYPED = frozenset(
    f"{module}.{name}" for module in ("typing", "typing_extensions") for name in ("NamedTuple", "TypedDict")
)
FACTORIES = _ENUMS | _TYPED | {"collections.namedtuple", _DATACLASS}
"""Calls that make a class under the name that is their first argument."""
_REDUCERS = frozenset({"__qualname__", "__reduce__", "__reduce_ex__"})
_NAME_KEYWORDS = frozenset({"cls_name", "class_name", "typename", "value"})


class Form(enum.Enum):
    """What becomes of the call."""

    MOVED = "moved"
    """Its value stands at the top level, and the call becomes a name."""
    NAMED = "named"
    """It stays, and ``__qualname__`` is set to the name that leads to the class."""
    ALIASED = "aliased"
    """It stays, and the class gets a second variable, of its own name."""


@dataclass(frozen=True)
class FactoryFix:
    """How a class that is made by a call becomes one that its name leads to.

    Args:
        call: the call.
        form: what becomes of it.
        name: the name, from the module on, that leads to the class.
        drops_statement: whether the assignment goes, because the global has the name of the variable.
        sets_qualname: whether ``__qualname__`` differs from the name.
        sets_module: whether ``__module__`` has to be set.
    """

    call: ast.Call
    form: Form
    name: str
    drops_statement: bool = False
    sets_qualname: bool = False
    sets_module: bool = False


class FactoryPlanner:
    """Decides, call by call, what becomes of it; remembers its decisions.

    Args:
        model: the file.
        names: hands out the names that classes have already.
        name_for: gives a new top-level name for a class of a name, always the same for the same call.
    """

    def __init__(self, model: Model, names: GlobalNames, name_for: Callable[[ast.AST, str], str]) -> None:
        self.model = model
        self.names = names
        self.name_for = name_for
        self._decisions: dict[ast.Call, FactoryFix | Refusal | None] = {}

    def plan(self, call: ast.Call) -> FactoryFix | Refusal | None:
        """What becomes of a call that makes a class; None where there is nothing wrong with it."""
        if call not in self._decisions:
            try:
                self._decisions[call] = self._plan(call)
            except Refused as refused:
                self._decisions[call] = refused.refusal
        return self._decisions[call]

    def _plan(self, call: ast.Call) -> FactoryFix | None:
        owner = self.model.scopes.around[call].function
        if all(scope.kind in (ScopeKind.CLASS, ScopeKind.MODULE) for scope in (owner, *owner.ancestors())):
            return self._named(call, owner)
        if (
            any(scope.kind is ScopeKind.CLASS for scope in (owner, *owner.ancestors()))
            and owner.kind is ScopeKind.CLASS
        ):
            return None
        return self._moved(call, owner)

    def _named(self, call: ast.Call, owner: Scope) -> FactoryFix | None:
        """A class that is made at the top level or in the body of a class, and assigned to a variable."""
        variable, typename = variable_of(self.model, call), typename_of(call)
        if variable is None:
            return None
        path = ".".join([*(scope.name for scope in reversed([owner, *owner.ancestors()][:-1])), variable])
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        if "qualname" in given or self._is_set(variable, _REDUCERS):
            return None
        is_dataclass = self.model.dotted_name(call.func) == _DATACLASS
        sets_module = is_dataclass and "module" not in given and not self._is_set(variable, {"__module__"})
        if typename == path or (typename is not None and self._has_alias(typename, variable, owner)):
            return FactoryFix(call, Form.NAMED, path, sets_module=True) if sets_module else None
        self._check_named(call, owner, variable)
        if is_dataclass:
            if typename is None or owner.kind is ScopeKind.CLASS or not is_free(self.model, typename, owner):
                raise Refused("name-taken", name=typename or variable)
            return FactoryFix(call, Form.ALIASED, typename, sets_module=sets_module)
        return FactoryFix(call, Form.NAMED, path, sets_qualname=True)

    def _check_named(self, call: ast.Call, owner: Scope, variable: str) -> None:
        if "__qualname__" in self.model.identifiers:
            raise Refused("name-observed", name="__qualname__")
        if len(list(owner.all_bindings(variable))) != 1:
            raise Refused("name-taken", name=variable)
        if owner.kind is ScopeKind.CLASS and (owner.node.bases or owner.node.keywords):  # type: ignore[attr-defined]
            raise Refused("class-made-at-run-time", name=ast.unparse(call.func))

    def _is_set(self, variable: str, attributes: Collection[str]) -> bool:
        """Whether the module sets one of these attributes of the class by hand."""
        return any(
            isinstance(node, ast.Attribute)
            and node.attr in attributes
            and isinstance(node.ctx, ast.Store)
            and ast.unparse(node.value).rpartition(".")[2] == variable
            for node in self.model.nodes.get(ast.Attribute, ())
        )

    def _has_alias(self, typename: str, variable: str, owner: Scope) -> bool:
        """Whether the module has a variable of the class's own name that holds it: ``usage = nt_usage``."""
        if owner.kind is not ScopeKind.MODULE:
            return False
        for _, binding in owner.all_bindings(typename):
            parent = self.model.parents.get(binding)
            value = parent.value if isinstance(parent, ast.Assign) else None
            targets = parent.targets if isinstance(parent, ast.Assign) else []
            if isinstance(value, ast.Name) and value.id == variable:
                return True
            if any(isinstance(target, ast.Name) and target.id == variable for target in targets):
                return True
        return False

    def _moved(self, call: ast.Call, owner: Scope) -> FactoryFix:
        model, callee = self.model, ast.unparse(call.func)
        typename = typename_of(call)
        anchor = model.top_level_statement(call)
        factory = model.dotted_name(call.func)
        if factory not in FACTORIES or typename is None or any(keyword.arg == "qualname" for keyword in call.keywords):
            raise Refused("class-made-at-run-time", name=callee)
        if not is_movable(model, call.func, anchor):
            raise Refused("class-captures", name=callee)
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not all(is_repeatable(model, argument, owner, anchor) for argument in arguments):
            raise Refused("class-made-at-run-time", name=callee)
        inspection.check_surroundings(model, owner)
        inspection.check_module(model, becomes_partial=False)
        for name in sorted({"__qualname__", "getmembers", "__subclasses__"} & model.identifiers):
            raise Refused("name-observed", name=name)
        variable = variable_of(model, call)
        if variable is not None:
            class_identity.check_variable(model, owner, variable, call)
            class_identity.check_results(model, owner, variable, call)
        class_identity.check_comparisons(model, owner, ())
        if factory in _ENUMS or factory == _DATACLASS:
            class_identity.check_equality(model, owner)
        return self._placed(call, owner, typename, variable, factory == _DATACLASS)

    def _placed(
        self, call: ast.Call, owner: Scope, typename: str, variable: str | None, is_dataclass: bool
    ) -> FactoryFix:
        drops = variable == typename and self._is_only_value(call, owner, typename)
        if (drops or not owner.binds(typename)) and self.names.claim(typename, call, owner):
            return FactoryFix(call, Form.MOVED, typename, drops, sets_module=is_dataclass)
        name = self.name_for(call, typename)
        if is_dataclass:
            raise Refused("name-taken", name=typename)
        return FactoryFix(call, Form.MOVED, name, sets_qualname=True)

    def _is_only_value(self, call: ast.Call, owner: Scope, variable: str) -> bool:
        """Whether the variable holds the class wherever it is read, and its assignment can go."""
        if len(list(owner.all_bindings(variable))) != 1 or not has_own_lines(self.model, self.model.statement(call)):
            return False
        flow = self.model.control_flow(owner)
        for use in owner.uses(variable):
            scope = self.model.scopes.around[use]
            point = use if scope is owner else creation_point(self.model, scope, owner)
            if not flow.is_definitely_bound(variable, use if point is owner.node else point):
                return False
        return True


def makes_class(model: Model, call: ast.Call) -> bool:
    """Whether a call makes a class: by a factory of the library, or ``type(name, bases, namespace)``."""
    name = model.dotted_name(call.func)
    if name == "type":
        return len(call.args) == 3
    if name in _ENUMS:
        return len(call.args) + len(call.keywords) > 1
    return name in FACTORIES or name == "types.new_class"


def variable_of(model: Model, call: ast.Call) -> str | None:
    """The variable that a call's value is assigned to, alone."""
    parent = model.parents[call]
    targets: list[ast.expr] = []
    if isinstance(parent, ast.Assign):
        targets = parent.targets
    elif isinstance(parent, ast.AnnAssign):
        targets = [parent.target]
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else None


def typename_of(call: ast.Call) -> str | None:
    """The name under which a call makes its class, if it is a constant that may be a variable."""
    named = [keyword.value for keyword in call.keywords if keyword.arg in _NAME_KEYWORDS]
    first = call.args[0] if call.args else named[0] if named else None
    if isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value.isidentifier():
        return first.value
    return None


def has_own_lines(model: Model, statement: ast.stmt) -> bool:
    """Whether nothing but a statement, and a comment, stands on its lines."""
    start, end = model.source.span(statement)
    before = model.source.text[model.source.line_start(statement.lineno) : start]
    assert statement.end_lineno is not None
    after = model.source.text[end : model.source.line_start(statement.end_lineno + 1)].strip()
    return not before.strip(" \t\f") and (not after or after.startswith("#"))
