"""Scopes of a module: which name means which variable.

Names are those that the compiler uses: normalised (NFKC, which ``ast`` does) and, inside classes, mangled. The
standard library's ``symtable`` answers the same questions, but differently in each Python version, and without nodes.
"""

from __future__ import annotations

import ast
import enum
import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from codemods.analysis.syntax import children, parameters

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class ScopeKind(enum.Enum):
    """What opened a scope."""

    MODULE = "module"
    FUNCTION = "function"
    LAMBDA = "lambda"
    COMPREHENSION = "comprehension"
    CLASS = "class"
    ANNOTATION = "annotation"
    """Type parameters, the value of a ``type`` statement, and annotations that are never evaluated."""


@dataclass(eq=False)
class Scope:
    """One scope and what its own code does with names.

    Args:
        kind: what opened it.
        node: the node that opened it.
        parent: the scope around it; None for the module.
        private_class: the innermost class around it, whose name mangles private names.
        bindings: for each name that is bound here, the nodes that bind, rebind or delete it, in the order of the text.
        references: for each name that is read here, the nodes that read it.
        global_names: names declared ``global``.
        nonlocal_names: names declared ``nonlocal``.
        children: the scopes directly inside.
    """

    kind: ScopeKind
    node: ast.AST
    parent: Scope | None
    private_class: str | None = None
    bindings: dict[str, list[ast.AST]] = field(default_factory=dict)
    references: dict[str, list[ast.Name]] = field(default_factory=dict)
    global_names: set[str] = field(default_factory=set)
    nonlocal_names: set[str] = field(default_factory=set)
    children: list[Scope] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of the function or class, as in a qualified name."""
        return getattr(self.node, "name", f"<{self.kind.value}>")

    def binds(self, name: str) -> bool:
        """Whether a name is a variable of this very scope."""
        return name in self.bindings and name not in self.global_names and name not in self.nonlocal_names

    def resolve(self, name: str) -> Scope:
        """The scope whose variable a name is here; the module's for globals and builtins."""
        if self.binds(name):
            return self
        scope, sees_classes = self, self.kind is ScopeKind.ANNOTATION
        while scope.parent is not None:
            if name in scope.global_names:
                return scope.module
            scope = scope.parent
            hidden = scope.kind is ScopeKind.CLASS and not sees_classes and name != "__class__"
            if not hidden and (scope.binds(name) or _has_class_cell(scope, name)):
                return scope
            sees_classes = sees_classes and scope.kind is ScopeKind.ANNOTATION
        return scope

    @property
    def module(self) -> Scope:
        """The module's scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    @property
    def function(self) -> Scope:
        """The innermost function, lambda, class or module scope: this one, or the one around a comprehension."""
        scope = self
        while scope.kind in (ScopeKind.COMPREHENSION, ScopeKind.ANNOTATION) and scope.parent is not None:
            scope = scope.parent
        return scope

    def ancestors(self) -> Iterator[Scope]:
        """The scopes around this one, from the inside."""
        scope = self.parent
        while scope is not None:
            yield scope
            scope = scope.parent

    def descendants(self) -> Iterator[Scope]:
        """This scope and all scopes inside it, in the order of the text."""
        yield self
        for child in self.children:
            yield from child.descendants()

    def captures(self) -> dict[str, Scope]:
        """The free variables and the scopes that own them, in the order of their first use.

        A name that an inner scope needs is free in each scope on the way. Variables of the module and builtins are
        not captured.
        """
        inside = set(self.descendants())
        free: dict[str, Scope] = {}
        for scope in self.descendants():
            for name in (*scope.references, *scope.bindings, *scope.nonlocal_names):
                if name not in free and not scope.binds(name):
                    owner = scope.resolve(name)
                    if owner not in inside and owner.kind is not ScopeKind.MODULE:
                        free[name] = owner
        return dict(sorted(free.items(), key=lambda item: self._first_use(item[0])))

    def _first_use(self, name: str) -> tuple[int, int]:
        places = (
            (node.lineno, node.col_offset)
            for scope in self.descendants()
            for node in (*scope.references.get(name, ()), *scope.bindings.get(name, ()))
            if isinstance(node, (ast.expr, ast.stmt, ast.ExceptHandler, ast.pattern))
        )
        return min(places, default=(0, 0))

    def uses(self, name: str) -> Iterator[ast.Name]:
        """Every node, in this scope and the scopes inside it, that reads this scope's variable of that name."""
        for scope in self.descendants():
            if name in scope.references and scope.resolve(name) is self:
                yield from scope.references[name]

    def all_bindings(self, name: str) -> Iterator[tuple[Scope, ast.AST]]:
        """Every node that binds this scope's variable, here or through ``nonlocal`` and ``global`` further inside."""
        yield from self.module._bindings_by_owner.get((self, name), ())

    @functools.cached_property
    def _bindings_by_owner(self) -> dict[tuple[Scope, str], list[tuple[Scope, ast.AST]]]:
        """For the module: all bindings inside it, by the variable that they bind."""
        found: dict[tuple[Scope, str], list[tuple[Scope, ast.AST]]] = {}
        for scope in self.descendants():
            for name, nodes in scope.bindings.items():
                owner = scope.resolve(name)
                found.setdefault((owner, name), []).extend((scope, node) for node in nodes)
        return found


def _has_class_cell(scope: Scope, name: str) -> bool:
    return name == "__class__" and scope.kind is ScopeKind.CLASS


def mangle(name: str, private_class: str | None) -> str:
    """The name that the compiler uses for a name written inside a class."""
    if private_class is None or not name.startswith("__") or name.endswith("__") or "." in name:
        return name
    stripped = private_class.lstrip("_")
    return f"_{stripped}{name}" if stripped else name


class ScopeTree:
    """All scopes of a module.

    Args:
        module: the parsed module.
    """

    def __init__(self, module: ast.Module) -> None:
        self.module = Scope(ScopeKind.MODULE, module, None)
        self.of_node: dict[ast.AST, Scope] = {module: self.module}
        """The scope that a function, lambda, class or comprehension opens."""
        self.around: dict[ast.AST, Scope] = {}
        """The scope in which a name, call, lambda, definition or comprehension is evaluated."""
        self.has_lazy_annotations = any(
            isinstance(statement, ast.ImportFrom)
            and statement.module == "__future__"
            and any(alias.name == "annotations" for alias in statement.names)
            for statement in module.body
        )
        """Whether annotations are kept as text: ``from __future__ import annotations``."""
        _Builder(self).visit_all(module.body, self.module)


class _Builder:
    """Fills a tree by one recursive walk; ``visit`` keeps the current scope as an argument, not as state."""

    def __init__(self, tree: ScopeTree) -> None:
        self.tree = tree

    def visit_all(self, nodes: Iterable[ast.AST | None], scope: Scope) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node, scope)

    def visit(self, node: ast.AST, scope: Scope) -> None:
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            handler(self, node, scope)
        else:
            self.visit_all(children(node), scope)

    def open(self, kind: ScopeKind, node: ast.AST, parent: Scope, private_class: str | None) -> Scope:
        scope = Scope(kind, node, parent, private_class)
        parent.children.append(scope)
        self.tree.of_node.setdefault(node, scope)
        return scope

    def bind(self, name: str, node: ast.AST, scope: Scope) -> None:
        scope.bindings.setdefault(mangle(name, scope.private_class), []).append(node)

    def visit_name(self, node: ast.Name, scope: Scope) -> None:
        self.tree.around[node] = scope
        if not isinstance(node.ctx, ast.Load):
            self.bind(node.id, node, scope)
            return
        scope.references.setdefault(mangle(node.id, scope.private_class), []).append(node)
        if node.id == "super" and scope.kind is not ScopeKind.CLASS and scope.parent is not None:
            scope.references.setdefault("__class__", []).append(node)

    def visit_call(self, node: ast.Call, scope: Scope) -> None:
        self.tree.around[node] = scope
        self.visit_all(children(node), scope)

    def visit_function(self, node: Function, scope: Scope) -> None:
        self.tree.around[node] = scope
        self.visit_all(node.decorator_list, scope)
        self.bind(node.name, node, scope)
        self.visit_all([*node.args.defaults, *node.args.kw_defaults], scope)
        generic = self.open_typeparameters(node, scope)
        self.visit_annotations(node, generic)
        inner = self.open(ScopeKind.FUNCTION, node, generic, scope.private_class)
        self.tree.of_node[node] = inner
        self.bindparameters(node.args, inner)
        self.visit_all(node.body, inner)

    def visit_annotations(self, node: Function, scope: Scope) -> None:
        annotations = [argument.annotation for argument in parameters(node.args)]
        for annotation in [*annotations, node.returns]:
            if annotation is not None:
                self.visit_annotation(annotation, scope)

    def visit_annotation(self, node: ast.expr, scope: Scope) -> None:
        if self.tree.has_lazy_annotations:
            scope = self.open(ScopeKind.ANNOTATION, node, scope, scope.private_class)
        self.visit(node, scope)

    def visit_lambda(self, node: ast.Lambda, scope: Scope) -> None:
        self.tree.around[node] = scope
        self.visit_all([*node.args.defaults, *node.args.kw_defaults], scope)
        inner = self.open(ScopeKind.LAMBDA, node, scope, scope.private_class)
        self.bindparameters(node.args, inner)
        self.visit(node.body, inner)

    def bindparameters(self, arguments: ast.arguments, scope: Scope) -> None:
        for argument in parameters(arguments):
            self.bind(argument.arg, argument, scope)

    def visit_class(self, node: ast.ClassDef, scope: Scope) -> None:
        self.tree.around[node] = scope
        self.visit_all(node.decorator_list, scope)
        generic = self.open_typeparameters(node, scope)
        self.visit_all([*node.bases, *node.keywords], generic)
        self.bind(node.name, node, scope)
        inner = self.open(ScopeKind.CLASS, node, generic, node.name)
        self.tree.of_node[node] = inner
        self.visit_all(node.body, inner)

    def open_typeparameters(self, node: ast.AST, scope: Scope) -> Scope:
        parameters: list[ast.AST] = getattr(node, "type_params", [])
        if not parameters:
            return scope
        generic = self.open(ScopeKind.ANNOTATION, node, scope, scope.private_class)
        for parameter in parameters:
            self.bind(parameter.name, parameter, generic)  # type: ignore[attr-defined]
            for child in children(parameter):
                self.visit(child, self.open(ScopeKind.ANNOTATION, child, generic, scope.private_class))
        return generic

    def visit_type_alias(self, node: ast.AST, scope: Scope) -> None:
        self.visit(node.name, scope)  # type: ignore[attr-defined]
        generic = self.open_typeparameters(node, scope)
        value: ast.expr = node.value  # type: ignore[attr-defined]
        self.visit(value, self.open(ScopeKind.ANNOTATION, value, generic, scope.private_class))

    def visit_comprehension(self, node: Comprehension, scope: Scope) -> None:
        self.tree.around[node] = scope
        first, *others = node.generators
        self.visit(first.iter, scope)
        inner = self.open(ScopeKind.COMPREHENSION, node, scope, scope.private_class)
        self.visit_all([first.target, *first.ifs], inner)
        for generator in others:
            self.visit_all([generator.target, generator.iter, *generator.ifs], inner)
        elements = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self.visit_all(elements, inner)

    def visit_named_expression(self, node: ast.NamedExpr, scope: Scope) -> None:
        owner = scope.function
        self.tree.around[node.target] = scope
        name = mangle(node.target.id, scope.private_class)
        owner.bindings.setdefault(name, []).append(node.target)
        self.visit(node.value, scope)

    def visit_annotated_assignment(self, node: ast.AnnAssign, scope: Scope) -> None:
        self.visit(node.target, scope)
        self.visit_annotation(node.annotation, scope)
        if node.value is not None:
            self.visit(node.value, scope)

    def visit_augmented_assignment(self, node: ast.AugAssign, scope: Scope) -> None:
        self.visit_all([node.target, node.value], scope)
        if isinstance(node.target, ast.Name):
            scope.references.setdefault(mangle(node.target.id, scope.private_class), []).append(node.target)

    def visit_import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        for alias in node.names:
            name = alias.asname or (alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name)
            if name != "*":
                self.bind(name, node, scope)

    def visit_handler(self, node: ast.ExceptHandler, scope: Scope) -> None:
        if node.name is not None:
            self.bind(node.name, node, scope)
        self.visit_all(children(node), scope)

    def visit_capture_pattern(self, node: ast.MatchAs | ast.MatchStar | ast.MatchMapping, scope: Scope) -> None:
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        if name is not None:
            self.bind(name, node, scope)
        self.visit_all(children(node), scope)

    def visit_global(self, node: ast.Global, scope: Scope) -> None:
        scope.global_names.update(mangle(name, scope.private_class) for name in node.names)

    def visit_nonlocal(self, node: ast.Nonlocal, scope: Scope) -> None:
        scope.nonlocal_names.update(mangle(name, scope.private_class) for name in node.names)


_HANDLERS: dict[type[ast.AST], Callable[[_Builder, Any, Scope], None]] = {
    ast.Name: _Builder.visit_name,
    ast.Call: _Builder.visit_call,
    ast.FunctionDef: _Builder.visit_function,
    ast.AsyncFunctionDef: _Builder.visit_function,
    ast.Lambda: _Builder.visit_lambda,
    ast.ClassDef: _Builder.visit_class,
    **dict.fromkeys(COMPREHENSIONS, _Builder.visit_comprehension),
    ast.NamedExpr: _Builder.visit_named_expression,
    ast.AnnAssign: _Builder.visit_annotated_assignment,
    ast.AugAssign: _Builder.visit_augmented_assignment,
    ast.Import: _Builder.visit_import,
    ast.ImportFrom: _Builder.visit_import,
    ast.ExceptHandler: _Builder.visit_handler,
    ast.MatchAs: _Builder.visit_capture_pattern,
    ast.MatchStar: _Builder.visit_capture_pattern,
    ast.MatchMapping: _Builder.visit_capture_pattern,
    ast.Global: _Builder.visit_global,
    ast.Nonlocal: _Builder.visit_nonlocal,
}
if hasattr(ast, "TypeAlias"):
    _HANDLERS[ast.TypeAlias] = _Builder.visit_type_alias
