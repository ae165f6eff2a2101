"""Which files a run is about."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from codemods.config import Configuration
from codemods.discovery import discover, is_left_out


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one; git sees no settings but those of the test."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return folder


def make(*names: str) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def found(*paths: str, **settings: object) -> list[str]:
    overrides = {key.replace("_", "-"): value for key, value in settings.items()}
    return [
        path.replace(os.sep, "/") for path in discover(paths or (".",), Configuration(overrides=(overrides,))).files
    ]


def test_python_files_below_a_folder_in_order() -> None:
    make("b.py", "a/z.py", "a/a.pyi", "c.txt", "c", "a.pyc", "d.PY")
    assert found() == ["a/a.pyi", "a/z.py", "b.py"]
    assert found("./a") == ["a/a.pyi", "a/z.py"]
    assert found("a") == ["a/a.pyi", "a/z.py"]


def test_a_named_file_stands_for_itself_whatever_its_suffix() -> None:
    make("script", "build/a.py")
    assert found("script", "build/a.py", "missing.py") == ["script", "build/a.py", "missing.py"]


def test_each_file_once() -> None:
    make("a.py", "b/c.py")
    os.symlink("a.py", "link.py")
    assert found("b/c.py", ".", "a.py", "link.py", "./a.py") == ["b/c.py", "a.py"]


def test_default_excludes_at_every_level() -> None:
    make("build/a.py", ".venv/lib/a.py", "node_modules/x/a.py", "a/build/b.py", "a/site-packages/c.py", "buildx/ok.py")
    make("a/.ipynb_checkpoints/d.py", "build.py")
    assert found() == ["build.py", "buildx/ok.py"]


def test_an_excluded_folder_is_walked_if_it_is_named() -> None:
    make("build/a.py", "build/build/b.py", "build/sub/c.py", "build/dist/d.py")
    assert found("build") == ["build/a.py", "build/build/b.py", "build/sub/c.py"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("gen", ["src/gen_a.py", "src/sub/gen_b.py", "src/x.py"]),
        ("gen_*.py", ["src/gen/y.py", "src/x.py"]),
        ("src/gen", ["src/gen_a.py", "src/sub/gen_b.py", "src/x.py"]),
        ("/gen", ["src/gen/y.py", "src/gen_a.py", "src/sub/gen_b.py", "src/x.py"]),
        ("src/**/gen_*", ["src/gen/y.py", "src/x.py"]),
        ("src/*.py", ["src/gen/y.py", "src/sub/gen_b.py"]),
        ("src", []),
    ],
)
def test_exclude_patterns(pattern: str, expected: list[str]) -> None:
    make("src/gen/y.py", "src/gen_a.py", "src/sub/gen_b.py", "src/x.py")
    Path("pyproject.toml").write_text(f"[tool.picklefix]\nextend-exclude = ['{pattern}']\n")
    assert found() == expected
    os.chdir("src")
    assert found("..") == [f"../{name}" for name in expected]


def test_excludes_are_those_of_the_nearest_configuration() -> None:
    make("a/x.py", "a/y.py", "b/x.py", "b/y.py")
    Path("setup.cfg").write_text("[tool:picklefix]\nextend-exclude = x.py\n")
    Path("b/setup.cfg").write_text("[tool:picklefix]\nextend-exclude = y.py\n")
    assert found() == ["a/y.py", "b/x.py"]


TREE = (
    *("gen.py", "keep.py", "sub/gen.py", "sub/gen2.py", "sub/deep/gen2.py", "sub/deep/keep.py", "data/a.py"),
    *("data/keep/b.py", "logs/x.py", "logs/important.py", "a b/c.py", "#hash.py", "!bang.py", "foo/bar/baz.py"),
    *("foo/qux/baz.py", "temp_1.py", "temp_x.py", "ünï.py"),
)


@pytest.mark.parametrize(
    "ignores",
    [
        pytest.param({".gitignore": "/gen.py\n", "sub/.gitignore": "gen2.py\n"}, id="nested"),
        pytest.param({".gitignore": "data/\nlogs/*\n!logs/important.py\n"}, id="negated"),
        pytest.param({".gitignore": "gen*.py\n", "sub/.gitignore": "!gen2.py\n"}, id="negated-below"),
        pytest.param({".gitignore": "data/\n", "data/.gitignore": "!a.py\n"}, id="nothing-below-an-ignored-folder"),
        pytest.param({".gitignore": "\\#hash.py\n\\!bang.py\n# keep.py\n\n"}, id="escapes-and-comments"),
        pytest.param({".gitignore": "foo/**/baz.py\n**/deep\n"}, id="double-stars"),
        pytest.param({".gitignore": "temp_[0-9].py\na\\ b\n"}, id="classes-and-spaces"),
        pytest.param({".gitignore": "keep.py/\nsub/deep/\n"}, id="folders-only"),
        pytest.param({".gitignore": "*.py\n!*/\n!sub/**\n"}, id="all-but"),
        pytest.param({".gitignore": "ünï.py   \ngen.py\\ \n"}, id="trailing-space"),
        pytest.param({".gitignore": "\ufeffkeep.py\n"}, id="byte-order-mark"),
        pytest.param({".gitignore": "!\n/\nkeep.py\n[\n"}, id="lines-that-are-no-patterns"),
        pytest.param({".git/info/exclude": "data\n", ".gitignore": "!data\n"}, id="info-exclude"),
        pytest.param({"../.config/git/ignore": "sub\n", ".gitignore": "gen.py\n"}, id="user-wide"),
        pytest.param({"../.gitconfig": "[core]\nexcludesFile = ~/mine\n", "../mine": "/foo\n"}, id="configured"),
    ],
)
@pytest.mark.parametrize("start", [".", "sub", "foo/bar"])
def test_git_itself_would_list_the_same(ignores: dict[str, str], start: str) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    make(*TREE)
    for name, text in ignores.items():
        make(name)
        Path(name).write_text(text)
    if subprocess.run(["git", "check-ignore", "-q", start], check=False).returncode == 0:
        pytest.skip("here we differ: a folder that is named is walked even if it is ignored")
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", start]
    output = subprocess.run(listing, check=True, capture_output=True).stdout.decode()
    assert sorted(found(start)) == sorted(name for name in output.split("\0") if name.endswith(".py"))


def test_an_ignored_folder_is_walked_if_it_is_named() -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    make("out/a.py", "out/sub/b.py", "out/sub/c.py")
    Path(".gitignore").write_text("out/\n")
    Path("out/sub/.gitignore").write_text("c.py\n")
    assert found("out") == ["out/a.py", "out/sub/b.py"]
    assert found() == []


def test_gitignore_counts_outside_a_repository_too() -> None:
    make("a.py", "b.py")
    Path(".gitignore").write_text("a.py\n")
    assert found() == ["b.py"]
    assert found(respect_gitignore=False) == ["a.py", "b.py"]


def test_git_need_not_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    make("a.py", "b.py")
    Path(".gitignore").write_text("a.py\n")
    monkeypatch.setenv("PATH", "")
    assert found() == ["b.py"]


@pytest.mark.parametrize(
    ("path", "out"),
    [
        ("a.py", False),
        ("build/a.py", True),
        ("sub/build/deep/a.py", True),
        ("ignored.py", True),
        ("sub/ignored.py", True),
        ("dropped/a.py", True),
        ("not/there/build/a.py", True),
        ("not/there/a.py", False),
    ],
)
@pytest.mark.parametrize("repository", [True, False])
def test_force_exclude_holds_for_named_files(here: Path, path: str, out: bool, repository: bool) -> None:
    if repository:
        subprocess.run(["git", "init", "-q"], check=True)
    make("a.py", "build/a.py", "sub/build/deep/a.py", "ignored.py", "sub/ignored.py", "dropped/a.py")
    Path(".gitignore").write_text("ignored.py\ndropped/\n")
    Path("dropped/.gitignore").write_text("!a.py\n")
    configuration = Configuration(overrides=({"force-exclude": True},))
    assert is_left_out(path, configuration) is out
    assert is_left_out(str(here / path), configuration) is out
    assert not is_left_out(path, Configuration())


def test_a_project_may_lie_in_a_folder_called_build(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make("build/project/a.py", "build/project/build/b.py")
    monkeypatch.chdir(here / "build" / "project")
    assert found() == ["a.py"]
    configuration = Configuration(overrides=({"force-exclude": True},))
    assert not is_left_out("a.py", configuration)
    assert is_left_out("build/b.py", configuration)


def test_a_folder_called_like_a_module_is_a_folder() -> None:
    make("x.py/inner.py", "x.py/y.pyi/z.py")
    assert found() == ["x.py/inner.py", "x.py/y.pyi/z.py"]


def test_links_are_not_followed_but_may_be_named(here: Path) -> None:
    make("real/a.py", "../outside/b.py")
    os.symlink("..", "real/up")
    os.symlink("loop", "loop")
    os.symlink("real", "linked")
    os.symlink("real/a.py", "linked.py")
    os.symlink("../outside", "away")
    assert found() == ["real/a.py"]
    assert found("linked") == ["linked/a.py"]
    assert found("linked.py", "real") == ["linked.py"]
    assert found("loop") == ["loop"]


def test_a_pipe_is_not_a_file() -> None:
    os.mkfifo("pipe.py")
    make("a.py")
    assert found() == ["a.py"]


def test_deep_folders() -> None:
    deep = "/".join(["d"] * 400)
    os.makedirs(deep)
    make(f"{deep}/a.py")
    assert found() == [f"{deep}/a.py"]


def test_a_folder_that_cannot_be_listed_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    make("a/x.py", "b/y.py")
    listing = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("a"):
            raise PermissionError(13, "Permission denied", path)
        return listing(path)

    monkeypatch.setattr(os, "scandir", scandir)
    discovered = discover((".",), Configuration())
    assert discovered.files == ("b/y.py",)
    assert [(result.path, result.error and result.error.message) for result in discovered.unreadable] == [
        ("a", "cannot list the folder: Permission denied; check its permissions")
    ]


def test_folders_without_python_are_named() -> None:
    make("a/x.txt", "b/y.py")
    assert discover(("a", "b"), Configuration()).empty == ("a",)
