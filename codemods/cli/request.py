"""The options that the commands on files share, and what was said with them."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import click

from codemods.cli.completion import complete_rules
from codemods.cli.console import Failure
from codemods.config import Configuration, assignment, conformed
from codemods.finding import Level
from codemods.settings import ConfigError
from codemods.style import StateStyle

STANDARD_INPUT = "-"
LEVELS = {"sink": Level.SINK, "state": Level.STATE, "all": Level.LOCAL}


class Request(SimpleNamespace):
    """What the command line asks for; each field is the option of the same name, None where it was not given."""

    paths: tuple[str, ...]
    reach: str
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    extend_select: tuple[str, ...]
    fixable: tuple[str, ...]
    unfixable: tuple[str, ...]
    ignore_noqa: bool
    unsafe_fixes: bool
    views: str
    state_style: str | None
    line_length: int | None
    exclude: tuple[str, ...]
    extend_exclude: tuple[str, ...]
    force_exclude: bool | None
    respect_gitignore: bool | None
    stdin_filename: str | None
    config: tuple[str, ...]
    isolated: bool
    jobs: int | None
    executor: str | None
    file_timeout: int | None
    no_cache: bool
    cache_dir: str | None
    color: str
    quiet: bool
    verbose: bool

    @property
    def reads_standard_input(self) -> bool:
        """Whether the one file is standard input."""
        return self.paths == (STANDARD_INPUT,)

    def configuration(self, inside: str | None = None) -> Configuration:
        """The settings of the files, with those of the command line on top.

        Args:
            inside: the folder that files which are found have to lie in, where these are not to be trusted.

        Raises:
            ConfigError: if something that was given cannot be used.
        """
        return configuration(self.config, self.isolated, dict(self._overrides()), inside)

    def _overrides(self) -> Iterator[tuple[str, object]]:
        for key in ("select", "ignore", "extend-select", "fixable", "unfixable", "exclude", "extend-exclude"):
            given = getattr(self, key.replace("-", "_"))
            items = [item.strip() for text in given for item in text.split(",") if item.strip()]
            if given and not items and not key.endswith("exclude"):
                raise ConfigError(f"--{key} names no rule; name one, or leave it out")
            if given:
                yield key, items
        for key in ("force-exclude", "respect-gitignore", "line-length", "state-style", "cache-dir", "file-timeout"):
            given = getattr(self, key.replace("-", "_"))
            if given is not None:
                yield key, given


def configuration(
    given: tuple[str, ...], isolated: bool, options: dict[str, object], inside: str | None = None
) -> Configuration:
    """The settings of the files, of each ``--config`` and of other options, later ones on top.

    Raises:
        ConfigError: if something that was given cannot be used.
    """
    here = os.getcwd()
    files = [text for text in given if "=" not in text or os.path.exists(text)]
    if len(files) > 1:
        raise ConfigError(f"--config: {files[0]} and {files[1]} cannot both replace the project's file; use `extend`")
    overrides = []
    for text in given:
        if text not in files:
            try:
                overrides.append(assignment(text, here))
            except ConfigError as error:
                raise ConfigError(f"--config {text}: {error}") from error
    overrides.append(conformed(options, here))
    return Configuration(files[0] if files else None, isolated, tuple(overrides), inside)


def configuration_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say where settings come from."""
    config = click.option(
        *("--config", "config"),
        multiple=True,
        metavar="FILE|KEY=VALUE",
        help="Use this file instead of the nearest one, or set one key. May be given again.",
    )
    isolated = click.option("--isolated", is_flag=True, help="Use no configuration file.")
    return config(isolated(function))


def file_command(function: Callable[..., int]) -> Callable[..., None]:
    """Turn a function of a request, which returns the exit status, into the callback of a command on files."""

    @functools.wraps(function)
    def callback(**values: Any) -> None:
        request = Request(**{name: values.pop(name) for name in Request.__annotations__})
        if STANDARD_INPUT in request.paths and not request.reads_standard_input:
            raise click.UsageError("- reads the one file from standard input; it cannot go with other paths.")
        try:
            status = function(request, **values)
        except ConfigError as error:
            raise Failure(str(error)) from error
        click.get_current_context().exit(status)

    decorated: Callable[..., None] = callback
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


_OPTIONS: tuple[Callable[..., Any], ...] = (
    click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH]...", callback=lambda *v: v[-1] or (".",)),
    click.option(
        "--reach",
        type=click.Choice(list(LEVELS)),
        default="state",
        show_default=True,
        help="How far an object must get to matter: to a call that pickles, into the state of an object, or nowhere.",
    ),
    click.option(
        "--select",
        multiple=True,
        metavar="RULES",
        shell_complete=complete_rules,
        help="Use these rules: codes, names, prefixes or ALL.",
    ),
    click.option(
        "--ignore", multiple=True, metavar="RULES", shell_complete=complete_rules, help="Leave these rules out."
    ),
    click.option(
        "--extend-select", multiple=True, metavar="RULES", shell_complete=complete_rules, help="Use these rules too."
    ),
    click.option(
        "--fixable",
        multiple=True,
        metavar="RULES",
        shell_complete=complete_rules,
        help="Make the fixes of these rules only.",
    ),
    click.option(
        "--unfixable",
        multiple=True,
        metavar="RULES",
        shell_complete=complete_rules,
        help="Report these rules, but do not fix them.",
    ),
    click.option("--ignore-noqa", is_flag=True, help="Pass over comments that suppress findings."),
    click.option("--unsafe-fixes/--no-unsafe-fixes", help="Make fixes that may change behaviour too."),
    click.option(
        "--views",
        type=click.Choice(["escaping", "always"]),
        default="escaping",
        show_default=True,
        help="Which views of dicts become lists: those that may be pickled, or all that are stored.",
    ),
    click.option(
        "--state-style",
        type=click.Choice([style.value for style in StateStyle]),
        help="How classes leave attributes out that do not pickle: __getstate__ (the default), __deepcopy__, "
        "__reduce__, or one copyreg reducer for all objects of a type.",
    ),
    click.option("--line-length", type=click.IntRange(min=1), help="The length of lines that are written."),
    click.option("--exclude", multiple=True, metavar="PATTERNS", help="Leave these paths out, instead of the default."),
    click.option("--extend-exclude", multiple=True, metavar="PATTERNS", help="Leave these paths out too."),
    click.option("--force-exclude/--no-force-exclude", default=None, help="Leave out excluded paths even if named."),
    click.option("--respect-gitignore/--no-respect-gitignore", default=None, help="Leave out what git ignores."),
    click.option("--stdin-filename", metavar="NAME", help="What the file on standard input is called."),
    configuration_options,
    click.option("-j", "--jobs", type=click.IntRange(min=1), help="Work on so many files at a time."),
    click.option(
        "--executor",
        metavar="dask://HOST:PORT",
        help="Work on the cluster whose scheduler listens there; needs the extra dask.",
    ),
    click.option(
        "--file-timeout",
        type=click.IntRange(min=1),
        metavar="SECONDS",
        help="Give up on a file that takes longer; 60 if left out.",
    ),
    click.option("-n", "--no-cache", is_flag=True, help="Neither use nor keep the results of other runs."),
    click.option(
        "--cache-dir",
        type=click.Path(file_okay=False),
        help="Keep results in this folder, not in .picklefix_cache where the project begins.",
    ),
    click.option(
        "--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="When to colour the output."
    ),
    click.option("-q", "--quiet", is_flag=True, help="Print findings and errors only."),
    click.option("-v", "--verbose", is_flag=True, help="Say which files and settings are used."),
)
