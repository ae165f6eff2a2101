"""Writes a test file that proves that a project's objects reach other processes."""

from __future__ import annotations

import os
from collections.abc import Sequence

from codemods.runtime.candidates import Candidates

_HEAD = '''"""What goes to other processes has to pickle, to copy, and to arrive as it was.

Written by `picklefix tests`; it needs pytest and picklefix. Add to the tables below what is missing.
"""

from __future__ import annotations

import copy
import pickle
from multiprocessing.reduction import ForkingPickler
'''
_BODY = """
START_METHODS = ("spawn", "forkserver") if hasattr(os, "fork") else ("spawn",)


@pytest.fixture(params=[*INSTANCES, *CALLABLES])
def obj(request):
    name = request.param
    return CALLABLES[name] if name in CALLABLES else INSTANCES[name]()


def test_pickles(obj):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert type(pickle.loads(pickle.dumps(obj, protocol))) is type(obj)


def test_pickles_to_a_file(obj, tmp_path):
    path = tmp_path / "obj.pickle"
    with path.open("wb") as stream:
        pickle.dump(obj, stream)
    with path.open("rb") as stream:
        assert type(pickle.load(stream)) is type(obj)


def test_pickles_for_workers(obj):
    assert type(pickle.loads(ForkingPickler.dumps(obj))) is type(obj)


def test_copies(obj):
    assert type(copy.deepcopy(obj)) is type(obj)


@pytest.mark.parametrize("start_method", START_METHODS)
def test_reaches_a_worker(obj, start_method, assert_picklable):
    assert_picklable(obj, start_method)
"""
_FINGERPRINT = """

@pytest.mark.parametrize("name", CALLABLES)
def test_has_the_same_fingerprint_in_each_process(name, assert_same_fingerprint):
    assert_same_fingerprint(CALLABLES[name])
"""


def suite(modules: Sequence[tuple[str, str, Candidates]], path: str) -> str:
    """The text of a test file.

    Args:
        modules: for each module the folder from which it is imported, its name, and what it offers.
        path: where the file will be.
    """
    folders = list(dict.fromkeys(folder for folder, _, _ in modules))
    here = os.path.dirname(os.path.abspath(path))
    relative = [os.path.relpath(folder, here).replace(os.sep, "/") for folder in folders]
    imports = "".join(f"import {name}  # noqa: E402\n" for name in sorted({name for _, name, _ in modules}))
    paths = "".join(f'sys.path.append(str(pathlib.Path(__file__).parent / "{folder}"))\n' for folder in relative)
    # Before the other imports in the order of the alphabet.
    head = _HEAD.replace("import pickle\n", "import os\nimport pathlib\nimport pickle\nimport sys\n")
    tables = _table("INSTANCES", [f"{module}.{name}" for _, module, found in modules for name in found.instances])
    tables += _table("CALLABLES", [f"{module}.{name}" for _, module, found in modules for name in found.callables])
    left = [f"{module}.{name}" for _, module, found in modules for name in found.incomplete]
    if left:
        tables += "# These need arguments; add a function without any that makes one to INSTANCES:\n"
        tables += "".join(f"#     {name}\n" for name in left)
    fingerprint = _FINGERPRINT if any(found.uses_datasets and found.callables for _, _, found in modules) else ""
    return f"{head}\nimport pytest\n\n{paths}\n{imports}\n{tables}{_BODY}{fingerprint}"


def _table(name: str, objects: Sequence[str]) -> str:
    if not objects:
        return f"{name} = {{}}\n"
    return f"{name} = {{\n" + "".join(f'    "{item}": {item},\n' for item in objects) + "}\n"
