"""The entries of the catalogs: plain, frozen data, with the meaning of each word that the files use."""

from __future__ import annotations

import enum
from dataclasses import dataclass

Literal = str | int | float | bool
"""What a condition compares with; a literal ``None`` in the code counts as a missing argument."""


class Serialiser(enum.Enum):
    """How an API sends an object elsewhere."""

    PICKLE = "pickle"
    FORKING_PICKLER = "forkingpickler"
    INTERPRETER = "interpreter"
    JOBLIB_HASH = "joblib-hash"
    REFERENCE = "reference"
    DEEPCOPY = "deepcopy"
    CLOUDPICKLE = "cloudpickle"
    DILL = "dill"
    SOURCE = "source"
    BYTECODE = "bytecode"
    JSON = "json"
    MARSHAL = "marshal"
    NONE = "none"

    @property
    def by_value(self) -> bool:
        """Whether lambdas, nested functions, local classes and dict views travel as they are."""
        return self in _BY_VALUE

    @property
    def atomic_functions(self) -> bool:
        """Whether functions are handed on untouched, while everything else is taken apart as pickle does."""
        return self is Serialiser.DEEPCOPY

    @property
    def pickles(self) -> bool:
        """Whether the reduce protocol runs at all: if not, the API is listed to say that it is harmless."""
        return self not in _NEVER_PICKLES


_BY_VALUE = frozenset({Serialiser.CLOUDPICKLE, Serialiser.DILL, Serialiser.SOURCE, Serialiser.BYTECODE})
_NEVER_PICKLES = frozenset(
    {Serialiser.SOURCE, Serialiser.BYTECODE, Serialiser.JSON, Serialiser.MARSHAL, Serialiser.NONE}
)


class When(enum.Enum):
    """Under which start methods of processes something is pickled."""

    ALWAYS = "always"
    SPAWN = "spawn"
    """Under spawn and forkserver, not under fork."""


class Form(enum.Enum):
    """What an API takes where it takes a callable."""

    CALLABLE = "callable"
    FUNCTION = "function"
    """A function with a name of its own: neither a partial nor a callable object."""
    SOURCE = "source"
    """A function whose source text is read: it must stay where and as it is."""
    NOTHING = "nothing"
    """No callable survives."""


class Kind(enum.Enum):
    """What a call does with an argument that is not pickled by it."""

    DRAINS = "drains"
    """Uses it up before it returns, or holds it where no pickle looks (a thread, a signal handler)."""
    LAZY = "lazy"
    """Returns an iterator that holds it until it is drained."""
    BINDS = "binds"
    """Wraps it into something that ends as a class attribute, such as a property."""
    KEEPS = "keeps"
    """Stores it in the receiver, the result or another argument."""
    FUNCTION_ONLY = "function-only"
    SOURCE_ONLY = "source-only"
    NO_CALLABLE_CLASS = "no-callable-class"
    """Takes functions and partials; an instance with ``__call__`` would change what the API saves."""
    SHOWS_NAME = "shows-name"
    """Shows the ``__name__`` of what it is given."""


class Missing(enum.Enum):
    """Stands in for the value of an argument that is not a literal."""

    ABSENT = "absent"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Parameter:
    """A parameter that something flows through.

    Args:
        name: its name without stars; ``self`` is the receiver of a method call, ``result`` what the call returns.
        position: its place among the positional arguments, the receiver not counted; None if it has none.
        stars: 1 for ``*args``, 2 for ``**kwargs``, else 0.
        items: True where the argument itself stays behind and only its items travel.
    """

    name: str
    position: int | None = None
    stars: int = 0
    items: bool = False


@dataclass(frozen=True)
class Condition:
    """What an argument has to be for an entry to apply. Exactly one of the last four is given.

    Args:
        parameter: the argument that decides.
        default: what holds where it is not passed.
        equals: it applies only if the argument is known to be one of these literals.
        differs: it applies unless the argument is known to be one of these literals.
        instance: it applies only if the argument is known to be an instance of this class.
        given: it applies only if the argument is passed.
    """

    parameter: Parameter
    default: Literal | Missing = Missing.ABSENT
    equals: tuple[Literal, ...] = ()
    differs: tuple[Literal, ...] = ()
    instance: str | None = None
    given: bool = False

    def holds(self, value: Literal | Missing, instance: str | None = None) -> bool:
        """Whether the condition is met.

        Args:
            value: the literal that is passed, or what stands in for it.
            instance: the class of the argument, under its canonical name, where it is known.
        """
        if self.given:
            return value is not Missing.ABSENT
        if self.instance is not None:
            return instance == self.instance
        if value is Missing.ABSENT:
            value = self.default
        if self.equals:
            return value in self.equals
        return value not in self.differs


@dataclass(frozen=True)
class Sink:
    """A call that pickles.

    Args:
        name: its dotted name; methods are written ``module.Class.method``, or ``*.method`` on any receiver.
        travels: the parameters that are serialised. Those that are not listed stay behind and are not kept.
        returns: the parameters whose return value is serialised, as ``func``, or as ``dataset.__getitem__`` for
            that of a method.
        serialiser: what does it.
        when: under which start methods ``travels`` are serialised; ``returns`` always are.
        conditions: all must hold.
        accepts: what form of callable the API takes.
        source: how this is known.
        note: what else a person should know.
    """

    name: str
    travels: tuple[Parameter, ...]
    returns: tuple[str, ...] = ()
    serialiser: Serialiser = Serialiser.PICKLE
    when: When = When.ALWAYS
    conditions: tuple[Condition, ...] = ()
    accepts: Form = Form.CALLABLE
    source: str = ""
    note: str = ""


@dataclass(frozen=True)
class Construction:
    """A call whose result has methods in the catalog. ``with`` hands out the same object.

    Args:
        name: its dotted name.
        gives: the canonical name of the result's class. Some are names of our own, such as
            ``mpire.DillWorkerPool``: the class as it behaves when it is made with certain arguments.
        items: True where the result is a tuple or list of such objects.
        conditions: all must hold.
    """

    name: str
    gives: str
    items: bool = False
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class Use:
    """One thing that a call does with some of its arguments.

    Args:
        kind: what.
        parameters: the arguments it is about.
        into: where they are kept (``self``, ``result`` or a parameter), for the kinds that keep.
        source: how this is known.
        note: what else a person should know.
    """

    kind: Kind
    parameters: tuple[Parameter, ...]
    into: Parameter | None = None
    source: str = ""
    note: str = ""


@dataclass(frozen=True)
class Consumer:
    """A call that does not pickle, and all that it does with its arguments. What is not listed is not kept."""

    name: str
    uses: tuple[Use, ...]

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of all uses."""
        return frozenset(use.kind for use in self.uses)


@dataclass(frozen=True)
class Base:
    """A class whose subclasses get pickled by habit.

    Args:
        name: its dotted name, one of those that people import it by.
        habit: by whom, as the end of a sentence such as "instances are ...".
        when: under which start methods.
        source: how this is known.
    """

    name: str
    habit: str
    when: When = When.ALWAYS
    source: str = ""


class Restore(enum.Enum):
    """What has to happen for an object to be there again after its owner was pickled."""

    REBUILD = "rebuild"
    """The expression that made it makes it again."""
    REBUILD_WITH_STATE = "rebuild-with-state"
    """It holds something that a new one would lack."""
    REOPEN = "reopen"
    """It is opened again, so that nothing is truncated."""
    BY_NAME = "by-name"
    """It is looked up again under its name."""
    NONE = "none"
    """It is not made again while its owner is loaded."""
    KEEP = "keep"
    """It pickles; leaving it out would lose something."""


class Interest(enum.Enum):
    """Whether a resource is a finding in any class."""

    ON = "on"
    EVIDENCE = "evidence"
    """Only in classes whose instances are seen to be pickled."""


@dataclass(frozen=True)
class Resource:
    """A constructor whose results pickle refuses, or is wrongly thought to refuse.

    Args:
        name: its dotted name.
        error: what pickle says.
        versions: where that differs between versions.
        restore: how an object that holds one gets it back.
        needs_evidence: whether it is of interest only where its owner is seen to be pickled.
        changes: methods after which a new object is not the same.
        setup: whether calls right after its making configure it.
        is_type: whether the name is a class, in all versions.
        is_view: whether it shows the object that it is made from, so that changes of that do not matter.
        deepcopies: whether ``copy.deepcopy`` copies it, although pickle refuses it.
        reducer: how one reducer serves all objects of the type: ``constructor`` where a call without arguments makes
            another one, else the attribute that holds the name under which an object is found; empty where none does.
        note: what else a person should know.
        source: how this is known.
    """

    name: str
    error: str
    versions: str = ""
    restore: Restore = Restore.NONE
    needs_evidence: bool = True
    changes: frozenset[str] = frozenset()
    setup: bool = False
    is_type: bool = False
    is_view: bool = False
    deepcopies: bool = False
    reducer: str = ""
    note: str = ""
    source: str = ""
