"""Everything that is known about one file, computed when it is first asked for."""

from __future__ import annotations

import ast
import builtins
import functools
import os
import re
import unicodedata
from collections.abc import Iterator

from codemods import source as source_text
from codemods.analysis.control.flow import ControlFlow
from codemods.analysis.project.definitions import Definition
from codemods.analysis.project.imports import STAR, meanings
from codemods.analysis.project.library import Module
from codemods.analysis.project.project import Project
from codemods.analysis.scopes import FUNCTIONS, Scope, ScopeKind, ScopeTree
from codemods.analysis.staying import stays
from codemods.analysis.tree import Tree
from codemods.analysis.values.flow import FlowGraph
from codemods.analysis.values.neighbourhood import Neighbourhood
from codemods.analysis.values.project_modules import File
from codemods.catalog.loader import Catalog, load
from codemods.source import Source

PASSING_MANAGERS = frozenset(
    {"open", "io.open", "bz2.open", "gzip.open", "lzma.open", "tarfile.open", "zipfile.ZipFile", "mmap.mmap"}
    | {"concurrent.futures.ProcessPoolExecutor", "concurrent.futures.ThreadPoolExecutor", "multiprocessing.Pool"}
    | {"contextlib.closing", "contextlib.nullcontext", "decimal.localcontext", "os.scandir", "subprocess.Popen"}
    | {"socket.socket", "sqlite3.connect", "tempfile.NamedTemporaryFile", "tempfile.TemporaryDirectory"}
    | {"urllib.request.urlopen", "warnings.catch_warnings", "numpy.errstate", "torch.inference_mode", "torch.no_grad"}
)
"""Context managers that never swallow an exception (their documentation or source)."""
_ANALYSED_AT_A_TIME = 64
_DEBUG_EXPRESSION = re.compile(r"=\s*(![rsa])?[:}]")


class Model(Tree):
    """A parsed file and its analyses.

    Args:
        source: the text.
        catalog: the APIs that are known; the packaged ones by default.
        tree: the file as it has been parsed already.
        project: the files around it; None where it stands alone.

    Raises:
        SyntaxError: if the text is not Python.
        RecursionError: if it is nested too deeply.
    """

    def __init__(
        self,
        source: Source,
        catalog: Catalog | None = None,
        tree: Tree | None = None,
        project: Project | None = None,
    ) -> None:
        if tree is None:
            super().__init__(source)
        else:
            vars(self).update(vars(tree))
        self.catalog = catalog or load()
        self.project = project
        self.neighbourhood: Neighbourhood | None = None
        self._flows: dict[ast.AST, ControlFlow] = {}

    @functools.cached_property
    def scopes(self) -> ScopeTree:
        """The scopes of the module."""
        return ScopeTree(self.module)

    @functools.cached_property
    def flow(self) -> FlowGraph:
        """Where values go."""
        own = File(self.path, self.module, self.scopes, self.source)
        flow = FlowGraph.of(own, self.catalog)
        if self.project is not None:
            self.neighbourhood = Neighbourhood(own, flow, self.project, self.catalog, functools.partial(stays, self))
            flow.surround(self.neighbourhood.around)
        return flow

    @functools.cached_property
    def identifiers(self) -> frozenset[str]:
        """Everything that could be read as a name anywhere in the text, normalised as the parser does it."""
        names = set(source_text.identifiers(self.source.text))
        return frozenset(names | {unicodedata.normalize("NFKC", name) for name in names if not name.isascii()})

    def control_flow(self, scope: Scope) -> ControlFlow:
        """The control flow of a function, lambda, class or module scope."""
        if scope.node not in self._flows:
            assert isinstance(scope.node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef))
            self._flows[scope.node] = ControlFlow.of(scope.node, self._passes_exceptions_on)
        return self._flows[scope.node]

    def _passes_exceptions_on(self, manager: ast.expr) -> bool:
        name = self.dotted_name(manager.func) if isinstance(manager, ast.Call) else None
        return name in PASSING_MANAGERS and not self.has_star_import

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that a node is or belongs to."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def top_level_statement(self, node: ast.AST) -> ast.stmt:
        """The statement of the module's body that a node is or belongs to."""
        while not isinstance(parent := self.parents[node], ast.Module):
            node = parent
        assert isinstance(node, ast.stmt)
        return node

    def is_shown(self, node: ast.AST) -> bool:
        """Whether a node stands in an f-string that shows the source text of an expression: ``{x=}``."""
        return any(
            isinstance(ancestor, ast.JoinedStr) and _DEBUG_EXPRESSION.search(self.source.segment(ancestor))
            for ancestor in self.ancestors(node)
        )

    def is_builtin(self, name: str, scope: Scope) -> bool:
        """Whether a name surely means the builtin of that name when it is read in a scope."""
        return self.may_be_builtin(name, scope) and hasattr(builtins, name) and not self.has_star_import

    def may_be_builtin(self, name: str, scope: Scope) -> bool:
        """Whether nothing in the file gives a name another meaning than that of the builtin."""
        owner = scope.resolve(name)
        return owner.kind is ScopeKind.MODULE and not any(owner.all_bindings(name))

    @functools.cached_property
    def path(self) -> str:
        """The real path of the file, by which the project knows it."""
        return (self.project.real if self.project is not None else os.path.realpath)(self.source.path)

    def definition(self, node: ast.expr) -> Definition | None:
        """What an expression means that names something of another file of the project.

        Re-exports, aliases and star imports are followed. None where the expression is no dotted name that begins with
        an import, means nothing of the project, or may mean something else.
        """
        dotted = self.dotted_name(node) if self.project is not None else None
        if self.project is None or dotted is None:
            return None
        definitions = self.project.definitions
        if self._is_bound(node):
            found = definitions.find(self.path, dotted)
        else:
            found = definitions.find_starred(self.path, self._stars, dotted)
        return found if found is not None and definitions.is_certain(found) else None

    def _is_bound(self, node: ast.expr) -> bool:
        """Whether the file says itself what the first part of a dotted name is."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and any(self.scopes.around[node].resolve(node.id).all_bindings(node.id))

    @functools.cached_property
    def _stars(self) -> tuple[str, ...]:
        """The modules of which the file imports everything, the last one first."""
        statements = (node for node in self.nodes.get(ast.ImportFrom, ()) if isinstance(node, ast.ImportFrom))
        return tuple(dotted for node in statements for bound, dotted in meanings(node) if bound == STAR)[::-1]

    def home(self, definition: Definition) -> Model:
        """The file that defines something, with its analyses."""
        assert self.project is not None
        return self if definition.module.path == self.path else _analysed(definition.module, self.project, self.catalog)

    def with_base(self, name: str) -> Iterator[Model]:
        """The other files of the project in which a name may be a base of a class."""
        if self.project is None:
            return
        for path in self.project.bases.of(name):
            module = self.project.library.module(path) if path != self.path else None
            if module is not None:
                yield _analysed(module, self.project, self.catalog)

    def dotted_name(self, node: ast.expr) -> str | None:
        """The full name of what an expression refers to, through the module's imports.

        ``np.random.seed`` gives ``numpy.random.seed`` where ``np`` is only ever bound by ``import numpy as np``.
        None where the first name is not an import or a builtin, or is bound in more than one way.
        """
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node not in self.scopes.around:
            return None
        scope = self.scopes.around[node]
        owner = scope.resolve(node.id)
        targets = {import_target(binding, node.id) for _, binding in owner.all_bindings(node.id)}
        if not targets and owner.kind is ScopeKind.MODULE:
            targets = {node.id}
        target = targets.pop() if len(targets) == 1 else None
        return ".".join([target, *reversed(attributes)]) if target else None


@functools.lru_cache(_ANALYSED_AT_A_TIME)
def _analysed(module: Module, project: Project, catalog: Catalog) -> Model:
    model = Model(module.source, catalog, Tree(module.source, module.tree), project)
    model.path = module.path
    return model


def import_target(binding: ast.AST, name: str) -> str | None:
    """The dotted name that an import statement binds a name to; None for other statements."""
    if isinstance(binding, ast.Import):
        for alias in binding.names:
            if alias.asname == name:
                return alias.name
            if alias.asname is None and alias.name.partition(".")[0] == name:
                return name
    if isinstance(binding, ast.ImportFrom):
        for alias in binding.names:
            if (alias.asname or alias.name) == name:
                return "." * binding.level + ".".join(filter(None, [binding.module, alias.name]))
    return None


def is_method(scope: Scope) -> bool:
    """Whether a scope is a function defined directly in a class body."""
    return isinstance(scope.node, FUNCTIONS) and scope.parent is not None and scope.parent.kind is ScopeKind.CLASS
