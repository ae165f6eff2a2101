"""Expressions that make a dict which nothing else holds."""

from __future__ import annotations

import ast

from codemods.analysis.model import Model

_FRESH_RESULTS = frozenset(
    {"json.load", "json.loads", "tomllib.load", "tomllib.loads", "toml.load", "toml.loads", "yaml.safe_load"}
    | {"ast.literal_eval", "dataclasses.asdict", "collections.Counter", "typing.get_type_hints", "dict.fromkeys"}
    | {"attr.asdict", "attrs.asdict", "urllib.parse.parse_qs", "dict", "collections.OrderedDict"}
    | {"collections.defaultdict"}
)


def is_fresh(model: Model, node: ast.expr) -> bool:
    """Whether an expression makes a dict that nothing else holds."""
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return True
    if not isinstance(node, ast.Call):
        return False
    name = model.dotted_name(node.func)
    if name is not None and name.startswith(("json.", "yaml.", "toml")):
        return name in _FRESH_RESULTS and all(keyword.arg in ("encoding", "strict") for keyword in node.keywords)
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("_asdict", "groupdict"):
        return True
    return name in _FRESH_RESULTS
