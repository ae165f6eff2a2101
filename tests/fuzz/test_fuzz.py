"""The fuzzer: that it finds mistakes, and that the engine makes none."""

from __future__ import annotations

import ast
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from .campaign import FIXTURES, Failure, campaign, check, judged
from .features import REQUIRED, features
from .harness import Report, Rewriter, Server, Statistics, is_stable, judge
from .programs import program, programs
from .reducing import reduced
from .saboteurs import SABOTEURS, identity, unparsed

COUNT = 300
TEXTS = [program(seed.to_bytes(8, "big")) for seed in range(COUNT)]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """The process that runs programs."""
    with Server() as running:
        yield running


@pytest.fixture(scope="module")
def reports(server: Server) -> list[Report]:
    """What the programs do before any rewrite."""
    return [server.run(text) for text in TEXTS]


@pytest.mark.parametrize("feature", REQUIRED)
def test_programs_show_the_feature(feature: str, shown: list[set[str]]) -> None:
    assert sum(feature in names for names in shown) >= 0.02 * COUNT


@pytest.fixture(scope="module")
def shown() -> list[set[str]]:
    """The features of each program."""
    return [features(text) for text in TEXTS]


def test_most_programs_run(reports: list[Report]) -> None:
    parts = [part for report in reports if report["stage"] == "done" for part in report["observed"][1:]]
    failed = [part for part in parts if isinstance(part, tuple) and part[:2] == ("tuple", "raised")]
    assert sum(map(is_stable, reports)) > 0.9 * COUNT
    assert len(failed) < 0.15 * len(parts)


def test_programs_repeat_themselves(server: Server, reports: list[Report]) -> None:
    for text, report in zip(TEXTS[:50], reports, strict=False):
        assert repr(server.run(text)) == repr(report)


@pytest.mark.parametrize("name", SABOTEURS)
def test_saboteur_is_caught(name: str, server: Server, reports: list[Report]) -> None:
    rewriter, title = SABOTEURS[name]
    verdicts = (judge(server, text, rewriter, report) for text, report in zip(TEXTS, reports, strict=True))
    assert any(problem.startswith(title) for verdict in verdicts for problem, _ in verdict.problems)


@pytest.mark.parametrize("rewriter", [identity, unparsed], ids=["identity", "unparsed"])
def test_sound_rewriter_passes(rewriter: Rewriter, server: Server, reports: list[Report]) -> None:
    for text, report in zip(TEXTS[:100], reports, strict=False):
        assert judge(server, text, rewriter, report).problems == ()


def test_failing_program_is_reduced(server: Server) -> None:
    rewriter, title = SABOTEURS["captures frozen"]

    def fails(text: str) -> bool:
        return any(problem.startswith(title) for problem, _ in judge(server, text, rewriter).problems)

    smaller = reduced(next(text for text in TEXTS if fails(text)), fails)
    assert fails(smaller)
    assert len(ast.unparse(ast.parse(smaller)).splitlines()) < 30


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.txt")), ids=lambda path: path.stem)
def test_fixture_stays_mended(path: Path, server: Server) -> None:
    for reach, verdict in judged(server, path.read_text(encoding="utf-8")):
        assert verdict.problems == (), reach


def test_engine_keeps_what_programs_do(fuzz_hours: float, server: Server) -> None:
    statistics = Statistics()

    @settings(
        max_examples=COUNT,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def keeps(text: str) -> None:
        try:
            check(server, text, statistics)
        except Failure as failure:
            failure.save()
            raise

    if fuzz_hours:
        fresh = (program(os.urandom(8)) for _ in itertools.count())
        statistics, failures = campaign(server, fresh, fuzz_hours)
        print(statistics)
        assert not failures
    else:
        keeps()
        print(statistics)
