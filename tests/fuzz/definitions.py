"""Writes nested functions."""

from __future__ import annotations

from .lines import Lines, declarations, ends, indented, is_simple
from .scope import FUNCTIONS, INTEGERS, Scope, Shape
from .simple import Simple


class Definitions(Simple):
    """Functions inside functions."""

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

    def attribute_of_function(self, scope: Scope, level: int) -> Lines:
        """``run.tag = …`` on a function of this scope."""
        names = [name for name in sorted(scope.bound) if name in FUNCTIONS]
        if not names:
            return self.named_lambda(scope, level)
        return [f"{self.pick(names)}.{self.pick(['tag', 'calls'])} = {self.atom(scope)}"]

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
            count = declarations(lines)
            lines = [*lines[:count], "if d > 0:", f"    return ({name}(d - 1), d)", *lines[count:]]
        word = "async def" if flavour.startswith("async") else "def"
        returns = " -> object" if self.chance(6) else ""
        decorators = self.decorators(scope, flavour)
        lead = ["# A comment that belongs to the function."] if self.chance(5) else []
        header = f"{word} {name}({signature.text}){returns}:"
        body = self._documented(self.settled(inner, lines))
        if len(body) < 3 and all(is_simple(line) for line in body) and self.chance(10):
            return [*lead, *decorators, f"{header} {'; '.join(body)}"]
        return [*lead, *decorators, header, *indented(body)]

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
            place = declarations(lines) if early else len(lines) - 1
            lines = [*lines[:place], f"{name} = {self.number(5)}", *lines[place:]]
        return lines

    def _documented(self, lines: Lines) -> Lines:
        texts = ['"""Say what it is for."""', '"""Say what it is for.\n\n  In two paragraphs.\n"""']
        return [self.pick(texts), *lines] if self.chance(10) else lines

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
        if lines and ends(lines[-1]):
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
        options = [
            "@traced",
            "@registered",
            "@functools.lru_cache(maxsize=None)",
            "@functools.wraps(note)",
            "@tagged(3)",
        ]
        options += [f"@{name}" for name in scope.functions()[:1]]
        if scope.kind == "module":
            options.remove("@functools.lru_cache(maxsize=None)")
        usable = [name for name in options if not name.startswith("@functools") or scope.means_builtin("functools")]
        return [self.pick(usable)]


def depth_of(scope: Scope) -> int:
    """How many functions and classes surround a point."""
    depth, around = 0, scope.parent
    while around is not None:
        depth, around = depth + 1, around.parent
    return depth
