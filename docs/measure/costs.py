"""Measure the round trip of a function with one captured value: ``python costs.py cloudpickle``. Prints JSON.

``pickle`` gets what picklefix writes, a partial of a top-level function; the others get the closure itself. The size is
in bytes, the time in seconds for one round trip.
"""

from __future__ import annotations

import functools
import importlib
import json
import sys
import timeit


def _scaler_scale(factor, /, value):
    return value * factor


def scaler(factor):
    def scale(value):
        return value * factor

    return scale


if __name__ == "__main__":
    module = importlib.import_module(sys.argv[1])
    subject = functools.partial(_scaler_scale, 3) if sys.argv[1] == "pickle" else scaler(3)
    times = timeit.repeat(lambda: module.loads(module.dumps(subject)), number=200, repeat=7)
    print(json.dumps({"size": len(module.dumps(subject)), "time": min(times) / 200}))
