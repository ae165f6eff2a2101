"""Entries of the catalog as plain values, in the schema of the files."""

from __future__ import annotations

from codemods.catalog.entries import Base, Condition, Consumer, Interest, Missing, Parameter, Resource, Sink


def described(entry: Resource) -> dict[str, object]:
    """What an entry says, without its name; what it leaves open is left out.

    Args:
        entry: the entry.
    """
    interest = Interest.EVIDENCE if entry.needs_evidence else Interest.ON
    values: dict[str, object] = {
        "error": entry.error,
        "versions": entry.versions,
        "restore": entry.restore.value,
        "default": interest.value,
        "changes": sorted(entry.changes),
        "setup": entry.setup,
        "type": entry.is_type,
        "view": entry.is_view,
        "deepcopies": entry.deepcopies,
        "reducer": entry.reducer,
        "note": entry.note,
        "source": entry.source,
    }
    return {key: value for key, value in values.items() if value}


def described_sink(entry: Sink) -> dict[str, object]:
    """What an entry says of a call that pickles, its name and parameters as ``calls`` has them."""
    values: dict[str, object] = {
        "calls": [_call(entry.name, entry.travels)],
        "returns": list(entry.returns),
        "serialiser": entry.serialiser.value,
        "when": entry.when.value,
        "only-if": [_condition(condition) for condition in entry.conditions],
        "accepts": entry.accepts.value,
        "source": entry.source,
        "note": entry.note,
    }
    return {key: value for key, value in values.items() if value}


def described_consumer(entry: Consumer) -> list[dict[str, object]]:
    """What an entry says of a call that does something with its arguments: one table for each thing."""
    tables: list[dict[str, object]] = [
        {
            "calls": [_call(entry.name, use.parameters)],
            "kind": use.kind.value,
            "into": _parameter(use.into) if use.into is not None else "",
            "source": use.source,
            "note": use.note,
        }
        for use in entry.uses
    ]
    return [{key: value for key, value in table.items() if value} for table in tables]


def described_base(entry: Base) -> dict[str, object]:
    """What an entry says of a class whose instances are pickled by habit."""
    values = {"names": [entry.name], "habit": entry.habit, "when": entry.when.value, "source": entry.source}
    return {key: value for key, value in values.items() if value}


def _call(name: str, parameters: tuple[Parameter, ...]) -> str:
    return f"{name}({', '.join(map(_parameter, parameters))})" if parameters else name


def _parameter(parameter: Parameter) -> str:
    position = "" if parameter.position is None else f"@{parameter.position}"
    return f"{'*' * parameter.stars}{parameter.name}{position}{':items' * parameter.items}"


def _condition(condition: Condition) -> dict[str, object]:
    values: dict[str, object] = {"parameter": _parameter(condition.parameter)}
    if not isinstance(condition.default, Missing):
        values["default"] = condition.default
    if condition.given:
        values["given"] = True
    elif condition.instance is not None:
        values["type"] = condition.instance
    elif condition.equals:
        values["is"] = list(condition.equals)
    else:
        values["is-not"] = list(condition.differs)
    return values
