"""Whether any rule could find something in a file, told from its syntax tree, without the analyses.

Most files hold nothing of interest, and for them this is all that is imported and run. Each function speaks for one
rule or several; it may be wrong only in that it lets the rules look at a file in which they find nothing.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterator

from codemods.analysis.staying import is_nested, stays
from codemods.analysis.syntax import FUNCTIONS
from codemods.analysis.tree import Tree
from codemods.catalog.names import resource_names, starter_names

_DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
_VIEWS = frozenset({"keys", "values", "items"})
_CLASS_MAKERS = frozenset(
    {"Enum", "Flag", "IntEnum", "IntFlag", "NamedTuple", "StrEnum", "TypedDict"}
    | {"make_dataclass", "namedtuple", "new_class", "type"}
)
_STATE_METHODS = frozenset({"__getstate__", "__setstate__", "__reduce__", "__deepcopy__", "__getattr__"})
_STARTERS = frozenset({"Manager", "Pool", "set_start_method", "spawn"})
_PROXIES = frozenset({"__members__", "__dict__"})
_PASSING = (ast.IfExp, ast.BoolOp, ast.NamedExpr, ast.Tuple, ast.List, ast.Dict, ast.Set)
_EXCEPTIONS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)
_SUPPRESSION = re.compile(r"#\s*picklefix|\bPKL\d", re.IGNORECASE)


def is_of_interest(
    tree: Tree, *, local: bool = False, configured: bool = False, is_own: Callable[[str], bool] | None = None
) -> bool:
    """Whether the rules have to look at a file.

    Args:
        tree: the file.
        local: whether origins count that stay in their functions.
        configured: whether the configuration names attributes or types that do not pickle.
        is_own: tells whether an imported name, with leading dots if it is relative, may be defined by the project.
    """
    return (
        _has_functions(tree, local)
        or _has_calls(tree)
        or _has_guarded_definitions(tree)
        or (ast.ClassDef in tree.nodes and (configured or _has_classes(tree, is_own)))
        or _SUPPRESSION.search(tree.source.text) is not None
    )


def _has_functions(tree: Tree, local: bool) -> bool:
    """Nested functions, lambdas and generators that do not stay where they are made."""
    return any(
        local or not stays(tree, node)
        for kind in (*FUNCTIONS, ast.Lambda, ast.GeneratorExp)
        for node in tree.nodes.get(kind, ())
        if not isinstance(node, FUNCTIONS) or is_nested(tree, node)
    )


def _has_calls(tree: Tree) -> bool:
    """Views, calls of generator functions, calls that make classes or start processes."""
    generators = {getattr(node, "name", "") for node in tree.generators}
    originals = {name: dotted.rpartition(".")[2] for name, dotted, _ in _imports(tree)}
    starters = starter_names() | _STARTERS
    for node in tree.nodes.get(ast.Call, ()):
        assert isinstance(node, ast.Call)
        name = _last_name(node.func)
        if name in generators and not stays(tree, node):
            return True
        if name in _VIEWS and isinstance(node.func, ast.Attribute):
            if not stays(tree, node):
                return True
            continue
        name = originals.get(name, name)
        if name in _CLASS_MAKERS and len(node.args) + len(node.keywords) > 1:
            return True
        if name == "methodcaller" or (name in starters and (name in _STARTERS or _runs_on_import(tree, node))):
            return True
    return False


def _runs_on_import(tree: Tree, node: ast.Call) -> bool:
    """Whether a call is run when the module is imported, or in a function that may be."""
    return _last_name(node.func)[:1].isupper() or not any(
        isinstance(outer, FUNCTIONS) for outer in tree.ancestors(node)
    )


def _has_guarded_definitions(tree: Tree) -> bool:
    """Functions and classes under a condition that may be the main guard."""
    return "__name__" in tree.names and any(
        isinstance(outer, ast.If)
        for kind in _DEFINITIONS
        for node in tree.nodes.get(kind, ())
        for outer in tree.ancestors(node)
    )


def _has_classes(tree: Tree, is_own: Callable[[str], bool] | None) -> bool:
    """Classes in functions, exceptions, state methods, decorators that are classes, attributes that may not pickle."""
    classes = [node for node in tree.nodes[ast.ClassDef] if isinstance(node, ast.ClassDef)]
    names = {node.name for node in classes}
    methods = {item.name for node in classes for item in node.body if isinstance(item, FUNCTIONS)}
    bases = {_last_name(base) for node in classes for base in node.bases}
    return (
        bool(_STATE_METHODS & methods)
        or ("__init__" in methods and bool(_EXCEPTIONS & bases))
        or any(isinstance(outer, FUNCTIONS) for node in classes for outer in tree.ancestors(node))
        or any(_last_name(decorator) in names for decorator in _decorators(tree))
        or any(True for _ in _resources(tree, is_own))
    )


def _decorators(tree: Tree) -> Iterator[ast.expr]:
    for kind in FUNCTIONS:
        for node in tree.nodes.get(kind, ()):
            yield from getattr(node, "decorator_list", ())
    for node in tree.module.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            yield node.value.func


def _resources(tree: Tree, is_own: Callable[[str], bool] | None) -> Iterator[ast.AST]:
    """Expressions that may give something that does not pickle, where it may come to rest in an attribute."""
    imports = {name: dotted for name, dotted, _ in _imports(tree)}
    modules = {name for name, _, statement in _imports(tree) if isinstance(statement, ast.Import)}
    own = {name for name, dotted in imports.items() if is_own is not None and is_own(dotted)}
    for name, nodes in tree.names.items():
        is_listed = _is_listed(imports.get(name, name))
        if not (is_listed or name in imports):
            continue
        for node in nodes:
            outer = tree.parents[node]
            if isinstance(outer, ast.Attribute):
                if name in imports:
                    yield from _attributes(tree, outer, name, imports[name], name in modules, name in own)
            elif (
                name in modules
                or (is_listed and not _is_dropped(tree, node))
                or (name in own and _may_rest(tree, node))
            ):
                yield node
    for attribute in tree.nodes.get(ast.Attribute, ()):
        assert isinstance(attribute, ast.Attribute)
        if attribute.attr in _PROXIES and _may_rest(tree, attribute, called=False):
            yield attribute


def _attributes(
    tree: Tree, node: ast.AST, name: str, dotted: str, is_module: bool, is_own: bool
) -> Iterator[ast.Attribute]:
    """The attributes among them of what a name stands for, and of their attributes.

    Args:
        tree: the file.
        node: the attribute of the name.
        name: the name.
        dotted: what it imports.
        is_module: whether that is surely a module.
        is_own: whether the project may define it.
    """
    while isinstance(node, ast.Attribute):
        if (
            (_is_listed(f"{dotted}.{node.attr}") and not _is_dropped(tree, node))
            or (is_module and _may_rest(tree, node, called=False))
            or (is_own and not name[:1].isupper() and _may_rest(tree, node))
        ):
            yield node
        node = tree.parents[node]


def _is_listed(dotted: str) -> bool:
    """Whether a name is that of a constructor of the catalog."""
    first, _, last = (dotted if "." in dotted else f".{dotted}").partition(".")
    return (first, last.rpartition(".")[2]) in resource_names()


def _is_dropped(tree: Tree, node: ast.expr) -> bool:
    """Whether what a constructor makes is only used by the statement that makes it."""
    call = tree.parents[node]
    if not isinstance(call, ast.Call) or call.func is not node:
        return False
    parent = tree.parents[call]
    if isinstance(parent, ast.withitem):
        return not isinstance(parent.optional_vars, ast.Attribute)
    return isinstance(parent, ast.Attribute)


def _may_rest(tree: Tree, node: ast.expr, called: bool = True) -> bool:
    """Whether a value may be stored in an attribute or a field, or what a function returns if that is the value."""
    inner, outer = node, tree.parents[node]
    if called and isinstance(outer, ast.Call) and outer.func is node and not _last_name(node)[:1].isupper():
        inner, outer = outer, tree.parents[outer]
    while isinstance(outer, _PASSING):
        inner, outer = outer, tree.parents[outer]
    if not isinstance(outer, (ast.Assign, ast.AnnAssign)) or outer.value is not inner:
        return False
    if isinstance(outer, ast.AnnAssign) and isinstance(tree.parents[outer], ast.ClassDef):
        return True
    return any(_is_stored(tree, target) for target in _targets(outer))


def _is_stored(tree: Tree, target: ast.expr) -> bool:
    """Whether a target is an attribute, or a variable that is assigned to one."""
    if isinstance(target, ast.Name):
        parents = (tree.parents[name] for name in tree.names[target.id])
        return any(isinstance(item, ast.Attribute) for parent in parents for item in _targets(parent))
    return isinstance(target, (ast.Attribute, ast.Subscript))


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign) else []


def _imports(tree: Tree) -> Iterator[tuple[str, str, ast.AST]]:
    """The variables that imports bind, the dotted names of what they hold, and the statements."""
    for alias in tree.nodes.get(ast.alias, ()):
        assert isinstance(alias, ast.alias)
        statement = tree.parents[alias]
        if isinstance(statement, ast.ImportFrom):
            owner = "." * statement.level + (statement.module or "")
            yield alias.asname or alias.name, f"{owner}.{alias.name}", statement
        elif alias.asname is not None:
            yield alias.asname, alias.name, statement
        else:
            first = alias.name.partition(".")[0]
            yield first, first, statement


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Subscript):
        node = node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
