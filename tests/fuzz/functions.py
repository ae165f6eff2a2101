"""Writes lambdas and signatures: everything about functions that is an expression."""

from __future__ import annotations

from dataclasses import dataclass, field

from .expressions import Expressions
from .scope import INTEGERS, Scope, Shape

PARAMETERS = ("x", "y", "k", "i", "n", "a")


@dataclass
class Signature:
    """The parameters of a function that is being written.

    Args:
        text: what stands between the parentheses.
        integers: the parameters that hold integers.
        shape: how the function is called.
        others: parameters with a meaning of their own, such as ``acc``, ``fn``, ``args`` and ``kw``.
    """

    text: str
    integers: list[str]
    shape: Shape
    others: list[str] = field(default_factory=list)


class Functions(Expressions):
    """Lambdas, signatures, and expressions whose value is a function."""

    def signature(self, scope: Scope, rich: bool, annotated: bool = False) -> Signature:
        """Parameters, with defaults that are evaluated in ``scope``.

        Args:
            rich: every kind of parameter and default may appear; a function of the module gets no mutable default, for
                what such a default holds does not travel with a pickle.
            annotated: annotations may appear.
        """
        if not rich or self.chance(35):
            return self._plain_signature(scope)
        names = self.some(PARAMETERS, 3)
        parts, others = [], []
        required, defaulted = 0, False
        slash = self.number(len(names) + 1) if names and self.chance(35) else 0
        for index, name in enumerate(names):
            defaulted = defaulted or self.chance(35)
            required += not defaulted
            parts.append(self._parameter(scope, name, defaulted, annotated))
            if index + 1 == slash:
                parts.append("/")
        if self.chance(15) and scope.kind != "module":
            parts.append(f"acc={self.pick(['[]', '[0]'])}")
            others.append("acc")
        if self.chance(12):
            parts.append(f"fn={self.function(scope, 1)}")
            others.append("fn")
        star = self.chance(20)
        if star:
            parts.append("*args")
            others.append("args")
        keywords = self._keyword_only(scope, names, parts, star, annotated)
        if self.chance(18):
            parts.append("**kw")
            others.append("kw")
        integers = [*names, *(name for name, _ in keywords)]
        needed = tuple(name for name, given in keywords if not given)
        return Signature(", ".join(parts), integers, Shape(required, needed), others)

    def _plain_signature(self, scope: Scope) -> Signature:
        names = self.pick([["x"], [], ["x", "y"], ["d"], ["n"]])
        return Signature(", ".join(names), list(names), Shape(len(names), descends=names == ["d"]))

    def _keyword_only(
        self, scope: Scope, taken: list[str], parts: list[str], star: bool, annotated: bool
    ) -> list[tuple[str, bool]]:
        left = [name for name in PARAMETERS if name not in taken]
        names = self.some(left, 2) if self.chance(30) else []
        if names and not star:
            parts.append("*")
        keywords = []
        for name in names:
            given = self.chance(70)
            parts.append(self._parameter(scope, name, given, annotated))
            keywords.append((name, given))
        return keywords

    def _parameter(self, scope: Scope, name: str, defaulted: bool, annotated: bool) -> str:
        note = (
            ": " + self.pick(["int", '"int"', "object", *self._local_type(scope)])
            if annotated and self.chance(25)
            else ""
        )
        if not defaulted:
            return name + note
        return f"{name}{note} = {self.default(scope, name)}" if note else f"{name}={self.default(scope, name)}"

    def _local_type(self, scope: Scope) -> list[str]:
        """A variable that may stand in an annotation, which is evaluated with the definition."""
        return [self.plain_atom(scope)] if self.chance(20) else []

    def default(self, scope: Scope, name: str) -> str:
        """The default of a parameter; often the idiom ``i=i``."""
        visible = scope.integers()
        if name in visible and self.chance(60):
            return name
        return self.pick([str(self.number(10)), "-1", self.integer(scope, 1), f"note({self.number(10)})", "2 ** 3"])

    def function_scope(self, scope: Scope, signature: Signature, flavour: str = "plain") -> Scope:
        """The scope of a function with this signature, its parameters bound."""
        inner = Scope(scope, flavour=flavour)
        inner.owned |= {*signature.integers, *signature.others}
        inner.bound |= set(signature.integers)
        if "acc" in signature.others:
            inner.lists.add("acc")
        if "fn" in signature.others:
            inner.bound.add("fn")
            inner.shapes["fn"] = Shape(1)
        return inner

    def extras(self, signature: Signature) -> list[str]:
        """Expressions that show the special parameters."""
        forms = {"acc": "list(acc)", "args": "args", "kw": "sorted(kw.items())"}
        return [forms[name] for name in signature.others if name in forms]

    def lambda_expression(self, scope: Scope, depth: int = 2, rich: bool = True) -> str:
        """A lambda, without parentheses around it."""
        return self.lambda_with_shape(scope, depth, rich)[0]

    def lambda_with_shape(self, scope: Scope, depth: int = 2, rich: bool = True) -> tuple[str, Shape]:
        """A lambda, and how it is called."""
        signature = self.signature(scope, rich)
        inner = self.function_scope(scope, signature)
        body = self._lambda_body(inner, depth)
        if extras := self.extras(signature):
            body = f"({', '.join([body, *extras])})"
        return f"lambda {signature.text}: {body}" if signature.text else f"lambda: {body}", signature.shape

    def _lambda_body(self, inner: Scope, depth: int) -> str:
        if self.chance(8) and depth > 0:
            return f"({self.lambda_expression(inner, depth - 1)})"
        if self.chance(6):
            name = self.pick([name for name in INTEGERS[:6] if name not in inner.owned] or ["z"])
            start = self.integer(inner, 1)
            inner.owned.add(name)
            inner.bound.add(name)
            return f"(({name} := {start}), {self.integer(inner, 1)}, {name})"
        if self.chance(4):
            return f"(yield {self.integer(inner, 1)})"
        return self.anything(inner, depth)

    def function(self, scope: Scope, depth: int = 2) -> str:
        """An expression whose value is a function, safe to use as an operand or an argument."""
        names = scope.functions()
        kind = self.number(12)
        if names and kind >= 5:
            name = self.pick(names)
            if kind == 11 and scope.means_builtin("functools"):
                return f"functools.partial({name}, {self.atom(scope)})"
            if kind == 10:
                return f"({name} if {self.atom(scope)} > 1 else {self._parenthesised(scope, depth)})"
            return name
        if kind == 4:
            return f"({self.atom(scope)} and {self._parenthesised(scope, depth)} or abs)"
        if kind == 3 and depth > 1:
            return f"({self._parenthesised(scope, depth)} if {self.atom(scope)} else {self._parenthesised(scope, 1)})"
        return self._parenthesised(scope, depth)

    def _parenthesised(self, scope: Scope, depth: int) -> str:
        text = self.lambda_expression(scope, depth)
        return f"(  # a function\n    {text}\n)" if self.chance(4) else f"({text})"
