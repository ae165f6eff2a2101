"""Which features of the language a program uses, to see that none of them is forgotten."""

from __future__ import annotations

import ast
import builtins
import collections
from collections.abc import Iterable, Iterator

from .scope import FUNCTIONS

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

#: What binds the name that it carries.
NAMING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)

#: Statements and expressions that count wherever they stand inside a function.
PLAIN: dict[type[ast.AST], str] = {
    ast.For: "for",
    ast.While: "while",
    ast.Break: "break",
    ast.Continue: "continue",
    ast.Try: "try",
    ast.With: "with",
    ast.Match: "match",
    ast.NamedExpr: "walrus",
    ast.Nonlocal: "nonlocal",
    ast.Global: "global",
    ast.Delete: "del",
    ast.AugAssign: "augmented assignment",
    ast.AnnAssign: "annotated assignment",
    ast.ImportFrom: "local import",
    ast.Import: "local import of a module",
    ast.ClassDef: "local class",
    ast.AsyncFunctionDef: "nested async function",
    ast.Yield: "yield",
    ast.Await: "await",
}

#: Definitions that only support the others.
SUPPORTING = {"note", "attempt", "warm", "drain", "drive", "pause", "Box", "Base", "Task", "Swallow", "traced", "registered",
              "tagged", "build", "observe"}  # fmt: skip

#: Every feature that programs have to show, each in two of a hundred at least.
REQUIRED = (
    "nested function", "lambda", "closure", "comprehension lambda", "rebinding before creation",
    "rebinding after creation", "del", "for", "while", "break", "continue", "loop else", "try", "except",
    "try else", "finally", "rebinding in finally", "return in try", "with", "swallowing manager", "match", "walrus",
    "nonlocal", "shared nonlocal", "nonlocal two levels up", "constant default", "default of the same name",
    "mutable default", "function as default", "positional-only", "keyword-only", "*args", "**kwargs", "generator",
    "nested async function", "recursion", "mutual recursion", "sibling capture", "method closure with self",
    "private name", "class body", "local class", "f-string with =", "function attribute", "name of a builtin",
    "name functools or partial", "name of a hoisted function", "decorator", "global", "module lambda",
    "stored in container", "stored in attribute", "stored in global", "returned", "yielded",
    "passed to constructor", "defaultdict lambda", "three levels", "augmented assignment", "local import",
    "local import of a module", "text over several lines", "super or __class__", "late sibling", "identity",
    "locals or eval", "main guard", "except name captured", "generator lambda", "async generator",
)  # fmt: skip


def features(text: str) -> set[str]:
    """The features of a program."""
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if getattr(node, "name", None) not in SUPPORTING]
    found = set(_of_module(tree))
    if '"""' in text:
        found.add("text over several lines")
    for function, around in _functions(tree, ()):
        found |= set(_of_function(function, around))
    return found


def table(texts: Iterable[str]) -> str:
    """How large a share of programs shows each feature, the rarest last."""
    counts: collections.Counter[str] = collections.Counter()
    total = 0
    for text in texts:
        counts.update(features(text))
        total += 1
    names = sorted(set(REQUIRED) | set(counts), key=lambda name: -counts[name])
    return "\n".join(f"{counts[name] / total:7.1%}  {name}" for name in names)


def _functions(node: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[tuple[Function, tuple[ast.AST, ...]]]:
    """Every function, with the functions and classes around it, the outermost first."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield child, around
            yield from _functions(child, (*around, child))
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, (*around, child))
        else:
            yield from _functions(child, around)


def _inside(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function's own scope."""
    body = function.body if isinstance(function.body, list) else [function.body]
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(node))


def _arguments(function: Function) -> list[ast.arg]:
    args = function.args
    return [*args.posonlyargs, *args.args, *args.kwonlyargs]


def _stored(function: Function) -> dict[str, list[int]]:
    """The names that a function binds, with the lines where it does."""
    lines: dict[str, list[int]] = {arg.arg: [function.lineno] for arg in _arguments(function)}
    for node in _inside(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            lines.setdefault(node.id, []).append(node.lineno)
        elif isinstance(node, NAMING) and node.name:
            lines.setdefault(node.name, []).append(node.lineno)
    return lines


def _reads(function: Function) -> set[str]:
    """The names that a function reads and does not bind itself, its inner functions included."""
    read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return read - set(_stored(function)) | _declared(function)


def _declared(function: Function) -> set[str]:
    return {name for node in _inside(function) if isinstance(node, ast.Nonlocal) for name in node.names}


def _of_module(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(part, ast.Lambda) for part in ast.walk(node.value)):
            yield "module lambda"
        if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test):
            yield "main guard"
    for part in ast.walk(tree):
        if isinstance(part, ast.Attribute) and part.attr.startswith("__"):
            yield "private name"


def _of_function(function: Function, around: tuple[ast.AST, ...]) -> Iterator[str]:
    outer = [scope for scope in around if not isinstance(scope, ast.ClassDef)]
    methodical = any(isinstance(scope, ast.ClassDef) for scope in around)
    yield from _of_signature(function)
    if isinstance(function, ast.Lambda):
        yield "lambda"
    if not outer:
        yield from _of_body(function)
        return
    yield from _of_body(function)
    yield "nested function"
    if len(outer) > 2:
        yield "three levels"
    if not isinstance(function, ast.Lambda) and function.decorator_list:
        yield "decorator"
    kinds = {type(node) for node in _inside(function)}
    if ast.Yield in kinds:
        yield "async generator" if isinstance(function, ast.AsyncFunctionDef) else "generator"
        if isinstance(function, ast.Lambda):
            yield "generator lambda"
    reads = _reads(function)
    if methodical and "self" in reads:
        yield "method closure with self"
    if not isinstance(function, ast.Lambda) and function.name in reads:
        yield "recursion"
    parent = outer[-1]
    assert isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
    yield from _of_captures(function, reads, parent, outer)


def _of_captures(function: Function, reads: set[str], parent: Function, outer: list[ast.AST]) -> Iterator[str]:
    stored = _stored(parent)
    siblings = {node.name: node for node in _inside(parent) if isinstance(node, ast.FunctionDef)}
    handlers = {node.name for node in _inside(parent) if isinstance(node, ast.ExceptHandler)}
    for name in reads & set(stored):
        yield "closure"
        if max(stored[name]) > (function.end_lineno or function.lineno):
            yield "late sibling" if name in ("late", "odd") else "rebinding after creation"
        if len(stored[name]) > 1 and sorted(stored[name])[1] < function.lineno:
            yield "rebinding before creation"
        if name in handlers:
            yield "except name captured"
        if name in siblings and siblings[name] is not function:
            yield "sibling capture"
            if getattr(function, "name", "") in _reads(siblings[name]):
                yield "mutual recursion"
    declared = _declared(function)
    if any(declared & (_declared(other) | _reads(other)) for other in siblings.values() if other is not function):
        yield "shared nonlocal"
    if declared - set(stored):
        yield "nonlocal two levels up"


def _of_signature(function: Function) -> Iterator[str]:
    args = function.args
    if args.posonlyargs:
        yield "positional-only"
    if args.kwonlyargs:
        yield "keyword-only"
    if args.vararg:
        yield "*args"
    if args.kwarg:
        yield "**kwargs"
    positional = [*args.posonlyargs, *args.args]
    count = len(args.defaults)
    pairs = zip(
        [*positional[len(positional) - count :], *args.kwonlyargs], [*args.defaults, *args.kw_defaults], strict=True
    )
    for parameter, value in pairs:
        if isinstance(value, ast.Constant):
            yield "constant default"
        elif isinstance(value, ast.Name) and value.id == parameter.arg:
            yield "default of the same name"
        elif isinstance(value, (ast.List, ast.Dict)):
            yield "mutable default"
        elif value is not None and (parameter.arg == "fn" or isinstance(value, ast.Lambda)):
            yield "function as default"


def _of_body(function: Function) -> Iterator[str]:
    for name in _stored(function):
        if name in ("functools", "partial"):
            yield "name functools or partial"
        elif name in vars(builtins):
            yield "name of a builtin"
        elif name in ("_make0_run", "run_1"):
            yield "name of a hoisted function"
    functions = set(FUNCTIONS)
    for node in _inside(function):
        if type(node) in PLAIN:
            yield PLAIN[type(node)]
        yield from _of_statement(node, functions)
        yield from _of_expression(node)


def _functional(node: ast.AST | None, functions: set[str]) -> bool:
    """Whether an expression holds a function."""
    return node is not None and any(
        isinstance(part, ast.Lambda) or isinstance(part, ast.Name) and part.id in functions for part in ast.walk(node)
    )


def _of_statement(node: ast.AST, functions: set[str]) -> Iterator[str]:
    if isinstance(node, (ast.For, ast.While)) and node.orelse:
        yield "loop else"
    if isinstance(node, ast.Try):
        yield from _of_try(node)
    if isinstance(node, ast.With) and "nullcontext" not in ast.unparse(node.items[0]):
        yield "swallowing manager"
    if isinstance(node, ast.Return) and _functional(node.value, functions):
        yield "returned"
    if isinstance(node, ast.Yield) and _functional(node.value, functions):
        yield "yielded"
    if isinstance(node, ast.ClassDef):
        yield "class body"
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
        yield "function attribute" if node.targets[0].attr in ("tag", "calls") else "stored in attribute"
    if isinstance(node, ast.Assign) and "HOOKS[" in ast.unparse(node.targets[0]):
        yield "stored in global"


def _of_try(node: ast.Try) -> Iterator[str]:
    if node.handlers:
        yield "except"
    if node.orelse:
        yield "try else"
    if node.finalbody:
        yield "finally"
        if any(isinstance(part, (ast.Assign, ast.AugAssign)) for line in node.finalbody for part in ast.walk(line)):
            yield "rebinding in finally"
    if any(isinstance(line, ast.Return) for line in node.body):
        yield "return in try"


def _of_expression(node: ast.AST) -> Iterator[str]:
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)) and isinstance(node.elt, ast.Lambda):
        yield "comprehension lambda"
    if isinstance(node, ast.JoinedStr):
        parts = [part.value for part in node.values if isinstance(part, ast.Constant)]
        if any(str(part).rstrip().endswith("=") for part in parts):
            yield "f-string with ="
    if isinstance(node, ast.Name) and node.id == "__class__":
        yield "super or __class__"
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is):
        yield "identity"
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        if called in ("out.append", "out.extend"):
            yield "stored in container"
        elif called == "Task":
            yield "passed to constructor"
        elif called == "collections.defaultdict" and node.args and isinstance(node.args[0], ast.Lambda):
            yield "defaultdict lambda"
        elif called in ("locals", "eval"):
            yield "locals or eval"
