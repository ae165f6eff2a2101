"""What is done with one file, whatever is wrong with it: read it, ask the engine, never raise."""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import stat
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar

from codemods import engine
from codemods.finding import FileError, FileResult
from codemods.project import Place, may_define, open_project

if TYPE_CHECKING:  # A type alone: most files never need the module.
    from codemods.passes import Keep

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

_STACK_BYTES = 256 * 1024 * 1024
_STACK_FRAMES = 20_000
_YOUNG_OBJECTS = 10_000
"""So many objects that a job has made and not given back are worth a look for cycles."""


class Job(NamedTuple):
    """What is to be done with one file.

    Args:
        path: the file, as it was named to the run.
        options: what the engine looks for.
        rewrite: whether fixes are made, or findings only reported.
        project: where the files around it are; None to look at it alone.
        seconds: how long it may take; processor time where the system tells that of a thread.
    """

    path: str
    options: engine.Options
    rewrite: bool = False
    project: Place | None = None
    seconds: float = 600


class TimeLimitError(BaseException):
    """A job takes longer than it may. No ``Exception``, so that nothing which handles these stands in its way."""


def do(job: Job) -> FileResult:
    """Read a job's file and do the job; never raises for anything that is wrong with the file."""
    data = read(job.path)
    return do_bytes(job, data) if isinstance(data, bytes) else data


def read(path: str) -> bytes | FileResult:
    """The content of a file, or a result that says why it cannot be read."""
    try:
        # Devices may never come to an end, and opening a pipe may never return.
        if not stat.S_ISREG(os.stat(path).st_mode):
            return failed(path, "is not a regular file; use - to read standard input")
        with open(path, "rb") as stream:
            return stream.read()
    except FileNotFoundError:
        return failed(path, "there is no such file or folder; check the name")
    except OSError as error:
        return failed(path, f"cannot be read: {error.strerror}; check the path and its permissions")
    except MemoryError:
        return failed(path, "is too large for the memory; leave it out with --exclude")


def slim(result: FileResult) -> FileResult:
    """A result without the content of its file, if there is nothing to say about that: most files are never shown."""
    if result.changed or result.findings or result.error is not None:
        return result
    return result._replace(before=b"", after=b"")


def do_bytes(job: Job, data: bytes, around: engine.Surroundings | None = None, keep: Keep | None = None) -> FileResult:
    """Do a job with the file's content at hand.

    Args:
        job: what is to be done.
        data: the file's bytes.
        around: the project around it, if that is not to be looked for where the file is.
        keep: is given the analyses that the findings were made with, unless the file is rewritten.
    """
    if around is None and job.project is not None:
        around = _around(job.path, job.project)
    with collector_at_rest():
        try:
            return _with_deep_stack(functools.partial(_do, job, data, around, keep), job.seconds)
        except TimeLimitError:
            open_project.cache_clear()  # What was being found out about it may be half done.
            message = f"was not analysed: it takes more than {job.seconds:g} s; allow more with --file-timeout, "
            return failed(job.path, f"{message}or leave it out with --exclude")


@contextlib.contextmanager
def collector_at_rest() -> Iterator[None]:
    """Keep the garbage collector from going through a syntax tree, which lives as long as the job, over and over.

    That takes as long as parsing does. What a job leaves behind is collected at its end, and only that: the files
    around it that stay at hand for the next ones are as large, and hold no cycles.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_count()[0] > _YOUNG_OBJECTS:
            gc.collect(0)
        if was_enabled:
            gc.enable()


def with_deep_stack(
    function: Callable[_Parameters, _Result], /, *arguments: _Parameters.args, **keywords: _Parameters.kwargs
) -> _Result:
    """Call a function where it may recurse deeply, as visitors do in nested code, and return what it returns."""
    return _with_deep_stack(functools.partial(function, *arguments, **keywords), None)


def _with_deep_stack(function: Callable[[], _Result], seconds: float | None) -> _Result:
    """The same, for so many seconds at most.

    Raises:
        TimeLimitError: if it takes longer.
    """
    outcome: list[_Result] = []
    failure: list[BaseException] = []
    clocks: list[int] = []

    def call() -> None:
        try:
            if hasattr(time, "pthread_getcpuclockid"):
                clocks.append(time.pthread_getcpuclockid(threading.get_ident()))
            # What the compiler warns of, such as escapes that are none, is not what the person asked for.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)
                warnings.simplefilter("ignore", DeprecationWarning)
                outcome.append(function())
        except BaseException as error:  # noqa: B036 -- raised again in the thread that asked
            failure.append(error)

    frames, stack_bytes = sys.getrecursionlimit(), threading.stack_size(_STACK_BYTES)
    sys.setrecursionlimit(max(frames, _STACK_FRAMES))
    try:
        # A daemon, so that Ctrl-C need not wait for the file at hand.
        thread = threading.Thread(target=call, daemon=True)
        thread.start()
        if seconds is None:
            thread.join()
        else:
            _join(thread, clocks, seconds)
    finally:
        threading.stack_size(stack_bytes)
        sys.setrecursionlimit(frames)
    if failure:
        raise failure[0]
    return outcome[0]


def _join(thread: threading.Thread, clocks: Sequence[int], seconds: float) -> None:
    """Wait for a thread, and have it raise ``TimeLimitError`` once it has worked for so long.

    The error comes between two instructions of Python: a call into C code, such as the parser, is waited for.

    Args:
        thread: the thread.
        clocks: the clock of its processor time, which others on the machine do not add to; none on some systems.
        seconds: how long it may work.
    """
    thread.join(seconds)
    while thread.is_alive():
        left = seconds - (_time_on(clocks[0]) if clocks else seconds)
        if left <= 0:
            import ctypes  # Imported only here: hardly any file comes this far.

            left = 1.0  # Raised where errors are dropped, as in a finaliser, it has to be raised again.
            assert thread.ident is not None
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(TimeLimitError))
        thread.join(left)


def _time_on(clock: int) -> float:
    try:
        return time.clock_gettime(clock)
    except OSError:  # The thread has ended meanwhile.
        return 0.0


def _do(job: Job, data: bytes, around: engine.Surroundings | None, keep: Keep | None) -> FileResult:
    work = engine.fix if job.rewrite else functools.partial(engine.check, keep=keep)
    try:
        return work(job.path, data, job.options, around)
    except (RecursionError, MemoryError):
        message = "is nested too deeply; split its longest expression, or leave it out with --exclude"
        return FileResult(job.path, data, data, error=FileError(message))
    except Exception as error:  # The one place that may: a fault of ours in one file must not end the run.
        import traceback  # Imported only here, as it should never be needed.

        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
        message = f"internal error, {type(error).__name__} at {place}: {error}; it is unchanged, please report this"
        return FileResult(job.path, data, data, error=FileError(" ".join(message.split()), internal=True))


def _around(path: str, place: Place) -> engine.Surroundings:
    folder = os.path.dirname(os.path.realpath(path))
    return engine.Surroundings(functools.partial(open_project, place), functools.partial(may_define, place, folder))


def failed(path: str, message: str, internal: bool = False) -> FileResult:
    """The result for a file that could not be done.

    Args:
        path: the file.
        message: one line that names the cause and the cure.
        internal: whether the fault is picklefix's own.
    """
    return FileResult(path, b"", b"", error=FileError(message, internal=internal))
