"""Classes made anew at each call: does anything tell one call's class from another's?"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from codemods.analysis.classes.repeatable import makes_container
from codemods.analysis.inspection import is_class_expression
from codemods.analysis.model import Model
from codemods.analysis.reasons import Refused
from codemods.analysis.scopes import COMPREHENSIONS, FUNCTIONS, Scope
from codemods.finding import Level

_REGISTERING = frozenset({"add", "register", "setdefault"})


def check_variable(model: Model, owner: Scope, name: str, made: ast.AST) -> None:
    """Refuse a class where the function that makes it treats it as one of its own.

    Args:
        model: the file.
        owner: the function.
        name: the variable that holds the class.
        made: the statement or call that makes the class.

    Raises:
        Refused: naming what the function does.
    """
    for use in owner.uses(name):
        parent = model.parents[use]
        if isinstance(parent, ast.Attribute) and not isinstance(parent.ctx, ast.Load):
            raise Refused("class-state", name=ast.unparse(parent))
        if _is_key_or_compared(model, use) or _is_caught(model, use, made):
            raise Refused("identity-observed", name=name)
        if isinstance(parent, ast.Call) and use in parent.args:
            _check_call(model, parent, name)
            if tests_for(parent, name) and _outlives_call(model, parent, owner, made):
                raise Refused("identity-observed", name=ast.unparse(parent))


def _outlives_call(model: Model, node: ast.AST, owner: Scope, made: ast.AST) -> bool:
    """Whether code stands in a function that may be called with objects of another call: one that is handed out."""
    around = list(model.ancestors(node))
    inner = around[: around.index(owner.node)]
    return made not in inner and any(
        isinstance(function, (*FUNCTIONS, ast.Lambda)) and model.flow.reach(function).level > Level.LOCAL
        for function in inner
    )


def check_results(model: Model, owner: Scope, name: str, made: ast.AST) -> None:
    """Refuse a class that its function returns and that those who called the function change or tell apart.

    Args:
        model: the file.
        owner: the function.
        name: the variable that holds the class.
        made: the statement or call that makes the class.

    Raises:
        Refused: naming the attribute or the expression.
    """
    if not any(isinstance(model.parents[use], ast.Return) for use in owner.uses(name)):
        return
    for file in model.flow.around(made).joined.files:
        user = model if file.path == model.path else Model(file.source, model.catalog)
        for attribute in user.nodes.get(ast.Attribute, ()):
            assert isinstance(attribute, ast.Attribute)
            if not isinstance(attribute.ctx, ast.Load) and _is_result_of(user, attribute.value, owner):
                raise Refused("class-state", name=ast.unparse(attribute))
        if user is not model:
            for expression in _told_apart(user):
                if _is_result_of(user, expression, owner):
                    raise Refused("identity-observed", name=ast.unparse(expression))


def _told_apart(model: Model) -> Iterator[ast.expr]:
    """The expressions of a file that stand where it matters which class is meant."""
    for node_type in (ast.Compare, ast.Dict, ast.Set, ast.ExceptHandler, ast.Call):
        for node in model.nodes.get(node_type, ()):
            found: list[ast.expr | None] = []
            if isinstance(node, ast.Compare):
                found = [node.left, *node.comparators]
            elif isinstance(node, ast.Dict):
                found = list(node.keys)
            elif isinstance(node, ast.Set):
                found = list(node.elts)
            elif isinstance(node, ast.ExceptHandler):
                found = [node.type]
            elif isinstance(node, ast.Call) and model.dotted_name(node.func) in ("isinstance", "issubclass"):
                found = list(node.args)
            for expression in found:
                yield from expression.elts if isinstance(expression, ast.Tuple) else filter(None, [expression])


def _is_result_of(model: Model, node: ast.expr, owner: Scope) -> bool:
    """Whether an expression is a call of a function, or a variable that such a call was assigned to."""
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
        return called == owner.name
    if not isinstance(node, ast.Name):
        return False
    variable = model.scopes.around[node].resolve(node.id)
    parents = (model.parents.get(binding) for _, binding in variable.all_bindings(node.id))
    values = (parent.value for parent in parents if isinstance(parent, ast.Assign))
    return any(isinstance(value, ast.Call) and _is_result_of(model, value, owner) for value in values)


def check_comparisons(model: Model, owner: Scope, around: Iterable[ast.AST]) -> None:
    """Refuse a class where the types of objects are compared that may come from different calls.

    Args:
        model: the file.
        owner: the function that makes the class.
        around: the class and its bases in this file, whose methods see objects of several calls.

    Raises:
        Refused: if a comparison may see the classes of two calls.
    """
    classes = set(around)
    callers = _callers(model, owner)
    for node in _identity_tests(model):
        ancestors = set(model.ancestors(node))
        if classes & ancestors or owner.node in ancestors or callers & ancestors:
            raise Refused("identity-observed", name=ast.unparse(node))


def check_equality(model: Model, owner: Scope) -> None:
    """Refuse a class whose instances equal only those of the very same class, where instances of two calls may meet.

    Args:
        model: the file.
        owner: the function that makes the class.

    Raises:
        Refused: if they are compared by a function that calls that one.
    """
    callers = _callers(model, owner)
    for node in model.nodes.get(ast.Compare, ()):
        assert isinstance(node, ast.Compare)
        has_constant = any(isinstance(side, ast.Constant) for side in (node.left, *node.comparators))
        if not has_constant and callers & set(model.ancestors(node)):
            raise Refused("identity-observed", name=ast.unparse(node))


def check_state(model: Model, node: ast.ClassDef) -> None:
    """Refuse a class that holds state: the calls of the function would share it.

    Raises:
        Refused: naming the attribute.
    """
    inside = {inner for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}
    values = dict(_class_attributes(node))
    for attribute in model.nodes.get(ast.Attribute, ()):
        assert isinstance(attribute, ast.Attribute)
        is_written = not isinstance(attribute.ctx, ast.Load) and is_class_expression(attribute.value)
        if is_written and (attribute in inside or attribute.attr in values):
            raise Refused("class-state", name=ast.unparse(attribute))
    for call in model.nodes.get(ast.Call, ()):
        assert isinstance(call, ast.Call)
        if model.dotted_name(call.func) in ("setattr", "delattr") and call.args and is_class_expression(call.args[0]):
            raise Refused("class-state", name=ast.unparse(call))
    for name, value in values.items():
        if value is not None and not _is_dunder(name) and makes_container(model, value):
            # Whoever holds the class or an instance may change it, in this file or elsewhere.
            raise Refused("class-state", name=name)


def _class_attributes(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that the body of a class, or of a class in it, binds, with the values that are assigned to them."""
    for statement in _outside_functions(node):
        if isinstance(statement, ast.Assign):
            targets = [inner for target in statement.targets for inner in ast.walk(target)]
            names = [target for target in targets if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)]
            yield from ((target.id, statement.value) for target in names)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id, statement.value


def _outside_functions(node: ast.ClassDef) -> Iterator[ast.AST]:
    """What is inside a class and in none of its methods, whose variables are no attributes."""
    pending: list[ast.AST] = list(reversed(node.body))
    while pending:
        inner = pending.pop()
        if not isinstance(inner, FUNCTIONS):
            yield inner
            pending.extend(reversed(list(ast.iter_child_nodes(inner))))


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _is_key_or_compared(model: Model, use: ast.expr) -> bool:
    parent = model.parents[use]
    if isinstance(parent, ast.Compare):
        return True
    if isinstance(parent, ast.Subscript):
        return parent.slice is use
    if isinstance(parent, ast.Dict):
        return use in parent.keys
    if isinstance(parent, COMPREHENSIONS):
        return not isinstance(parent, ast.DictComp) or parent.key is use
    return isinstance(parent, (ast.Set, ast.MatchValue))


def _is_caught(model: Model, use: ast.expr, made: ast.AST) -> bool:
    """Whether a function catches the class, and means its own: an inner call's exception would end the outer one."""
    parent = model.parents[use]
    handler = model.parents[parent] if isinstance(parent, ast.Tuple) else parent
    return isinstance(handler, ast.ExceptHandler) and made not in set(model.ancestors(handler))


def _check_call(model: Model, call: ast.Call, name: str) -> None:
    """A call that is given the class: one that keeps or changes it would do so again at each call of the function."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _REGISTERING:
        raise Refused("identity-observed", name=name)
    if isinstance(call.func, ast.Name):
        if call.func.id in ("setattr", "delattr", "vars"):
            raise Refused("class-state", name=ast.unparse(call))
        if call.func.id in ("id", "hash"):
            raise Refused("identity-observed", name=name)
        owner = model.scopes.around[call.func].resolve(call.func.id)
        for _, binding in owner.all_bindings(call.func.id):
            if isinstance(binding, FUNCTIONS) and _changes_an_argument(model, binding):
                raise Refused("class-state", name=ast.unparse(call))


def tests_for(call: ast.Call, name: str) -> bool:
    """Whether a call is ``isinstance`` or ``issubclass`` with a class of a name."""
    is_test = isinstance(call.func, ast.Name) and call.func.id in ("isinstance", "issubclass")
    return is_test and any(
        isinstance(inner, ast.Name) and inner.id == name for argument in call.args[1:] for inner in ast.walk(argument)
    )


def _changes_an_argument(model: Model, function: ast.AST) -> bool:
    """Whether a function sets attributes of a parameter, or hands parameters on to something that may."""
    scope = model.scopes.of_node[function]
    names = {name for name, nodes in scope.bindings.items() if any(isinstance(node, ast.arg) for node in nodes)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load):
            parent = model.parents[node]
            if isinstance(parent, ast.Attribute) and not isinstance(parent.ctx, ast.Load):
                return True
            if isinstance(parent, ast.Call) and parent.func is not node:
                return True
    return False


def _identity_tests(model: Model) -> Iterator[ast.expr]:
    """The expressions that tell whether two objects are of the very same class."""
    for node in model.nodes.get(ast.Compare, ()):
        assert isinstance(node, ast.Compare)
        sides = [node.left, *node.comparators]
        if sum(_is_type(side) for side in sides) >= 2:
            yield node
    for node in model.nodes.get(ast.Call, ()):
        assert isinstance(node, ast.Call)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        position = {"isinstance": 1, "issubclass": 1, "id": 0, "hash": 0}.get(name)
        if position is not None and len(node.args) > position and _is_type(node.args[position]):
            yield node
    for node in model.nodes.get(ast.Subscript, ()):
        assert isinstance(node, ast.Subscript)
        if _is_type(node.slice):
            yield node


def _is_type(node: ast.expr) -> bool:
    return is_class_expression(node) or (isinstance(node, ast.Attribute) and node.attr == "__class__")


def _callers(model: Model, owner: Scope) -> set[ast.AST]:
    """The functions of the file that call a function, directly or through others, as far as names tell."""
    functions = [node for kind in FUNCTIONS for node in model.nodes.get(kind, ())]
    mentioned = {function: _mentioned(function) for function in functions}
    names, callers = {owner.name}, set[ast.AST]()
    found = True
    while found:
        found = False
        for function, others in mentioned.items():
            if function not in callers and names & others:
                callers.add(function)
                names.add(getattr(function, "name", ""))
                found = True
    return callers


def _mentioned(function: ast.AST) -> set[str]:
    nodes = list(ast.walk(function))
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return attributes | {node.id for node in nodes if isinstance(node, ast.Name)}
