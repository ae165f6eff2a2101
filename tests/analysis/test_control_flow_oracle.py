"""Runs random programs, and holds what happened to their closures against what the analysis says."""

from __future__ import annotations

import ast
import warnings

import pytest

from codemods.analysis.control.flow import ControlFlow

from .control_flow_programs import Programs, Run

PROGRAMS_PER_TEST = 30
RUNS_PER_PROGRAM = 40


def observed_closures(program: ast.FunctionDef) -> dict[int, tuple[str, list[ast.AST]]]:
    """The variable that each observed closure captures, and the places where that can be judged, by its number."""
    closures: dict[int, tuple[str, list[ast.AST]]] = {}
    for node in ast.walk(program):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "see" and node.args[1:]:
            closure = node.args[1]
            assert isinstance(closure, ast.Lambda)
            closures[ast.literal_eval(node.args[0])] = ast.unparse(closure.body), [closure, node]
        elif isinstance(node, ast.FunctionDef) and node.decorator_list:
            decorator, (body,) = node.decorator_list[0], node.body
            assert isinstance(decorator, ast.Call)
            assert isinstance(body, ast.Return)
            assert body.value is not None
            closures[ast.literal_eval(decorator.args[0])] = ast.unparse(body.value), [node]
    return closures


@pytest.mark.parametrize("first_seed", range(0, 10 * PROGRAMS_PER_TEST, PROGRAMS_PER_TEST))
def test_no_run_contradicts_the_analysis(first_seed: int) -> None:
    proved = 0
    for seed in range(first_seed, first_seed + PROGRAMS_PER_TEST):
        source = Programs(seed).program()
        module = ast.parse(source)
        program = module.body[0]
        assert isinstance(program, ast.FunctionDef)
        flow = ControlFlow.of(program)
        closures = observed_closures(program)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            code = compile(module, f"program {seed}", "exec")
        for run_seed in range(RUNS_PER_PROGRAM):
            run = Run(run_seed)
            run.execute(code)
            for number, was_bound, was_changed in run.outcomes():
                name, places = closures[number]
                for place in places:
                    is_bound = flow.is_definitely_bound(name, place)
                    is_rebound = flow.may_be_rebound_after(name, place)
                    claim = f"closure {number} over {name} in\n{source}"
                    assert flow.is_reachable(place), claim
                    assert was_bound or not is_bound, claim
                    assert is_rebound or not was_changed, claim
                    proved += is_bound and not is_rebound
    # The analysis must not escape by always being cautious.
    assert proved > 100
