"""Measure what a call costs of a closure and of what can take its place. Prints JSON, form -> nanoseconds a call."""

from __future__ import annotations

import functools
import json
import timeit

_CALLS = 100_000


def _scaler_scale(factor, /, value):
    return value * factor


def _scale_by_keyword(value, *, factor):
    return value * factor


class Scaler:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, value):
        return value * self.factor


def scaler(factor):
    def scale(value):
        return value * factor

    return scale


FORMS = {
    "a closure": scaler(3),
    "`functools.partial(f, 3)`, which picklefix writes": functools.partial(_scaler_scale, 3),
    "`functools.partial(f, factor=3)`": functools.partial(_scale_by_keyword, factor=3),
    "an object with `__call__`": Scaler(3),
}


def nanoseconds(function) -> float:
    """The time of one call, loop included."""
    return min(timeit.repeat(lambda: function(2), number=_CALLS, repeat=7)) / _CALLS * 1e9


if __name__ == "__main__":
    print(json.dumps({name: nanoseconds(function) for name, function in FORMS.items()}))
