"""From the text of an error to what it means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from codemods.runtime import evidence, notes
from codemods.runtime.names import Named, full_name, shown
from codemods.runtime.tracebacks import Error, Frame, Transcript
from codemods.runtime.transcript import cleaned
from codemods.runtime.wordings import Wording, wordings

_VIEW = re.compile(r"o?dict_(?:keys|values|items)$")
_WHOLE_LINES = ("reduce_contract", "library_refuses", "protocol", "start_method", "bad_data", "load_init_args")
_LONGEST_SENTENCES = 5_000
_APOSTROPHE = "'"
_LONGEST_MESSAGE = 20_000
_CERTAIN, _WARNING, _FOLLOWS, _VAGUE = range(4)
_ON_THE_WAY_OUT = frozenset(
    [
        "local_function",
        "local_lambda",
        "local_class",
        "local_object",
        "toplevel_lambda",
        "class_lambda",
        "name_not_found",
        "not_same_object",
        "dict_view",
        "reduce_contract",
        "state_error",
    ]
)


@dataclass(frozen=True)
class Diagnosis:
    """What an error text means.

    Args:
        kind: one of the kinds of ``wordings.toml``; resources have their type in it, as in ``resource:lock``.
        message: the decisive line of the text.
        qualname: the thing to blame, as its own code names it.
        object: the same with its module, or the type where only that is known.
        module: the module that the text names.
        python: the version or versions of Python that wrote the text.
        path: the way from the pickled object to the offender.
        attribute: the attribute in which it lies.
        owner: the class that has the attribute.
        method: the method of the pickle protocol that failed or does not end.
        notes: the notes of Python 3.14.
        frames: the lines of the traceback, the innermost last.
    """

    kind: str
    message: str = ""
    qualname: str | None = None
    object: str | None = None
    module: str | None = None
    python: str | None = None
    path: str | None = None
    attribute: str | None = None
    owner: str | None = None
    method: str | None = None
    notes: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = field(default=(), repr=False)

    @property
    def family(self) -> str:
        """The kind without the type of the resource."""
        return self.kind.partition(":")[0]

    @property
    def is_pickling(self) -> bool:
        """Whether it has to do with pickling, copying or starting processes at all."""
        return self.kind not in ("unrelated", "worker_died")


@dataclass(frozen=True)
class _Candidate:
    rank: int
    start: int
    diagnosis: Diagnosis


def diagnose(data: bytes) -> Diagnosis:
    """Say what an error text means.

    The first cause counts: what comes after it, in the same process or in others, follows from it.

    Args:
        data: a traceback, a warning or a whole log, as it was pasted.
    """
    transcript = Transcript(cleaned(data))
    candidates = sorted(_candidates(transcript), key=lambda found: (found.rank, found.start))
    if not candidates:
        candidates = list(_bare(transcript))
    if not candidates:
        return Diagnosis("unrelated", _last_message(transcript))
    first = candidates[0]
    return _with_python(_with_result(first, candidates), first.start, transcript)


def _candidates(transcript: Transcript) -> Iterator[_Candidate]:
    explained: set[int] = set()
    vague: list[_Candidate] = []
    for error in transcript.errors:
        for wording in wordings():
            found = _match(wording, error, transcript) if error.name in wording.errors else None
            if found is not None:
                explained.add(error.start)
                if wording.needs == "alone":
                    vague.append(found)
                else:
                    yield found
                break
        else:
            hook = evidence.failed_hook(error, transcript)
            if hook is not None:
                explained.add(error.start)
                yield _of_state(error, hook, transcript)
    for wording in wordings():
        if not wording.errors:
            for match in wording.pattern.finditer(transcript.text):
                found = _candidate(wording, match, _WARNING, transcript, ())
                if wording.needs == "alone":
                    vague.append(found)
                else:
                    yield found
    if not any(error.start not in explained for error in transcript.errors if evidence.is_cause(error)):
        yield from vague


def _match(wording: Wording, error: Error, transcript: Transcript) -> _Candidate | None:
    match = wording.pattern.match(transcript.text, error.message, error.message + _LONGEST_MESSAGE)
    if match is None or not evidence.is_shown(wording.needs, error, match, transcript):
        return None
    rank = _VAGUE if wording.needs == "alone" else _CERTAIN
    return _candidate(wording, match, rank, transcript, error.frames)


def _bare(transcript: Transcript) -> Iterator[_Candidate]:
    """Messages that were pasted without the class of the exception; a text with errors is about those."""
    if transcript.errors or transcript.headers or len(transcript.text) > _LONGEST_SENTENCES:
        return
    for wording in wordings():
        if wording.errors and not wording.needs and wording.pattern.groups:
            match = wording.pattern.search(transcript.text)
            if match and any(match.groupdict().values()):
                yield _candidate(wording, match, _CERTAIN, transcript, ())


def _candidate(
    wording: Wording, match: re.Match[str], rank: int, transcript: Transcript, frames: tuple[Frame, ...]
) -> _Candidate:
    groups = match.groupdict()
    message = " ".join(match.group().split())
    named = _named(wording, groups)
    kind, qualname, name = _kind(wording, groups, named)
    if kind == "load_missing_attribute" and evidence.in_child(frames):
        kind = "child_missing_attribute"
    if kind == "truncated_data" and evidence.in_starting_child(frames):
        kind, rank = "parent_failed", _FOLLOWS
    line_end = transcript.text.find("\n", match.end())
    if wording.kind in _WHOLE_LINES:
        message = " ".join(transcript.text[match.start() : line_end if line_end > 0 else None].split())[:500]
    told = notes.notes_in(transcript.text[match.end() : transcript.end_of(match.start())][:_LONGEST_MESSAGE])
    diagnosis = Diagnosis(
        kind,
        message[:2000],
        qualname,
        name,
        groups.get("module"),
        wording.python or ("3.14+" if told else None),
        notes.path(told) if told else None,
        notes.attribute(told),
        notes.owner(told),
        evidence.hook_in(frames),
        told,
        (*frames, *([Frame(0, groups["file"], 0, "", "")] if groups.get("file") else [])),
    )
    if kind == "local_class" and not (qualname and "<locals>" in qualname) and diagnosis.owner:
        diagnosis = replace(diagnosis, qualname=diagnosis.owner, object=diagnosis.owner)
    if kind == "reduce_contract" and diagnosis.owner:
        diagnosis = replace(diagnosis, qualname=diagnosis.owner, object=diagnosis.owner)
    return _Candidate(rank, match.start(), diagnosis)


def _named(wording: Wording, groups: dict[str, str | None]) -> Named | None:
    text = groups.get("shown")
    return shown(text) if text else None


def _kind(wording: Wording, groups: dict[str, str | None], named: Named | None) -> tuple[str, str | None, str | None]:
    """The kind, and the name of what is to blame without and with its module."""
    name: str | None = groups.get("name") or wording.name or None
    module = groups.get("module")
    if wording.kind == "resource":
        kind = groups.get("type") or wording.name
        return "dict_view" if _VIEW.search(kind) else f"resource:{kind.rpartition('.')[2]}", kind, kind
    if wording.kind == "local":
        qualname = named.qualname if named else full_name(name or "")
        return named.local_kind if named else _local_kind(qualname), qualname, named.full if named else qualname
    if wording.kind == "named":
        assert named is not None and name is not None
        name = full_name(name)
        bare = named.qualname if module is None and name.endswith(f".{named.qualname}") else name
        whole = f"{module}.{name}" if module else name
        if "<locals>" in whole:
            return named.local_kind, bare, whole
        if bare.endswith("<lambda>"):
            return ("toplevel_lambda" if bare == "<lambda>" else "class_lambda"), bare, whole
        return "name_not_found", bare, whole
    if wording.kind == "module_missing":
        return wording.kind, named.qualname if named else module, module
    if wording.kind in ("hashing_warning", "copy_refused"):
        return wording.kind, name or (named.full if named else None), named.full if named else name
    given = groups.get("type") or (full_name(name) if name else None)
    full = f"{module}.{given}" if module and given else given
    return wording.kind, named.qualname if named and wording.kind == "not_same_object" else given, full


def _local_kind(qualname: str) -> str:
    return "local_lambda" if qualname.endswith("<lambda>") else "local_object"


def _of_state(error: Error, hook: str, transcript: Transcript) -> _Candidate:
    line_end = transcript.text.find("\n", error.message)
    message = transcript.text[error.message : line_end if line_end > 0 else error.message + 300].strip()
    if error.name == "KeyError":
        message = f"'{message.lstrip(_APOSTROPHE)}"  # Which was read as part of the heading.
    key = re.match(r"'(\w+)'|.*has no attribute '(\w+)'", message)
    name = next(filter(None, key.groups()), None) if key else None
    diagnosis = Diagnosis(
        "state_error", f"{error.name}: {message}"[:500], name, name, method=hook or None, frames=error.frames
    )
    return _Candidate(_CERTAIN, error.start, diagnosis)


def _with_result(first: _Candidate, candidates: list[_Candidate]) -> Diagnosis:
    """The same, as the result of a worker where the text shows that it is one."""
    found = first.diagnosis
    if found.kind == "worker_result":
        inner = next((c.diagnosis for c in candidates if c.start > first.start), None)
        if inner is not None:
            return replace(inner, kind="worker_result", message=f"{found.message} {inner.message}")
    is_dumped = found.family in _ON_THE_WAY_OUT or found.family == "resource"
    return replace(found, kind="worker_result") if is_dumped and evidence.sends_result(found.frames) else found


def _with_python(diagnosis: Diagnosis, start: int, transcript: Transcript) -> Diagnosis:
    if evidence.feeds_loader(diagnosis.frames, transcript) and diagnosis.family in {*_ON_THE_WAY_OUT, "resource"}:
        diagnosis = replace(diagnosis, kind="worker_result")
    return replace(diagnosis, python=transcript.python_of(start) or diagnosis.python)


def _last_message(transcript: Transcript) -> str:
    if not transcript.errors:
        return ""
    last = transcript.errors[-1]
    end = transcript.text.find("\n", last.message)
    return transcript.text[last.start : end if end > 0 else None].strip()[:500]
