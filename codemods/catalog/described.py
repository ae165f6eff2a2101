"""Entries of the catalog as plain values, in the schema of the files."""

from __future__ import annotations

from codemods.catalog.entries import Interest, Resource


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
