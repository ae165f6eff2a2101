"""The site is built as strictly as mkdocs can, without the network, and has a page wherever the program points to one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codemods.catalog.reasons import explanations
from codemods.rules import all_rules
from tests.docs.pages import ROOT

pytest.importorskip("mkdocs")
pytest.importorskip("material")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    environment = {
        **os.environ,
        "NO_MKDOCS_2_WARNING": "1",
        "http_proxy": "http://127.0.0.1:9",
        "https_proxy": "http://127.0.0.1:9",
    }
    arguments = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    run = subprocess.run(arguments, check=False, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "WARNING" not in run.stderr
    return folder


def test_each_rule_has_the_page_that_reports_link_to(site: Path) -> None:
    for rule in all_rules():
        text = (site / "rules" / rule.name / "index.html").read_text("utf-8")
        assert f"{rule.name} ({rule.code})" in text
        assert '<div class="highlight"' in text


def test_each_reason_has_an_anchor(site: Path) -> None:
    text = (site / "reasons" / "index.html").read_text("utf-8")
    assert [code for code in explanations() if f'id="{code}"' not in text] == []


def test_no_page_needs_the_network(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        for source in ("fonts.googleapis", "unpkg.com", "cdn.", 'src="http'):
            assert source not in text, page


def test_programs_are_not_published(site: Path) -> None:
    assert list(site.rglob("*.py")) == []
