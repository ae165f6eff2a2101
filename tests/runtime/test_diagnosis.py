"""What error texts mean, in every form in which they are pasted."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable

import pytest

from codemods.runtime.diagnosis import diagnose
from codemods.runtime.wordings import kinds, wordings
from tests.runtime.texts import ADDRESS, FRAMES, LOCK, ORDINARY, PICKLING

FORMS: dict[str, Callable[[str], bytes]] = {
    "as printed": lambda text: text.encode(),
    "one line": lambda text: " ".join(text.split()).encode(),
    "quoted": lambda text: "".join(f"> {line}\n" for line in text.splitlines()).encode(),
    "logged": lambda text: "".join(
        f"2024-05-01 10:00:{row:02} ERROR [worker-{row}] app: {line}\n" for row, line in enumerate(text.splitlines())
    ).encode(),
    "rank": lambda text: "".join(f"[rank0]: {line}\n" for line in text.splitlines()).encode(),
    "carriage returns": lambda text: text.replace("\n", "\r\n").encode(),
    "json": lambda text: json.dumps({"level": "error", "message": text}).encode(),
    "utf-16": lambda text: text.encode("utf-16"),
    "coloured": lambda text: re.sub(r"(\w+Error)\b", "\x1b[1;35m\\1\x1b[0m", text).encode(),
    "among others": lambda text: b"INFO step 1\n" * 30 + text.encode() + b"\nINFO bye\n" * 5,
    "group": lambda text: b"  + Exception Group Traceback (most recent call last):\n"
    + "".join(f"  | {line}\n" for line in text.splitlines()).encode(),
}
# A sentence without the class of its exception is only taken for one where there is nothing else.
_ALONE = {"sentence"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", PICKLING)
def test_kind_and_object(name: str, form: str) -> None:
    text, kind, blamed = PICKLING[name]
    if form == "group" and name in _ALONE:
        pytest.skip("not in a traceback")
    diagnosis = diagnose(FORMS[form](text))
    assert diagnosis.kind == kind
    assert blamed is None or blamed in (diagnosis.qualname, diagnosis.object)


@pytest.mark.parametrize("form", ["as printed", "quoted", "logged", "carriage returns", "utf-16"])
@pytest.mark.parametrize("name", ORDINARY)
def test_no_false_alarm(name: str, form: str) -> None:
    assert diagnose(FORMS[form](ORDINARY[name])).kind == "unrelated"


def test_garbage() -> None:
    assert diagnose(bytes(range(256)) * 1000).kind == "unrelated"
    assert diagnose(os.urandom(100_000)).kind == "unrelated"


@pytest.mark.parametrize(
    ("message", "python"),
    [
        (FRAMES + LOCK, "3.11"),
        (LOCK, None),
        ("AttributeError: Can't get local object 'f.<locals>.g'", "3.13"),
        (f"PicklingError: Can't pickle local object <function f.<locals>.g at {ADDRESS}>", "3.14+"),
    ],
)
def test_the_version_of_python(message: str, python: str | None) -> None:
    assert diagnose(message.encode()).python == python


def test_notes_become_a_path() -> None:
    notes = [
        "dict item 'lock'", "m.Holder state", "m.Holder object", "tuple item 1", "dict item 'x'", "list item 1",
        "dict item 'items'", "m.Data state", "m.Data object", "dict item 'ds'",
    ]  # fmt: skip
    text = FRAMES + "\n".join([LOCK, *(f"when serializing {note}" for note in notes)])
    for form in ("as printed", "one line"):
        diagnosis = diagnose(FORMS[form](text))
        assert diagnosis.path == "obj['ds'].items[1]['x'][1].lock"
        assert (diagnosis.owner, diagnosis.attribute) == ("m.Holder", "lock")


def test_the_result_of_a_worker() -> None:
    sending = FRAMES.replace("in dump", "in _sendback_result")
    assert diagnose((sending + LOCK).encode()).kind == "worker_result"
    text = "MaybeEncodingError: Error sending result: '[dict_keys([1])]'. Reason: 'TypeError(\"cannot pickle 'dict_keys' object\")'"
    diagnosis = diagnose(text.encode())
    assert (diagnosis.kind, diagnosis.object) == ("worker_result", "dict_keys")


def test_every_wording_has_a_meaning() -> None:
    special = {"local", "named"}
    assert {wording.kind for wording in wordings()} - special <= set(kinds())
    assert {wording.needs for wording in wordings()} <= {"", "loading", "hooks", "alone"}
