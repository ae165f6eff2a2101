"""From the request and the settings of each file to what the engine is asked for."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from codemods import engine
from codemods.cli.request import LEVELS, STANDARD_INPUT, Request
from codemods.config import Configuration
from codemods.job import Job
from codemods.project import place_of
from codemods.settings import ALL, ConfigError, Settings
from codemods.style import Style


class Work:
    """Makes the jobs of a run.

    Args:
        request: what the command line asks for.
        configuration: the settings of the files.
        rewrite: whether fixes are made.
        with_edits: whether fixes that are only reported come with their edits.
        with_notes: whether results come with notes on how processes are started.
    """

    def __init__(
        self,
        request: Request,
        configuration: Configuration,
        rewrite: bool = False,
        with_edits: bool = False,
        with_notes: bool = False,
    ) -> None:
        self._configuration = configuration
        self._rewrite = rewrite
        self._plain = engine.Options(
            reach=LEVELS[request.reach],
            unsafe_fixes=request.unsafe_fixes,
            views=request.views,
            with_edits=with_edits,
            with_notes=with_notes,
            with_failures=request.verbose,
            with_suppressed=request.ignore_noqa,
        )
        self._run = str(time.time_ns())
        self._options: dict[tuple[Settings, tuple[str, ...], Style], engine.Options] = {}

    def job(self, path: str) -> Job:
        """What is to be done with one file.

        Raises:
            ConfigError: if a setting that holds for it cannot be used.
        """
        # A stub describes code that is elsewhere: rewriting it alone would make it wrong.
        rewrite = self._rewrite and not path.endswith(".pyi")
        settings = self._configuration.for_file(path)
        key = (settings, _ignored_in(path, settings), _style(path, settings) if rewrite else Style())
        options = self._options.get(key)
        if options is None:
            options = self._options[key] = self._engine_options(*key)
        place = place_of(path, self._run) if path != STANDARD_INPUT else None
        return Job(path, options, rewrite, place, settings.file_timeout)

    def settings(self) -> list[Settings]:
        """The settings that the jobs made so far were made with."""
        return list(dict.fromkeys(settings for settings, *_ in self._options))

    def _engine_options(self, settings: Settings, ignored: tuple[str, ...], style: Style) -> engine.Options:
        options = self._plain._replace(
            style=style,
            entries=engine.Entries(settings.sinks, settings.consumers, settings.bases),
            resources=settings.unpicklable_types,
            state_style=settings.state_style,
        )
        if _wants_all_rules(settings) and not ignored:
            return options
        # Imported only here: most projects want all rules as they are.
        from codemods.rules import rule_names
        from codemods.selection import selected, verify

        names = rule_names()
        for key, selectors in _selectors(settings, ignored):
            try:
                verify(selectors, names)
            except ConfigError as error:
                raise ConfigError(f"{settings.place(key)}{error}") from error
        return options._replace(
            select=selected(names, settings.select + settings.extend_select, settings.ignore)
            - selected(names, ignored, ()),
            unfixable=frozenset(names) - selected(names, settings.fixable, settings.unfixable),
            # What is named in both as exactly is unsafe.
            trusted=selected(names, settings.extend_safe_fixes, settings.extend_unsafe_fixes),
            distrusted=selected(names, settings.extend_unsafe_fixes, ())
            - selected(names, settings.extend_safe_fixes, settings.extend_unsafe_fixes),
        )


def _selectors(settings: Settings, ignored: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """All selectors, by the key that they are given with."""
    for key in (
        "select",
        "extend-select",
        "ignore",
        "fixable",
        "unfixable",
        "extend-safe-fixes",
        "extend-unsafe-fixes",
    ):
        yield key, getattr(settings, key.replace("-", "_"))
    yield "per-file-ignores", ignored


def _wants_all_rules(settings: Settings) -> bool:
    """Whether the settings say nothing about single rules."""
    named = (settings.extend_select, settings.ignore, settings.unfixable)
    trusted = (settings.extend_safe_fixes, settings.extend_unsafe_fixes)
    return settings.select == settings.fixable == (ALL,) and not any((*named, *trusted))


def _ignored_in(path: str, settings: Settings) -> tuple[str, ...]:
    """The selectors that ``per-file-ignores`` gives for a file."""
    ignores = settings.per_file_ignores + settings.extend_per_file_ignores
    if not ignores:
        return ()
    from codemods.ignores import excludes  # Imported only here: most projects have no such setting.

    real = os.path.realpath(path)
    return tuple(
        selector
        for ignore in ignores
        if excludes((ignore.glob,)).match(real, is_folder=False) is not ignore.negated
        for selector in ignore.selectors
    )


def _style(path: str, settings: Settings) -> Style:
    from codemods.project_style import style_for  # Imported only here: a check writes nothing.

    style = style_for(os.path.dirname(os.path.realpath(path)))
    if settings.target_version is not None:
        style = style._replace(target_versions=frozenset({settings.target_version}))
    return style if settings.line_length is None else style._replace(line_length=settings.line_length)
