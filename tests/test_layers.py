"""Imports point down: a module may import what stands below it, never what stands above."""

from __future__ import annotations

import ast
import pathlib

import pytest

PACKAGE = pathlib.Path(__file__).parent.parent / "codemods"

# From the top. A module belongs to the first entry that its path begins with.
LAYERS = (
    "libcst_commands",
    "__main__",
    "cli",
    "bot",
    "report",
    "runtime",
    "writing",
    "minimising",
    "api",
    "cache",
    "cluster",
    "spread",
    "runner",
    "pool",
    "remote",
    "job",
    "project",
    "discovery",
    "walk",
    "ignores",
    "git",
    "project_style",
    "config",
    "selection",
    "config_text",
    "settings",
    "portion",
    "engine",
    "passes",
    "baseline",
    "fingerprint",
    "triage",
    "narrowing",
    "options",
    "rules",
    "rewrite",
    "analysis",
    "suppression",
    "catalog",
    "style",
    "identity",
    "source",
    "finding",
    "edits",
    "__init__",
)


def layer_of(module: str) -> int:
    parts = module.split(".")[1:] or ["__init__"]
    return LAYERS.index(parts[0])


def imported_modules(path: pathlib.Path) -> set[str]:
    """The modules of the package that a file imports when it is itself imported, or later."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: imports are absolute"
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {name if is_module(name) else str(node.module) for name in inside}
    return {name for name in found if name.split(".")[0] == "codemods"}


def is_module(name: str) -> bool:
    base = PACKAGE.parent.joinpath(*name.split("."))
    return base.with_suffix(".py").exists() or (base / "__init__.py").exists()


def module_name(path: pathlib.Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_imports_point_down(path: pathlib.Path) -> None:
    if module_name(path) == "codemods":
        return  # it imports the public functions only when somebody asks for them
    own = layer_of(module_name(path))
    upward = sorted(name for name in imported_modules(path) if layer_of(name) < own)
    assert upward == []


def test_there_are_no_import_cycles() -> None:
    edges = {module_name(path): imported_modules(path) - {module_name(path)} for path in FILES}
    finished: set[str] = set()

    def visit(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, " -> ".join([*way[way.index(module) :], module])
        if module not in finished:
            for target in sorted(edges.get(module, ())):
                # A package imports its parts for those who ask for them, its parts import nothing but each other.
                if not module.startswith(f"{target}."):
                    visit(target, (*way, module))
            finished.add(module)

    for module in sorted(edges):
        visit(module, ())


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_heavy_libraries_are_imported_only_where_something_is_written(path: pathlib.Path) -> None:
    """libcst and black take longer to import than a whole run over clean files."""
    heavy = {
        alias.name.split(".")[0]
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in ([ast.alias(node.module or "")] if isinstance(node, ast.ImportFrom) else node.names)
    } & {"libcst", "black"}
    assert not heavy or module_name(path).split(".")[1] in ("rewrite", "libcst_commands")
