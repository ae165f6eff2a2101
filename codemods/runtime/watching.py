"""Watches the pickling of a running program, from inside of it; its results and what it prints stay as they are.

Nothing is imported that the program does not import itself. Once it does, the functions of ``pickle`` and ``copy`` are
wrapped, and as long as they succeed a wrapper costs one more call. Only after a failure is the object taken apart.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import ModuleType, TracebackType
from typing import Any, NamedTuple

_MOST_REPORTS = 20
"""In one process: a program that tries again and again should not be slowed down for ever."""


class Settings(NamedTuple):
    """What ``picklefix trace`` was asked for; it travels in an environment variable.

    Args:
        reports: the file to which reports are appended.
        package: the folder that holds the package ``codemods``.
        start_method: how processes start, empty if the program chooses.
        log_of: the process whose child logs what multiprocessing does, 0 if none does.
    """

    reports: str
    package: str
    start_method: str = ""
    log_of: int = 0

    def text(self) -> str:
        """The value of the environment variable."""
        return "\n".join([self.reports, self.package, self.start_method, str(self.log_of)])

    @classmethod
    def read(cls, text: str) -> Settings:
        """The settings of the environment variable's value."""
        reports, package, start_method, log_of = text.split("\n")
        return cls(reports, package, start_method, int(log_of))


class Watch:
    """The watch over this process.

    Args:
        settings: what is watched, and where reports go.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._reports = 0
        self._is_busy = False

    def failed(self, error: BaseException, obj: object, pickler: object | None, *, copies: bool = False) -> None:
        """Report that an object did not pickle, unless enough was reported; never raises.

        The traceback of the error loses the frame of the wrapper that calls this.
        """
        trace = error.__traceback__
        if trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            error.__traceback__ = trace.tb_next
        if self._is_busy or self._reports >= _MOST_REPORTS:
            return
        self._is_busy = True
        self._reports += 1
        try:
            self._module("reporting").report_failure(self.settings.reports, error, obj, pickler, copies=copies)
        except Exception:  # The program must not notice; its own error tells the rest.
            pass
        finally:
            self._is_busy = False

    def ended(self, error: BaseException, trace: TracebackType | None) -> None:
        """Report that an error went uncaught, in case it has to do with pickling; never raises."""
        if self._reports >= _MOST_REPORTS:
            return
        self._reports += 1
        try:
            self._module("reporting").report_error(self.settings.reports, error, trace)
        except Exception:  # As above.
            return

    def _module(self, name: str) -> Any:
        """A module of the package, which is borrowed for as long as it takes to import."""
        import importlib

        theirs = {key: sys.modules.pop(key) for key in list(sys.modules) if key.partition(".")[0] == "codemods"}
        sys.path.insert(0, self.settings.package)
        try:
            return importlib.import_module(f"codemods.runtime.{name}")
        finally:
            sys.path.remove(self.settings.package)
            for key in [key for key in sys.modules if key.partition(".")[0] == "codemods"]:
                del sys.modules[key]
            sys.modules.update(theirs)


def start(settings: str) -> None:
    """Watch this process from now on.

    Args:
        settings: the value of the environment variable.
    """
    watch = Watch(Settings.read(settings))
    patches: dict[str, Callable[[ModuleType], None]] = {
        "pickle": lambda module: watch_pickle(module, watch),
        "copy": lambda module: watch_copy(module, watch),
        "threading": lambda module: watch_threads(module, watch),
    }
    if watch.settings.start_method:
        patches["multiprocessing.context"] = lambda module: force_start_method(module, watch.settings.start_method)
    if watch.settings.log_of == os.getppid():
        patches["multiprocessing.util"] = lambda module: module.log_to_stderr(10)
    watch_errors(watch)
    for name in [name for name in patches if name in sys.modules]:
        patches.pop(name)(sys.modules[name])
    sys.meta_path.insert(0, _Importer(patches))


class _Importer:
    """Calls a function on a module as soon as it is imported.

    Args:
        patches: the functions by the names of the modules.
    """

    def __init__(self, patches: dict[str, Callable[[ModuleType], None]]) -> None:
        self._patches = patches

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        """The spec that the other finders give, with a loader that calls the function."""
        if name not in self._patches:
            return None
        patch = self._patches.pop(name)
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if finder is not self else None
            if spec is not None and spec.loader is not None:
                self._extend(spec.loader, patch)
                return spec
        return None

    @staticmethod
    def _extend(loader: Any, patch: Callable[[ModuleType], None]) -> None:
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            del loader.exec_module
            execute(module)
            patch(module)

        loader.exec_module = exec_module


def watch_pickle(module: Any, watch: Watch) -> None:
    """Wrap the functions and the pickler of ``pickle``; its subclasses, such as ForkingPickler, inherit that."""
    plain_dump, plain_dumps, plain_pickler = module.dump, module.dumps, module.Pickler

    def dump(
        obj: Any, file: Any, protocol: Any = None, *, fix_imports: bool = True, buffer_callback: Any = None
    ) -> None:
        try:
            plain_dump(obj, file, protocol, fix_imports=fix_imports, buffer_callback=buffer_callback)
        except Exception as error:
            watch.failed(error, obj, None)
            raise

    def dumps(obj: Any, protocol: Any = None, *, fix_imports: bool = True, buffer_callback: Any = None) -> Any:
        try:
            return plain_dumps(obj, protocol, fix_imports=fix_imports, buffer_callback=buffer_callback)
        except Exception as error:
            watch.failed(error, obj, None)
            raise

    class Pickler(plain_pickler):  # type: ignore[misc, valid-type]
        __slots__ = ()
        __doc__ = plain_pickler.__doc__

        def dump(self, obj: Any) -> None:
            try:
                plain_pickler.dump(self, obj)
            except Exception as error:
                watch.failed(error, obj, self)
                raise

    for function in (dump, dumps):
        function.__module__, function.__qualname__ = "_pickle", function.__name__
        function.__doc__ = getattr(module, function.__name__).__doc__
        setattr(module, function.__name__, function)
    Pickler.__module__, Pickler.__qualname__ = "_pickle", "Pickler"
    module.Pickler = Pickler
    native = sys.modules.get("_pickle")
    if native is not None:
        # They say that they come from there, and that is where pickle looks for them.
        native.dump, native.dumps, native.Pickler = dump, dumps, Pickler  # type: ignore[attr-defined]


def watch_copy(module: Any, watch: Watch) -> None:
    """Wrap ``deepcopy``; its own recursion goes round the wrapper."""
    plain = module.deepcopy

    def deepcopy(x: Any, memo: Any = None, _nil: Any = []) -> Any:  # noqa: B006 -- as in the original
        try:
            return plain(x, memo)
        except Exception as error:
            if memo is None:
                watch.failed(error, x, None, copies=True)
            elif error.__traceback__ is not None:
                error.__traceback__ = error.__traceback__.tb_next
            raise

    deepcopy.__module__, deepcopy.__qualname__, deepcopy.__doc__ = "copy", "deepcopy", plain.__doc__
    module.deepcopy = deepcopy


def watch_errors(watch: Watch) -> None:
    """Look at errors that end a process, which in workers are those of loading."""
    plain = sys.excepthook

    def excepthook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        plain(kind, error, trace)
        watch.ended(error, trace)

    sys.excepthook = excepthook


def watch_threads(module: Any, watch: Watch) -> None:
    """Look at errors that end a thread, such as those that receive results."""
    plain = module.excepthook

    def excepthook(arguments: Any) -> None:
        plain(arguments)
        if arguments.exc_value is not None:
            watch.ended(arguments.exc_value, arguments.exc_traceback)

    module.excepthook = excepthook


def force_start_method(module: Any, method: str) -> None:
    """Have all processes start in one way, whichever the program asks for."""
    context = module._concrete_contexts[method]
    module._default_context._actual_context = context
    module.BaseContext.get_context = lambda self, method=None: context
    module.DefaultContext.get_context = lambda self, method=None: context
    module.DefaultContext.set_start_method = lambda self, method, force=False: None
    module.DefaultContext.get_start_method = lambda self, allow_none=False: context._name
    module.BaseContext.get_start_method = lambda self, allow_none=False: context._name
