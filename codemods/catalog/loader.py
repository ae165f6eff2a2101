"""Reads the catalogs, checks them, and finds entries by name.

The packaged files and the user's configuration have one schema: the tables ``sinks``, ``objects``, ``aliases``,
``consumers``, ``bases``, ``movable`` and ``resources``, whose keys are read by the functions below. A call is written
as its dotted name with the parameters that matter: ``multiprocessing.pool.Pool.map(func@0, iterable@1:items)``.
``@`` gives the position of a parameter that may be passed by position, ``:items`` says that only its items travel.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import TypeVar

from codemods.catalog.entries import (
    Base,
    Condition,
    Construction,
    Consumer,
    Form,
    Interest,
    Kind,
    Parameter,
    Resource,
    Restore,
    Serialiser,
    Sink,
    Use,
    When,
)
from codemods.catalog.tables import CatalogError, Table

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_FILES = ("sinks.toml", "consumers.toml", "bases.toml")
_NAME = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_CALL = re.compile(rf"((?:\*\.)?{_NAME})(?:\((.*)\))?")
_PARAMETER = re.compile(r"(\*{0,2})([^\W\d]\w*)(?:@(\d+))?(:items)?")

_Named = TypeVar("_Named", Sink, Base, Resource)


@dataclass(frozen=True, eq=False)
class Catalog:
    """All entries by name. Look them up with the methods, which know the other names of a thing."""

    sinks: Mapping[str, Sink] = field(default_factory=dict)
    objects: Mapping[str, tuple[Construction, ...]] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    consumers: Mapping[str, Consumer] = field(default_factory=dict)
    bases: Mapping[str, Base] = field(default_factory=dict)
    movable: frozenset[str] = frozenset()
    resources: Mapping[str, Resource] = field(default_factory=dict)

    def canonical(self, name: str) -> str:
        """The name under which the catalog lists what is imported, or called, by another one."""
        if name in self.aliases:
            return self.aliases[name]
        owner, _, last = name.rpartition(".")
        if owner == "builtins":
            return last
        if owner not in self.aliases:
            return name
        name = f"{self.aliases[owner]}.{last}"
        return self.aliases.get(name, name)

    def sink(self, name: str) -> Sink | None:
        """The sink of a dotted name."""
        return self.sinks.get(name) or self.sinks.get(self.canonical(name))

    def consumer(self, name: str) -> Consumer | None:
        """The consumer of a dotted name."""
        return self.consumers.get(name) or self.consumers.get(self.canonical(name))

    def base(self, name: str) -> Base | None:
        """The entry of a class whose subclasses are pickled by habit."""
        return self.bases.get(name) or self.bases.get(self.canonical(name))

    def resource(self, name: str) -> Resource | None:
        """The entry of a constructor; the packaged ones are read when the first one is asked for."""
        for known in (self.resources, _packaged_resources()):
            if found := known.get(name) or known.get(self.canonical(name)):
                return found
        return None

    def attribute(self, name: str) -> Resource | None:
        """The entry that says what attributes of a name hold, whatever is assigned to them."""
        return self.resources.get(f"*.{name}")

    def with_resources(self, entries: tuple[Resource, ...]) -> Catalog:
        """This catalog with more resources, which replace those of the same name."""
        return replace(self, resources={**self.resources, **{entry.name: entry for entry in entries}})

    def with_calls(self, sinks: tuple[Sink, ...], consumers: tuple[Consumer, ...], bases: tuple[Base, ...]) -> Catalog:
        """This catalog with more entries for calls and classes, which replace those of the same name."""
        return replace(
            self,
            sinks={**self.sinks, **{entry.name: entry for entry in sinks}},
            consumers={**self.consumers, **{entry.name: entry for entry in consumers}},
            bases={**self.bases, **{entry.name: entry for entry in bases}},
        )

    def all_sinks(self) -> tuple[Sink, ...]:
        """All sinks, in the order of their names."""
        return tuple(self.sinks[name] for name in sorted(self.sinks, key=lambda name: (name.lower(), name)))

    def all_resources(self) -> tuple[Resource, ...]:
        """All resources, in the order of their names."""
        known = {**_packaged_resources(), **self.resources}
        return tuple(known[name] for name in sorted(known, key=lambda name: (name.lower(), name)))

    def method_sink(self, method: str) -> Sink | None:
        """The sink that a method's bare name stands for, whatever the receiver."""
        return self.sinks.get(f"*.{method}")

    def method_consumer(self, method: str) -> Consumer | None:
        """The consumer that a method's bare name stands for, whatever the receiver."""
        return self.consumers.get(f"*.{method}")

    def constructions(self, name: str) -> tuple[Construction, ...]:
        """What a call of ``name`` may give; the first whose conditions hold is right."""
        canonical = self.canonical(name)
        found = self.objects.get(name) or self.objects.get(canonical)
        if found:
            return found
        return (Construction(name, canonical),) if canonical in self._classes else ()

    def moves_safely(self, name: str) -> bool:
        """Whether a class decorator or metaclass does the same wherever the class stands."""
        return name in self.movable or self.canonical(name) in self.movable

    def extended(self, tables: Mapping[str, object], origin: str) -> Catalog:
        """This catalog with more entries, which replace those of the same name.

        Args:
            tables: the tables by name, in the schema of the packaged files.
            origin: the file that they stand in, for messages.

        Raises:
            CatalogError: if a table, a key or a value is not understood, or a name is given twice.
        """
        return self.extended_by(Table((origin,), tables, tuple(_SECTIONS)), origin)

    def extended_by(self, root: Table, origin: str) -> Catalog:
        """The same with the tables at hand."""
        sinks = _unique(origin, (sink for table in _tables(root, "sinks") for sink in _sinks(table)))
        bases = _unique(origin, (base for table in _tables(root, "bases") for base in _bases(table)))
        return Catalog(
            {**self.sinks, **sinks},
            {**self.objects, **_objects(root)},
            {**self.aliases, **{other: self.aliases.get(name, name) for other, name in _aliases(root).items()}},
            {**self.consumers, **_consumers(root)},
            {**self.bases, **bases},
            self.movable | frozenset(root.strings("movable")),
            {**self.resources, **_unique(origin, _resources(root))},
        )

    @functools.cached_property
    def _classes(self) -> frozenset[str]:
        return frozenset(name.rpartition(".")[0] for name in (*self.sinks, *self.consumers))


@functools.cache
def _packaged_resources() -> Mapping[str, Resource]:
    """The entries of ``resources.toml``, which few files need."""
    return Catalog().extended(_read("resources.toml"), "resources.toml").resources


def resources_of(entries: list[object], origin: str) -> tuple[Resource, ...]:
    """The resources of a user's configuration, written as in ``resources.toml`` or as a lone name.

    Args:
        entries: names, and tables in the schema of the packaged file.
        origin: where they stand, for messages.

    Raises:
        CatalogError: if one of them is not understood.
    """
    return tuple(_resources(Table((origin,), {"resources": entries}, ("resources",))))


def sinks_of(entries: list[object], origin: str) -> tuple[Sink, ...]:
    """The sinks of a user's configuration, written as in ``sinks.toml`` or as a lone call.

    Args:
        entries: calls, and tables in the schema of the packaged file.
        origin: where they stand, for messages.

    Raises:
        CatalogError: if one of them is not understood.
    """
    return tuple(_added(entries, "sinks", origin).sinks.values())


def consumers_of(entries: list[object], origin: str) -> tuple[Consumer, ...]:
    """The consumers of a user's configuration, written as in ``consumers.toml``; see ``sinks_of``."""
    return tuple(_added(entries, "consumers", origin).consumers.values())


def bases_of(entries: list[object], origin: str) -> tuple[Base, ...]:
    """The base classes of a user's configuration, written as in ``bases.toml``; see ``sinks_of``."""
    return tuple(_added(entries, "bases", origin).bases.values())


def _added(entries: list[object], section: str, origin: str) -> Catalog:
    table = Table((origin,), {section: entries}, (section,))
    return Catalog().extended_by(table, origin)


def _read(name: str) -> Mapping[str, object]:
    return tomllib.loads(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))


@functools.cache
def load() -> Catalog:
    """The packaged catalogs.

    Raises:
        CatalogError: if one of them is at fault.
    """
    catalog = Catalog()
    for name in _FILES:
        catalog = catalog.extended(_read(name), name)
    return catalog


_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "sinks": ("calls", "returns", "serialiser", "when", "only-if", "accepts", "source", "note"),
    "objects": ("calls", "gives", "only-if"),
    "aliases": (),
    "consumers": ("calls", "kind", "into", "source", "note"),
    "bases": ("names", "habit", "when", "source"),
    "movable": (),
    "resources": ("names", "error", "versions", "restore", "default", "changes", "setup", "type", "view")
    + ("deepcopies", "reducer", "note", "source"),
}
_CONDITION = ("parameter", "default", "is", "is-not", "type", "given")


def _tables(root: Table, section: str) -> Iterable[Table]:
    shorthand = "names" if section in ("bases", "resources") else "calls"
    return root.tables(section, _SECTIONS[section], shorthand=shorthand)


def _sinks(table: Table) -> Iterable[Sink]:
    returns = table.strings("returns")
    serialiser = table.choice("serialiser", Serialiser, Serialiser.PICKLE)
    when = table.choice("when", When, When.ALWAYS)
    conditions = _conditions(table)
    accepts = table.choice("accepts", Form, Form.CALLABLE)
    source, note = table.string("source"), table.string("note")
    calls = tuple(_calls(table))
    listed = {parameter.name for _, parameters in calls for parameter in parameters}
    for part in returns:
        if part.partition(".")[0] not in listed:
            raise table.error("returns", f"{part!r} is not a parameter of any of its calls")
    for name, parameters in calls:
        own = {parameter.name for parameter in parameters}
        returned = tuple(part for part in returns if part.partition(".")[0] in own)
        yield Sink(name, parameters, returned, serialiser, when, conditions, accepts, source, note)


def _bases(table: Table) -> Iterable[Base]:
    habit, source = table.string("habit"), table.string("source")
    when = table.choice("when", When, When.ALWAYS)
    for name in table.strings("names", required=True):
        yield Base(_dotted(table, "names", name), habit, when, source)


def _resources(root: Table) -> Iterable[Resource]:
    for table in _tables(root, "resources"):
        restore = table.choice("restore", Restore, Restore.NONE)
        needs_evidence = table.choice("default", Interest, Interest.EVIDENCE) is Interest.EVIDENCE
        changes = frozenset(table.strings("changes"))
        for name in table.strings("names", required=True):
            yield Resource(
                _dotted(table, "names", name, is_attribute=name.startswith("*.")),
                table.string("error"),
                table.string("versions"),
                restore,
                needs_evidence,
                changes,
                table.flag("setup"),
                table.flag("type"),
                table.flag("view"),
                table.flag("deepcopies"),
                table.string("reducer"),
                table.string("note"),
                table.string("source"),
            )


def _objects(root: Table) -> dict[str, tuple[Construction, ...]]:
    objects: dict[str, tuple[Construction, ...]] = {}
    for table in _tables(root, "objects"):
        conditions = _conditions(table)
        gives, _, items = table.string("gives", required=True).partition(":")
        if items not in ("", "items"):
            raise table.error("gives", f"{items!r} is not 'items'")
        for name, _ in _calls(table):
            made = Construction(name, _dotted(table, "gives", gives), bool(items), conditions)
            objects[name] = (*objects.get(name, ()), made)
    return objects


def _aliases(root: Table) -> dict[str, str]:
    aliases = root.string_map("aliases")
    for other, name in aliases.items():
        _dotted(root, "aliases", other)
        _dotted(root, "aliases", name)
        if name in aliases:
            raise root.error("aliases", f"{other!r} stands for {name!r}, which is itself an alias")
    return aliases


def _consumers(root: Table) -> dict[str, Consumer]:
    uses: dict[str, list[Use]] = {}
    for table in _tables(root, "consumers"):
        kind = table.choice("kind", Kind)
        into = table.string("into", required=kind is Kind.KEEPS)
        place = _parameter(table, "into", into) if into else None
        source, note = table.string("source"), table.string("note")
        for name, parameters in _calls(table):
            known = uses.setdefault(name, [])
            if any((use.kind, use.into) == (kind, place) for use in known):
                raise table.error("calls", f"{name!r} is listed twice as {kind.value!r}")
            known.append(Use(kind, parameters, place, source, note))
    return {name: Consumer(name, tuple(known)) for name, known in uses.items()}


def _conditions(table: Table) -> tuple[Condition, ...]:
    return tuple(_condition(condition) for condition in table.tables("only-if", _CONDITION))


def _condition(table: Table) -> Condition:
    if len(table.raw.keys() & {"is", "is-not", "type", "given"}) != 1:
        raise table.error("only-if", "takes exactly one of 'is', 'is-not', 'type' and 'given'")
    return Condition(
        _parameter(table, "parameter", table.string("parameter", required=True)),
        table.default("default"),
        table.literals("is"),
        table.literals("is-not"),
        table.string("type") or None,
        "given" in table.raw,
    )


def _calls(table: Table) -> Iterable[tuple[str, tuple[Parameter, ...]]]:
    for text in table.strings("calls", required=True):
        match = _CALL.fullmatch(text)
        if match is None:
            raise table.error("calls", f"{text!r} is not a call such as 'module.function(parameter@0)'")
        name, inner = match.groups()
        yield name, tuple(_parameter(table, "calls", part) for part in inner.split(", ")) if inner else ()


def _parameter(table: Table, key: str, text: str) -> Parameter:
    parameter = _parsed(text)
    if parameter is None:
        raise table.error(key, f"{text!r} is not a parameter such as 'name@0', '*args' or 'name@0:items'")
    return parameter


@functools.cache
def _parsed(text: str) -> Parameter | None:
    match = _PARAMETER.fullmatch(text)
    if match is None:
        return None
    stars, name, position, items = match.groups()
    return Parameter(name, None if position is None else int(position), len(stars), items is not None)


def _dotted(table: Table, key: str, name: str, *, is_attribute: bool = False) -> str:
    if re.fullmatch(_NAME, name[2:] if is_attribute else name) is None:
        raise table.error(key, f"{name!r} is not a dotted name")
    return name


def _unique(origin: str, entries: Iterable[_Named]) -> dict[str, _Named]:
    unique: dict[str, _Named] = {}
    for entry in entries:
        if entry.name in unique:
            raise CatalogError(f"{origin}: {entry.name!r} is listed twice")
        unique[entry.name] = entry
    return unique
