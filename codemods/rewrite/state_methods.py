"""The text of ``__getstate__`` and ``__setstate__``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codemods.analysis.state.parts import Drop, Part
from codemods.analysis.state.plan import StatePlan
from codemods.analysis.state.shapes import Form

_STEP = "    "
_MOST_SINGLE_LINES = 3
"""How many attributes are removed one by one, before a loop reads better."""


def method_lines(plan: StatePlan) -> list[str]:
    """The lines of the methods that the class lacks, without its indentation, with a blank line between them.

    An expression that fills several lines is one of them: nothing may indent what could be the inside of a string.
    """
    lines = [line for method in MethodWriter(plan).methods() for line in ("", *method)]
    return lines[1:]


def drop_lines(plan: StatePlan, state: str) -> list[str]:
    """The lines that an existing ``__getstate__`` lacks.

    Args:
        plan: what the methods do.
        state: what the method calls the state.
    """
    return list(MethodWriter(plan, state).drops())


def restore_lines(plan: StatePlan, state: str) -> list[str]:
    """The lines that an existing ``__setstate__`` lacks.

    Args:
        plan: what the methods do.
        state: what the method calls the state.
    """
    writer = MethodWriter(plan, state)
    return [*writer.imports(), *writer.restored()]


class MethodWriter:
    """Writes the methods of one class.

    Args:
        plan: what they do.
        state: what they call the state.
    """

    def __init__(self, plan: StatePlan, state: str | None = None) -> None:
        self.plan = plan
        self.instance = plan.instance
        texts = [part.value for part in plan.parts] + [plan.instance]
        is_taken = any(re.search(r"(?<![.\w])state\b", text) for text in texts)
        self.state = state or ("saved_state" if is_taken else "state")
        rebuilt = [part for part in plan.parts if part.value]
        self.has_setstate = bool(rebuilt) or plan.needs_setstate or plan.form is Form.SLOTS

    def methods(self) -> Iterator[list[str]]:
        if self.plan.existing.returns is None:
            yield self.getstate()
        if self.has_setstate and self.plan.existing.updates is None:
            yield self.setstate()
        if self.plan.keeps_copies:
            yield self.copy()

    def getstate(self) -> list[str]:
        returns = " -> object" if self.plan.is_annotated else ""
        head = f"def __getstate__({self.instance}){returns}:"
        if self.plan.form is Form.SLOTS:
            return [head, *_indented(self.slots())]
        return [head, *_indented([self.whole_state(), *self.drops(), f"return {self.state}"])]

    def whole_state(self) -> str:
        if self.plan.form is Form.DICTIONARY:
            return f"{self.state} = {self.instance}.__dict__.copy()"
        inherited = 'super().__getstate__() if hasattr(super(), "__getstate__") else '
        return f"{self.state} = dict({inherited}{self.instance}.__dict__)"

    def drops(self) -> Iterator[str]:
        state = self.state
        removed = [part for part in self.plan.parts if part.drop is Drop.ALWAYS]
        if len(removed) > _MOST_SINGLE_LINES:
            names = ", ".join(f'"{part.key}"' for part in removed)
            yield f"for name in ({names}):"
            yield f"{_STEP}{state}.pop(name, None)"
        for part in self.plan.parts:
            key = f'"{part.key}"'
            if part.remark:
                yield f"# {part.remark}"
            if part.drop is Drop.ALWAYS:
                if len(removed) <= _MOST_SINGLE_LINES:
                    yield f"{state}.pop({key}, None)"
            elif part.drop is Drop.UNLESS_NONE:
                yield f"if {state}.get({key}) is not None:"
                yield f"{_STEP}del {state}[{key}]"
            elif part.drop is Drop.IF_INSTANCE:
                yield f"if isinstance({state}.get({key}), {part.kind}):"
                yield f"{_STEP}del {state}[{key}]"
            elif part.drop is Drop.IF_PRESENT:
                yield f"if {key} in {state}:"
                yield f"{_STEP}{state}[{key}] = None"
            elif part.drop is Drop.TO_NONE:
                yield f"{state}[{key}] = None"
            else:
                yield f"{state}[{key}] = {part.carried}"

    def setstate(self) -> list[str]:
        if self.plan.is_annotated:
            kind = (
                "tuple[dict[str, object], dict[str, object]]" if self.plan.form is Form.SLOTS else "dict[str, object]"
            )
            head = f"def __setstate__({self.instance}, {self.state}: {kind}) -> None:"
        else:
            head = f"def __setstate__({self.instance}, {self.state}):"
        return [head, *_indented([*self.imports(), *self.update(), *self.restored()])]

    def imports(self) -> list[str]:
        return list(dict.fromkeys(statement for part in self.plan.parts for statement in part.imports))

    def restored(self) -> list[str]:
        return [line for part in self.plan.parts if part.value for line in self.restore(part)]

    def update(self) -> list[str]:
        update = f"{self.instance}.__dict__.update({self.state})"
        if self.plan.form is Form.DICTIONARY:
            return [update]
        if self.plan.form is Form.SLOTS:
            return [
                f"attributes, slots = {self.state}",
                f'getattr({self.instance}, "__dict__", {{}}).update(attributes)',
                "for name, value in slots.items():",
                f"{_STEP}{self.assignment('name', 'value')}",
            ]
        return [
            'if hasattr(super(), "__setstate__"):',
            f"{_STEP}super().__setstate__({self.state})",
            "else:",
            f"{_STEP}{update}",
        ]

    def assignment(self, name: str, value: str) -> str:
        """A statement that sets an attribute whose name is in a variable."""
        function = "object.__setattr__" if self.plan.is_guarded else "setattr"
        return f"{function}({self.instance}, {name}, {value})"

    def restore(self, part: Part) -> list[str]:
        value, state, key = part.value, self.state, f'"{part.key}"'
        if part.drop is Drop.CARRIED and not part.after:
            value = f"{part.value}({state}[{key}])"
        if self.plan.is_guarded:
            lines = [f'object.__setattr__({self.instance}, "{part.key}", {value})']
        else:
            lines = [f"{self.instance}.{part.name} = {value}"]
        if part.after:
            handle = f"{self.instance}.{part.name}"
            lines += [line.format(handle=handle, carried=f"{state}[{key}]") for line in part.after]
        if part.drop in (Drop.UNLESS_NONE, Drop.IF_INSTANCE):
            return [f"if {key} not in {state}:", *_indented(lines)]
        if part.drop is Drop.IF_PRESENT:
            container = "slots" if self.plan.form is Form.SLOTS else state
            return [f"if {key} in {container}:", *_indented(lines)]
        return lines

    def slots(self) -> list[str]:
        """All slots that are set, those of heirs included, and the attributes of heirs without slots."""
        left_out = [f'"{part.key}"' for part in self.plan.parts if part.drop is Drop.ALWAYS]
        left_out.extend(['"__dict__"', '"__weakref__"'])
        lines = [
            "slots = {",
            f"{_STEP}name: getattr({self.instance}, name)",
            f"{_STEP}for base in type({self.instance}).__mro__",
            f'{_STEP}for name in getattr(base, "__slots__", ())',
            f"{_STEP}if name not in ({', '.join(left_out)}) and hasattr({self.instance}, name)",
            "}",
        ]
        for part in self.plan.parts:
            if part.remark:
                lines.append(f"# {part.remark}")
            if part.drop is Drop.IF_PRESENT:
                lines += [f'if "{part.key}" in slots:', f'{_STEP}slots["{part.key}"] = None']
        return [*lines, f'return getattr({self.instance}, "__dict__", {{}}), slots']

    def copy(self) -> list[str]:
        """A ``__copy__`` that shares what the state leaves out, as copies did before there was a state."""
        head = f"def __copy__({self.instance}):"
        return [
            head,
            *_indented(
                [
                    f"other = type({self.instance}).__new__(type({self.instance}))",
                    f"other.__dict__.update({self.instance}.__dict__)",
                    "return other",
                ]
            ),
        ]


def _indented(lines: list[str] | Iterator[str]) -> list[str]:
    return [_STEP + line if line else line for line in lines]
