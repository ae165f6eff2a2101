"""What a traceback proves: that a pickle is read, that a worker speaks, that a method of the protocol ran."""

from __future__ import annotations

import re
from collections.abc import Sequence

from codemods.runtime.tracebacks import Error, Frame, Transcript

HOOKS = frozenset(
    [
        "__getstate__",
        "__setstate__",
        "__reduce__",
        "__reduce_ex__",
        "__getnewargs__",
        "__getnewargs_ex__",
        "__deepcopy__",
        "__copy__",
        "persistent_id",
        "reducer_override",
    ]
)
_PICKLERS = frozenset(
    ["pickle.py", "copy.py", "copyreg.py", "_dill.py", "cloudpickle.py", "cloudpickle_fast.py", "reduction.py"]
)
_READERS = re.compile(r"load\w*$|find_class$|_instantiate$|_getattribute$|read\w*$|pop_mark$")
_READING_FILES = frozenset(
    [
        "pickle.py",
        "_dill.py",
        "serialization.py",
        "cloudpickle.py",
        "numpy_pickle.py",
        "numpy_pickle_compat.py",
        "pickle_compat.py",
    ]
)
_READS = re.compile(
    r"(?:\b(?:\w*pickle|dill|joblib|_?ForkingPickler|reduction|torch|_loads|\w*[Uu]npickler(?:\([^()]*\))?)\."
    r"|(?<![\w.])(?<!def ))"
    r"(?:loads?|read_pickle|recv)\("
)
_PICKLES = re.compile(r"(?<![\w])(?:loads?|dumps?|deepcopy|copy)\(")
_OTHER_CALL = re.compile(r"(?<![\w.])(?:json|yaml|toml|tomllib|marshal)\.loads?\(")
_NESTED_DEEPLY = 25
_CHILD_NAMES = frozenset(
    ["spawn_main", "_main", "_serve_one", "_bootstrap", "worker", "_process_worker", "_worker_loop"]
)
_MULTIPROCESSING = frozenset({"multiprocessing", "multiprocess", "billiard", "concurrent", "loky"})
_LOADER_NAMES = frozenset(["__next__", "_next_data", "_get_data", "_try_get_data"])
_NO_CAUSE = ("Warning", "Empty", "Interrupt", "Exit", "Timeout", "TimeoutError")


def is_shown(needs: str, error: Error, match: re.Match[str], transcript: Transcript) -> bool:
    """Whether the traceback shows what a wording needs besides its words.

    Args:
        needs: as in ``wordings.toml``.
        error: whose message it is.
        match: the message.
        transcript: the whole text.
    """
    if needs == "loading":
        return _reads(error, match)
    if needs == "hooks":
        return any(map(_is_protocol, error.frames[-_NESTED_DEEPLY:])) or _asks_for_a_hook(error)
    return True


def failed_hook(error: Error, transcript: Transcript) -> str | None:
    """The method of the pickle protocol in which an error was raised that says nothing of pickling itself."""
    if not error.is_last_line and error is not transcript.errors[-1]:
        return None
    for frame in reversed(error.frames):
        if _is_hook(frame):
            return _method(frame)
    innermost = error.innermost
    if innermost is not None and innermost.parts[-1] == "copy.py" and innermost.name == "_reconstruct":
        return ""
    return None


def hook_in(frames: Sequence[Frame]) -> str | None:
    """The innermost method of the pickle protocol in a traceback."""
    return next((_method(frame) for frame in reversed(frames) if _is_hook(frame)), None)


def in_child(frames: Sequence[Frame]) -> bool:
    """Whether a worker process speaks."""
    return any(_is_multiprocessing(frame) and _method(frame) in _CHILD_NAMES for frame in frames)


def in_starting_child(frames: Sequence[Frame]) -> bool:
    """Whether a spawned process speaks that still waits for its work."""
    return any(
        _is_multiprocessing(frame) and _method(frame) in ("spawn_main", "_serve_one", "_main") for frame in frames
    )


def sends_result(frames: Sequence[Frame]) -> bool:
    """Whether a worker was sending what it had computed."""
    return any(_method(frame) == "_sendback_result" for frame in frames)


def feeds_loader(frames: Sequence[Frame], transcript: Transcript) -> bool:
    """Whether a queue was being fed whose other end is a DataLoader."""
    return any(_method(frame) == "_feed" for frame in frames) and any(
        frame.parts[-1] == "dataloader.py" and _method(frame) in _LOADER_NAMES for frame in transcript.frames
    )


def is_cause(error: Error) -> bool:
    """Whether an error is what a program failed with, and not a way of waiting or a part of a sentence."""
    return error.is_last_line and bool(error.frames) and not error.name.endswith(_NO_CAUSE)


def _reads(error: Error, match: re.Match[str]) -> bool:
    frame = error.innermost
    if frame is None:
        return False
    if frame.parts[-1] in _READING_FILES and _READERS.match(_method(frame)):
        return True
    code = frame.code
    calls = [] if _OTHER_CALL.search(code) else list(_READS.finditer(code))
    if frame.marked:
        return any(_is_whole(code[call.start() : call.start() + frame.marked]) for call in calls)
    if not calls or calls[0].start() == 0:
        return bool(calls)
    return not _asks_itself(code, error, match)


def _is_whole(code: str) -> bool:
    return code.endswith(")") and code.count("(") == code.count(")")


def _asks_itself(code: str, error: Error, match: re.Match[str]) -> bool:
    """Whether another part of the line may be what failed."""
    groups = match.groupdict()
    name, module = groups.get("name"), groups.get("module")
    if error.name == "KeyError":
        return "[" in code
    if error.name == "TypeError" and name:
        return f"{name.rpartition('.')[2]}()" in code  # With arguments, it is the reader that lacks some.
    return bool(name and module and f"{module.rpartition('.')[2]}.{name}" in code)


def _asks_for_a_hook(error: Error) -> bool:
    """Whether a ``__getattr__`` that never ends was asked by a pickler: objects are made without their attributes."""
    outside = [frame for frame in error.frames if _method(frame) != "__getattr__"]
    is_endless = bool(error.frames) and _method(error.frames[-1]) == "__getattr__"
    return is_endless and bool(outside) and (_is_pickler(outside[-1]) or bool(_PICKLES.search(outside[-1].code)))


def _is_protocol(frame: Frame) -> bool:
    return _is_hook(frame) or _is_pickler(frame)


def _is_hook(frame: Frame) -> bool:
    return _method(frame) in HOOKS


def _is_pickler(frame: Frame) -> bool:
    return frame.parts[-1] in _PICKLERS and (frame.is_library or "multiprocessing" in frame.parts)


def _is_multiprocessing(frame: Frame) -> bool:
    return not _MULTIPROCESSING.isdisjoint(frame.parts)


def _method(frame: Frame) -> str:
    """The last part of the function's name: some printers qualify it."""
    return frame.name.rpartition(".")[2]
