"""What a function captures, judged one name at a time: may its value be bound when the function is created?"""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias

from codemods.analysis.functions import class_cells
from codemods.analysis.functions.class_cells import Replacement
from codemods.analysis.guards.main_guard import guard_of
from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused, WaitsFor
from codemods.analysis.scopes import FUNCTIONS, Function, Scope, ScopeKind

Origin: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Value:
    """A captured value that stays what it is at creation: it is bound in front of the parameters.

    Args:
        name: the variable, as it is written in the function.
        functions: the nested functions that the variable may hold, which have to become picklable too.
    """

    name: str
    functions: tuple[Origin, ...] = ()


@dataclass(frozen=True)
class Import:
    """A captured import, which is repeated inside the function.

    Args:
        name: the variable.
        statement: the import statement that binds that name alone.
    """

    name: str
    statement: str


@dataclass(frozen=True)
class Sibling:
    """A captured function of the same scope that has no other value: its references can name it directly.

    Args:
        name: the variable.
        function: the function.
        is_bound: whether the variable holds the function when the capturing one is created, and keeps it.
    """

    name: str
    function: Origin
    is_bound: bool


@dataclass(frozen=True)
class ClassCell:
    """The captured class around the method that the function stands in, which is written out.

    Args:
        name: the variable, ``__class__``.
        replacements: the uses of the class, also through ``super()``, and what stands in their place.
    """

    name: str
    replacements: tuple[Replacement, ...]


Capture: TypeAlias = Value | Import | Sibling | ClassCell


def captures_of(model: Model, origin: Origin, cells: Collection[str] = ()) -> list[Capture]:
    """Judge every capture of a function.

    Args:
        model: the file.
        origin: the function.
        cells: captured names that are the function's own state, so that it may rebind them.

    Raises:
        Refused: if a captured variable cannot be bound when the function is created.
    """
    scope = model.scopes.of_node[origin]
    rebound = {name for inner in scope.descendants() for name in inner.nonlocal_names}
    captures: list[Capture] = []
    for name, owner in scope.captures().items():
        if owner.kind is ScopeKind.CLASS:
            captures.append(ClassCell(name, class_cells.replacements(model, scope)))
            continue
        if name in cells:
            captures.append(Value(name))
            continue
        if name in rebound:
            raise Refused("rebinds-captured-variable", name=name)
        captures.append(judge(model, scope, name, owner))
    captures.extend(judge(model, scope, name, model.scopes.module) for name in captured_from_guard(model, scope))
    return captures


def captured_from_guard(model: Model, scope: Scope) -> list[str]:
    """The globals that exist only under the main guard around a function, so not in a spawned child.

    Raises:
        Refused: if the function rebinds one, or one is a definition, which has to leave the guard first.
    """
    guard = guard_of(model, scope.node)
    if guard is None:
        return []
    module = model.scopes.module
    names = dict.fromkeys(name for inner in scope.descendants() for name in (*inner.references, *inner.bindings))
    captured = []
    for name in names:
        nodes = [node for _, node in module.all_bindings(name)] if scope.resolve(name) is module else []
        if not nodes or any(guard_of(model, node) is not guard for node in nodes):
            continue
        if any(isinstance(node, (*FUNCTIONS, ast.ClassDef)) for node in nodes):
            raise Refused("captures-guarded-definition", name=name)
        if any(name in inner.global_names for inner in scope.descendants()):
            raise Refused("rebinds-captured-variable", name=name)
        captured.append(name)
    return captured


def creation_point(model: Model, scope: Scope, owner: Scope) -> ast.AST:
    """The node of the owner's own code that creates a function, or the function that it is made in."""
    node = scope.node
    for outer in (scope, *scope.ancestors()):
        if outer is owner:
            break
        if isinstance(outer.node, (*FUNCTIONS, ast.Lambda)):
            node = outer.node
    return node


def judge(model: Model, scope: Scope, name: str, owner: Scope) -> Value | Import | Sibling:
    """Judge one capture of a function.

    Args:
        model: the file.
        scope: the scope that the function opens.
        name: the captured variable.
        owner: the scope that it belongs to.

    Raises:
        Refused: if it cannot be bound when the function is created.
    """
    if owner.kind is ScopeKind.COMPREHENSION:
        raise Refused("late-bound-loop-variable", name=name)
    if owner.kind is ScopeKind.ANNOTATION:
        raise Refused("generic-function", name=name)
    bindings = list(owner.all_bindings(name))
    if any(inner.function is not owner for inner, _ in bindings):
        raise Refused("shared-cell", name=name)
    nodes = [node for _, node in bindings]
    imported = as_import(nodes, name)
    functions = tuple(function for node in nodes if (function := function_bound_by(model, node)) is not None)
    point = creation_point(model, scope, owner)
    flow = model.control_flow(owner)
    is_bound = flow.is_definitely_bound(_plain(nodes, name), point)
    is_rebound = flow.may_be_rebound_after(_plain(nodes, name), point)
    if len(functions) == 1 and len(nodes) == 1:
        if not is_bound and not _is_defined_next(model, point, functions[0]):
            raise Refused("maybe-unbound", name=name)
        return Sibling(name, functions[0], is_bound and not is_rebound)
    if not is_bound:
        raise Refused("maybe-unbound", name=name)
    if is_rebound:
        in_loop = any(_is_loop_target(model, node) for node in nodes)
        raise Refused("late-bound-loop-variable" if in_loop else "rebound-after-capture", name=name)
    if imported is not None:
        return Import(name, imported)
    check_picklable(model, name, nodes)
    return Value(name, functions)


def _is_loop_target(model: Model, node: ast.AST) -> bool:
    while isinstance(parent := model.parents.get(node), (ast.Tuple, ast.List, ast.Starred)):
        node = parent
    return isinstance(parent, (ast.For, ast.AsyncFor)) and parent.target is node


def _is_defined_next(model: Model, point: ast.AST, function: Origin) -> bool:
    """Whether a function is the one that is being created, or only definitions stand between the two.

    Nothing can call the first in between, so that it makes no difference that the second is not bound yet.
    """
    first, last = model.statement(point), model.statement(function)
    if first is last or function in set(model.ancestors(point)):
        return True
    block = block_of(model, first)
    if not any(statement is last for statement in block):
        return False
    start, stop = block.index(first), block.index(last)
    return start < stop and all(isinstance(statement, FUNCTIONS) for statement in block[start:stop])


def block_of(model: Model, statement: ast.stmt) -> list[ast.stmt]:
    """The list of statements that a statement stands in."""
    blocks = (getattr(model.parents[statement], name, None) for name in ("body", "orelse", "finalbody"))
    return next(block for block in blocks if isinstance(block, list) and any(item is statement for item in block))


def function_bound_by(model: Model, binding: ast.AST) -> Origin | None:
    """The nested function that a binding gives to its variable: a ``def``, or a lambda assigned to the name."""
    if isinstance(binding, FUNCTIONS):
        return binding
    parent = model.parents.get(binding)
    if isinstance(parent, ast.Assign) and isinstance(parent.value, ast.Lambda) and binding in parent.targets:
        return parent.value
    if isinstance(parent, (ast.AnnAssign, ast.NamedExpr)) and isinstance(parent.value, ast.Lambda):
        return parent.value
    return None


def as_import(nodes: list[ast.AST], name: str) -> str | None:
    """The import statement that binds a name, if it is the only binding; written so that it binds that name alone."""
    if not any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in nodes):
        return None
    if len(nodes) > 1:
        raise Refused("import-rebound", name=name)
    statement = nodes[0]
    assert isinstance(statement, (ast.Import, ast.ImportFrom))
    for alias in statement.names:
        bound = alias.asname or (alias.name.partition(".")[0] if isinstance(statement, ast.Import) else alias.name)
        if bound == name:
            alone = (
                ast.Import([alias])
                if isinstance(statement, ast.Import)
                else ast.ImportFrom(statement.module, [alias], statement.level)
            )
            return ast.unparse(alone)
    raise Refused("import-rebound", name=name)


def _plain(nodes: list[ast.AST], name: str) -> str:
    """The name as it is written where it is bound: private names are mangled in scopes, not in the text."""
    for node in nodes:
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.arg):
            return node.arg
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            return node.name
        if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name is not None:
            return node.name
        if isinstance(node, ast.MatchMapping) and node.rest is not None:
            return node.rest
    return name


def check_picklable(model: Model, name: str, nodes: list[ast.AST]) -> None:
    """Refuse a capture that is known not to pickle: a rewrite would change the code and solve nothing."""
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            raise WaitsFor(node, "captures-local-class", name=name)
        value = _assigned_value(model, node)
        if isinstance(value, ast.GeneratorExp):
            raise Refused("captures-unpicklable", name=name, what="a generator")
        if isinstance(value, ast.Call):
            _check_made_by_call(model, name, value)


def _check_made_by_call(model: Model, name: str, call: ast.Call) -> None:
    if isinstance(call.func, ast.Name):
        owner = model.scopes.around[call.func].resolve(call.func.id)
        made_locally = [node for _, node in owner.all_bindings(call.func.id) if isinstance(node, ast.ClassDef)]
        if owner.kind is not ScopeKind.MODULE and made_locally:
            raise WaitsFor(made_locally[0], "captures-local-class", name=call.func.id)
    maker = model.dotted_name(call.func)
    if maker is not None and maker in UNPICKLABLE_MAKERS:
        raise Refused("captures-unpicklable", name=name, what=f"made by `{maker}(...)`")


def _assigned_value(model: Model, binding: ast.AST) -> ast.expr | None:
    """The expression whose value a binding gives to its variable as it is, where there is one."""
    parent = model.parents.get(binding)
    if isinstance(parent, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
        return parent.value
    if isinstance(parent, ast.withitem):
        return parent.context_expr
    return None


UNPICKLABLE_MAKERS = frozenset(
    {
        "open",
        "io.open",
        "iter",
        "memoryview",
        "asyncio.new_event_loop",
        "bz2.open",
        "concurrent.futures.Future",
        "concurrent.futures.ProcessPoolExecutor",
        "concurrent.futures.ThreadPoolExecutor",
        "contextvars.ContextVar",
        "csv.reader",
        "csv.writer",
        "gzip.open",
        "importlib.import_module",
        "lzma.open",
        "mmap.mmap",
        "multiprocessing.Pool",
        "os.fdopen",
        "os.popen",
        "os.scandir",
        "queue.LifoQueue",
        "queue.PriorityQueue",
        "queue.Queue",
        "queue.SimpleQueue",
        "re.finditer",
        "sched.scheduler",
        "selectors.DefaultSelector",
        "socket.create_connection",
        "socket.socket",
        "sqlite3.connect",
        "ssl.SSLContext",
        "ssl.create_default_context",
        "subprocess.Popen",
        "tarfile.open",
        "tempfile.NamedTemporaryFile",
        "tempfile.TemporaryFile",
        "threading.Barrier",
        "threading.BoundedSemaphore",
        "threading.Condition",
        "threading.Event",
        "threading.Lock",
        "threading.RLock",
        "threading.Semaphore",
        "threading.Thread",
        "threading.Timer",
        "threading.local",
        "weakref.WeakKeyDictionary",
        "weakref.WeakSet",
        "weakref.WeakValueDictionary",
        "weakref.proxy",
        "weakref.ref",
        "zipfile.ZipFile",
    }
)
"""Calls whose result never pickles."""

__all__ = [
    "Capture",
    "ClassCell",
    "Function",
    "Import",
    "Origin",
    "Sibling",
    "Value",
    "captures_of",
    "function_bound_by",
]
