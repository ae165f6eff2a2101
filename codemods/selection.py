"""Selectors of rules: a code, a name, the beginning of a code, or ``ALL``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from codemods.settings import ALL, ConfigError, nearest

_EXACT = 99


def selected(names: Mapping[str, str], select: Iterable[str], ignore: Iterable[str]) -> frozenset[str]:
    """The codes of the rules that selectors choose: the more specific selector wins, ``ignore`` wins a tie.

    Args:
        names: the name of each rule by its code.
        select: selectors of the rules that run.
        ignore: selectors of the rules that do not.

    Raises:
        ConfigError: if a selector stands for no rule.
    """
    chosen, dropped = tuple(select), tuple(ignore)
    verify((*chosen, *dropped), names)
    return frozenset(
        code for code, name in names.items() if _specificity(chosen, code, name) > _specificity(dropped, code, name)
    )


def _specificity(selectors: Iterable[str], code: str, name: str) -> int:
    """How exactly the best of the selectors stands for a rule; -1 if none does."""
    return max((_rank(selector, code, name) for selector in selectors), default=-1)


def _rank(selector: str, code: str, name: str) -> int:
    if selector in (code, name):
        return _EXACT
    if selector == ALL:
        return 0
    return len(selector) if code.startswith(selector) else -1


def verify(selectors: Iterable[str], names: Mapping[str, str]) -> None:
    """See that each selector stands for a rule.

    Raises:
        ConfigError: if one does not; the message names the nearest that does.
    """
    for selector in selectors:
        known = selector == ALL or any(_rank(selector, code, name) >= 0 for code, name in names.items())
        if not known or not selector:
            raise ConfigError(f"unknown rule `{selector}`{nearest(selector, [ALL, *names, *names.values()])}")
