"""What a file asks of the start method of processes: calls that need fork, and variables that only fork hands down.

Under fork a child has everything that its parent has. Under spawn and forkserver it imports the modules anew: a global
has the value that the import gives it, and what stands under a main guard does not exist.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from codemods.analysis.guards.main_guard import guard_of
from codemods.analysis.guards.process_starts import SETTING
from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, Function, Scope, ScopeKind
from codemods.catalog.entries import Serialiser
from codemods.finding import Level, Note, NoteKind

_FORK = "fork"
_FORKING_CALLS = frozenset({"os.fork", "os.forkpty", "pty.fork"})
_CONTEXT = "multiprocessing.get_context"
_METHOD_KEYWORDS = frozenset({"method", "multiprocessing_context", "mp_context", "start_method", "context"})
"""Parameters of the libraries in the catalog that take the name of a start method."""


class _Noted(NamedTuple):
    kind: NoteKind
    node: ast.expr | ast.stmt
    message: str


def start_method_notes(model: Model) -> list[Note]:
    """What a file asks of the start method, in the order of the text.

    Args:
        model: the file.
    """
    noted = [*_calls(model), *_inherited(model)]
    source = model.source
    places = ((source.location(source.span(item.node)[0]), item) for item in noted)
    return sorted(
        (Note(item.kind, item.message, source.path, place) for place, item in places), key=lambda note: note.start
    )


def _calls(model: Model) -> Iterator[_Noted]:
    """Calls that fork, or that choose how processes start."""
    for node in model.nodes.get(ast.Call, ()):
        assert isinstance(node, ast.Call)
        name = model.catalog.canonical(model.dotted_name(node.func) or "")
        given = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg in _METHOD_KEYWORDS)]
        methods = [value.value for value in given if isinstance(value, ast.Constant) and isinstance(value.value, str)]
        if name in _FORKING_CALLS:
            yield _Noted(NoteKind.FORK, node, f"`{name}()` starts a child that shares the memory of its parent")
        elif name == SETTING or getattr(node.func, "attr", "") == "set_start_method":
            chosen = f' "{methods[0]}"' if methods else ""
            kind = NoteKind.FORK if _FORK in methods else NoteKind.SETTING
            yield _Noted(kind, node, f"sets the start method{chosen} for the whole program")
        elif (
            name == _CONTEXT
            and _FORK in methods
            or any(
                isinstance(keyword.value, ast.Constant)
                and keyword.value.value == _FORK
                and keyword.arg in _METHOD_KEYWORDS
                for keyword in node.keywords
            )
        ):
            yield _Noted(NoteKind.FORK, node, "asks for processes that are forked")


def _inherited(model: Model) -> Iterator[_Noted]:
    """Globals that functions in worker processes read, and that get their value where a spawned worker does not."""
    module = model.scopes.module
    workers = _workers(model)
    own = {scope for worker in workers for scope in model.scopes.of_node[worker].descendants()}
    told: set[str] = set()
    for worker in workers:
        for name in sorted(_global_reads(model.scopes.of_node[worker]) - told):
            bindings = list(module.all_bindings(name))
            if not bindings or any(isinstance(node, (*FUNCTIONS, ast.ClassDef)) for _, node in bindings):
                continue
            elsewhere = [scope for scope, _ in bindings if scope is not module and scope not in own]
            guarded = [node for scope, node in bindings if scope is module and guard_of(model, node) is not None]
            if elsewhere:
                place = f"set by `{elsewhere[0].name}`"
            elif len(guarded) == len(bindings):
                place = "set under the main guard only"
            else:
                continue
            told.add(name)
            message = f"the global `{name}`, {place}, is read by `{worker.name}` in worker processes"
            yield _Noted(NoteKind.INHERITED, next(_reading(model, worker, name)), message)


def _workers(model: Model) -> list[Function]:
    """The functions of the module that run in worker processes: handed to an API that starts them, or called there."""
    found: list[Function] = []
    pending = [node for kind in FUNCTIONS for node in model.nodes.get(kind, ()) if _is_sent(model, node)]
    while pending:
        node = pending.pop(0)
        assert isinstance(node, FUNCTIONS)
        if node in found:
            continue
        found.append(node)
        for name in _global_reads(model.scopes.of_node[node]):
            pending += [called for _, called in model.scopes.module.all_bindings(name) if isinstance(called, FUNCTIONS)]
    return found


def _is_sent(model: Model, node: ast.AST) -> bool:
    if model.scopes.around[node].kind is not ScopeKind.MODULE:
        return False
    reach = model.flow.reach(node)
    sink = model.catalog.sink(reach.sink) if reach.level is Level.SINK and reach.sink is not None else None
    return sink is not None and sink.serialiser is Serialiser.FORKING_PICKLER


def _global_reads(scope: Scope) -> set[str]:
    module = scope.module
    return {name for inner in scope.descendants() for name in inner.references if inner.resolve(name) is module}


def _reading(model: Model, worker: Function, name: str) -> Iterator[ast.Name]:
    for scope in model.scopes.of_node[worker].descendants():
        yield from scope.references.get(name, ())
