"""Whether an attribute is always there, and whether everybody can do without its value."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from codemods.analysis.model import Model
from codemods.analysis.scopes import FUNCTIONS, Function, mangle
from codemods.analysis.state.attributes import is_named, self_name
from codemods.analysis.state.classes import Class
from codemods.analysis.state.family import Family


def is_always_set(family: Family, attribute: str) -> bool:
    """Whether each instance that ``__init__`` has made has an attribute, as far as the text tells."""
    stores = [store for store in family.attributes.of(family.head) if store.attribute == attribute]
    if any(store.method is None for store in stores):
        return True
    if any(store.deletes for store in family.stores(attribute)):
        return False
    if not all(_calls_first_init(family, heir) for heir in family.heirs):
        return False
    constructor = family.head.methods.get("__init__")
    nodes = {id(store.node) for store in stores if not store.in_closure}
    return constructor is not None and _sets(family, constructor, nodes, 0)


def _calls_first_init(family: Family, heir: Class) -> bool:
    """Whether constructing an heir runs the ``__init__`` of the head."""
    if heir is family.head:
        return True
    for base in family.classes.order(heir) or []:
        if base is family.head:
            return True
        constructor = base.methods.get("__init__") if isinstance(base, Class) else None
        if constructor is not None and not _mentions_init(constructor):
            return False
    return True


def _mentions_init(constructor: Function) -> bool:
    return any(
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Attribute)
        and statement.value.func.attr == "__init__"
        for statement in constructor.body
    )


def _sets(family: Family, method: Function, nodes: set[int], depth: int) -> bool:
    return _block_sets(family, method.body, self_name(method), nodes, depth)


def _block_sets(family: Family, body: Sequence[ast.stmt], name: str | None, nodes: set[int], depth: int) -> bool:
    """Whether running a block to its end surely sets one of the targets."""
    for statement in body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr)):
            if any(id(node) in nodes for node in ast.walk(statement)):
                return True
            if depth < 3 and _calls_setter(family, statement, name, nodes, depth):
                return True
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            if _block_sets(family, statement.body, name, nodes, depth):
                return True
        elif isinstance(statement, ast.If):
            if _block_sets(family, statement.body, name, nodes, depth) and _block_sets(
                family, statement.orelse, name, nodes, depth
            ):
                return True
        elif isinstance(statement, ast.Try) and _try_sets(family, statement, name, nodes, depth):
            return True
        if _may_return(statement):
            return False
    return False


def _try_sets(family: Family, statement: ast.Try, name: str | None, nodes: set[int], depth: int) -> bool:
    """Whether one of the targets is set whichever way a ``try`` statement is left without an exception."""
    if _block_sets(family, statement.finalbody, name, nodes, depth):
        return True
    ends = [[*statement.body, *statement.orelse], *(handler.body for handler in statement.handlers)]
    return all(isinstance(end[-1], ast.Raise) or _block_sets(family, end, name, nodes, depth) for end in ends)


def _calls_setter(family: Family, statement: ast.stmt, name: str | None, nodes: set[int], depth: int) -> bool:
    """Whether a statement calls a method of the instance that sets one of the targets."""
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)) or name is None:
        return False
    function = statement.value.func
    if not (isinstance(function, ast.Attribute) and is_named(function.value, name)):
        return False
    method = family.head.methods.get(function.attr)
    is_overridden = any(function.attr in heir.bound for heir in family.heirs if heir is not family.head)
    return method is not None and not is_overridden and _sets(family, method, nodes, depth + 1)


def _may_return(statement: ast.stmt) -> bool:
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Return):
            return True
        if not isinstance(node, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            pending.extend(ast.iter_child_nodes(node))
    return False


def is_made_on_demand(model: Model, family: Family, attribute: str) -> bool:
    """Whether every read of an attribute copes with None, because each method looks before it uses it.

    The attribute is None in the beginning, is made where a method finds that it is None, and is used only behind
    such a test.
    """
    if attribute in family.attributes.foreign or _is_read_elsewhere(model, family, attribute):
        return False
    if not any(_is_made_behind_test(model, family, store.node, attribute) for store in family.stores(attribute)):
        return False
    return all(_is_guarded(model, family, node, method, attribute) for method, node in family.reads(attribute))


def _is_read_elsewhere(model: Model, family: Family, attribute: str) -> bool:
    """Whether code outside of the class uses the attribute's value, other than to compare it with None."""
    own = {id(node) for _, node in family.reads(attribute)}
    for node in model.nodes.get(ast.Attribute, ()):
        assert isinstance(node, ast.Attribute)
        if (
            node.attr in (attribute, family.written(attribute))
            and isinstance(node.ctx, ast.Load)
            and id(node) not in own
            and not is_none_test(model.parents[node])
        ):
            return True
    return False


def is_none_test(node: ast.AST) -> bool:
    """Whether an expression compares something with None by identity."""
    return (
        isinstance(node, ast.Compare)
        and len(node.ops) == 1
        and isinstance(node.ops[0], (ast.Is, ast.IsNot))
        and isinstance(node.comparators[0], ast.Constant)
        and node.comparators[0].value is None
    )


def _is_made_behind_test(model: Model, family: Family, target: ast.AST, attribute: str) -> bool:
    parent = model.statement(target)
    around = model.parents[parent]
    return (
        isinstance(around, ast.If)
        and parent in around.body
        and attribute in _tested(family, around.test, is_missing=True)
    )


def _tested(family: Family, test: ast.expr, *, is_missing: bool) -> set[str]:
    """The attributes that are surely missing (None), or surely there, where a test holds."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return {name for value in test.values for name in _tested(family, value, is_missing=is_missing)}
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        simple = _attribute_name(family, test.operand)
        return {simple} if simple is not None and is_missing else set()
    if isinstance(test, ast.Compare) and is_none_test(test):
        name = _attribute_name(family, test.left)
        wanted = isinstance(test.ops[0], ast.Is) == is_missing
        return {name} if name is not None and wanted else set()
    name = _attribute_name(family, test)
    return {name} if name is not None and not is_missing else set()


def _attribute_name(family: Family, node: ast.expr) -> str | None:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return mangle(node.attr, family.head.name)
    return None


def _is_guarded(model: Model, family: Family, node: ast.Attribute, method: Function, attribute: str) -> bool:
    """Whether a read stands in a test, behind a test that it is there, or behind a statement that makes it."""
    inner: ast.AST = node
    for outer in model.ancestors(node):
        if is_none_test(outer) or (isinstance(outer, ast.UnaryOp) and outer.operand is node):
            return True
        if isinstance(outer, ast.BoolOp) and isinstance(outer.op, ast.And):
            before = outer.values[: outer.values.index(inner)] if inner in outer.values else []
            if any(attribute in _tested(family, value, is_missing=False) for value in before):
                return True
        if isinstance(outer, (ast.If, ast.While, ast.IfExp)):
            if inner is outer.test:
                if inner is node:
                    return True
            elif _branch_has_it(family, outer, inner, attribute):
                return True
        if isinstance(inner, ast.stmt):
            for block in _blocks(outer):
                if inner in block and _made_before(model, family, block[: block.index(inner)], attribute):
                    return True
        if outer is method:
            return False
        inner = outer
    return False


def _branch_has_it(family: Family, outer: ast.If | ast.While | ast.IfExp, inner: ast.AST, attribute: str) -> bool:
    body: Iterable[ast.AST] = outer.body if isinstance(outer.body, list) else [outer.body]
    if inner in body:
        return attribute in _tested(family, outer.test, is_missing=False)
    return attribute in _tested(family, outer.test, is_missing=True)


def _blocks(node: ast.AST) -> list[list[ast.AST]]:
    return [value for _, value in ast.iter_fields(node) if isinstance(value, list)]


def _made_before(model: Model, family: Family, statements: Sequence[ast.AST], attribute: str) -> bool:
    """Whether one of the statements sets the attribute, returns if it is None, or makes it if it is None."""
    for statement in statements:
        targets = {id(store.node) for store in family.stores(attribute) if _is_something(store.value)}
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and any(
            id(inner) in targets for inner in ast.walk(statement)
        ):
            return True
        if isinstance(statement, ast.If) and attribute in _tested(family, statement.test, is_missing=True):
            last = statement.body[-1]
            if isinstance(last, (ast.Return, ast.Raise)):
                return True
            if any(id(inner) in targets for part in statement.body for inner in ast.walk(part)):
                return True
    return False


def _is_something(value: ast.expr | None) -> bool:
    return value is not None and not (isinstance(value, ast.Constant) and value.value is None)
