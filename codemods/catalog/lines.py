"""Entries of the catalog as lines of text, for configuration files that know strings only."""

from __future__ import annotations

from codemods.catalog.entries import Form, Serialiser, When


def resource_table(line: str) -> dict[str, object]:
    """The table that a line such as ``library.Client, library.connect: rebuild on type`` stands for.

    Args:
        line: the names, a colon, and what there is to say of them.
    """
    names, _, words = line.partition(":")
    table: dict[str, object] = {"names": [name.strip() for name in names.split(",")]}
    for word in words.split():
        if word in ("type", "setup", "view"):
            table[word] = True
        else:
            table["default" if word in ("on", "evidence") else "restore"] = word
    return table


_WORDS = {
    **dict.fromkeys((item.value for item in Serialiser if item is not Serialiser.SOURCE), "serialiser"),
    **dict.fromkeys((item.value for item in When), "when"),
    **dict.fromkeys((item.value for item in Form), "accepts"),
}
"""What the words after a sink mean; ``source`` is what a callable has to be."""


def entry_table(key: str, line: str) -> dict[str, object]:
    """The table that a line stands for: what it is about, a colon, and what there is to say.

    ``library.submit(func@0, *args): cloudpickle``, ``library.each(func@1): drains``,
    ``library.Dataset: copied into worker processes``.

    Args:
        key: ``sinks``, ``consumers`` or ``bases``.
        line: the line.
    """
    name, _, rest = line.rpartition(": ") if ": " in line else (line, "", "")
    if key == "bases":
        return {"names": [name], "habit": rest.strip()}
    table: dict[str, object] = {"calls": [name]}
    words = rest.split()
    for index, word in enumerate(words):
        if key == "sinks":
            table[_WORDS.get(word, "serialiser")] = word
        elif word == "into":
            table["into"] = " ".join(words[index + 1 : index + 2])
        elif words[index - 1 : index] != ["into"]:
            table["kind"] = word
    return table
