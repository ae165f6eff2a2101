"""The pages in a browser: they load nothing, and filters, keys and colours do what they say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codemods import engine, report
from codemods.finding import FileResult, Level
from codemods.report.context import Context
from codemods.report.readiness.facts import readiness
from codemods.report.readiness.html import render as render_readiness
from tests.browser import EXECUTABLE, Page, browser

pytestmark = pytest.mark.skipif(EXECUTABLE is None, reason="needs Chromium")

SOURCE = b"""\
import multiprocessing

double = lambda x: 2 * x


def make(factor, name='</script><script>document.title = "taken over"</script>'):
    def scale(x):
        return x * factor

    def inner():
        return later

    if make:
        later = 1
    multiprocessing.Pool().map(scale, [1])
    return inner
"""
COUNT = "document.getElementById('count').textContent"
CURRENT = "document.querySelector('[aria-current]')"


def result(name: str) -> FileResult:
    return engine.check(name, SOURCE, engine.Options(reach=Level.STATE, with_edits=True, with_notes=True))


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def page(chromium: Page, tmp_path: Path) -> Iterator[Page]:
    path = tmp_path / "review.html"
    path.write_text("".join(report.load("html").render([result("a.py"), result("b.py")], Context())), "utf-8")
    chromium.open(path.as_uri())
    chromium.evaluate("localStorage.clear()")
    yield chromium
    assert [
        event for event in chromium.events if event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")
    ] == []
    requests = [event["params"] for event in chromium.events if event["method"] == "Network.requestWillBeSent"]
    assert {request["request"]["url"] for request in requests} == {path.as_uri()}


def test_everything_is_shown_and_nothing_of_the_files_runs(page: Page) -> None:
    assert page.evaluate(COUNT) == "6 findings"
    assert page.evaluate("document.title") == "picklefix: review"
    assert page.evaluate("document.querySelectorAll('table.diff tr').length") > 20
    assert page.evaluate("[...document.querySelectorAll('td.new')].some(cell => cell.textContent == 'def double(x):')")


def test_keys_go_from_finding_to_finding(page: Page) -> None:
    page.press("j")
    page.press("n")
    assert page.evaluate(COUNT) == "2 / 6 findings"
    assert page.evaluate(f"document.activeElement === {CURRENT}")
    page.press("k")
    page.press("p")
    assert page.evaluate(COUNT) == "1 / 6 findings"
    for _ in range(9):
        page.press("j")
    assert page.evaluate(COUNT) == "6 / 6 findings"


@pytest.mark.parametrize(
    ("field", "value", "count"),
    [
        ("rule", "PKL103", 2),
        ("kind", "declined", 2),
        ("kind", "safe", 4),
        ("reason", "maybe-unbound", 2),
        ("file", "b.py", 3),
    ],
)
def test_filters(page: Page, field: str, value: str, count: int) -> None:
    page.evaluate(
        f"(() => {{ const form = document.getElementById('filters'); form.elements.{field}.value = '{value}';"
        " form.dispatchEvent(new Event('change')); })()"
    )
    assert page.evaluate(COUNT) == f"{count} of 6 findings"
    assert page.evaluate("[...document.querySelectorAll('article')].filter(a => a.offsetParent).length") == count
    page.press("a")
    page.evaluate("new Promise(done => setTimeout(done, 50))")
    assert page.evaluate(COUNT) == "6 findings"


def test_a_bar_of_a_chart_is_a_filter(page: Page) -> None:
    page.evaluate("document.querySelector('[data-value=PKL103]').click()")
    assert page.evaluate(COUNT) == "2 of 6 findings"
    assert page.evaluate("document.querySelector('[data-value=PKL103]').getAttribute('aria-pressed')") == "true"


def test_findings_are_marked_as_reviewed_and_remembered(page: Page) -> None:
    page.press("j")
    page.press("x")
    assert page.evaluate("document.getElementById('progress').textContent") == "1 reviewed"
    assert page.evaluate(f"localStorage.getItem('picklefix:' + {CURRENT}.id)") == "1"


def test_dark_and_light(page: Page) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    page.colours("light")
    light = page.evaluate(background)
    page.colours("dark")
    dark = page.evaluate(background)
    assert light != dark
    page.press("t")
    assert page.evaluate(background) == light
    page.press("t")
    assert page.evaluate(background) == dark


def test_everything_that_can_be_used_has_a_name(page: Page) -> None:
    nodes = page.send("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "link", "combobox", "checkbox", "table", "region", "article"}
    used = [node for node in nodes if node.get("role", {}).get("value") in roles and not node["ignored"]]
    assert len(used) > 20
    assert [node["role"]["value"] for node in used if not node.get("name", {}).get("value")] == []


def test_it_is_drawn(page: Page, tmp_path: Path) -> None:
    assert page.screenshot().startswith(b"\x89PNG")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_readiness_page(chromium: Page, tmp_path: Path) -> None:
    path = tmp_path / "readiness.html"
    path.write_text(render_readiness(readiness([result("a.py")])), "utf-8")
    chromium.open(path.as_uri())
    assert chromium.evaluate("document.querySelectorAll('table.packages tbody tr').length") == 1
    assert not chromium.evaluate("document.getElementById('theme').hidden")
    assert chromium.evaluate("document.querySelector('[data-go]').hidden")
