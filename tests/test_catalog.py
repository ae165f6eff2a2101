"""The catalogs: what their files say, what their loader refuses, and how entries are found."""

from __future__ import annotations

import builtins
import importlib
import inspect
import pickle
import re
import sys
import types
from collections.abc import Iterable

import pytest

from codemods.catalog.entries import Condition, Construction, Form, Kind, Missing, Parameter, Serialiser, When
from codemods.catalog.loader import Catalog, load
from codemods.catalog.tables import CatalogError

CATALOG = load()
SOURCES = re.compile(r"(measured|read|documented|reported|common knowledge)\b")

# Classes that we name ourselves, because the same class behaves in another way when it is made differently, or
# because the standard library makes it at run time.
OWN_NAMES = ("multiprocessing.managers.QueueProxy", "functools.singledispatch.register")
THROUGH_THE_CLASS = ("object.__setattr__",)
NEWER = ("concurrent.futures.InterpreterPoolExecutor", "enum.property")


def entries() -> Iterable[tuple[str, tuple[Parameter, ...]]]:
    """Every call of the catalogs with the parameters that are listed for it."""
    for sink in CATALOG.sinks.values():
        yield sink.name, sink.travels
    for consumer in CATALOG.consumers.values():
        yield consumer.name, tuple(parameter for use in consumer.uses for parameter in use.parameters)


def standard(name: str) -> bool:
    """Whether a dotted name is one of the standard library or the builtins."""
    root = name.partition(".")[0]
    return root in sys.stdlib_module_names or hasattr(builtins, root)


def resolve(name: str) -> tuple[object, bool]:
    """The object of a dotted name, and whether a receiver comes first among its parameters."""
    parts = name.split(".")
    found: object = builtins
    for length in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        parts = parts[length:]
        break
    owner: object = None
    for part in parts:
        owner, found = found, getattr(found, part)
    is_method = (
        isinstance(owner, type)
        and name not in THROUGH_THE_CLASS
        and not isinstance(found, (type, types.MethodType, types.BuiltinMethodType))
    )
    return found, is_method


def signature_of(name: str) -> tuple[inspect.Signature, bool] | None:
    """The signature of a dotted name, and whether it begins with a receiver; None if Python does not tell."""
    try:
        found, is_method = resolve(name)
        return inspect.signature(found), is_method  # type: ignore[arg-type]
    except (ImportError, AttributeError, ValueError):
        return None


STANDARD = sorted({name for name, parameters in entries() if standard(name) and parameters})


def test_names_of_the_standard_library_exist() -> None:
    for name in STANDARD:
        try:
            resolve(name)
        except ImportError:
            pass  # A build of Python may lack readline or tkinter.
        except AttributeError:
            assert name.startswith((*OWN_NAMES, *NEWER)), f"{name} does not exist"


@pytest.mark.parametrize("name", [name for name in STANDARD if signature_of(name)])
def test_parameters_of_the_standard_library_are_as_listed(name: str) -> None:
    known = signature_of(name)
    assert known is not None
    signature, is_method = known
    parameters = list(signature.parameters.values())[1 if is_method else 0 :]
    kinds = {parameter.name: parameter.kind for parameter in parameters}
    by_position = [
        parameter
        for parameter in parameters
        if parameter.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    ]
    for listed in {parameter for entry, parameters in entries() if entry == name for parameter in parameters}:
        if listed.name == "self":
            assert is_method
        elif listed.stars:
            wanted = inspect.Parameter.VAR_POSITIONAL if listed.stars == 1 else inspect.Parameter.VAR_KEYWORD
            assert kinds.get(listed.name) is wanted
        elif listed.position is None:
            assert listed.name in kinds or inspect.Parameter.VAR_KEYWORD in kinds.values()
        elif listed.position >= len(by_position):
            assert inspect.Parameter.VAR_POSITIONAL in kinds.values()
        elif by_position[listed.position].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD:
            assert by_position[listed.position].name == listed.name


def test_at_least_a_hundred_apis_pickle() -> None:
    assert sum(sink.serialiser.pickles for sink in CATALOG.sinks.values()) >= 100


def test_every_kind_and_serialiser_is_in_use() -> None:
    kinds = {kind for consumer in CATALOG.consumers.values() for kind in consumer.kinds}
    assert kinds == set(Kind)
    assert {sink.serialiser for sink in CATALOG.sinks.values()} == set(Serialiser)


def test_names_are_dotted_names() -> None:
    names = [name for name, _ in entries()]
    names += [*CATALOG.objects, *CATALOG.bases, *CATALOG.movable, *CATALOG.aliases, *CATALOG.aliases.values()]
    for name in names:
        assert all(part.isidentifier() for part in name.removeprefix("*.").split(".")), name


def test_every_packaged_entry_says_how_it_is_known() -> None:
    uses = [use for consumer in CATALOG.consumers.values() for use in consumer.uses]
    sources = {sink.source for sink in CATALOG.sinks.values()}
    sources |= {use.source for use in uses} | {base.source for base in CATALOG.bases.values()}
    assert [source for source in sources if not SOURCES.match(source)] == []


def test_objects_lead_to_classes_with_methods() -> None:
    classes = {name.rpartition(".")[0] for name in (*CATALOG.sinks, *CATALOG.consumers, *CATALOG.objects)}
    for constructions in CATALOG.objects.values():
        for construction in constructions:
            assert construction.gives in classes, construction
        assert not any(construction.conditions == () for construction in constructions[:-1]), "never reached"


def test_aliases_lead_to_something() -> None:
    names = [*CATALOG.sinks, *CATALOG.consumers, *CATALOG.objects, *CATALOG.bases]
    for other, name in CATALOG.aliases.items():
        assert any(entry == name or entry.startswith(f"{name}.") for entry in names), (other, name)


def test_bare_methods_are_sinks_or_consumers_not_both() -> None:
    methods = [name for name in CATALOG.sinks if name.startswith("*.")]
    assert methods
    assert not [name for name in methods if name in CATALOG.consumers]


def test_sinks_that_need_no_rewrite() -> None:
    assert Serialiser.CLOUDPICKLE.by_value and Serialiser.DILL.by_value
    assert Serialiser.DEEPCOPY.atomic_functions and not Serialiser.DEEPCOPY.by_value
    assert Serialiser.PICKLE.pickles and not Serialiser.PICKLE.by_value and not Serialiser.PICKLE.atomic_functions
    assert not Serialiser.JSON.pickles


def test_data_loader() -> None:
    sink = CATALOG.sink("torch.utils.data.dataloader.DataLoader")
    assert sink is not None
    assert sink.name == "torch.utils.data.DataLoader"
    assert sink.travels == (Parameter("dataset", 0), Parameter("collate_fn", 6), Parameter("worker_init_fn", 10))
    assert sink.when is When.SPAWN
    assert "dataset.__getitem__" in sink.returns
    (workers,) = sink.conditions
    assert workers.parameter == Parameter("num_workers", 5)
    assert workers.holds(4) and workers.holds(Missing.UNKNOWN)
    assert not workers.holds(0) and not workers.holds(Missing.ABSENT)


@pytest.mark.parametrize(
    ("constructor", "method"),
    [
        pytest.param("multiprocessing.Pool", "map", id="pool"),
        pytest.param("multiprocessing.pool.Pool", "starmap", id="pool-class"),
        pytest.param("torch.multiprocessing.Pool", "imap", id="torch-pool"),
        pytest.param("multiprocessing.context.BaseContext.Pool", "map", id="context-pool"),
        pytest.param("multiprocessing.Queue", "put", id="queue"),
        pytest.param("concurrent.futures.ProcessPoolExecutor", "submit", id="executor"),
        pytest.param("concurrent.futures.process.ProcessPoolExecutor", "map", id="executor-module"),
        pytest.param("shelve.open", "__setitem__", id="shelf"),
        pytest.param("pickle.Pickler", "dump", id="pickler"),
    ],
)
def test_a_constructor_leads_to_the_sinks_of_its_class(constructor: str, method: str) -> None:
    (construction,) = CATALOG.constructions(constructor)
    assert CATALOG.sink(f"{construction.gives}.{method}") is not None


def test_a_context_leads_to_a_pool() -> None:
    (context,) = CATALOG.constructions("multiprocessing.get_context")
    (pool,) = CATALOG.constructions(f"{context.gives}.Pool")
    assert pool.gives == "multiprocessing.pool.Pool"


def test_a_pipe_gives_a_pair() -> None:
    (pipe,) = CATALOG.constructions("multiprocessing.Pipe")
    assert pipe == Construction("multiprocessing.Pipe", "multiprocessing.connection.Connection", items=True)


@pytest.mark.parametrize(
    ("backend", "by_value", "pickles"),
    [
        pytest.param("loky", True, True, id="loky"),
        pytest.param("multiprocessing", False, True, id="multiprocessing"),
        pytest.param("threading", False, False, id="threading"),
        pytest.param(Missing.ABSENT, True, True, id="default"),
        pytest.param(Missing.UNKNOWN, True, True, id="unknown"),
    ],
)
def test_the_backend_of_joblib_decides(backend: str | Missing, by_value: bool, pickles: bool) -> None:
    made = next(
        construction
        for construction in CATALOG.constructions("joblib.Parallel")
        if all(condition.holds(backend) for condition in construction.conditions)
    )
    sink = CATALOG.sink(f"{made.gives}.__call__")
    assert sink is not None
    assert (sink.serialiser.by_value, sink.serialiser.pickles) == (by_value, pickles)


@pytest.mark.parametrize("name", ["threading.Thread", "multiprocessing.pool.ThreadPool.map"])
def test_threads_do_not_pickle(name: str) -> None:
    assert CATALOG.sink(name) is None
    consumer = CATALOG.consumer(name)
    assert consumer is not None and consumer.kinds == {Kind.DRAINS}


def test_callbacks_stay_in_the_parent() -> None:
    sink = CATALOG.sink("multiprocessing.pool.Pool.apply_async")
    assert sink is not None
    assert {parameter.name for parameter in sink.travels} == {"func", "args", "kwds"}


def test_only_the_items_of_an_iterable_travel() -> None:
    sink = CATALOG.sink("multiprocessing.pool.Pool.map")
    assert sink is not None and Parameter("iterable", 1, items=True) in sink.travels
    assert sink.returns == ("func",)


def test_one_name_can_have_several_uses() -> None:
    consumer = CATALOG.consumer("builtins.sorted")
    assert consumer is not None
    uses = {use.kind: use for use in consumer.uses}
    assert uses[Kind.KEEPS].parameters == (Parameter("iterable", 0, items=True),)
    assert uses[Kind.KEEPS].into == Parameter("result")
    assert Parameter("key") in uses[Kind.DRAINS].parameters


def test_methods_of_unknown_receivers() -> None:
    append = CATALOG.method_consumer("append")
    assert append is not None and append.uses[0].into == Parameter("self")
    assert CATALOG.method_sink("imap_unordered") is not None
    assert CATALOG.method_sink("map") is None and CATALOG.method_consumer("map") is None


def test_forms() -> None:
    virtualenv = CATALOG.sink("airflow.sdk.task.virtualenv")
    assert virtualenv is not None and virtualenv.accepts is Form.SOURCE
    scheduler = CATALOG.consumer("torch.optim.lr_scheduler.LambdaLR")
    assert scheduler is not None and Kind.NO_CALLABLE_CLASS in scheduler.kinds


@pytest.mark.parametrize(
    "name", ["torch.utils.data.Dataset", "torch.nn.Module", "sklearn.base.BaseEstimator", "gym.Env"]
)
def test_bases(name: str) -> None:
    assert CATALOG.base(name) is not None
    assert CATALOG.base(f"{name}Model") is None


def test_unknown_names_are_nothing() -> None:
    assert CATALOG.sink("print") is None
    assert CATALOG.consumer("my.function") is None
    assert CATALOG.constructions("my.Pool") == ()


def test_movable() -> None:
    assert CATALOG.moves_safely("dataclasses.dataclass") and CATALOG.moves_safely("builtins.type")
    assert not CATALOG.moves_safely("functools.lru_cache")


@pytest.mark.parametrize(
    ("condition", "value", "instance", "holds"),
    [
        pytest.param(Condition(Parameter("x"), equals=("a",)), "a", None, True, id="is"),
        pytest.param(Condition(Parameter("x"), equals=("a",)), Missing.UNKNOWN, None, False, id="is-unknown"),
        pytest.param(Condition(Parameter("x"), default="a", equals=("a",)), Missing.ABSENT, None, True, id="default"),
        pytest.param(Condition(Parameter("x"), differs=("a",)), Missing.UNKNOWN, None, True, id="is-not-unknown"),
        pytest.param(Condition(Parameter("x"), differs=("a",)), "a", None, False, id="is-not"),
        pytest.param(Condition(Parameter("x"), given=True), Missing.UNKNOWN, None, True, id="given"),
        pytest.param(Condition(Parameter("x"), given=True), Missing.ABSENT, None, False, id="not-given"),
        pytest.param(Condition(Parameter("x"), instance="a.B"), Missing.UNKNOWN, "a.B", True, id="type"),
        pytest.param(Condition(Parameter("x"), instance="a.B"), Missing.UNKNOWN, None, False, id="type-unknown"),
    ],
)
def test_conditions(condition: Condition, value: str | Missing, instance: str | None, holds: bool) -> None:
    assert condition.holds(value, instance) is holds


def extend(**tables: object) -> Catalog:
    return CATALOG.extended(tables, "pyproject.toml")


def test_a_user_adds_and_replaces() -> None:
    catalog = extend(
        sinks=[
            "mylib.run(fn@0, *args)",
            {"calls": ["pickle.dumps"], "serialiser": "none"},
            {"calls": ["mylib.Cluster.send(job@0)"], "serialiser": "dill", "only-if": [{"parameter": "x", "is": [1]}]},
        ],
        objects=[{"calls": ["mylib.connect"], "gives": "mylib.Cluster"}],
        aliases={"mylib.api": "mylib"},
        consumers=[{"calls": ["mylib.on_start(callback@0)"], "kind": "drains"}],
        bases=["mylib.Job"],
        movable=["mylib.decorator"],
    )
    run = catalog.sink("mylib.api.run")
    assert run is not None
    assert run.travels == (Parameter("fn", 0), Parameter("args", stars=1))
    assert run.serialiser is Serialiser.PICKLE
    replaced = catalog.sink("pickle.dumps")
    assert replaced is not None and not replaced.serialiser.pickles
    (cluster,) = catalog.constructions("mylib.connect")
    assert catalog.sink(f"{cluster.gives}.send") is not None
    assert catalog.consumer("mylib.on_start") is not None
    assert catalog.base("mylib.Job") is not None
    assert catalog.moves_safely("mylib.decorator")
    assert catalog.sink("torch.save") == CATALOG.sink("torch.save")
    assert CATALOG.sink("mylib.run") is None, "the packaged catalog must not change"


def test_a_users_alias_may_stand_for_an_alias() -> None:
    catalog = extend(aliases={"mylib.Pool": "multiprocessing.Pool"})
    assert catalog.sink("mylib.Pool.map") == CATALOG.sink("multiprocessing.pool.Pool.map") is not None


def test_a_catalog_travels_to_workers() -> None:
    catalog = extend(sinks=["mylib.run(fn@0)"])
    assert vars(pickle.loads(pickle.dumps(catalog))) == vars(catalog)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        pytest.param({"sink": []}, "sink: is not a known key, did you mean 'sinks'?", id="table"),
        pytest.param({"sinks": 3}, "sinks: 3 is not an array of tables", id="not-an-array"),
        pytest.param({"sinks": [3]}, "sinks: 3 is not a table", id="not-a-table"),
        pytest.param(
            {"sinks": [{"calls": ["a.b(c@0)"], "serializer": "pickle"}]},
            "sinks a.b(c@0): serializer: is not a known key, did you mean 'serialiser'?",
            id="key",
        ),
        pytest.param(
            {"sinks": [{"calls": ["a.b(c@0)"], "serialiser": "pikle"}]},
            "sinks a.b(c@0): serialiser: unknown value 'pikle', did you mean 'pickle'?",
            id="value",
        ),
        pytest.param({"sinks": [{"when": "spawn"}]}, "sinks number 1: calls: is missing", id="no-calls"),
        pytest.param({"sinks": [{"calls": "a.b"}]}, "calls: 'a.b' is not an array of strings", id="calls-type"),
        pytest.param({"sinks": ["a b"]}, "'a b' is not a call such as", id="call"),
        pytest.param({"sinks": ["a.b(c@x)"]}, "'c@x' is not a parameter such as", id="parameter"),
        pytest.param({"sinks": ["a.b", "a.b"]}, "'a.b' is listed twice", id="twice"),
        pytest.param({"bases": ["a.b", "a.b"]}, "'a.b' is listed twice", id="base-twice"),
        pytest.param({"bases": ["a-b"]}, "names: 'a-b' is not a dotted name", id="base-name"),
        pytest.param(
            {"sinks": [{"calls": ["a.b(c)"], "returns": ["d"]}]}, "'d' is not a parameter of any", id="returns"
        ),
        pytest.param({"sinks": [{"calls": ["a.b"], "note": 1}]}, "note: 1 is not a string", id="note"),
        pytest.param(
            {"sinks": [{"calls": ["a.b"], "only-if": [{"parameter": "n"}]}]}, "takes exactly one of", id="no-test"
        ),
        pytest.param(
            {"sinks": [{"calls": ["a.b"], "only-if": [{"parameter": "n", "is": [[]]}]}]},
            "is: [[]] is not an array of strings, numbers or booleans",
            id="literal",
        ),
        pytest.param(
            {"sinks": [{"calls": ["a.b"], "only-if": [{"parameter": "n", "is": [1], "default": []}]}]},
            "default: [] is not a string, number or boolean",
            id="default",
        ),
        pytest.param(
            {"consumers": [{"calls": ["a.b(c)"], "kind": "keeps"}]}, "consumers a.b(c): into: is missing", id="into"
        ),
        pytest.param({"consumers": [{"calls": ["a.b(c)"]}]}, "kind: is missing", id="kind"),
        pytest.param(
            {"consumers": [{"calls": ["a.b", "a.b"], "kind": "lazy"}]},
            "'a.b' is listed twice as 'lazy'",
            id="use-twice",
        ),
        pytest.param({"objects": [{"calls": ["a.b"]}]}, "objects a.b: gives: is missing", id="gives"),
        pytest.param({"objects": [{"calls": ["a.b"], "gives": "c:d"}]}, "'d' is not 'items'", id="gives-items"),
        pytest.param({"aliases": {"a": "b", "b": "c"}}, "'a' stands for 'b', which is itself an alias", id="chain"),
        pytest.param({"aliases": ["a"]}, "aliases: ['a'] is not a table of strings", id="aliases"),
    ],
)
def test_a_mistake_is_named(tables: dict[str, object], message: str) -> None:
    with pytest.raises(CatalogError) as caught:
        extend(**tables)
    assert str(caught.value).startswith("pyproject.toml: ")
    assert message in str(caught.value)
