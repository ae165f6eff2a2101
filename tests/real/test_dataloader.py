"""Workers of a real DataLoader: traced, and verified after the fix."""

from __future__ import annotations

import pytest

from tests.runtime.conftest import Project, project, start_method

__all__ = ["project", "start_method"]
torch = pytest.importorskip("torch")
pytestmark = pytest.mark.real

TRAIN = """
import sys
from torch.utils.data import DataLoader, Dataset

class Numbers(Dataset):
    def __init__(self, transform):
        self.transform, self.names = transform, {"a": 1}.keys()

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.transform(index)

def main():
    def double(x):
        return 2 * x

    ds = Numbers(double)
    loader = DataLoader(ds, batch_size=2, num_workers=1, multiprocessing_context=sys.argv[1])
    print([batch.tolist() for batch in loader])

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_a_loader_from_its_failure_to_its_fix(project: Project, method: str) -> None:
    path = project.write("train.py", TRAIN)
    traced = project.run("trace", "train.py", method).stderr.decode()
    assert "path: ds.transform: main.<locals>.double" in traced
    assert "path: ds.names: dict_keys" in traced
    for _ in range(2):  # One error comes to light after the other.
        failed = project.python("train.py", method)
        assert failed.returncode == 1
        assert project.run("explain", "--fix", stdin=failed.stderr).returncode == 0
    assert project.python("train.py", method).stdout.decode().split("\n")[0] == "[[0, 2], [4, 6]]"
    assert path.read_text() != TRAIN


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_a_loader_that_works_is_left_alone(project: Project, method: str) -> None:
    project.write("train.py", TRAIN.replace(".keys()", "").replace("ds = Numbers(double)", "ds = Numbers(str)"))
    plain, traced = project.python("train.py", method), project.run("trace", "train.py", method)
    assert (traced.returncode, traced.stdout, traced.stderr) == (plain.returncode, plain.stdout, plain.stderr)
