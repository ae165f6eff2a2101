"""``picklefix suggest``."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import cast

import click

from codemods import git
from codemods.bot import payloads
from codemods.bot.changes import RevisionError, changed_files, revisions
from codemods.bot.options import JobFor
from codemods.bot.post.threads import PostError, ReadOnlyError
from codemods.bot.review import Review, review
from codemods.cli.console import Failure, Output
from codemods.cli.request import Request, file_command
from codemods.cli.session import Session
from codemods.cli.work import Work
from codemods.report.text import plural

_MOST_COMMENTS = 30
_SERVICES = {"github": "GITHUB_REPOSITORY", "gitlab": "CI_PROJECT_ID"}
_DEFAULT_PATCH = "picklefix.patch"


@click.command()
@click.option("--base", required=True, metavar="REF", help="What the changes are to be merged into.")
@click.option("--head", default="HEAD", show_default=True, metavar="REF", help="The newest commit of the changes.")
@click.option(
    "--output-format",
    type=click.Choice(payloads.payload_names()),
    default="github-review",
    show_default=True,
    help="What is printed where nothing is posted.",
)
@click.option("-o", "--output-file", type=click.Path(dir_okay=False), help="Write the output into this file.")
@click.option("--patch-file", type=click.Path(dir_okay=False), help="Write all fixes as one patch into this file.")
@click.option(
    "--max-comments",
    type=click.IntRange(min=0),
    default=_MOST_COMMENTS,
    show_default=True,
    metavar="N",
    help="Comment so often at most; the rest goes into the summary.",
)
@click.option("--post", is_flag=True, help="Comment on the pull request that the environment names.")
@click.option("--service", type=click.Choice(list(_SERVICES)), help="Where to post; left out, the environment tells.")
@click.option("--dry-run", is_flag=True, help="Print what would be posted, and post nothing.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found; errors still exit with 2.")
@file_command
def command(
    request: Request,
    base: str,
    head: str,
    output_format: str,
    output_file: str | None,
    patch_file: str | None,
    max_comments: int,
    post: bool,
    service: str | None,
    dry_run: bool,
    exit_zero: bool,
) -> int:
    """Suggest fixes for what a pull request changes, to be applied with one click.

    Only lines are looked at that differ from the newest commit that both sides share. Everything is read from git: no
    network is needed without --post, nothing is checked out, and no code of the pull request is run.
    PATH limits the files; all that changed if left out.

    \b
    Example:
      picklefix suggest --base main --output-format markdown
      picklefix suggest --base origin/main --head feature -o review.json
      picklefix suggest --base "$BASE_SHA" --head "$HEAD_SHA" --post
    """
    session = Session(request)
    repository = git.root(os.curdir)
    if repository is None:
        raise Failure("this folder lies in no git repository; run it in a clone of the project")
    for path in (output_file, patch_file, _DEFAULT_PATCH if post else None):
        _refuse_link(path, repository)
    found = _review(session, repository, base, head)
    with session.output_to(output_file) as output:
        if post and not dry_run:
            _post(session, output, found, max_comments, service or _service(), patch_file)
        else:
            for piece in payloads.load(output_format).render(found, max_comments):
                output.write(piece)
    if patch_file is not None:
        _write(patch_file, found.patch)
    count = sum(len(remark.findings) for remark in found.remarks)
    if not request.quiet:
        clicks = sum(len(remark.findings) for remark in found.remarks if remark.replacement is not None)
        session.messages.write(
            f"Found {plural(count, 'finding')} on changed lines, {clicks:,} fixable with one click.\n"
        )
        session.messages.flush()
    if any(result.error is not None and not result.error.syntax for result in found.failed):
        return 2
    return int(bool(count or found.failed) and not exit_zero)


def _refuse_link(path: str | None, repository: str) -> None:
    """Refuse an output in the repository that a link leads elsewhere: the pull request may have brought it along.

    Raises:
        Failure: if it is one.
    """
    if path is None:
        return
    root = os.path.realpath(repository)
    inside = os.path.relpath(os.path.abspath(path), root)
    if not inside.startswith(os.pardir) and os.path.realpath(path) != os.path.join(root, inside):
        raise Failure(f"{path}: is a link in the repository, or behind one; remove it, or choose another file")


def _review(session: Session, repository: str, base: str, head: str) -> Review:
    """The review of a repository.

    Raises:
        Failure: if the commits cannot be compared.
    """
    configuration = session.request.configuration(inside=repository)
    job_for = JobFor(
        repository, session.request.paths, configuration, Work(session.request, configuration, rewrite=True).job
    )
    try:
        compared = revisions(repository, base, head)
        found = review(repository, compared, list(changed_files(repository, compared)), job_for)
    except RevisionError as error:
        raise Failure(str(error)) from error
    for result in found.failed:
        assert result.error is not None
        session.error(f"{result.path}: {result.error.message}")
    return found


def _service() -> str:
    for name, variable in _SERVICES.items():
        if os.environ.get(variable):
            return name
    raise Failure(
        "no pull request is named by the environment; set GITHUB_REPOSITORY or CI_PROJECT_ID, or leave --post out"
    )


def _post(session: Session, output: Output, found: Review, most: int, service: str, patch_file: str | None) -> None:
    """Post the review; where the token may not, say it in the log, the job summary and a patch instead.

    Raises:
        Failure: if it cannot be posted for another reason.
    """
    try:
        poster = importlib.import_module(f"codemods.bot.post.{service}")
    except ImportError as error:
        raise Failure(f"{error.name} is not installed; pip install picklefix[bot]") from error
    try:
        posted = poster.post(found, most, os.environ)
    except ReadOnlyError as error:
        session.warn(f"{error}; the findings become annotations, a job summary and a patch")
        _say_elsewhere(output, found, most, os.environ, patch_file)
        return
    except PostError as error:
        raise Failure(str(error)) from error
    for note in posted.notes:
        session.warn(note)
    made = f"{plural(posted.made, 'comment')} made, {posted.kept:,} kept, {posted.removed:,} removed"
    output.write(f"{made}.\n")


def _say_elsewhere(
    output: Output, found: Review, most: int, environment: Mapping[str, str], patch_file: str | None
) -> None:
    for piece in payloads.load("annotations").render(found, most):
        output.write(piece)
    job_summary = environment.get("GITHUB_STEP_SUMMARY")
    if job_summary:
        text = "".join(payloads.load("markdown").render(found, most))
        _write(job_summary, text.encode("utf-8", "replace"), append=True)
    if patch_file is None and found.patch:
        _write(_DEFAULT_PATCH, found.patch)


def _write(path: str, data: bytes, append: bool = False) -> None:
    try:
        with open(path, "ab" if append else "wb") as stream:
            stream.write(data)
    except OSError as error:
        raise Failure(f"{path}: cannot be written: {cast(str, error.strerror)}; choose another file") from error
