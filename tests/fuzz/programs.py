"""Strategies for whole programs.

Each program defines ``build()``, whose value holds functions and objects, and ``observe(obj)``; it keeps a trace of its
effects in ``TRACE``, ends soon, and shows no function's name.
"""

from __future__ import annotations

import random

from hypothesis import strategies as st

from .harness import syntax_error
from .lines import Lines, indented
from .scope import Scope, Shape
from .statements import Statements

#: Definitions that programs may use, in this order, each written only where its name appears.
SUPPORT: dict[str, str] = {
    "note": "def note(value):\n    TRACE.append(value)\n    return value\n",
    "attempt": (
        'def attempt(function, /, *args, **keywords):\n    try:\n        return ("ok", function(*args, **keywords))\n'
        '    except Exception as error:\n        return ("raised", type(error).__name__)\n'
    ),
    "warm": (
        "def warm(value):\n    if callable(value):\n        attempt(value, 1)\n"
        "    elif isinstance(value, (list, tuple)):\n        for item in list(value):\n            warm(item)\n"
    ),
    "drain": "def drain(function, *args):\n    return list(function(*args))\n",
    "drive": (
        "def drive(coroutine):\n    try:\n        coroutine.send(None)\n    except StopIteration as stop:\n"
        "        return stop.value\n"
    ),
    "pause": "async def pause(value):\n    return note(value)\n",
    "Box": "class Box:\n    def __init__(self, n=0):\n        self.n = n\n",
    "Base": (
        "class Base:\n    def __init__(self, n=0):\n        self.n = n\n\n"
        "    def base(self):\n        return note(self.n)\n"
    ),
    "Task": (
        "class Task:\n    def __init__(self, action, note=None):\n"
        "        self.action = action\n        self.label = note\n"
    ),
    "Swallow": (
        "class Swallow:\n    def __enter__(self):\n        return note(8)\n\n    def __exit__(self, *_):\n"
        "        note(9)\n        return True\n"
    ),
    "traced": (
        "def traced(function):\n    @functools.wraps(function)\n    def wrapper(*args, **keywords):\n"
        '        note("call")\n        return function(*args, **keywords)\n\n    return wrapper\n'
    ),
    "registered": 'def registered(function):\n    note("registered")\n    return function\n',
    "tagged": (
        "def tagged(value):\n    def decorate(function):\n        function.tag = value\n        return function\n\n"
        "    return decorate\n"
    ),
    "HOOKS": "HOOKS = {}\n",
    "RESULT": "RESULT = []\n",
}
MODULES = ("collections", "contextlib", "dataclasses", "enum")


class Modules(Statements):
    """Top-level statements and whole modules."""

    def __init__(self, source: random.Random, budget: int) -> None:
        super().__init__(source, budget)
        self.module = Scope(None, "module", owned={"MODE", "LIMIT"}, bound={"MODE", "LIMIT"})
        self.built: list[str] = []

    def program(self) -> str:
        """The text of a program."""
        imports = self._imports()
        body: Lines = []
        for index in range(1 + self.number(3)):
            option = self.weighted(
                [
                    (10, self.factory),
                    (2, self.generator_factory),
                    (1, self.async_factory),
                    (4, self.maker_class),
                    (2, self.module_lambda),
                    (2, self.module_table),
                    (1, self.top_function),
                ]
            )
            body += ["", "", *self._placed(option(index))]
        guard = ["", "", *self.main_guard()] if self.chance(6) else []
        body += ["", "", *self._build(any("HOOKS" in line for line in body)), "", "", *self._observe(), *guard]
        return self._assembled(imports, "\n".join(body[2:]) + "\n")

    def _placed(self, lines: Lines) -> Lines:
        """Top-level statements, now and then inside a compound one."""
        if self.chance(94) or any("\n" in line for line in lines):
            return lines
        lead, end = self.pick([("if LIMIT > 1:", []), ("try:", ["except ImportError:", "    pass"])])
        return [lead, *indented(lines), *end]

    def _imports(self) -> list[str]:
        kind = self.weighted([(5, "plain"), (2, "none"), (1, "alias"), (1, "from"), (1, "taken"), (1, "partial taken")])
        self._functools = kind != "taken"
        lines = {
            "plain": ["import functools"],
            "none": [],
            "alias": ["import functools as ft"],
            "from": ["from functools import partial, wraps"],
            "taken": ["functools = 6"],
            "partial taken": ["partial = 6", "import functools"],
        }[kind]
        taken = [line.split(" ")[0] for line in lines if line.endswith("= 6")]
        if self.chance(10):
            taken += ["_make0_run", "_make0_lambda", "_UNSET", "_functools"]
            lines = [*lines, "_make0_run = _make0_lambda = _UNSET = _maker1_make_lambda = _functools = 6"]
        self.module.owned.update(taken)
        self.module.bound.update(taken)
        return lines

    def _assembled(self, imports: list[str], body: str) -> str:
        support, wanted = "", body
        for name, definition in reversed(SUPPORT.items()):
            if name in wanted:
                support = f"{definition}\n\n{support}"
                wanted += definition
        modules = [f"import {name}" for name in MODULES if name in wanted]
        needs = [f"import {name}" for name in ("functools",) if f"{name}." in wanted]
        if self._functools:
            imports = [*imports, *(line for line in needs if line not in imports)]
        head = ["from __future__ import annotations"] if self.chance(8) else []
        head += [*modules, *imports, "", "TRACE = []", "MODE = 1", "LIMIT = 4", ""]
        return "\n".join(head) + "\n" + support + body

    # -- functions that make functions ----------------------------------------------------------------------------

    def factory(self, index: int) -> Lines:
        """A function that hands out nested functions."""
        return self._factory(index, "plain", f"make{index}")

    def generator_factory(self, index: int) -> Lines:
        """A generator that yields nested functions."""
        return self._factory(index, "generator", f"each{index}")

    def async_factory(self, index: int) -> Lines:
        """A coroutine function that returns nested functions."""
        return self._factory(index, "async", f"fetch{index}")

    def _factory(self, index: int, flavour: str, name: str) -> Lines:
        scope = Scope(self.module, owned={"n", "k"}, bound={"n", "k"}, flavour=flavour)
        parameters = self.pick(["n, k=2", "n, k=2, *, y=3", "n, /, k=2", "n, k=2, *args, **kw"])
        if "y=" in parameters:
            scope.owned.add("y")
            scope.bound.add("y")
        body = self._factory_body(scope)
        word = "async def" if flavour == "async" else "def"
        self._call(name, flavour)
        return [f"{word} {name}({parameters}):", *indented(self.settled(scope, body))]

    def _factory_body(self, scope: Scope) -> Lines:
        self.own_variables(scope)
        scope.owned.add("out")
        scope.lists.add("out")
        lines = ["out = []"]
        if self.chance(8):
            scope.shared.add("MODE")
            lines.insert(0, "global MODE")
        names = [name for name in self.targets(scope) if name not in scope.bound and name in scope.owned]
        for name in names[: self.number(3)]:
            scope.bind(name)
            lines.append(f"{name} = {self.integer(scope, 1)}")
        if self.chance(10):
            lines += self._mutual(scope)
        elif self.chance(8):
            lines += self._siblings(scope)
        if self.chance(9):
            lines += self._late_siblings(scope)
        if self.chance(10):
            lines += self._marked(scope)
        if self.chance(3):
            lines = [
                "global fresh",
                *lines,
                "def fresh(x):",
                f"    return (x, {self.atom(scope)})",
                "out.append(fresh)",
            ]
        lines += self.block(scope, 5)
        if not lines[-1].startswith(("return", "raise")):
            lines += self._handed_out(scope)
        return lines

    def _handed_out(self, scope: Scope) -> Lines:
        names = [name for name in scope.functions() if name in scope.owned]
        lines = [f"out.append({self.function(scope)})"] if self.chance(60) or not names else []
        lines += [f"out.append({name})" for name in names if self.chance(60)]
        if scope.flavour == "generator":
            return [*lines, "yield out"]
        ending = self.pick(["return out", "return out", f"return out, {self.function(scope)}", "return tuple(out)"])
        return [*lines, ending]

    def _mutual(self, scope: Scope) -> Lines:
        scope.owned |= {"even", "odd"}
        shown = self.atom(scope)
        scope.bound |= {"even", "odd"}
        scope.shapes["even"] = scope.shapes["odd"] = Shape(1, descends=True)
        lines = ["def even(d):", f"    return (0, {shown}) if d <= 0 else odd(d - 1)"]
        return [
            *lines,
            "def odd(d):",
            f"    return (1, {self.atom(scope)}) if d <= 0 else even(d - 1)",
            "out.append(even)",
        ]

    def _siblings(self, scope: Scope) -> Lines:
        scope.owned |= {"grow", "peek", "total"}
        scope.bound |= {"grow", "peek", "total"}
        scope.shapes |= {"grow": Shape(0), "peek": Shape(0)}
        reader = self.pick(
            ["return total", f"return (total, {self.atom(scope)})", "nonlocal total; total *= 2; return total"]
        )
        lines = ["total = 1", "def grow(by=1):", "    nonlocal total", "    total += by", "    return total"]
        lines += ["def peek():", f"    {reader}", "out.append((grow, peek))"]
        return lines + (["note(grow())"] if self.chance(30) else [])

    def _marked(self, scope: Scope) -> Lines:
        """A function with state of its own for each call of the function around it."""
        scope.owned.add("marked")
        shown = self.pick(["x", "(x, marked.calls)", f"(x, {self.atom(scope)})"])
        scope.bind("marked", Shape(0))
        if self.chance(40):
            header = self.pick(["def marked(x=1, acc=[]):", "def marked(x=1, *, acc=[0]):"])
            return [header, "    acc.append(x)", "    return list(acc)", "out.append(marked)"]
        counting = ["    marked.calls += 1"] if self.chance(40) else []
        lines = ["def marked(x=1):", *counting, f"    return {shown}", f"marked.calls = {self.atom(scope)}"]
        return [*lines, "out.append(marked)"]

    def _late_siblings(self, scope: Scope) -> Lines:
        scope.owned |= {"early", "late"}
        lines = ["early = lambda x: late(x)", f"late = lambda x: (x, {self.atom(scope)})", "out.append(early)"]
        scope.bound |= {"early", "late"}
        scope.shapes |= {"early": Shape(1), "late": Shape(1)}
        return lines if self.chance(80) else [*lines, "late = abs"]

    # -- the other things a module holds --------------------------------------------------------------------------

    def maker_class(self, index: int) -> Lines:
        """A class whose method makes functions that use ``self``."""
        scope = Scope(self.module, "class")
        base = self.pick(["", "(Base)"])
        lines = [f"class Maker{index}{base}:", *indented(self.class_body(scope, local=False))]
        inner = Scope(scope, owned={"n", "k", "self"}, bound={"n", "k"}, receiver="self")
        body = self._factory_body(inner)
        if self.chance(15):
            supers = "return (super().base(), __class__.__name__)" if base else "return (__class__.__name__, self.n)"
            start = body.index("out = []") + 1
            body[start:start] = ["def above(self=self):", f"    {supers}", "out.append(above)"]
        if self.chance(15):
            secret = ["__secret = n", "out.append(lambda: __secret)"]
            hidden = ["def __bump(x, *, __by=1):", f"    return (x, __by, {self.atom(inner)})", "out.append(__bump)"]
            start = body.index("out = []") + 1
            body[start:start] = self.pick([secret, hidden, secret + hidden])
        lines += ["", "    def make(self, n, k=2):", *indented(indented(self.settled(inner, body)))]
        self.built.append(f"attempt(Maker{index}(3).make, 1)")
        if self.chance(50):
            self.built.append(f"attempt(Maker{index}, 2)")
        return lines

    def module_lambda(self, index: int) -> Lines:
        """A lambda with a module-level name."""
        text, shape = self._module_lambda()
        self.module.owned.add(f"top{index}")
        self.module.bind(f"top{index}", shape)
        self.built.append(f"top{index}")
        lines = [f"top{index} = {text}"]
        if self.chance(20):
            lines += [f"other{index} = top{index}", f"top{index} = {self._module_lambda()[0]}"]
            self.built.append(f"other{index}")
        return [f"if LIMIT > {self.number(6)}:", *indented(lines), "else:", f"    top{index} = abs"][
            : None if self.chance(15) and len(lines) == 1 else 0
        ] or lines

    def _module_lambda(self) -> tuple[str, Shape]:
        return self.lambda_with_shape(self.module)

    def module_table(self, index: int) -> Lines:
        """Lambdas in a module-level container."""
        value, other = self._module_lambda()[0], self._module_lambda()[0]
        self.built.append(f"TABLE{index}")
        forms = [
            [f'TABLE{index} = {{"a": {value}, "b": {other}}}'],
            [f"TABLE{index} = [({value}), ({other})]"],
            [f"TABLE{index} = {{i: (lambda x, i=i: (x, i)) for i in range(2)}}"],
            [f"TABLE{index} = [lambda x: (x, i) for i in range(2)]"],
            [f"TABLE{index} = {{}}", "for i in range(2):", f"    TABLE{index}[i] = lambda x, k=i: (x, i, k)"],
            [f"TABLE{index} = collections.defaultdict(lambda: {self.number(3)})"],
        ]
        return self.pick(forms)

    def main_guard(self) -> Lines:
        """Functions that exist only where the module is run as a script."""
        self.built.append("*RESULT")
        scope = self.module
        scope.owned |= {"n", "x", "run", "step"}
        lines = [f"n = {self.number(5)}"]
        scope.bind("n")
        for _ in range(1 + self.number(2)):
            lines += self.definition(scope, 1)
        lines += [f"RESULT.append({self.function(scope)})", f"RESULT.append({self.function(scope)})"]
        if self.chance(30):
            # A variable that functions outside read would have another value where the pickle is loaded, rewrite or not.
            lines += [f"{self.pick(['n', 'x'])} = {self.integer(scope)}"]
        return ['if __name__ == "__main__":', *indented(lines)]

    def top_function(self, index: int) -> Lines:
        """A function that pickles already, decorated or not."""
        inner = Scope(self.module, owned={"x", "y"}, bound={"x", "y"})
        self.built.append(f"top{index}")
        self.module.owned.add(f"top{index}")
        self.module.bind(f"top{index}", Shape(1))
        return [
            *self.decorators(self.module, "plain"),
            f"def top{index}(x, y=2):",
            f"    return {self.anything(inner)}",
        ]

    # -- build and observe ----------------------------------------------------------------------------------------

    def _call(self, name: str, flavour: str) -> None:
        for _ in range(2 if self.chance(70) else 1):
            arguments = [str(self.number(5)), *([f"k={self.number(5)}"] if self.chance(40) else [])]
            if flavour == "generator":
                self.built.append(f"attempt(drain, {name}, {arguments[0]})")
            elif flavour == "async":
                self.built.append(f"attempt(drive, {name}({', '.join(arguments)}))")
            else:
                self.built.append(f"attempt({', '.join([name, *arguments])})")

    def _build(self, hooks: bool) -> Lines:
        lines = ["def build():", "    result = ["]
        lines += [f"        {part}," for part in self.built]
        lines += ["    ]"]
        if self.chance(30):
            lines.append("    attempt(warm, result)")
        if hooks:
            lines += ["    result.append(dict(HOOKS))", "    HOOKS.clear()"]
        return [*lines, "    return result"]

    def _observe(self) -> Lines:
        lines = ["def observe(obj):", "    global MODE", f"    MODE = {self.pick([1, 30])}"]
        return [*lines, "    return obj"]


def program(seed: bytes, budget: int = 14) -> str:
    """The text of the program that belongs to a seed."""
    source = random.Random(seed)
    while True:
        text = Modules(source, budget).program()
        if not syntax_error(text):  # a nonlocal name that nothing assigns, once in a thousand
            return text


def programs() -> st.SearchStrategy[str]:
    """Source texts of programs.

    Hypothesis draws the seed only: were it to draw every decision, most of its examples would be small mutations of
    earlier ones. What fails is reduced by ``reducing`` instead, which knows statements.
    """
    return st.binary(min_size=8, max_size=8).map(program)
