"""Whether an expression of ``__init__`` can be evaluated again in ``__setstate__``, and how it is written there."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import FUNCTIONS, Function, ScopeKind
from codemods.analysis.state.family import Family
from codemods.analysis.state.resources import Resources
from codemods.analysis.syntax import parameters

PURE_CALLS = frozenset(
    {"abs", "bool", "bytes", "bytearray", "dict", "float", "frozenset", "int", "len", "list", "max", "min", "range"}
    | {"round", "set", "sorted", "str", "sum", "tuple", "type", "pathlib.Path", "os.fspath", "os.fsdecode"}
    | {f"os.path.{name}" for name in ("join", "abspath", "basename", "dirname", "expanduser", "normpath", "splitext")}
    | {f"ctypes.util.{name}" for name in ("find_library",)}
)
_PURE_METHODS = frozenset({"format", "joinpath", "lower", "strip", "upper", "with_suffix", "with_name"})
_UNTOUCHABLE = (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)


@dataclass
class Initialiser:
    """How a value is made again.

    Args:
        text: the expression.
        reads: the attributes of the instance that it reads.
        imports: import statements of the method that it needs.
        is_view: whether changes of the objects that it reads do not matter.
    """

    text: str
    reads: set[str] = field(default_factory=set)
    imports: list[str] = field(default_factory=list)
    is_view: bool = False


class Initialisers:
    """Writes the expressions of one class's methods anew.

    Args:
        model: the file.
        family: the class, with those that it shares its instances with.
        resources: recognises what must not be kept.
        dropped: the attributes that are left out of the state and made again in the order of the text.
    """

    def __init__(self, model: Model, family: Family, resources: Resources, dropped: frozenset[str]) -> None:
        self.model = model
        self.family = family
        self.resources = resources
        self.dropped = dropped
        self.helper_call: ast.expr | None = None
        """A call of a function that has been found fit to be called again."""
        self.opened_path: ast.expr | None = None
        """A call of the ``open`` of a path."""

    def again(self, node: ast.expr, method: Function | None, *, is_view: bool = False) -> Initialiser:
        """The expression as it is written in ``__setstate__``.

        Args:
            node: the expression.
            method: the method that it stands in; None for the body of the class.
            is_view: whether what it makes shows the objects that it reads, whatever becomes of them.

        Raises:
            Refused: if it needs something that the instance does not keep.
        """
        found = Initialiser("", is_view=is_view)
        found.text = self._text(node, method, found, 0)
        if not _stands_alone(found.text):
            found.text = f"({found.text})"
        return found

    def _text(self, node: ast.expr, method: Function | None, found: Initialiser, depth: int) -> str:
        replacements: list[tuple[int, int, str]] = []
        self._visit(node, method, found, replacements, depth)
        start, end = self.model.source.span(node)
        text, position = "", start
        for first, last, replacement in sorted(replacements):
            text += self.model.source.text[position:first] + replacement
            position = last
        return text + self.model.source.text[position:end]

    def _visit(
        self,
        node: ast.AST,
        method: Function | None,
        found: Initialiser,
        replacements: list[tuple[int, int, str]],
        depth: int,
    ) -> None:
        if isinstance(node, _UNTOUCHABLE):
            raise Refused("initialiser-too-complex")
        instance = self.family.instance_name(method)
        if isinstance(node, ast.Attribute) and is_attribute_of(node, instance):
            found.reads.add(self.family.check_read(node, self.dropped, in_place=found.is_view))
            return
        if isinstance(node, ast.Call):
            self._check_call(node)
            if node is self.helper_call and is_attribute_of(node.func, instance):
                for argument in (*node.args, *node.keywords):
                    self._visit(argument, method, found, replacements, depth)
                return
        if isinstance(node, ast.Name):
            replacement = self._name(node, method, found, depth)
            if replacement is not None:
                replacements.append((*self.model.source.span(node), replacement))
            return
        for child in ast.iter_child_nodes(node):
            self._visit(child, method, found, replacements, depth)

    def _check_call(self, node: ast.Call) -> None:
        """Refuse calls that may give something else another time."""
        if self.resources.constructor(node.func) is not None or node in (self.helper_call, self.opened_path):
            return
        name = self.model.dotted_name(node.func)
        if name in PURE_CALLS:
            return
        if isinstance(node.func, ast.Attribute) and node.func.attr in _PURE_METHODS:
            return
        raise Refused("initialiser-calls", name=ast.unparse(node.func))

    def _name(self, node: ast.Name, method: Function | None, found: Initialiser, depth: int) -> str | None:
        """What stands for a name; None for the name itself."""
        owner = self.model.scopes.around[node].resolve(node.id)
        if owner.kind is ScopeKind.MODULE:
            self.check_global(node.id)
            return None
        if owner.kind is ScopeKind.COMPREHENSION:
            return None
        if method is None or owner is not self.model.scopes.of_node.get(method):
            raise Refused("initialiser-needs-local", name=node.id)
        bindings = [binding for _, binding in owner.all_bindings(node.id)]
        if bindings and all(isinstance(binding, (ast.Import, ast.ImportFrom)) for binding in bindings):
            statement = bindings[0]
            assert isinstance(statement, ast.stmt)
            found.imports.append(self.model.source.segment(statement))
            return None
        attribute = self.family.kept_as(node, method)
        if attribute is not None:
            found.reads.add(attribute)
            return f"{self.family.instance_name(method)}.{self.family.written(attribute)}"
        value = self.resources.local_value(node)
        if value is not None and depth < 4 and not any(p.arg == node.id for p in parameters(method.args)):
            if self.resources.made_by(value) is not None:
                raise Refused("initialiser-needs-local", name=node.id)
            text = self._text(value, method, found, depth + 1)
            return text if isinstance(value, (ast.Call, ast.Name, ast.Constant, ast.Attribute)) else f"({text})"
        raise Refused("initialiser-needs-local", name=node.id)

    def check_global(self, name: str) -> None:
        """Refuse a name of the module that does not surely mean the same in another process."""
        bindings = [binding for _, binding in self.model.scopes.module.all_bindings(name)]
        if not bindings:
            return
        definitions = (*FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)
        bindings = [binding for binding in bindings if not self.resources.is_fallback(binding)]
        if len(bindings) > 1 and not all(isinstance(binding, definitions) for binding in bindings):
            raise Refused("global-rebound", name=name)
        for binding in bindings:
            top = self.model.top_level_statement(binding)
            if isinstance(top, ast.If) and "__name__" in ast.unparse(top.test):
                raise Refused("global-rebound", name=name)
            if not isinstance(binding, definitions) and not isinstance(top, (ast.Assign, ast.AnnAssign)):
                raise Refused("global-rebound", name=name)


def is_attribute_of(node: ast.expr, instance: str | None) -> bool:
    """Whether an expression is ``self.name``."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == instance


def _stands_alone(text: str) -> bool:
    """Whether an expression that fills several lines needs no parentheses around it."""
    if "\n" not in text and "\r" not in text:
        return True
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True
