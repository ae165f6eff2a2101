"""Wrappers without ``functools.wraps``: when it is added, how sure that is, and when it would not help."""

from __future__ import annotations

import pathlib

import pytest

from codemods.finding import Level, Safety
from tests.rules.scripts import fix, refusals, run_script

DECORATOR = """
def logged(function):
    def wrapper(*args):
        return function(*args)

    return wrapper
"""
UNRETURNED = DECORATOR.replace("    return wrapper\n", "")
SQUARE = """

@logged
def square(x):
    return x * x


TASKS = [square]
"""


def safeties(text: str) -> list[Safety | None]:
    """The safety of each finding of the rule, None for those without a fix."""
    return [
        finding.fix.safety if finding.fix else None for finding in fix(text).findings if finding.name == "missing-wraps"
    ]


def test_spawned_processes_find_the_wrapper(tmp_path: pathlib.Path) -> None:
    text = f"""import multiprocessing
{DECORATOR}{SQUARE}
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(square, [1, 2]))
"""
    before, after = run_script(tmp_path, text), run_script(tmp_path, fix(text).after.decode())
    assert "local object" in before.errors
    assert (after.output, after.succeeded) == ("[1, 4]\n", True)


def test_only_one_line_and_an_import_are_added() -> None:
    text = DECORATOR.lstrip() + SQUARE
    assert safeties(text) == [Safety.SAFE]
    after = fix(text).after.decode()
    assert after.replace("    @functools.wraps(function)\n", "").replace("import functools\n\n\n", "") == text


OBSERVED = {
    "name": "print(square.__name__)",
    "doc": "print([task.__doc__ for task in TASKS])",
    "wrapped": "hasattr(square, '__wrapped__')",
    "signature": "import inspect\ninspect.signature(square)",
    "signature-by-name": "from inspect import signature\nlist(map(signature, TASKS))",
    "dictionary": "vars(square)",
    "in-another-decorator": """
def named(function):
    def wrapper(*args):
        return function.__name__, function(*args)

    return wrapper


@named
@logged
def cube(x):
    return x**3
""",
    "decorator-called-with-a-wrapper": """
def named(function):
    def wrapper(*args):
        return function.__name__, function(*args)

    return wrapper


@named
def cube(x):
    return x**3


OTHER = named(square)
""",
    "doctest": """
@logged
def tested(x):
    '''
    >>> tested(1)
    1
    '''
    return x
""",
    "attributes-of-the-inner-one": """
def counted(function):
    def wrapper(*args):
        return function(*args)

    wrapper.calls = 0
    return wrapper


@logged
@counted
def cube(x):
    return x**3
""",
}


@pytest.mark.parametrize("text", OBSERVED.values(), ids=OBSERVED)
def test_unsafe_where_the_wrapper_is_looked_at(text: str) -> None:
    assert safeties(f"{DECORATOR}{SQUARE}\n{text}\n")[0] is Safety.UNSAFE
    result = fix(f"{DECORATOR}{SQUARE}\n{text}\n", unsafe_fixes=True)
    assert b"@functools.wraps(function)" in result.after


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("print(type(square).__name__, __name__, __doc__)", id="class-and-module"),
        pytest.param("import os\nprint(os.__doc__)", id="import"),
        pytest.param("def plain(x): pass\nprint(plain.__name__)", id="undecorated-function"),
        pytest.param(
            "class A:\n    def f(self):\n        return self.__dict__, self.__class__.__name__", id="instance"
        ),
    ],
)
def test_safe_where_something_else_is_looked_at(text: str) -> None:
    assert safeties(f"{DECORATOR}{SQUARE}\n{text}\n") == [Safety.SAFE]


def test_safe_where_a_decorator_looks_at_what_it_decorates() -> None:
    text = DECORATOR.replace("return function(*args)", "return function.__name__, function(*args)") + SQUARE
    assert safeties(text) == [Safety.SAFE]


DECLINED = {
    "outer-decorator": ("hidden-by-decorator", DECORATOR + SQUARE.replace("@logged", "@elsewhere\n@logged")),
    "inner-decorator": ("hidden-by-decorator", DECORATOR + SQUARE.replace("@logged", "@logged\n@elsewhere")),
    "two-values": ("name-rebound", DECORATOR + SQUARE + "\n\nsquare = None\n"),
    "decorated-wrapper": ("decorated-wrapper", DECORATOR.replace("    def w", "    @other\n    def w") + SQUARE),
    "registered": (
        "original-hidden",
        DECORATOR.replace("    def w", "    ALL.append(function)\n\n    @functools.wraps(function)\n    def w")
        + SQUARE.replace("TASKS", "import functools\nALL")
        + "\n\ndef tasks():\n    return ALL\n",
    ),
    "under-another-name": (
        "misnamed-wrapper",
        "import functools\n"
        + DECORATOR.replace("    def w", "    @functools.wraps(function)\n    def w")
        + "\n\ndef square(x):\n    return x * x\n\n\nTASKS = [logged(square)]\n",
    ),
    "callable-object": (
        "original-hidden",
        """
class logged:
    def __init__(self, function):
        self.function = function

    def __call__(self, *args):
        return self.function(*args)
""" + SQUARE,
    ),
}


@pytest.mark.parametrize(("reason", "text"), DECLINED.values(), ids=DECLINED)
def test_left_alone_where_it_would_not_help(reason: str, text: str) -> None:
    result = fix(text, unsafe_fixes=True)
    assert result.error is None
    assert refusals(result, "missing-wraps") == [reason]
    assert result.after == result.before


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(DECORATOR + SQUARE.replace("TASKS = [square]", "square(1)"), id="only-called"),
        pytest.param(DECORATOR, id="never-applied"),
        pytest.param(
            """
class described:
    def __init__(self, function):
        self.function = function

    def __get__(self, instance, owner):
        return self.function(owner)


class Letters:
    @described
    def letters(self):
        return "abc"
""",
            id="descriptor",
        ),
        pytest.param(
            DECORATOR.replace("    return wrapper", "    wrapper.__qualname__ = 'x'\n    return function") + SQUARE,
            id="gives-the-function-back",
        ),
        pytest.param(
            "import functools\n" + DECORATOR.replace("    def w", "    @functools.wraps(function)\n    def w") + SQUARE,
            id="has-wraps",
        ),
        *(
            pytest.param(f"import functools\n{UNRETURNED}    {statement}\n" + SQUARE, id=name)
            for name, statement in {
                "update-wrapper": "functools.update_wrapper(wrapper, function)\n    return wrapper",
                "updated-wrapper": "return functools.update_wrapper(wrapper, function)",
                "wraps-called": "return functools.wraps(function)(wrapper)",
                "wraps-rebinds": "wrapper = functools.wraps(function)(wrapper)\n    return wrapper",
            }.items()
        ),
    ],
)
def test_nothing_is_found(text: str) -> None:
    result = fix(text)
    assert result.findings == ()
    assert result.after == result.before


def test_wrappers_of_decorators_are_never_moved() -> None:
    """A partial in the place of a wrapper would hide the function just as well."""
    text = DECORATOR + SQUARE.replace("TASKS = [square]", "square(1)")
    assert fix(text, reach=Level.LOCAL).after.count(b"functools.wraps") == 1
    assert b"partial" not in fix(text, reach=Level.LOCAL).after


@pytest.mark.parametrize(
    "name", [pytest.param("show", id="parameters"), pytest.param("test_show", id="collected_by_a_test_runner")]
)
def test_unsafe_where_the_wrapper_fills_in_parameters(name: str) -> None:
    text = f"""
def with_user(view):
    def wrapper(number):
        return view("user", number)

    return wrapper


@with_user
def {name}(user, number):
    return user, number


VIEWS = [{name}]
"""
    assert safeties(text)[0] is Safety.UNSAFE
