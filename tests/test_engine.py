"""One file through the engine: what stops it, what it keeps, and that a second run finds nothing to do."""

from __future__ import annotations

import subprocess
import sys

import pytest

from codemods import engine
from codemods.finding import Level
from codemods.rewrite.change import IslandError
from codemods.style import Style

FIXABLE = b"def f(n):\n    return lambda: n\n"


def fix(data: bytes, **options: object) -> engine.FileResult:
    return engine.fix("case.py", data, engine.Options(**options))  # type: ignore[arg-type]


def test_a_file_without_any_of_the_words_need_only_parse(monkeypatch: pytest.MonkeyPatch) -> None:
    result = fix(b"x = (\n")
    assert result.error is not None
    assert result.error.syntax
    monkeypatch.setattr(engine, "Tree", None)
    assert fix(b"x = ()\n").error is None
    assert result.findings == ()


@pytest.mark.parametrize(
    ("data", "message", "is_syntax"),
    [
        pytest.param(b"def f(:\n", "does not parse", True, id="syntax"),
        pytest.param(b"def f():\n    print 'x'\n", "does not parse", True, id="python-2"),
        pytest.param(b"def f(): return 1\0\n", "does not parse", True, id="nul"),
        pytest.param(b"# coding: nonsense\ndef f(): pass\n", "cannot be decoded", False, id="unknown-encoding"),
        pytest.param(b"def f(): return '\xff'\n", "cannot be decoded", False, id="undecodable"),
    ],
)
def test_what_cannot_be_read_is_left_alone(data: bytes, message: str, is_syntax: bool) -> None:
    result = fix(data)
    assert result.error is not None
    assert message in result.error.message
    assert "\n" not in result.error.message
    assert result.error.syntax is is_syntax
    assert result.after == data


def test_a_file_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "LARGEST_FILE", 20)
    result = fix(FIXABLE)
    assert result.error is not None
    assert "too large" in result.error.message
    assert "--exclude" in result.error.message


def test_a_rewrite_that_fails_is_reported_as_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    from codemods.rules import lambda_expression

    def broken(*arguments: object) -> None:
        raise IslandError("no such island")

    monkeypatch.setattr(lambda_expression, "hoist_group", broken)
    result = fix(FIXABLE)
    assert result.error is not None
    assert result.error.internal
    assert result.after == FIXABLE


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xef\xbb\xbfdef f(n):\n    return lambda: n\n", id="byte-order-mark"),
        pytest.param(b"def f(n):\r\n    return lambda: n\r\n", id="crlf"),
        pytest.param(b"def f(n):\r    return lambda: n\r", id="cr"),
        pytest.param(b"def f(n):\n\tg = lambda: n\n\treturn g", id="tabs-and-no-final-newline"),
        pytest.param(b"# coding: latin-1\ndef f(n):\n    return lambda: n + '\xe9'\n", id="latin-1"),
        pytest.param(b"\x0c\ndef f(n):\n\x0c    return lambda: n  \n", id="form-feeds-and-trailing-blanks"),
    ],
)
def test_bytes_outside_the_change_are_kept(data: bytes) -> None:
    after = fix(data).after
    assert after != data
    compile(after, "case.py", "exec")
    newline = b"\r\n" if b"\r\n" in data else b"\r" if b"\r" in data else b"\n"
    assert (b"\n" in after.replace(b"\r\n", b"")) is (newline == b"\n")
    assert after.startswith(data[:3]) or not data.startswith((b"\xef\xbb\xbf", b"# coding"))
    text = data.removeprefix(b"\xef\xbb\xbf")
    untouched = [line for line in text.split(newline) if line and b"lambda" not in line]
    assert all(line in after for line in untouched)
    assert fix(after).after == after


def test_a_file_that_black_accepted_is_accepted_afterwards() -> None:
    import black

    data = b'"""Doc."""\n\nimport os\n\n\ndef f(n, name):\n    table = {"a": lambda x: os.path.join(x, name, n)}\n    return table\n'
    after = fix(data).after.decode()
    assert after != data.decode()
    assert black.format_str(after, mode=black.Mode()) == after


def test_only_what_is_written_is_formatted_elsewhere() -> None:
    data = b"x = [1,2 ]\n\ndef f( n ):\n    return  lambda  : n+1\n"
    assert fix(data).after == (
        b"import functools\n\n\nx = [1,2 ]\n\n\ndef _f_lambda(n):\n    return n + 1\n\n\n"
        b"def f( n ):\n    return  functools.partial(_f_lambda, n)\n"
    )


def test_the_style_of_the_project_is_followed() -> None:
    data = b"def f(alpha, beta, gamma):\n    def inner(x):\n        return alpha, beta, gamma, x\n\n    return inner\n"
    wide = fix(data, style=Style(line_length=120)).after
    narrow = fix(data, style=Style(line_length=40)).after
    assert max(map(len, narrow.splitlines())) <= 40
    assert len(wide.splitlines()) < len(narrow.splitlines())


def test_check_tells_the_edits_only_if_asked() -> None:
    plain = engine.check("case.py", FIXABLE, engine.Options())
    detailed = engine.check("case.py", FIXABLE, engine.Options(with_edits=True))
    assert [finding.fix is not None for finding in plain.findings] == [True]
    assert all(not finding.fix.edits for finding in plain.findings if finding.fix)
    assert all(finding.fix.edits for finding in detailed.findings if finding.fix)
    assert plain.after == FIXABLE


def test_nested_functions_move_level_by_level() -> None:
    depth = 12
    lines = [f"{'    ' * level}def f{level}(x{level}):" for level in range(depth)]
    lines.append("    " * depth + "return " + " + ".join(f"x{level}" for level in range(depth)))
    lines += [f"{'    ' * level}return f{level}" for level in range(depth - 1, 0, -1)]
    data = ("\n".join(lines) + "\n").encode()
    result = fix(data, reach=Level.STATE)
    assert result.error is None
    before: dict[str, object] = {}
    after: dict[str, object] = {}
    exec(data, before)
    exec(result.after, after)
    for namespace in (before, after):
        function = namespace["f0"]
        for level in range(depth):
            function = function(level)  # type: ignore[operator]
        assert function == sum(range(depth))
    assert b"\n    def " not in result.after


def test_files_without_anything_of_interest_need_no_analyses() -> None:
    program = (
        "import sys; from codemods import engine;"
        "engine.check('a.py', b'import os\\nclass A:\\n    def f(self): return sorted(os.environ, key=lambda x: x)\\n',"
        " engine.Options()); assert 'codemods.passes' not in sys.modules;"
        "engine.check('a.py', b'def f(x): return lambda: x\\n', engine.Options()); assert 'codemods.passes' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
