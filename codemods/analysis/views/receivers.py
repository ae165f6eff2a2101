"""Whether the receiver of ``keys()``, ``values()`` or ``items()`` is a dict."""

from __future__ import annotations

import ast
import enum
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterator

from codemods.analysis.model import Model, is_method
from codemods.analysis.scopes import FUNCTIONS
from codemods.analysis.values.definitions import Class, Function
from codemods.analysis.values.types import ClassItself, Tag
from codemods.analysis.views.calls import ViewCall
from codemods.analysis.views.makers import is_fresh


class Receiver(enum.Enum):
    """What a receiver is."""

    DICT = enum.auto()
    NAMESPACE = enum.auto()
    """The variables of an object, class, module or process, which are a dict that changes."""
    ITSELF = enum.auto()
    """The dict whose own method makes the view, and may keep it while it grows."""
    LIKELY = enum.auto()
    """Nothing is known, and nothing speaks against a dict."""
    DOUBTFUL = enum.auto()
    """Something speaks against a dict."""
    MIXED = enum.auto()
    """A dict here, something else there."""
    OTHER = enum.auto()
    """No dict: what it returns pickles, or is not ours to judge."""


_DICTS = frozenset(
    {"dict", "typing.Dict", "typing.DefaultDict", "typing.OrderedDict", "typing.Counter", "typing.TypedDict"}
    | {"typing_extensions.TypedDict"}
    | {f"collections.{name}" for name in ("OrderedDict", "defaultdict", "Counter")}
)
_MAPPINGS = frozenset(
    {f"{module}.{name}" for module in ("typing", "collections.abc") for name in ("Mapping", "MutableMapping")}
)
# Their keys(), values() and items() return lists, generators or views that pickle with what they show.
_OTHERS = frozenset(
    {"collections.ChainMap", "collections.UserDict", "http.cookies.SimpleCookie", "sqlite3.Row"}
    | {f"weakref.{name}" for name in ("WeakKeyDictionary", "WeakValueDictionary")}
)
_OTHER_MODULES = frozenset(
    ("configparser", "dbm", "email", "h5py", "mailbox", "multidict", "netCDF4", "networkx", "numpy", "pandas", "polars")
    + (
        "pyarrow",
        "pyspark",
        "redis",
        "shelve",
        "sqlite3",
        "tables",
        "tensorflow",
        "torch",
        "werkzeug",
        "xarray",
        "xml",
        "zarr",
    )
)
_WITH_DICTS = frozenset({"numpy", "tensorflow", "torch"})
"""Modules of those that are imported for many other things, and whose functions return dicts as well."""
_TABLE_NAMES = frozenset(
    {"dataframe", "df", "element", "frame", "h5", "h5file", "headers", "msg", "message", "row", "tree"}
)
_ANY = frozenset({"typing.Any", "object", "typing.Union", "typing.Optional"})
_NOT_MAPPINGS = frozenset({"list", "tuple", "set", "frozenset", "str", "bytes", "int", "float", "bool", "iterator"})
_NAMESPACES = frozenset({"os.environ", "sys.modules"})
_ATTRIBUTES = frozenset(name for kind in (dict, OrderedDict, defaultdict, Counter) for name in dir(kind)) | {
    "has_key",
    "iteritems",
    "iterkeys",
    "itervalues",
}


class Receivers:
    """Judges receivers.

    Args:
        model: the file.
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    def judge(self, view: ViewCall) -> Receiver:
        """What the receiver of a view is."""
        if self.is_namespace(view.receiver):
            return Receiver.NAMESPACE
        if view.surely or is_fresh(self.model, view.receiver):
            return Receiver.DICT
        if self._is_made_elsewhere(view.receiver):
            return Receiver.OTHER
        found = set(self._kinds(view))
        if Receiver.OTHER in found:
            return Receiver.MIXED if Receiver.DICT in found else Receiver.OTHER
        for kind in (Receiver.ITSELF, Receiver.DOUBTFUL, Receiver.DICT):
            if kind in found:
                return kind
        return Receiver.OTHER if self._has_foreign_attributes(view.receiver) else self._guess(view)

    def is_namespace(self, node: ast.expr) -> bool:
        """Whether an expression gives the variables of something."""
        if isinstance(node, ast.Call):
            return self.model.dotted_name(node.func) in ("vars", "locals", "globals")
        if isinstance(node, ast.Attribute) and node.attr == "__dict__":
            return True
        return self.model.dotted_name(node) in _NAMESPACES

    def _kinds(self, view: ViewCall) -> Iterator[Receiver]:
        if _is_super(view.receiver) or self._is_instance(view.receiver):
            yield from self._kinds_of_owner(view)
            return
        for tag in self.tags(view.receiver):
            kind = self._kind(tag, view.method)
            if kind is not None:
                yield kind
        for annotation in self._annotations(view.receiver):
            yield from self._declared(annotation)

    def _is_made_elsewhere(self, node: ast.expr) -> bool:
        """Whether a call that made the receiver, or that made what it was taken from, says that it is no dict."""
        made = self._made(node)
        seen: set[ast.expr] = set()
        while isinstance(made, (ast.Call, ast.Attribute, ast.Subscript)) and made not in seen:
            seen.add(made)
            name = self.model.dotted_name(made.func if isinstance(made, ast.Call) else made)
            if name is not None and _is_of_others(name):
                return True
            made = self._made(made.func if isinstance(made, ast.Call) else made.value)
        return False

    def _made(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Name):
            bindings = list(self.model.scopes.around[node].resolve(node.id).all_bindings(node.id))
            statement = self.model.parents.get(bindings[0][1]) if len(bindings) == 1 else None
            if isinstance(statement, ast.withitem):
                return statement.context_expr
            return statement.value if isinstance(statement, ast.Assign) else node
        return node

    def tags(self, node: ast.expr) -> frozenset[Tag]:
        """What is known about the type of an expression that a call or subscript works on."""
        flow = self.model.flow
        place = flow.graph.of_operand.get(node, flow.graph.of_node.get(node))
        return flow.types.of(place)

    def _kind(self, tag: Tag, method: str) -> Receiver | None:
        if isinstance(tag, Class):
            return self._instance(tag, method)
        if isinstance(tag, (Function, ClassItself)):
            return Receiver.OTHER if isinstance(tag, ClassItself) else None
        return _named(tag)

    def _instance(self, record: Class, method: str) -> Receiver:
        if record.method(method) is not None:
            return Receiver.OTHER
        kinds = {_named(name) for name in record.foreign_bases()}
        if Receiver.DICT in kinds:
            return Receiver.DICT
        if any(name in _MAPPINGS for name in record.foreign_bases()):
            return Receiver.OTHER
        return Receiver.OTHER if Receiver.OTHER in kinds else Receiver.DOUBTFUL

    def _is_instance(self, node: ast.expr) -> bool:
        """Whether an expression is the first parameter of the method that it stands in."""
        if not isinstance(node, ast.Name):
            return False
        owner = self.model.scopes.around[node].resolve(node.id)
        if not (is_method(owner) and isinstance(owner.node, FUNCTIONS)):
            return False
        arguments = owner.node.args
        return [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)][:1] == [node.id]

    def _kinds_of_owner(self, view: ViewCall) -> Iterator[Receiver]:
        """What the instances of the class are in whose method a view of the instance itself is made."""
        owner = next((node for node in self.model.ancestors(view.node) if isinstance(node, ast.ClassDef)), None)
        place = self.model.flow.graph.of_node.get(owner) if owner is not None else None
        for tag in self.model.flow.types.of(place):
            if isinstance(tag, ClassItself):
                kind = self._instance(tag.record, "" if _is_super(view.receiver) else view.method)
                yield Receiver.ITSELF if kind is Receiver.DICT else kind

    def _annotations(self, node: ast.expr) -> Iterator[ast.expr]:
        """The declared types of an attribute, or of what a function of the file returns."""
        if isinstance(node, ast.Attribute):
            for statement in self.model.nodes.get(ast.AnnAssign, ()):
                assert isinstance(statement, ast.AnnAssign)
                target = statement.target
                if isinstance(target, ast.Attribute) and target.attr == node.attr:
                    yield statement.annotation
        if isinstance(node, ast.Call):
            for tag in self._called(node):
                if isinstance(tag, Function) and (returns := getattr(tag.node, "returns", None)) is not None:
                    yield returns

    def _called(self, node: ast.Call) -> Iterator[Tag]:
        function = node.func
        if isinstance(function, ast.Name):
            owner = self.model.scopes.around[function].resolve(function.id)
            for _, binding in owner.all_bindings(function.id):
                yield from self.model.flow.types.of(self.model.flow.graph.of_node.get(binding))
        elif isinstance(function, ast.Attribute):
            for tag in self.tags(function.value):
                method = tag.method(function.attr) if isinstance(tag, Class) else None
                if method is not None:
                    yield method

    def _declared(self, node: ast.expr) -> Iterator[Receiver]:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            head = node.value.partition("[")[0].strip()
            if head in ("dict", "Dict", "OrderedDict", "Counter", "defaultdict", "Mapping"):
                yield Receiver.DICT
            return
        if isinstance(node, ast.BinOp):
            yield from self._declared(node.left)
            yield from self._declared(node.right)
        elif isinstance(node, ast.Subscript):
            name = self.model.dotted_name(node.value) or ""
            yield from self._declared(node.slice if name.endswith("Optional") else node.value)
        elif isinstance(node, (ast.Name, ast.Attribute)):
            kind = _named(self.model.dotted_name(node) or "?")
            if kind is not None:
                yield kind

    def _has_foreign_attributes(self, node: ast.expr) -> bool:
        """Whether the file uses an attribute of the receiver that dicts lack."""
        text = ast.dump(node)
        for attribute in self.model.nodes.get(ast.Attribute, ()):
            assert isinstance(attribute, ast.Attribute)
            if attribute.attr not in _ATTRIBUTES and self._is_same(attribute.value, node, text):
                return True
        return False

    def _is_same(self, one: ast.expr, other: ast.expr, text: str) -> bool:
        if isinstance(one, ast.Name) and isinstance(other, ast.Name):
            scopes = self.model.scopes.around
            return one.id == other.id and scopes[one].resolve(one.id) is scopes[other].resolve(other.id)
        return isinstance(one, ast.Attribute) and ast.dump(one) == text

    def _guess(self, view: ViewCall) -> Receiver:
        """Whether what is not known may well be a dict."""
        definitions = self.model.nodes.get(ast.FunctionDef, ())
        named = [node for node in definitions if getattr(node, "name", "") == view.method]
        if any(isinstance(self.model.parents[node], ast.ClassDef) for node in named):
            return Receiver.DOUBTFUL
        imported = {
            (name or "").partition(".")[0]
            for node_type in (ast.Import, ast.ImportFrom)
            for node in self.model.nodes.get(node_type, ())
            for name in (
                [alias.name for alias in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", "")]
            )
        }
        doubtful = imported & (_OTHER_MODULES - _WITH_DICTS) or _last_word(view.receiver) in _TABLE_NAMES
        return Receiver.DOUBTFUL if doubtful else Receiver.LIKELY


def _named(name: str) -> Receiver | None:
    """What an instance of a class with a dotted name is; None where the name says nothing."""
    if name in _DICTS or name in _MAPPINGS:
        return Receiver.DICT
    if name in _ANY or name in _NOT_MAPPINGS or not name:
        return None
    if name in _OTHERS or name.partition(".")[0] in _OTHER_MODULES:
        return Receiver.OTHER
    return Receiver.DOUBTFUL


def _is_of_others(name: str) -> bool:
    """Whether a dotted name is a class or function whose results are no dicts."""
    return name in _OTHERS or name.startswith("torch.nn.") or name.partition(".")[0] in _OTHER_MODULES - _WITH_DICTS


def _last_word(node: ast.expr) -> str:
    """The last word of a name, in lower case."""
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name.lower().rpartition("_")[2]


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
