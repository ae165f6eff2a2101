"""Where names are bound, and whether they are bound again, judged at closures in small functions."""

from __future__ import annotations

import ast
import sys
import textwrap
import time

import pytest

from codemods.analysis.control.flow import ControlFlow

from .control_flow_cases import BOUND, CASES, REBOUND, STABLE, UNBOUND


def parse_scope(source: str) -> ast.AsyncFunctionDef | ast.FunctionDef | ast.ClassDef | ast.Lambda:
    """The scope that the text begins with."""
    statement = ast.parse(textwrap.dedent(source)).body[0]
    scope = statement.value if isinstance(statement, ast.Expr) else statement
    assert isinstance(scope, (ast.AsyncFunctionDef, ast.FunctionDef, ast.ClassDef, ast.Lambda))
    return scope


def function(body: str) -> ast.AsyncFunctionDef | ast.FunctionDef | ast.ClassDef | ast.Lambda:
    """A function with this body."""
    return parse_scope("async def f(c, xs, p):\n" + textwrap.indent(body, "    "))


def closure(scope: ast.AST) -> ast.AST:
    """The one node inside a scope that is a lambda or is called ``inner`` or ``Inner``."""
    found = [
        node
        for node in ast.walk(scope)
        if node is not scope and (isinstance(node, ast.Lambda) or getattr(node, "name", "") in ("inner", "Inner"))
    ]
    assert len(found) == 1
    return found[0]


def judge(flow: ControlFlow, at: ast.AST) -> tuple[bool, bool]:
    """Whether ``x`` is bound at a place, and whether it is rebound afterwards."""
    return flow.is_definitely_bound("x", at), flow.may_be_rebound_after("x", at)


@pytest.mark.parametrize(("body", "bound", "rebound"), CASES.values(), ids=CASES)
def test_closures_in_functions(body: str, bound: bool, rebound: bool) -> None:
    scope = function(body)
    flow, at = ControlFlow.of(scope), closure(scope)
    assert flow.is_reachable(at)
    assert judge(flow, at) == (bound, rebound)


@pytest.mark.parametrize(
    ("source", "bound", "rebound"),
    [
        pytest.param("def f(x): return lambda: x", BOUND, STABLE, id="parameter"),
        pytest.param("def f(y, /, *x): return lambda: x", BOUND, STABLE, id="star-parameter"),
        pytest.param("def f(*, x): return lambda: x", BOUND, STABLE, id="keyword-only-parameter"),
        pytest.param("def f(x, /, **y): return lambda: x", BOUND, STABLE, id="positional-only-parameter"),
        pytest.param("def f(**x): x = 1; return lambda: x", BOUND, STABLE, id="double-star-parameter"),
        pytest.param("def f(x):\n    g = lambda: x\n    x = 2", BOUND, REBOUND, id="parameter-rebound"),
        pytest.param("def f(y: x = 1): return lambda: x", UNBOUND, REBOUND, id="names-in-own-signature-are-foreign"),
        pytest.param("lambda x: lambda: x", BOUND, STABLE, id="lambda-parameter"),
        pytest.param("lambda y: [(x := y), lambda: x]", BOUND, STABLE, id="lambda-walrus"),
        pytest.param("lambda y: (y and (x := y), lambda: x)", UNBOUND, STABLE, id="lambda-walrus-on-one-branch"),
        pytest.param("class C:\n    x = 1\n    y = lambda: x", BOUND, STABLE, id="class-name"),
        pytest.param("class C:\n    y = lambda: x\n    x = 1", UNBOUND, REBOUND, id="class-name-later"),
        pytest.param(
            "class C:\n    x = 1\n    y = lambda: x\n    class D:\n        nonlocal x\n        x = 2",
            BOUND,
            STABLE,
            id="nonlocal-passes-a-class-by",
        ),
        pytest.param("class C:\n    if c: x = 1\n    print(x)\n    y = lambda: x", UNBOUND, STABLE, id="class-read"),
        pytest.param(
            "class C:\n    x = 1\n    class D:\n        inner = lambda: x\n        x = 2",
            BOUND,
            STABLE,
            id="class-in-class",
        ),
    ],
)
def test_parameters_and_other_scopes(source: str, bound: bool, rebound: bool) -> None:
    scope = parse_scope(source)
    assert judge(ControlFlow.of(scope), closure(scope)) == (bound, rebound)


@pytest.mark.parametrize(
    ("source", "bound", "rebound"),
    [
        pytest.param("x = 1\nf = lambda: x", BOUND, STABLE, id="assigned"),
        pytest.param("global x\nx = 1\nf = lambda: x", BOUND, STABLE, id="global-says-nothing-new"),
        pytest.param("x = 1\nf = lambda: x\nclass C:\n    global x\n    x = 2", BOUND, REBOUND, id="global-in-class"),
        pytest.param("x = 1\nf = lambda: x\nfrom m import *", BOUND, REBOUND, id="star-import-later"),
        pytest.param("from m import *\nf = lambda: x", UNBOUND, REBOUND, id="star-import-earlier"),
        pytest.param("from m import *\nx = 1\nf = lambda: x", BOUND, STABLE, id="assigned-after-star-import"),
        pytest.param("try: import x\nexcept E: pass\nx.y\nf = lambda: x", UNBOUND, STABLE, id="may-be-builtin"),
        pytest.param("if __name__ == '__main__':\n    x = 1\n    f = lambda: x", BOUND, STABLE, id="main-guard"),
    ],
)
def test_modules(source: str, bound: bool, rebound: bool) -> None:
    module = ast.parse(source)
    assert judge(ControlFlow.of(module), closure(module)) == (bound, rebound)


@pytest.mark.parametrize(
    ("body", "rebound"),
    [
        pytest.param("def x(): return x()", STABLE, id="recursion"),
        pytest.param("def x(): return x()\nx = p(x)", REBOUND, id="wrapped-later"),
        pytest.param("for _ in xs:\n    def x(): return x()", REBOUND, id="defined-again"),
        pytest.param("for _ in xs:\n    def x(): return x()\n    return x", STABLE, id="defined-once-in-loop"),
        pytest.param("try:\n    def x(): return x()\nfinally: del x", REBOUND, id="deleted"),
        pytest.param("x = lambda: x()", STABLE, id="lambda"),
        pytest.param("x = [lambda: x()]\nx = 1", REBOUND, id="assigned-again"),
        pytest.param("x: p = lambda: x()", STABLE, id="annotated"),
        pytest.param("@p\nclass x: y = lambda: x", STABLE, id="class"),
    ],
)
def test_own_name_after_its_binding(body: str, rebound: bool) -> None:
    scope = function(body)
    definition = next(
        node
        for node in ast.walk(scope)
        if getattr(node, "name", "") == "x" or (isinstance(node, (ast.Assign, ast.AnnAssign)))
    )
    assert isinstance(definition, ast.stmt)
    assert ControlFlow.of(scope).may_be_rebound_after_binding("x", definition) is rebound


@pytest.mark.parametrize(
    ("body", "follows"),
    [
        pytest.param("p(first)\np(later)", True, id="next-statement"),
        pytest.param("[first, later]", True, id="later-operand"),
        pytest.param("[later, first]", False, id="earlier-operand"),
        pytest.param("p(later)\np(first)", False, id="earlier-statement"),
        pytest.param("for _ in xs: p(later, first)", True, id="next-iteration"),
        pytest.param("for _ in xs:\n    p(later, first)\n    break", False, id="only-iteration"),
        pytest.param("[(later, first) for _ in xs]", True, id="next-item"),
        pytest.param("if c: p(first)\nelse: p(later)", False, id="other-branch"),
        pytest.param("try: return first\nfinally: p(later)", True, id="finally"),
        pytest.param("try: p(first)\nexcept E: p(later)", True, id="handler"),
        pytest.param("return first\np(later)", False, id="unreachable"),
        pytest.param("p(first)\nx = 1\np(later)", False, id="past-the-statement-to-avoid"),
        pytest.param("p(first)\nif c: x = 1\np(later)", True, id="around-the-statement-to-avoid"),
        pytest.param("p(first)\nx = p(later)", True, id="in-the-statement-to-avoid"),
        pytest.param("x = p(first)\np(later)", False, id="from-the-statement-to-avoid"),
        pytest.param("try:\n    p(first)\n    x = p()\nexcept E: p(later)", True, id="statement-to-avoid-fails"),
        pytest.param("while c:\n    x = 1\n    p(later, first)", False, id="no-next-iteration"),
        pytest.param("p(first)\ndef g(): return later", True, id="in-another-scope"),
    ],
)
def test_order_of_evaluation(body: str, follows: bool) -> None:
    scope = function(body.replace("first", "(lambda: 1)").replace("later", "(lambda: 2)"))
    lambdas = {ast.unparse(node.body): node for node in ast.walk(scope) if isinstance(node, ast.Lambda)}
    avoided = [node for node in ast.walk(scope) if isinstance(node, ast.Assign)]
    flow = ControlFlow.of(scope)
    assert flow.may_be_followed_by(lambdas["1"], lambdas["2"], without=avoided) is follows


@pytest.mark.parametrize(
    ("body", "again"),
    [
        pytest.param("def inner(): pass", False, id="once"),
        pytest.param("class Inner: pass", False, id="class"),
        pytest.param("while c:\n    def inner(): pass", True, id="loop"),
        pytest.param("while c:\n    def inner(): pass\n    return inner", False, id="left-loop"),
        pytest.param("try: p()\nfinally:\n    def inner(): pass", False, id="finally"),
        pytest.param("return [lambda: x for _ in xs]", True, id="comprehension"),
    ],
)
def test_evaluated_once_more(body: str, again: bool) -> None:
    scope = function(body)
    assert ControlFlow.of(scope).may_be_followed_by(closure(scope), closure(scope)) is again


@pytest.mark.parametrize(
    "body",
    [
        "return\nlambda: x",
        "raise E\nlambda: x",
        "while True: pass\nlambda: x",
        "if 0: lambda: x",
        "if not (c or 1): lambda: x",
        "0 if 1 else lambda: x",
    ],
)
def test_unreachable_closures(body: str) -> None:
    scope = function("x = 1\n" + body + "\nx = 2")
    flow, at = ControlFlow.of(scope), closure(scope)
    assert not flow.is_reachable(at)
    assert judge(flow, at) == (BOUND, STABLE)


def test_statements_are_judged_before_they_begin() -> None:
    scope = function("x = p(1)\nif c: x = 2\nelif p:\n    return\nclass x: pass\ndel c")
    flow = ControlFlow.of(scope)
    judged = {
        ast.unparse(node).splitlines()[0]: judge(flow, node)
        for node in ast.walk(scope)
        if isinstance(node, ast.stmt) and node is not scope and not isinstance(node, ast.Pass)
    }
    assert judged == {
        "x = p(1)": (UNBOUND, REBOUND),
        "if c:": (BOUND, REBOUND),
        "x = 2": (BOUND, REBOUND),
        "if p:": (BOUND, REBOUND),
        "return": (BOUND, STABLE),
        "class x:": (BOUND, REBOUND),
        "del c": (BOUND, STABLE),
    }


def test_calls_comprehensions_and_names_are_places() -> None:
    scope = function("[x := p(1), p(x), [y for y in x], p(x := 2)]")
    flow = ControlFlow.of(scope)
    judged = {
        ast.unparse(node): judge(flow, node)
        for node in ast.walk(scope)
        if isinstance(node, (ast.Call, ast.ListComp))
        or (isinstance(node, ast.Name) and node.id == "x" and isinstance(node.ctx, ast.Load))
    }
    assert judged == {
        "p(1)": (UNBOUND, REBOUND),
        "p(x)": (BOUND, REBOUND),
        "[y for y in x]": (BOUND, REBOUND),
        "p((x := 2))": (BOUND, STABLE),
        "x": (BOUND, REBOUND),
    }


def test_nodes_of_other_scopes_get_cautious_answers() -> None:
    scope = function("x = 1\ndef g(): return lambda: x")
    assert judge(ControlFlow.of(scope), closure(scope)) == (UNBOUND, REBOUND)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type statements came with Python 3.12")
def test_lazily_evaluated_closures_get_cautious_answers() -> None:
    scope = function("x = 1\ntype T = p[lambda: x]")
    assert judge(ControlFlow.of(scope), closure(scope)) == (UNBOUND, REBOUND)


def test_equal_names_after_normalisation() -> None:
    scope = function("\N{MATHEMATICAL ITALIC SMALL X} = 1\nreturn lambda: x")
    assert judge(ControlFlow.of(scope), closure(scope)) == (BOUND, STABLE)


def test_deeply_nested_finally_suites_stay_small() -> None:
    depth = 18
    lines = ["x = 1"]
    for level in range(depth):
        indent = "    " * level
        lines += [
            f"{indent}for _ in xs:",
            f"{indent} try:",
            f"{indent}  if c: break",
            f"{indent}  return p()",
            f"{indent} finally:",
        ]
    lines.append("    " * depth + "p(lambda: x)")
    scope = function("\n".join([*lines, "x = 2"]))
    started = time.process_time()
    assert judge(ControlFlow.of(scope), closure(scope)) == (BOUND, REBOUND)
    assert time.process_time() - started < 1


def test_long_functions_are_analysed_quickly() -> None:
    lines = [f"x{number % 500} = p(c.a, lambda: x{number % 37}, [1, c])" for number in range(10_000)]
    scope = function("\n".join(lines))
    lambdas = [node for node in ast.walk(scope) if isinstance(node, ast.Lambda)]
    started = time.process_time()
    flow = ControlFlow.of(scope)
    stable = [node for node in lambdas if not flow.may_be_rebound_after(ast.unparse(node.body), node)]
    # Each name is bound for the last time in the last turn, which begins at 9,500.
    assert len(stable) == sum(number > 9_500 + number % 37 for number in range(10_000))
    assert time.process_time() - started < 5
