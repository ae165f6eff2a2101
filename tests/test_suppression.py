"""Comments that suppress findings: what they are about, what becomes of them, and where they are put."""

from __future__ import annotations

import ast
import pathlib
from collections.abc import Iterable

import pytest

from codemods import edits, engine
from codemods.finding import Finding, Level
from codemods.identity import identity
from codemods.source import Source
from codemods.suppression.adding import additions
from tests.test_fixtures import CASES, identify, parts


def fix(text: str | bytes, **options: object) -> engine.FileResult:
    data = text if isinstance(text, bytes) else text.encode()
    result = engine.fix("case.py", data, engine.Options(**options))  # type: ignore[arg-type]
    assert result.error is None, result.error
    return result


def codes(text: str | bytes, **options: object) -> list[str]:
    data = text if isinstance(text, bytes) else text.encode()
    result = engine.check("case.py", data, engine.Options(**options))  # type: ignore[arg-type]
    assert result.error is None, result.error
    return [finding.code for finding in result.findings]


def with_comment(comment: str) -> str:
    return f"double = lambda x: 2 * x  {comment}\n"


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "# NoQA",
        "#noqa",
        "# noqa: PKL103",
        "# noqa:PKL103",
        "# noqa : PKL103",
        "# noqa: PKL101,PKL103",
        "# noqa: PKL101 PKL103",
        "# noqa: E501, PKL103 because it is never sent",
        "# noqa: PKL103 - see #12",
        "# noqa: PKL1",
        "# noqa: PKL",
        "# noqa: module-lambda",
        "# type: ignore  # noqa: PKL103",
        "# type: ignore[misc] # picklefix: ignore[PKL103]",
        "# picklefix: ignore[PKL103]",
        "# picklefix: ignore[PKL103] never sent",
        "# picklefix: ignore[PKL101, module-lambda] never sent",
        "# picklefix: ignore[PKL1]",
        "# picklefix: ignore",
        "# picklefix:ignore[module-lambda]",
        "# noqa: E501  # picklefix: ignore[module-lambda]",
    ],
)
def test_forms_that_suppress(comment: str) -> None:
    text = with_comment(comment)
    assert [code for code in codes(text) if code != "PKL901"] == []
    assert "lambda" in fix(text).after.decode()
    assert "PKL103" in codes(text, with_suppressed=True)


@pytest.mark.parametrize(
    ("comment", "warning"),
    [
        ("# noqa: pkl103", "`# noqa` has no effect: codes are written in capitals"),
        ("# picklefix: ignore[PKL999]", "`PKL999` is no rule, so `# picklefix: ignore[PKL999]` has no effect"),
        ("# picklefix: ignore[module-lamda]", "`module-lamda` is no rule, so `# picklefix: ignore[module-lamda]` has no effect"),
        ("# picklefix: ignore[]", "`# picklefix: ignore[]` names no rule and has no effect"),
        ("# picklefix: ignroe[PKL103]", "`# picklefix: ignroe` means nothing; known are ignore, disable, enable, file-ignore, skip-file"),
        ("# picklefix: disable[PKL103]", "`# picklefix: disable` has no effect here; give it a line of its own"),
        ("# picklefix: skip-file", "`# picklefix: skip-file` has no effect here; give it a line of its own"),
        ("\n# picklefix: enable[PKL103]", "`# picklefix: enable` ends nothing that begins in its block"),
        ("# noqa: PKL999", "`PKL999` is no rule, and has no effect in `# noqa`"),
        ("# noqa: E501", None),
        ("# noqa: F401,W605", None),
        ("# noqa: PKL101", None),
        ("# see noqa", None),
        ("# picklefixes: ignore", None),
        ("# noqa: see below", None),
    ],
)  # fmt: skip
def test_forms_that_do_not(comment: str, warning: str | None) -> None:
    text = with_comment(comment)
    assert "PKL103" in codes(text)
    result = engine.check("case.py", text.encode(), engine.Options())
    row = 2 if comment.startswith("\n") else 1
    assert list(result.warnings) == ([(row, warning)] if warning else [])


def test_without_a_colon_it_is_about_everything_and_that_is_said() -> None:
    result = engine.check("case.py", with_comment("# noqa PKL201").encode(), engine.Options())
    assert result.findings == ()
    assert result.warnings == ((1, "`# noqa` without a colon is about all rules; write `# noqa: CODE`"),)


SPREAD = """\
import functools


@functools.cache{0}
def make(
    a,{1}
    b=lambda: 0,{2}
):{3}
    pass{4}
"""


@pytest.mark.parametrize(("place", "expected"), [(0, []), (1, []), (2, []), (3, []), (4, ["PKL102"])])
def test_any_line_of_the_header(place: int, expected: list[str]) -> None:
    comments = ["", "", "", "", ""]
    comments[place] = "  # picklefix: ignore[PKL102]"
    found = codes(SPREAD.format(*comments), reach=Level.LOCAL)
    assert [code for code in found if code != "PKL901"] == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("f = \\\n    lambda: 1  # noqa: PKL1\n", id="continuation"),
        pytest.param("f = (lambda: '''\n# x\n''')  # noqa: PKL1\n", id="after-a-string"),
        pytest.param("if True: f = lambda: 1  # noqa: PKL1\n", id="one-line-block"),
        pytest.param("x = 1; f = lambda: 1  # noqa: PKL1\n", id="semicolon"),
        pytest.param("f = (  # noqa: PKL1\n    lambda: 1\n)\n", id="first-line"),
        pytest.param("f = (\n    # picklefix: ignore[PKL1]\n    lambda: 1\n)\n", id="own-line-inside"),
        pytest.param("# picklefix: ignore[PKL1]\nf = lambda: 1\n", id="own-line-above"),
        pytest.param("# picklefix: ignore[PKL1] why\n# and so on\n\nf = lambda: 1\n", id="comments-between"),
        pytest.param("if True:\n    pass\n# picklefix: ignore[PKL1]\nelif (f := lambda: 1):\n    pass\n", id="elif"),
        pytest.param("# picklefix: ignore[PKL1]\nx = 1; f = lambda: 1\n", id="own-line-above-semicolon"),
        pytest.param("# picklefix: disable[PKL1]\nf = lambda: 1\n# picklefix: enable[PKL1]\n", id="block"),
        pytest.param("# picklefix: disable\nf = lambda: 1\n", id="block-to-the-end"),
        pytest.param("if True:\n    # picklefix: disable\n    f = lambda: 1\n", id="block-in-a-block"),
        pytest.param("x = 1\n# picklefix: file-ignore[PKL1]\nf = lambda: 1\n", id="file"),
        pytest.param("f = lambda: 1\n# picklefix: skip-file\n", id="skip"),
        pytest.param("f = lambda: 1  # noqa: PKL1", id="no-line-end"),
        pytest.param("\ff = lambda: 1  # noqa: PKL1\n", id="form-feed"),
        pytest.param("if 1:\n\tf = lambda: 1\t# noqa: PKL1\n", id="tabs"),
        pytest.param("x = 'ä'; f = lambda: 'ö'  # noqa: PKL1 größer\n", id="non-ascii"),
        pytest.param("# coding: latin-1\nf = lambda: '\xe4'  # noqa: PKL1 \xe4\n".encode("latin-1"), id="latin-1"),
        pytest.param(b"\xef\xbb\xbff = lambda: 1  # noqa: PKL1\r\n", id="byte-order-mark"),
        pytest.param("x = f'''{1}\n# no\n'''; f = lambda: 1  # noqa: PKL1\n", id="after-an-f-string"),
        pytest.param("f = lambda: 1  # type: () -> int  # noqa: PKL1\n", id="type-comment"),
    ],
)
def test_places_that_count(text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    # Python finds no declaration of an encoding where lines end in carriage returns alone.
    for line_end in (b"\n", b"\r\n", *([] if b"coding" in data else [b"\r"])):
        changed = data.replace(b"\r\n", b"\n").replace(b"\n", line_end)
        assert codes(changed) == []
        assert fix(changed).after == changed


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("f = lambda: '# noqa: PKL103'\n", id="in-a-string"),
        pytest.param("f = lambda: '''\n# noqa: PKL103\n'''\n", id="in-a-long-string"),
        pytest.param("f = lambda: f'''{1}\n# picklefix: ignore\n'''\n", id="in-an-f-string"),
        pytest.param('"""\n# picklefix: skip-file\n"""\nf = lambda: 1\n', id="skip-in-a-docstring"),
        pytest.param("# noqa: PKL103\nf = lambda: 1\n", id="own-line-noqa"),
        pytest.param("f = lambda: 1\n# picklefix: ignore[PKL103]\n", id="own-line-below"),
        pytest.param("# picklefix: ignore[PKL103]\nx = 1\nf = lambda: 1\n", id="another-statement"),
        pytest.param(
            "# picklefix: disable[PKL103]\n# picklefix: enable[PKL103]\nf = lambda: 1\n", id="after-the-block"
        ),
        pytest.param("if True:\n    # picklefix: disable\n    x = 1\nf = lambda: 1\n", id="outside-the-block"),
        pytest.param("# picklefix: disable[PKL2]\nf = lambda: 1\n", id="another-rule"),
        pytest.param("if True:  # noqa: PKL103\n    f = lambda: 1\n", id="header-around"),
        pytest.param("def g():\n    # picklefix: ignore\n    pass\nf = lambda: 1\n", id="inside-something-else"),
    ],
)
def test_places_that_do_not(text: str) -> None:
    assert "PKL103" in codes(text)


GROUP = """\
def make(start):
    def first(n):{0}
        return n if n < start else second(n - 1)

    def second(n):{1}
        return first(n - 1)

    def apart(n):
        return n

    return first, second, apart
"""


@pytest.mark.parametrize("place", [0, 1])
def test_a_group_is_never_converted_by_halves(place: int) -> None:
    comments = ["", ""]
    comments[place] = "  # picklefix: ignore[nested-function]"
    text = GROUP.format(*comments)
    result = fix(text)
    after = result.after.decode()
    assert after == text.replace("    def apart(n):\n        return n\n", "    apart = _make_apart\n").replace(
        "def make", "def _make_apart(n):\n    return n\n\n\ndef make"
    )
    assert [(finding.code, finding.refusal and finding.refusal.reason) for finding in result.remaining] == [
        ("PKL101", "suppressed")
    ]


def test_functions_that_share_a_variable_stay_together() -> None:
    text = (
        "def make():\n    count = 0\n\n    def up():\n        nonlocal count\n        count += 1\n\n"
        "    def get():  # picklefix: ignore[PKL101] read here only\n        return count\n\n    return up, get\n"
    )
    result = fix(text)
    assert result.after.decode() == text
    assert [finding.refusal.reason for finding in result.remaining if finding.refusal] == ["shared-cell"]


def test_attributes_of_a_class_stay_together() -> None:
    text = (
        "import threading\n\n\nclass Store:\n    def __init__(self):\n        self.one = threading.Lock()  # noqa: PKL301\n"
        "        self.two = threading.Lock()\n\n\nimport pickle\npickle.dumps(Store())\n"
    )
    result = fix(text)
    assert result.after.decode() == text
    assert [finding.refusal.reason for finding in result.findings if finding.refusal] == ["suppressed"]


def test_what_needs_a_local_class_that_stays() -> None:
    text = (
        "def make():\n    class Row:  # noqa: PKL105\n        pass\n\n    def read(line):\n        return Row()\n\n"
        "    return read\n"
    )
    result = fix(text, reach=Level.LOCAL)
    assert result.after.decode() == text


MOVED = {
    "own-line": (
        "def make():\n    # picklefix: ignore[PKL201] small\n    def inner(d):  # noqa: E501\n        return d\n\n"
        "    return inner\n",
        "# picklefix: ignore[PKL201] small\n",
    ),
    "inside": (
        "def make():\n    def inner(d={}):\n        return d.keys()  # noqa: PKL201\n\n    return inner\n",
        "return d.keys()  # noqa: PKL201\n",
    ),
    "block-inside-the-function-around": (
        "def make():\n    # picklefix: disable[dict-view]\n    def inner(n):\n        d = {1: n}\n        return d.keys()\n\n"
        "    # picklefix: enable[dict-view]\n    return inner\n",
        "# picklefix: disable[dict-view]\ndef _make_inner",
    ),
    "block-above": (
        "x = 1\n\n\n# picklefix: disable[dict-view]\ndef make():\n    def inner(n):\n        d = {1: n}\n        return d.keys()\n\n"
        "    return inner\n",
        "# picklefix: disable[dict-view]\n\n\ndef _make_inner",
    ),
    "lambda": (
        "def make():\n    return lambda n: {n: 1}.keys()  # picklefix: ignore[PKL201] small\n",
        "    return {n: 1}.keys()  # picklefix: ignore[PKL201] small\n",
    ),
}


@pytest.mark.parametrize(("text", "expected"), MOVED.values(), ids=MOVED)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_moved_code_takes_its_suppressions_along(text: str, expected: str, line_end: str) -> None:
    text, expected = (part.replace("\n", line_end) for part in (text, expected))
    options = {"select": frozenset({"PKL101", "PKL102", "PKL201"}), "reach": Level.LOCAL, "views": "always"}
    result = fix(text, **options)
    after = result.after.decode()
    assert "_make_" in after
    assert expected in after
    assert "list(" not in after
    assert fix(after, **options).after.decode() == after


def test_the_end_of_a_block_stays_above_what_is_added() -> None:
    text = (
        "# picklefix: disable[PKL101]\ndef one():\n    def inner():\n        pass\n\n    return inner\n\n\n"
        "# picklefix: enable[PKL101]\ndef two():\n    def inner():\n        pass\n\n    return inner\n"
    )
    after = fix(text).after.decode()
    assert after.index("enable[PKL101]") < after.index("def _two_inner") < after.index("def two")
    assert "def _one_inner" not in after


def test_a_suppression_on_the_first_line_stays_with_its_statement() -> None:
    text = "# picklefix: ignore[PKL102]\ndef f(a=lambda: 0):\n    def inner():\n        pass\n\n    return inner\n"
    after = fix(text, reach=Level.LOCAL).after.decode()
    assert "# picklefix: ignore[PKL102]\ndef f(a=lambda: 0)" in after
    assert "def _f_inner" in after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1  # noqa: PKL101\n", "x = 1\n"),
        ("x = 1  # noqa: E501,PKL101\n", "x = 1  # noqa: E501\n"),
        ("x = 1  # noqa: PKL101 A reason\n", "x = 1\n"),
        ("x = 1  # noqa: PKL101, E501 why\n", "x = 1  # noqa: E501 why\n"),
        ("x = 1  # noqa: E501, PKL101, F401, PKL2\n", "x = 1  # noqa: E501, F401\n"),
        ("x = 1  # noqa: PKL1,PKL2 why #12 so\n", "x = 1\n"),
        ("x = 1  # type: ignore  # noqa: PKL101\n", "x = 1  # type: ignore\n"),
        ("x = 1  # picklefix: ignore  # type: ignore\n", "x = 1  # type: ignore\n"),
        (
            "f = lambda: 1  # picklefix: ignore[PKL101, PKL103] why\n",
            "f = lambda: 1  # picklefix: ignore[PKL103] why\n",
        ),
        (
            "f = lambda: 1  # picklefix: ignore[PKL103, PKL101] why\n",
            "f = lambda: 1  # picklefix: ignore[PKL103] why\n",
        ),
        ("x = 1\n# picklefix: ignore[PKL101]\ny = 2\n", "x = 1\ny = 2\n"),
        ("x = 1\n# picklefix: ignore[PKL101]", "x = 1\n"),
        ("x = [\n    # picklefix: ignore[PKL101]\n    1,\n]\n", "x = [\n    1,\n]\n"),
        ("# picklefix: disable[PKL1]\nx = 1\n# picklefix: enable[PKL1]\ny = 2\n", "x = 1\ny = 2\n"),
        ("# picklefix: file-ignore[PKL1] why\nx = 1\n", "x = 1\n"),
        ("x = 1  # noqa: PKL999\n", "x = 1  # noqa: PKL999\n"),
        ("x = 1  # noqa\n", "x = 1  # noqa\n"),
        ("x = 1  # picklefix: skip-file\n", "x = 1  # picklefix: skip-file\n"),
        ("x = 1\r\n# picklefix: ignore\r\ny = 'ä'  # noqa: PKL101 ä\r\n", "x = 1\r\ny = 'ä'\r\n"),
    ],
)
def test_what_is_not_needed_is_removed(before: str, after: str) -> None:
    result = fix(before)
    assert result.after.decode() == after
    assert {finding.code for finding in result.fixed} == ({"PKL901"} if before != after else set())


@pytest.mark.parametrize("options", [{"reach": Level.SINK}, {"select": frozenset({"PKL201", "PKL901"})}])
def test_needed_means_needed_by_any_run(options: dict[str, object]) -> None:
    text = "f = lambda: 1  # noqa: PKL103\n\n\ndef make(d):\n    use(lambda: d)  # picklefix: ignore[PKL102]\n"
    assert codes(text, **options) == []


def test_suppressions_that_are_not_selected_are_not_looked_for() -> None:
    assert codes("x = 1  # noqa: PKL101\n", select=frozenset({"PKL101"})) == []


def test_a_file_that_is_skipped_need_not_even_parse() -> None:
    assert codes("# picklefix: skip-file\nx = (\n") == []


def test_rules_that_are_not_to_be_fixed() -> None:
    text = GROUP.format("", "")
    result = fix(text, unfixable=frozenset({"PKL101"}))
    assert result.after.decode() == text
    assert {finding.refusal.reason for finding in result.remaining if finding.refusal} == {"unfixable"}
    mixed = "def make():\n    def helper():\n        return 1\n\n    return lambda: helper()\n"
    result = fix(mixed, unfixable=frozenset({"PKL101"}))
    assert result.after.decode() == mixed
    assert [finding.refusal.reason for finding in result.remaining if finding.refusal] == 2 * ["unfixable"]


def test_safety_as_the_settings_see_it() -> None:
    text = "f = lambda: 1\n"
    assert fix(text, distrusted=frozenset({"PKL103"})).after.decode() == text
    assert fix(text, distrusted=frozenset({"PKL103"}), unsafe_fixes=True).changed
    starting = "import multiprocessing\n\nmultiprocessing.Process(target=print).start()\n"
    assert not fix(starting).changed
    assert fix(starting, trusted=frozenset({"PKL401"})).changed


def test_nothing_but_comments_differs() -> None:
    text = SPREAD.format("", "", "  # noqa: PKL201", "", "")
    assert ast.dump(ast.parse(fix(text, reach=Level.LOCAL, select=frozenset({"PKL901"})).after)) == ast.dump(
        ast.parse(text)
    )


FINDINGS_OF_OTHERS = [path for path in CASES if path.parent.name != "unused-suppression"]


def ignoring(text: str, findings: Iterable[Finding]) -> str:
    wanted: dict[tuple[int, int], list[str]] = {}
    for finding in findings:
        wanted.setdefault(finding.header, []).append(finding.code)
    return edits.apply(text, additions(Source("case.py", text), wanted, "why"))


@pytest.mark.parametrize("path", FINDINGS_OF_OTHERS, ids=identify)
def test_whatever_is_suppressed_stays(path: pathlib.Path) -> None:
    text, _ = parts(path)
    found = engine.check("case.py", text.encode(), engine.Options()).findings
    everything = ignoring(text, found)
    result = fix(everything, unsafe_fixes=True)
    assert (result.after.decode(), result.findings) == (everything, ())
    for finding in found[:1]:
        result = fix(ignoring(text, [finding]), unsafe_fixes=True)
        kept = identity(finding.code, Source("case.py", text).between(finding.start, finding.end))
        after = engine.check("case.py", result.after, engine.Options(with_suppressed=True))
        source = Source("case.py", result.after.decode())
        assert kept in {identity(item.code, source.between(item.start, item.end)) for item in after.findings}
        assert fix(result.after, unsafe_fixes=True).after == result.after


def test_a_class_does_not_move_with_one_in_it_that_stays() -> None:
    text = (
        "def make():\n    class Outer:\n        # picklefix: ignore[local-class]\n        class Inner:\n            pass\n\n"
        "    return Outer()\n"
    )
    result = fix(text)
    assert result.after.decode() == text
    assert [finding.refusal.reason for finding in result.findings if finding.refusal] == ["suppressed"]


GUARDED = """\
import pickle


def read(path):
    return path


if __name__ == "__main__":
    def scale(row):{0}
        return row

    def apply(row):
        return scale(row)

    pickle.dumps(apply)
"""


def test_what_leaves_the_main_guard_together_stays_together() -> None:
    assert fix(GUARDED.format("")).changed
    text = GUARDED.format("  # noqa: PKL109")
    result = fix(text)
    assert result.after.decode() == text
    assert [finding.refusal.reason for finding in result.findings if finding.refusal] == ["suppressed"]


@pytest.mark.parametrize("place", [0, 1])
def test_starts_that_one_guard_is_for_stay_together(place: int) -> None:
    comments = ["", ""]
    comments[place] = "  # noqa: PKL401"
    text = "import multiprocessing\n\nfirst = multiprocessing.Pool(){0}\nsecond = multiprocessing.Pool(){1}\n"
    assert fix(text.format("", ""), unsafe_fixes=True).changed
    result = fix(text.format(*comments), unsafe_fixes=True)
    assert result.after.decode() == text.format(*comments)
    assert [finding.refusal.reason for finding in result.findings if finding.refusal] == ["suppressed"]
    assert codes(text.format("  # noqa: PKL401", "  # noqa: PKL401")) == []
