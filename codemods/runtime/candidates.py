"""Which definitions of a project have to reach other processes, from its syntax alone."""

from __future__ import annotations

import ast
from dataclasses import dataclass

_BASES = frozenset(
    {
        "Dataset",
        "IterableDataset",
        "MapDataset",
        "VisionDataset",
        "ConcatDataset",
        "Sampler",
        "BatchSampler",
        "Module",
        "LightningModule",
        "LightningDataModule",
        "Process",
        "BaseEstimator",
        "Callback",
    }
)


@dataclass(frozen=True)
class Candidates:
    """What a module offers.

    Args:
        instances: classes whose instances are sent, and that can be made without arguments.
        incomplete: such classes that need arguments.
        callables: functions that are handed on to somebody.
        uses_datasets: whether the module imports the ``datasets`` library.
    """

    instances: tuple[str, ...]
    incomplete: tuple[str, ...]
    callables: tuple[str, ...]
    uses_datasets: bool

    def __bool__(self) -> bool:
        return bool(self.instances or self.incomplete or self.callables)


def candidates(tree: ast.Module) -> Candidates:
    """Find what a module offers.

    Args:
        tree: the module.
    """
    handed_on = _handed_on(tree)
    instances: list[str] = []
    incomplete: list[str] = []
    sent = set(_BASES)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            if any(_last_name(base) in sent for base in node.bases):
                sent.add(node.name)
            elif not _method(node, "__call__"):
                continue
            (instances if _needs_nothing(node) else incomplete).append(node.name)
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in handed_on]
    return Candidates(tuple(instances), tuple(incomplete), tuple(functions), _imports(tree, "datasets"))


def _handed_on(tree: ast.Module) -> set[str]:
    """The names that are an argument of some call."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
            names.update(argument.id for argument in arguments if isinstance(argument, ast.Name))
    return names


def _needs_nothing(node: ast.ClassDef) -> bool:
    made = _method(node, "__init__") or _method(node, "__new__")
    if made is None:
        is_dataclass = any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list)
        fields = [item for item in node.body if isinstance(item, ast.AnnAssign)]
        return not is_dataclass or all(field.value is not None for field in fields)
    arguments = made.args
    positional = arguments.posonlyargs + arguments.args
    return len(positional) - 1 <= len(arguments.defaults) and all(arguments.kw_defaults)


def _method(node: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    return next((item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == name), None)


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript):
        return _last_name(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _imports(tree: ast.Module, name: str) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(alias.name.partition(".")[0] == name for alias in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").partition(".")[0] == name:
            return True
    return False
