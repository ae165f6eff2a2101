"""``check --baseline`` and ``--write-baseline``: findings that are accepted for the time being."""

from __future__ import annotations

from codemods.baseline import Baseline, BaselineError
from codemods.cli.console import Failure, to_file
from codemods.cli.session import Session
from codemods.report.summary import Tally
from codemods.report.text import plural


def load(path: str) -> Baseline:
    """The baseline in a file.

    Raises:
        Failure: if there is none.
    """
    try:
        return Baseline.load(path)
    except BaselineError as error:
        raise Failure(str(error)) from error


def write(session: Session, path: str) -> int:
    """Accept all that is found, and return the exit status: 0 unless something could not be done.

    Raises:
        Failure: if the file cannot be written.
    """
    results = list(session.results())
    tally = Tally(session.context(session.messages))
    for result in results:
        tally.add(result)
    text, count = Baseline(path).document(results)
    with to_file(path) as output:
        output.write(text)
        output.flush()
    if not session.request.quiet:
        session.messages.write(f"Accepted {plural(count, 'finding')} in {path}.\n")
        session.messages.flush()
    return tally.status() if tally.errors or tally.invalid else 0
