"""The scopes agree with the compiler's own: ``symtable`` is the oracle, over the installed standard library."""

from __future__ import annotations

import ast
import pathlib
import symtable
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator

import pytest

from codemods.analysis.scopes import Scope, ScopeKind, ScopeTree, mangle

STDLIB = pathlib.Path(sysconfig.get_path("stdlib"))
SKIPPED = {"site-packages", "test", "tests", "idle_test", "lib2to3"}
COMPREHENSIONS = {"listcomp", "setcomp", "dictcomp", "genexpr"}

# What the compiler puts into a class for its own use, and no source text names.
INVENTED = {".type_params", ".generic_base", "__classdict__", "__conditional_annotations__"}

Free = Counter[tuple[str, int, tuple[str, ...]]]


def own_free_variables(text: str) -> Free:
    def walk(scope: Scope) -> Iterator[tuple[str, int, tuple[str, ...]]]:
        for inner in scope.descendants():
            if inner.kind in (ScopeKind.FUNCTION, ScopeKind.LAMBDA, ScopeKind.CLASS):
                name = "lambda" if inner.kind is ScopeKind.LAMBDA else inner.name
                free = set(inner.captures())
                if inner.kind is ScopeKind.CLASS:
                    # A name that a class body binds and a method captures from further out counts as local there.
                    free -= set(inner.bindings)
                yield name, inner.node.lineno, tuple(sorted(free))

    return Counter(walk(ScopeTree(ast.parse(text)).module))


def compiler_free_variables(text: str, path: str) -> Free:
    def walk(table: symtable.SymbolTable) -> Iterator[tuple[str, int, tuple[str, ...]]]:
        for child in table.get_children():
            is_definition = str(child.get_type()) in ("function", "class")
            if is_definition and child.get_name() not in COMPREHENSIONS:
                free = {symbol.get_name() for symbol in child.get_symbols() if symbol.is_free()} - INVENTED
                yield child.get_name(), child.get_lineno(), tuple(sorted(free))
            yield from walk(child)

    return Counter(walk(symtable.symtable(text, path, "exec")))


def stdlib_files() -> list[pathlib.Path]:
    return [path for path in sorted(STDLIB.rglob("*.py")) if not SKIPPED & set(path.relative_to(STDLIB).parts)]


def test_free_variables_of_the_standard_library_equal_those_of_the_compiler() -> None:
    different = []
    seen = 0
    for path in stdlib_files():
        try:
            text = path.read_text("utf-8")
            compiler = compiler_free_variables(text, str(path))
        except (SyntaxError, UnicodeDecodeError):
            continue
        own = own_free_variables(text)
        seen += sum(own.values())
        different += [(path.name, *key) for key in (own - compiler) | (compiler - own)]
    assert seen > 10_000
    assert different == []


@pytest.mark.parametrize(
    ("text", "captured"),
    [
        pytest.param("def f(a):\n def g(): return a", {"a"}, id="parameter"),
        pytest.param("def f(a):\n def g():\n  def h(): return a", {"a"}, id="through-a-level"),
        pytest.param(
            "def f():\n a = 1\n class C:\n  a = 2\n  def g(self): return a", {"a"}, id="class-scope-is-skipped"
        ),
        pytest.param("def f(x):\n g = lambda: [x for x in y]", set(), id="comprehension-target"),
        pytest.param("def f(x):\n g = lambda: [y for y in x]", {"x"}, id="first-iterable"),
        pytest.param("def f(ﬁ):\n g = lambda: fi", {"fi"}, id="names-are-normalised"),
        pytest.param("def f():\n a = 1\n def g():\n  global a\n  return a", set(), id="global"),
        pytest.param("def f():\n a = 1\n def g():\n  nonlocal a", {"a"}, id="nonlocal-only-declared"),
        pytest.param("def f():\n global a\n a = 1\n def g(): return a", set(), id="global-in-the-outer-function"),
        pytest.param("def f(x):\n g = lambda: [y := x for _ in z]", {"x"}, id="walrus-in-a-comprehension-is-local"),
        pytest.param("class C:\n def f(self, __x):\n  g = lambda: __x", {"_C__x"}, id="private-name"),
        pytest.param("class C:\n def f(self):\n  g = lambda: super()", {"__class__"}, id="class-cell"),
    ],
)
def test_captures_of_the_innermost_function(text: str, captured: set[str]) -> None:
    scope = ScopeTree(ast.parse(text)).module
    while inner := [
        child for child in scope.children if child.kind in (ScopeKind.FUNCTION, ScopeKind.LAMBDA, ScopeKind.CLASS)
    ]:
        scope = inner[-1]
    wanted = captured - {"self"}
    assert set(scope.captures()) - {"self"} == wanted


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
def test_type_parameters_are_variables_of_a_scope_of_their_own() -> None:
    scopes = ScopeTree(ast.parse("def f[T](x: T) -> T:\n    def g(y: T): return y\n    return g"))
    function = next(scope for scope in scopes.module.descendants() if scope.kind is ScopeKind.FUNCTION)
    assert scopes.module.binds("f")
    assert not scopes.module.binds("T")
    assert set(function.captures()) == {"T"}


@pytest.mark.parametrize(
    ("name", "private_class", "mangled"),
    [
        ("__x", "C", "_C__x"),
        ("__x", "_C", "_C__x"),
        ("__x", "__", "__x"),
        ("__x__", "C", "__x__"),
        ("_x", "C", "_x"),
        ("__x", None, "__x"),
    ],
)
def test_private_names_are_mangled_like_the_compiler_does(name: str, private_class: str | None, mangled: str) -> None:
    assert mangle(name, private_class) == mangled
