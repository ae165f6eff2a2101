"""From a pasted error to the line, the rule and the fix."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.runtime.conftest import Project
from tests.runtime.texts import FRAMES, LOCK, SPAWNED

CONFIG = """
class Config:
    def __init__(self, sizes):
        self.sizes = sizes
        self.names = sizes.keys()
"""
TRAIN = """
import pickle

def main():
    unrelated = lambda: 1

    def collate(batch):
        return batch

    print(len(pickle.dumps([collate])), unrelated())

if __name__ == "__main__":
    main()
"""


def test_a_local_function_from_error_to_fix(project: Project) -> None:
    path = project.write("train.py", TRAIN)
    before = path.read_bytes()
    failed = project.python("train.py")
    assert failed.returncode == 1
    told = project.run("explain", stdin=failed.stderr)
    text = told.stdout.decode()
    assert told.returncode == 1
    assert "made: train.py:6: def collate(batch):" in text
    assert "PKL101 nested-function" in text
    assert "+def _main_collate(batch):" in text
    assert path.read_bytes() == before
    assert project.run("explain", "--fix", stdin=failed.stderr).returncode == 0
    assert "unrelated = lambda: 1" in path.read_text()
    assert project.python("train.py").returncode == 0


def test_one_of_two_lambdas_is_mended(project: Project) -> None:
    path = project.write("a.py", "import pickle\n\n\ndef main():\n    keep = [lambda: 1]\n    pickle.dumps(lambda: 2)\n    return keep\n\n\nmain()\n")
    assert project.run("explain", "--fix", stdin=project.python("a.py").stderr).returncode == 0
    assert "keep = [lambda: 1]" in path.read_text()
    assert project.python("a.py").returncode == 0


def test_json(project: Project) -> None:
    project.write("train.py", TRAIN)
    told = project.run("explain", "-", "--output-format", "json", stdin=project.python("train.py").stderr)
    answer = json.loads(told.stdout)
    assert (answer["kind"], answer["qualname"]) == ("local_function", "main.<locals>.collate")
    assert answer["made"] == [{"filename": "train.py", "row": 6, "text": "def collate(batch):"}]
    assert [finding["code"] for finding in answer["findings"]] == ["PKL101"]
    assert answer["diff"].startswith("diff --git a/")
    assert answer["python"] == f"{sys.version_info[0]}.{sys.version_info[1]}" or answer["python"].startswith("<")


def test_the_attribute_that_the_notes_name(project: Project) -> None:
    project.write("app/config.py", CONFIG + "\n\nother = {1: 2}\nKEPT = [other.keys()]\n")
    text = FRAMES + "TypeError: cannot pickle 'dict_keys' object\n"
    text += "when serializing dict item 'names'\nwhen serializing app.config.Config state\n"
    text += "when serializing app.config.Config object\n"
    told = project.run("explain", "--fix", "--output-format", "json", stdin=text.encode())
    answer = json.loads(told.stdout)
    assert [place["row"] for place in answer["made"]] == [4]
    assert answer["applied"]
    assert "list(sizes.keys())" in (project.folder / "app/config.py").read_text()
    assert "KEPT = [other.keys()]" in (project.folder / "app/config.py").read_text()


def test_a_definition_under_the_main_guard(project: Project) -> None:
    project.write("a.py", 'if __name__ == "__main__":\n    def work(x):\n        return x\n    print(work(1))\n')
    text = SPAWNED + "AttributeError: Can't get attribute 'work' on <module '__mp_main__' from '/elsewhere/a.py'>"
    told = project.run("explain", stdin=text.encode()).stdout.decode()
    assert "made: a.py:2: def work(x):" in told
    assert "guarded-definition" in told


def test_somebody_elses_class_gets_a_reducer(project: Project) -> None:
    project.write("train.py", "import pickle\nimport vendor\n\n\ndef main():\n    pickle.dumps(vendor.Config())\n")
    text = FRAMES + LOCK + "\nwhen serializing dict item 'lock'\nwhen serializing vendor.Config state\n"
    text += "when serializing vendor.Config object\n"
    answer = json.loads(project.run("explain", "--output-format", "json", stdin=text.encode()).stdout)
    assert "copyreg" in answer["cure"]
    project.write("vendor.py", "import threading\n\n\nclass Config:\n    def __init__(self):\n        self.lock = threading.Lock()\n        self.n = 1\n")
    program = answer["reducer"] + "\nimport pickle\nobj = pickle.loads(pickle.dumps(Config()))\nprint(obj.n, obj.lock)\n"
    assert project.python("-c", program).stdout.decode().split() == ["1", "None"]


def test_what_has_nothing_to_do_with_pickling(project: Project) -> None:
    told = project.run("explain", stdin=b"Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nValueError: no\n")
    assert told.returncode == 0
    assert b"not a pickling problem" in told.stdout


@pytest.mark.parametrize("arguments", [("nothing.txt",), (".",), ("--root", "nowhere")])
def test_bad_input(project: Project, arguments: tuple[str, ...]) -> None:
    told = project.run("explain", *arguments)
    assert told.returncode == 2
    assert b"Traceback" not in told.stderr


def test_broken_files_of_the_project_are_passed_over(project: Project) -> None:
    project.write("train.py", "def main(:\n")
    (project.folder / "bytes.py").write_bytes(b"# coding: utf-8\nx = '\xff collate'\n")
    told = project.run("explain", stdin=(FRAMES + "AttributeError: Can't pickle local object 'main.<locals>.collate'").encode())
    assert told.returncode == 1
    assert told.stderr == b""


def test_the_project_is_not_imported(project: Project) -> None:
    project.write("train.py", TRAIN + "\nopen('ran', 'w').close()\n")
    project.run("explain", stdin=(FRAMES + "AttributeError: Can't pickle local object 'main.<locals>.collate'").encode())
    assert not (project.folder / "ran").exists()


def test_a_terminal_is_read_to_its_end() -> None:
    process = subprocess.run([sys.executable, "-m", "codemods", "explain"], input=b"", capture_output=True, check=False)
    assert process.returncode == 0
