"""Writes the statements of functions."""

from __future__ import annotations

from collections.abc import Callable

from .functions import Functions
from .scope import FUNCTIONS, INTEGERS, Scope, Shape, is_integer

Lines = list[str]


def indented(lines: Lines) -> Lines:
    """The lines as a block."""
    return ["    " + line for line in lines]


class Statements(Functions):
    """Blocks of statements. Where ``out`` is in sight, functions escape through it."""

    def block(self, scope: Scope, most: int, level: int = 2) -> Lines:
        """Up to ``most`` statements, at least one.

        Args:
            level: how deeply statements may still be nested.
        """
        lines: Lines = []
        for _ in range(most):
            if lines and not self.chance(75):
                break
            lines += self.statement(scope, level)
            if _ends(lines[-1]):
                break
        return lines

    def statement(self, scope: Scope, level: int) -> Lines:
        """One statement, over as many lines as it needs."""
        self.budget -= 1
        options: list[tuple[int, Callable[[Scope, int], Lines]]] = [
            (12, self.assignment),
            (3, self.augmented),
            (3, self.effect),
            (2, self.unpacking),
        ]
        if "out" in scope.owned:
            options += [(16, self.escape)]
        if self.budget > 0:
            options += [
                (12, self.named_lambda),
                (16, self.definition),
                (2, self.deletion),
                (4, self.attribute_of_function),
                (1, self.local_import),
                (1, self.list_assignment),
            ]
        if self.budget > 0 and level > 0:
            options += [
                (4, self.for_loop),
                (3, self.while_loop),
                (5, self.branches),
                (5, self.attempts),
                (3, self.with_block),
                (3, self.match),
                (3, self.local_class),
            ]
        if scope.loops:
            options += [(14, self.leave_loop)]
        if scope.flavour == "generator":
            options += [(5, self.yields)]
        return self.weighted(options)(scope, level)

    # -- simple statements ----------------------------------------------------------------------------------------

    def targets(self, scope: Scope) -> list[str]:
        """The integers that may be assigned here, the more likely ones more often."""
        names = sorted(scope.owned | scope.shared)
        return [name for name in names if is_integer(name) and name != "d" and not name.startswith("turn")]

    def target(self, scope: Scope) -> str | None:
        """A variable to assign; most often one that has no value yet."""
        names = self.targets(scope)
        fresh = [name for name in names if name not in scope.bound and name in scope.owned]
        if fresh and self.chance(70):
            return self.pick(fresh)
        return self.pick(names) if names else None

    def assignment(self, scope: Scope, level: int) -> Lines:
        """``n = …``."""
        value = self.integer(scope)
        name = self.target(scope)
        if name is None:
            return [f"note({value})"]
        scope.bind(name)
        annotation = ": int" if name not in scope.shared and self.chance(6) else ""
        return [f"{name}{annotation} = {value}"]

    def augmented(self, scope: Scope, level: int) -> Lines:
        """``n += …``."""
        names = [name for name in self.targets(scope) if name in scope.bound | scope.shared]
        if not names:
            return self.assignment(scope, level)
        return [f"{self.pick(names)} {self.pick(['+=', '-=', '*='])} {self.integer(scope, 1)}"]

    def unpacking(self, scope: Scope, level: int) -> Lines:
        """Several targets at once."""
        value = f"{self.integer(scope, 1)}, {self.integer(scope, 1)}"
        first, second = self.target(scope), self.target(scope)
        if first is None or second is None or first == second:
            return self.assignment(scope, level)
        scope.bind(first)
        scope.bind(second)
        return [self.pick([f"{first}, {second} = {value}", f"({first}, [{second}, *_]) = 1, [{value}]"])]

    def list_assignment(self, scope: Scope, level: int) -> Lines:
        """A list that closures may share."""
        if scope.kind != "function" or "xs" in scope.lists:
            lists = [name for name in self.lists(scope) if name != "out"]
            return [f"{self.pick(lists)}.append({self.atom(scope)})"] if lists else self.assignment(scope, level)
        scope.owned.add("xs")
        scope.lists.add("xs")
        return [f"xs = [{self.atom(scope)}]"]

    def effect(self, scope: Scope, level: int) -> Lines:
        """Something that shows up in the trace."""
        return [f"note({self.anything(scope)})"]

    def deletion(self, scope: Scope, level: int) -> Lines:
        """``del n``, sometimes under a condition."""
        names = [name for name in self.targets(scope) if name in scope.bound]
        if not names:
            return self.assignment(scope, level)
        name = self.pick(names)
        if self.chance(40):
            condition = self.atom(scope)
            scope.unbind(name)
            return [f"if {condition} > 1:", f"    del {name}"]
        scope.unbind(name)
        return [f"del {name}"]

    def local_import(self, scope: Scope, level: int) -> Lines:
        """An import that closures may capture."""
        if scope.kind != "function":
            return self.assignment(scope, level)
        scope.owned |= {"add", "math"}
        scope.shapes["add"] = Shape(2)
        scope.bound.add("add")
        return [self.pick(["from operator import add", "from operator import add, mul as _mul", "from operator import add"])]

    def attribute_of_function(self, scope: Scope, level: int) -> Lines:
        """``run.tag = …`` on a function of this scope."""
        names = [name for name in sorted(scope.bound) if name in FUNCTIONS]
        if not names:
            return self.named_lambda(scope, level)
        return [f"{self.pick(names)}.{self.pick(['tag', 'calls'])} = {self.atom(scope)}"]

    def yields(self, scope: Scope, level: int) -> Lines:
        """Hand a value out of a generator."""
        value = self.function(scope) if self.chance(50) else self.anything(scope, 1)
        return [f"yield {value}"]

    def leave_loop(self, scope: Scope, level: int) -> Lines:
        """``break`` or ``continue``, mostly under a condition."""
        word = self.pick(["break", "continue"])
        return [f"if {self.atom(scope)} > 2:", f"    {word}"] if self.chance(80) else [word]

    # -- functions ------------------------------------------------------------------------------------------------

    def function_name(self, scope: Scope) -> str:
        """A name for a function of this scope, most often one that is not taken."""
        owned = [name for name in FUNCTIONS if name in scope.owned]
        fresh = [name for name in owned if name not in scope.bound]
        if owned:
            return self.pick(fresh) if fresh and self.chance(80) else self.pick(owned)
        name = self.pick(FUNCTIONS[:3])
        scope.owned.add(name)
        return name

    def named_lambda(self, scope: Scope, level: int) -> Lines:
        """``run = lambda …``."""
        if scope.kind != "function":
            return self.assignment(scope, level)
        text, shape = self.lambda_with_shape(scope)
        name = self.function_name(scope)
        scope.bind(name, shape)
        return [f"{name} = {text}"]

    def definition(self, scope: Scope, level: int) -> Lines:
        """A nested function."""
        if depth_of(scope) > 3:
            return self.named_lambda(scope, level)
        name = self.function_name(scope)
        flavour = self.weighted([(14, "plain"), (2, "generator"), (1, "async"), (1, "async generator")])
        signature = self.signature(scope, rich=True, annotated=True)
        inner = self.function_scope(scope, signature, flavour)
        lines = self._declarations(inner)
        self.own_variables(inner)
        if recursive := flavour == "plain" and signature.shape.descends and self.chance(50):
            inner.shapes[name] = signature.shape
        scope.bind(name, signature.shape if flavour == "plain" else Shape(signature.shape.required))
        lines += self.function_body(inner, signature.others)
        if recursive:
            lines = [*_leading(lines), "if d > 0:", f"    return ({name}(d - 1), d)", *lines[len(_leading(lines)) :]]
        word = "async def" if flavour.startswith("async") else "def"
        returns = " -> object" if self.chance(6) else ""
        decorators = self.decorators(scope, flavour)
        lead = ["# A comment that belongs to the function."] if self.chance(5) else []
        header = [*lead, *decorators, f"{word} {name}({signature.text}){returns}:"]
        return header + indented(self._documented(self.settled(inner, lines)))

    def own_variables(self, scope: Scope) -> None:
        """Choose which names are variables of a function."""
        taken = scope.owned | scope.shared
        scope.owned |= {name for name in self.some(INTEGERS, 3) if name not in taken}
        scope.owned |= {name for name in self.some(FUNCTIONS, 2) if name not in taken}

    def _declarations(self, inner: Scope) -> Lines:
        lines: Lines = []
        parameters = set(inner.owned)
        outer = [name for name in inner.outer_variables() if name not in parameters]
        if outer and self.chance(28):
            names = self.some(outer, 2) or [self.pick(outer)]
            for name in names:
                inner.promise(name)
            lines.append(f"nonlocal {', '.join(names)}")
        if self.chance(6) and "MODE" not in parameters:
            inner.shared.add("MODE")
            lines.append("global MODE")
        return lines

    def settled(self, scope: Scope, lines: Lines) -> Lines:
        """Assign what an inner function declares ``nonlocal`` and nothing has assigned yet, early or late."""
        for name in sorted(scope.promised - scope.bound - scope.maybe):
            early = self.chance(70) or not lines[-1].startswith(("return", "yield"))
            place = len(_leading(lines)) if early else len(lines) - 1
            lines = [*lines[:place], f"{name} = {self.number(5)}", *lines[place:]]
        return lines

    def _documented(self, lines: Lines) -> Lines:
        return ['"""Say what it is for."""', *lines] if self.chance(10) else lines

    def function_body(self, inner: Scope, others: list[str]) -> Lines:
        """What a nested function does, up to what it returns."""
        lines: Lines = []
        if inner.shared and self.chance(85):
            name = self.pick(sorted(inner.shared))
            lines.append(f"{name} {self.pick(['+= 1', f'= {self.integer(inner, 1)}', '+= 2'])}")
        if "acc" in others:
            lines.append(f"acc.append({self.atom(inner)})")
        if self.chance(45) and self.budget > 0:
            lines += self.block(inner, 3, level=1)
        if lines and _ends(lines[-1]):
            return lines
        return lines + self.final(inner, others)

    def final(self, inner: Scope, others: list[str]) -> Lines:
        """The last statement of a nested function."""
        forms = {"acc": "list(acc)", "args": "args", "kw": "sorted(kw.items())"}
        extras = [forms[name] for name in others if name in forms]
        if "fn" in others:
            extras.append(f"fn({self.atom(inner)})")
        value = self.anything(inner)
        if inner.flavour == "async" and self.chance(60):
            value = f"({value}, await pause({self.atom(inner)}))"
        if inner.flavour in ("generator", "async generator"):
            first = [f"yield {self.atom(inner)}"] if self.chance(50) else []
            return [*first, f"yield ({', '.join([value, *extras])},)"]
        if not extras and self.chance(14):
            return [f"return {self.function(inner)}"]
        return [f"return ({', '.join([value, *extras])})"]

    def decorators(self, scope: Scope, flavour: str) -> Lines:
        """Now and then a decorator."""
        if not self.chance(7):
            return []
        options = ["@traced", "@registered", "@functools.lru_cache(maxsize=None)", "@functools.wraps(note)", "@tagged(3)"]
        usable = [name for name in options if not name.startswith("@functools") or scope.means_builtin("functools")]
        return [self.pick(usable)]

    # -- ways out -------------------------------------------------------------------------------------------------

    def escape(self, scope: Scope, level: int) -> Lines:
        """Let a function outlive its scope."""
        value = self.function(scope)
        options = [
            (12, [f"out.append({value})"]),
            (4, [f"out.append(({self.atom(scope)}, {value}))"]),
            (3, [f'out.append({{"key": {value}}})']),
            (3, [f"out += [{value}]"]),
            (3, [f"out.append(Task({value}, note={self.atom(scope)}))"]),
            (3, ["box = Box()", f"box.action = {value}", "out.append(box)"]),
            (2, [f'HOOKS["hook"] = {value}']),
            (2, ["same = " + value, "out.append(same)", "out.append(same)"]),
            (2, [f"out.extend({value} for _ in range(2))"]),
            (2, [f"out.append(map({value}, (1, 2)))"]),
            (3, [f"out.append([{self._in_comprehension(scope)}])"]),
            (2, [f"out.append(collections.defaultdict(lambda: {self.anything(Scope(scope), 1)}))"]),
            (1, [f"out.append(collections.defaultdict(lambda: {self.pick(['0', '[]', 'collections.defaultdict(int)'])}))"]),
            (2, [f"out.append(sorted([2, 1], key={value}))"]),
            (1, [f"table = {{{value}: {self.atom(scope)}}}", "out.append(len(list(table)))"]),
            (1, [f"first, second = {value}, {self.function(scope)}", "out.append((first is second, first))"]),
            (2, [f"return {value}" if scope.flavour == "plain" else f"out.append({value})"]),
            (1, [f"return out, {value}" if scope.flavour == "plain" else f"out.append({value})"]),
        ]
        lines = self.weighted(options)
        written = {"box", "same", "table", "first", "second"} & {line.split(" ")[0].rstrip(",") for line in lines}
        if scope.kind == "function":
            scope.owned |= written
        if "HOOKS" not in lines[0] and self.chance(2) and scope.kind == "function":
            return [f'globals()["hook"] = {value}']
        return lines

    def _in_comprehension(self, scope: Scope) -> str:
        name = self.pick(INTEGERS[:5])
        inner = Scope(scope, "comprehension", owned={name}, bound={name})
        if self.chance(50):
            return f"{self.lambda_expression(inner)} for {name} in range(2)"
        used = self.pick([f"{name}={name}", f"x={name}", f"*, {name}={name}"])
        parameter = used.split("=")[0].removeprefix("*, ")
        body = self.anything(Scope(inner, owned={parameter}, bound={parameter}), 1)
        return f"lambda {used}: ({parameter}, {body}) for {name} in range(2)"

    # -- compound statements --------------------------------------------------------------------------------------

    def for_loop(self, scope: Scope, level: int) -> Lines:
        """``for`` over a few integers."""
        name = self.target(scope) or "_"
        over = self.iterable(scope)
        scope.bind(name)
        scope.loops += 1
        with scope.branch():
            body = self.block(scope, 3, level - 1)
        scope.loops -= 1
        lines = [f"for {name} in {over}:", *indented(body)]
        return lines + self._otherwise(scope, level)

    def while_loop(self, scope: Scope, level: int) -> Lines:
        """``while``, counted by a variable that nothing else assigns."""
        if scope.kind != "function":
            return self.for_loop(scope, level)
        name = f"turn{len([name for name in scope.owned if name.startswith('turn')])}"
        scope.owned.add(name)
        scope.bind(name)
        scope.loops += 1
        with scope.branch():
            body = self.block(scope, 3, level - 1)
        scope.loops -= 1
        lines = [f"{name} = 0", f"while {name} < 2:", f"    {name} += 1", *indented(body)]
        return lines + self._otherwise(scope, level)

    def _otherwise(self, scope: Scope, level: int) -> Lines:
        if not self.chance(25):
            return []
        with scope.branch():
            return ["else:", *indented(self.block(scope, 2, level - 1))]

    def branches(self, scope: Scope, level: int) -> Lines:
        """``if``, with or without ``else``."""
        lines = [f"if {self.integer(scope, 1)} > {self.number(4)}:"]
        before = set(scope.bound)
        lines += indented(self.block(scope, 2, level - 1))
        first = set() if not self.chance(60) else None
        after_then = set(scope.bound)
        scope.bound = set(before)
        if first is None:
            lines += ["else:", *indented(self.block(scope, 2, level - 1))]
        scope.maybe |= after_then ^ scope.bound
        scope.bound &= after_then
        return lines

    def attempts(self, scope: Scope, level: int) -> Lines:
        """``try`` with handlers, ``else`` and ``finally``."""
        lines = ["try:"]
        with scope.branch():
            body = self.block(scope, 2, level - 1)
            raising = ["note(1 // 0)", f"raise KeyError({self.atom(scope)})", f"note(7 // {self.atom(scope)})"]
            if self.chance(50) and not _ends(body[-1]):
                body.append(self.pick(raising))
            elif "out" in scope.owned and self.chance(35) and not _ends(body[-1]) and scope.flavour == "plain":
                body.append(f"return {self.function(scope)}")
        lines += indented(body)
        handled = self.chance(80)
        if handled:
            lines += self._handlers(scope, level)
            if self.chance(20):
                with scope.branch():
                    lines += ["else:", *indented(self.block(scope, 1, level - 1))]
        if not handled or self.chance(40):
            lines += ["finally:", *indented(self._cleanup(scope, level))]
        return lines

    def _handlers(self, scope: Scope, level: int) -> Lines:
        lines: Lines = []
        for kinds in self.pick([["Exception"], ["(ZeroDivisionError, KeyError, TypeError)"], ["KeyError", "Exception"]]):
            name = self.target(scope) if self.chance(30) else None
            lines.append(f"except {kinds} as {name}:" if name else f"except {kinds}:")
            with scope.branch():
                lines += indented(self.block(scope, 2, level - 1))
            if name:
                scope.unbind(name)
        return lines

    def _cleanup(self, scope: Scope, level: int) -> Lines:
        if self.chance(60) and (name := self.target(scope)):
            scope.bind(name)
            return [f"{name} = {self.integer(scope, 1)}"]
        with scope.branch():
            return self.block(scope, 1, level - 1)

    def with_block(self, scope: Scope, level: int) -> Lines:
        """``with``, over managers that may swallow exceptions."""
        managers = ["contextlib.nullcontext(5)", "Swallow()", "contextlib.suppress(ZeroDivisionError, KeyError)"]
        manager = self.pick(managers)
        name = self.target(scope) if not manager.startswith("contextlib.s") and self.chance(70) else None
        if name:
            scope.bind(name)
        with scope.branch():
            body = self.block(scope, 2, level - 1)
            if not _ends(body[-1].strip()) and self.chance(40) and "null" not in manager:
                body.append("note(1 // 0)")
        return [f"with {manager} as {name}:" if name else f"with {manager}:", *indented(body)]

    def match(self, scope: Scope, level: int) -> Lines:
        """``match`` with patterns that bind."""
        subject = self.pick([f"[{self.atom(scope)}, 2]", f'{{"k": {self.atom(scope)}, "z": 1}}', self.atom(scope)])
        lines = [f"match {subject}:"]
        for _ in range(1 + self.number(2)):
            name = self.target(scope)
            patterns = ["0", "[{0}, *_]", '{{"k": {0}}}', "int() as {0}", "[_, 2 | 3 as {0}]", "int({0}) if {0} > 1"]
            pattern = self.pick(patterns).format(name) if name else "0"
            with scope.branch():
                if name and name in pattern:
                    scope.bind(name)
                lines += ["    case " + pattern + ":", *indented(indented(self.block(scope, 2, level - 1)))]
        if self.chance(40):
            with scope.branch():
                lines += ["    case _:", *indented(indented(self.block(scope, 1, level - 1)))]
        return lines

    # -- classes --------------------------------------------------------------------------------------------------

    def local_class(self, scope: Scope, level: int) -> Lines:
        """A class made in a function, and mostly an instance of it that escapes."""
        if scope.kind != "function":
            return self.assignment(scope, level)
        name = self.pick(["Item", "Local", "Inner"])
        scope.owned.add(name)
        if self.chance(25):
            lines = self._made_class(name)
            made = f"{name}({self.atom(scope)})" if "Enum" not in lines[0] else f"{name}.ONE"
        else:
            base = self.pick(["", "", "", "(Base)", "(Box)", "(Exception)"])
            lines = [f"class {name}{base}:", *indented(self.class_body(Scope(scope, "class"), local=True))]
            made = f"{name}({self.atom(scope)})"
        if "out" in scope.owned:
            lines.append(self.pick([f"out.append({made})", f"out.append(({made}, {made}))", f"out.append({name})"]))
        else:
            lines.append(f"note({made})")
        return lines

    def _made_class(self, name: str) -> Lines:
        return self.pick(
            [
                [f'{name} = collections.namedtuple("{name}", "n k", defaults=[2])'],
                [f"class {name}(enum.Enum):", "    ONE = 1", "    TWO = 2", "    low = lambda self: self.value"],
                ["@dataclasses.dataclass", f"class {name}:", "    n: int = 0", "    fn: object = lambda x: x + 1"],
            ]
        )

    def class_body(self, scope: Scope, local: bool) -> Lines:
        """Attributes and methods; every class can be called with one integer."""
        lines = [f"factor = {self.number(5)}"]
        if local and self.chance(15) and (names := scope.integers()):
            name = self.pick(names)
            lines.append(f"{name} = {name}")
        if self.chance(20):
            lines.append(f"key = {self._class_lambda(scope)}")
        if local and self.chance(8):
            lines.append("items = []")
        lines += self._constructor(scope)
        for index in range(1 + self.number(2)):
            lines += self._small_method(scope, index)
        return lines

    def _class_lambda(self, scope: Scope) -> str:
        inner = Scope(scope, owned={"self", "x"}, bound={"x"}, receiver="self")
        return f"lambda self, x=1: {self.anything(inner, 1)}"

    def _constructor(self, scope: Scope) -> Lines:
        inner = Scope(scope, owned={"self", "n"}, bound={"n"}, receiver="self")
        lines = ["def __init__(self, n=1):", "    self.n = n", "    self.__key = n + 1"]
        if self.chance(35):
            lines.append(f"    self.action = {self.lambda_expression(inner)}")
        if self.chance(10):
            lines.append("    self.myself = lambda: self")
        return lines

    def _small_method(self, scope: Scope, index: int) -> Lines:
        kind = self.number(8)
        if kind == 7:
            inner = Scope(scope, owned={"x"}, bound={"x"})
            return ["@staticmethod", f"def plain{index}(x=1):", f"    return {self.anything(inner, 1)}"]
        if kind == 6:
            inner = Scope(scope, owned={"cls", "x"}, bound={"x"}, receiver="cls")
            return ["@classmethod", f"def made{index}(cls, x=1):", f"    return {self._answer(inner)}"]
        inner = Scope(scope, owned={"self", "x"}, bound={"x"}, receiver="self")
        self.own_variables(inner)
        lines = self.block(inner, 2, 0) if self.chance(35) and self.budget > 0 else []
        if not lines or not _ends(lines[-1]):
            lines.append(f"return {self._answer(inner)}")
        return [f"def method{index}(self, x=1):", *indented(self.settled(inner, lines))]

    def _answer(self, scope: Scope) -> str:
        return self.function(scope) if self.chance(40) else self.anything(scope, 1)


def depth_of(scope: Scope) -> int:
    """How many functions surround a point."""
    depth, around = 0, scope.parent
    while around is not None:
        depth, around = depth + 1, around.parent
    return depth


def _ends(line: str) -> bool:
    """Whether nothing may follow a line in its block."""
    return line.startswith(("return", "raise", "break", "continue"))


def _leading(lines: Lines) -> Lines:
    """The declarations at the start of a body."""
    count = 0
    while count < len(lines) and lines[count].startswith(("nonlocal", "global")):
        count += 1
    return lines[:count]
