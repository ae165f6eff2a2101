"""Every layout of every fixture behaves like the original and pickles, or is not offered."""

from __future__ import annotations

import contextlib
import pathlib
import textwrap
from collections import Counter

import pytest

from codemods import engine
from codemods.finding import Finding, Level
from codemods.portion import NoPortionError, Portions
from codemods.rewrite.layouts import LAYOUTS, Layout, Place
from tests.pickling import Subject
from tests.test_fixtures import BEHAVING, UNSAFE, identify, parts


def opened(name: str, data: bytes, options: engine.Options) -> tuple[tuple[Finding, ...], Portions]:
    """What is found in a file, and the portions of its fixes."""
    kept: list[Portions] = []
    result = engine.check(
        name, data, options, keep=lambda context, found: kept.append(Portions(context, found, options))
    )
    return result.findings, kept[0]


def written(path: pathlib.Path) -> dict[bytes, Layout]:
    """The file in each layout in which all that is fixed at once can be written, without repetitions."""
    text = parts(path)[0]
    options = engine.Options(unsafe_fixes=text.startswith(UNSAFE))
    data = text.encode()
    # Some are fixed only after others, and some never.
    findings, portions = opened(path.name, data, options)
    found: dict[bytes, Layout] = {}
    for layout in LAYOUTS:
        for wanted in (findings, [finding for finding in findings if finding.fix is not None]):
            with contextlib.suppress(NoPortionError):
                found.setdefault(portions.finished(portions.draft(wanted, layout)), layout)
                break
    return found


@pytest.mark.parametrize("path", BEHAVING, ids=identify)
def test_behaviour(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    before = tmp_path / "before.py"
    before.write_text(parts(path)[0], "utf-8")
    value = Subject(before).observe().value
    for number, (data, layout) in enumerate(written(path).items()):
        if layout == Layout():
            continue  # This is what test_fixtures.py looks at.
        after = tmp_path / f"after_{number}.py"
        after.write_bytes(data)
        subject = Subject(after)
        assert subject.observe().value == value, layout
        assert subject.dump().value == value, layout
        assert subject.load().value == value, layout


def test_all_layouts_are_in_use() -> None:
    used = Counter(layout.place for path in BEHAVING for layout in written(path).values())
    assert {place for place, count in used.items() if count} >= {Place.ABOVE, Place.BELOW}
    assert any(layout.imports_nearby for path in BEHAVING for layout in written(path).values())


METHOD = '''class Maker:
    """Makes."""

    kind = "maker"

    def make(self, factor):
        def scale(x):
            """Text
            of two lines."""
            return x * factor

        return scale
'''


def in_layout(text: str, layout: Layout) -> str:
    findings, portions = opened("module.py", text.encode(), engine.Options())
    return portions.finished(portions.draft(findings, layout)).decode()


def test_a_method_becomes_static_methods_of_its_class() -> None:
    text = in_layout(METHOD, Layout(Place.BELOW_METHOD, imports_nearby=True))
    assert (
        text
        == METHOD.replace(
            '''        def scale(x):
            """Text
            of two lines."""
            return x * factor
''',
            """        import functools

        scale = functools.partial(Maker._maker_make_scale, factor)
""",
        )
        + '''
    @staticmethod
    def _maker_make_scale(factor, /, x):
        """Text
        of two lines."""
        return x * factor
'''
    )


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        pytest.param("@wrap\n" + METHOD, Layout(Place.ABOVE_METHOD), id="decorated class"),
        pytest.param(
            "from elsewhere import dataclass\n\n\n@dataclass\n" + METHOD,
            Layout(Place.ABOVE_METHOD),
            id="other dataclass",
        ),
        pytest.param(METHOD.replace("Maker:", "Maker(metaclass=Meta):"), Layout(Place.ABOVE_METHOD), id="metaclass"),
        pytest.param(METHOD.replace("Maker:", "Maker(typing.Protocol):"), Layout(Place.ABOVE_METHOD), id="protocol"),
        pytest.param(METHOD + "\n\nMaker = wrap(Maker)\n", Layout(Place.ABOVE_METHOD), id="class rebound"),
        pytest.param(METHOD.replace("factor):", "factor, Maker=1):"), Layout(Place.ABOVE_METHOD), id="name shadowed"),
        pytest.param(METHOD.replace("scale(x)", "scale(x: kind)"), Layout(Place.ABOVE_METHOD), id="name of the class"),
        pytest.param(METHOD, Layout(Place.BELOW), id="below a class"),
        pytest.param(METHOD.replace("Makes", "functools"), Layout(Place.ABOVE, True), id="name of the import is used"),
        pytest.param(
            "@register\ndef make(k):\n    return lambda x: x + k\n", Layout(Place.BELOW), id="decorated function"
        ),
    ],
)
def test_a_place_that_changes_the_program_is_not_offered(text: str, layout: Layout) -> None:
    with pytest.raises(NoPortionError):
        in_layout(text, layout)


METACLASS = "class Base(metaclass=Registry):\n    pass\n\n\n"
HOOK = "class Base:\n    def __init_subclass__(cls):\n        cls.members = sorted(vars(cls))\n\n\n"
FIELD = """class Settings:
    width = 1
    factory = field(lambda: 3)
    {}
"""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(FIELD.format("other = field(lambda : 3)"), id="an equal lambda"),
        pytest.param(FIELD.format("").replace("field(lambda: 3)", "[field(lambda: 3) for _ in x]"), id="comprehension"),
        pytest.param("@wrap\n" + FIELD.format(""), id="decorated class"),
        pytest.param(FIELD.format("") + "\n\nSettings = wrap(Settings)\n", id="class rebound"),
        pytest.param(METACLASS + FIELD.format("").replace("Settings:", "Settings(Base):"), id="metaclass of a base"),
        pytest.param(HOOK + FIELD.format("").replace("Settings:", "Settings(Base):"), id="hook of a base"),
        pytest.param("def f():\n" + textwrap.indent(FIELD.format(""), "    "), id="class in a function"),
    ],
)
def test_a_class_whose_body_takes_no_functions(text: str) -> None:
    options = engine.Options(reach=Level.LOCAL)
    findings, portions = opened("module.py", text.encode(), options)
    first = next(finding for finding in findings if finding.code == "PKL102")
    with pytest.raises(NoPortionError):
        portions.draft([first], Layout(Place.ABOVE_METHOD))


def test_a_lambda_in_a_class_becomes_a_function_of_it() -> None:
    text = FIELD.format("height = 2")
    findings, portions = opened("module.py", text.encode(), engine.Options(reach=Level.LOCAL))
    after = portions.draft(findings, Layout(Place.ABOVE_METHOD)).decode()
    expected = """    width = 1

    def _settings_lambda():
        return 3

    factory = field(_settings_lambda)
"""
    assert expected in after


IN_METHOD = """class Maker:
    kind = "maker"

    def make(self, factor):
{}
"""
IN_FUNCTION = """import os


def make(self, factor):
{}
"""
SUPPRESSED = {
    "beside": """\
        def scale(x):
            return lambda y: x * y * factor  # noqa: PKL102

        return scale""",
    "above": """\
        def scale(x):
            # picklefix: ignore[PKL102] never pickled
            return lambda y: x * y * factor

        return scale""",
    "above the definition": """\
        # picklefix: ignore[PKL107]
        def scale(x):
            return lambda y: x * y * factor  # picklefix: ignore[PKL102] never pickled

        return scale""",
    "block around": """\
        # picklefix: disable[PKL102]
        def scale(x):
            return lambda y: x * y * factor

        # picklefix: enable[PKL102]
        return scale""",
    "open block around": """\
        # picklefix: disable
        def outer(x):
            return lambda y: x * y * factor

        # picklefix: enable
        # picklefix: disable[lambda-expression]
        def scale(x):
            return lambda y: x * y * factor

        return scale""",
}


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("name", SUPPRESSED)
def test_suppressions_follow(name: str, layout: Layout) -> None:
    """What a comment suppresses where a function was stays suppressed where it is, and is found without the comment."""
    is_method = layout.place in (Place.ABOVE_METHOD, Place.BELOW_METHOD)
    code = SUPPRESSED[name]
    text = IN_METHOD.format(code) if is_method else IN_FUNCTION.format(textwrap.indent(textwrap.dedent(code), "    "))
    options = engine.Options(reach=Level.LOCAL)
    findings, portions = opened("module.py", text.encode(), options)
    wanted = [finding for finding in findings if finding.code == "PKL101" and "scale" in finding.message]
    after = portions.finished(portions.draft(wanted, layout))
    assert b"_make_scale" in after
    assert "PKL102" not in {finding.code for finding in engine.check("module.py", after, options).findings}
    everything = engine.check("module.py", after, options._replace(with_suppressed=True)).findings
    assert "PKL102" in {finding.code for finding in everything}
