"""Where settings come from, and what is said about wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemods import __version__
from codemods.config import Configuration, assignment, load
from codemods.project_style import style_for
from codemods.selection import selected
from codemods.settings import KEYS, ConfigError, FileIgnore, Glob, Kind, Settings
from codemods.style import StateStyle, Style

RULES = {"PKL101": "nested-function", "PKL102": "lambda-expression", "PKL201": "dict-view"}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with the mark of a repository, which is the current one."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


def ignore_in(folder: str, configuration: Configuration | None = None) -> tuple[str, ...]:
    return (configuration or Configuration()).for_folder(folder).ignore


def test_the_defaults() -> None:
    assert Configuration().for_folder(".") == Settings()


def test_every_key_is_a_field_with_a_default_of_its_kind() -> None:
    kinds = {Kind.FLAG: bool, Kind.NUMBER: (int, type(None)), Kind.TEXT: (str, type(None))}
    kinds[Kind.STATE_STYLE] = StateStyle
    kinds[Kind.PATH] = (str, type(None))
    for key, kind in KEYS.items():
        assert isinstance(getattr(Settings(), key.replace("-", "_")), kinds.get(kind, tuple)), key


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({"pyproject.toml": "[tool.picklefix]\nignore = ['A']"}, "A", id="pyproject"),
        pytest.param({"setup.cfg": "[tool:picklefix]\nignore = A"}, "A", id="setup-cfg"),
        pytest.param({"setup.cfg": "[picklefix]\nignore = A"}, "A", id="setup-cfg-bare-section"),
        pytest.param({"setup.cfg": "[picklefix]\nignore=B\n[tool:picklefix]\nignore=A"}, "A", id="tool-section-first"),
        pytest.param(
            {"pyproject.toml": "[tool.picklefix]\nignore = ['A']", "setup.cfg": "[tool:picklefix]\nignore = B"},
            "A",
            id="pyproject-before-setup-cfg",
        ),
        pytest.param(
            {"pyproject.toml": "[tool.black]\n# picklefix", "setup.cfg": "[tool:picklefix]\nignore = A"},
            "A",
            id="file-without-a-section-does-not-count",
        ),
        pytest.param(
            {"src/pyproject.toml": "[tool.picklefix]\nignore = ['A']", "setup.cfg": "[tool:picklefix]\nselect = B"},
            "A",
            id="nearest-wins-and-is-not-merged",
        ),
        pytest.param({"src/deep/setup.cfg": "[tool:picklefix]\nignore = B"}, None, id="not-from-below"),
        pytest.param({"../setup.cfg": "[tool:picklefix]\nignore = B"}, None, id="not-from-above-the-repository"),
        pytest.param({"pyproject.toml/x": "", "setup.cfg": "[tool:picklefix]\nignore = A"}, "A", id="folder-not-file"),
    ],
)
def test_the_nearest_section_wins(files: dict[str, str], expected: str | None) -> None:
    for name, text in files.items():
        write(name, text)
    write("src/a.py", "")
    assert ignore_in("src") == ((expected,) if expected else ())
    assert Configuration().for_file("src/a.py").select == ("ALL",)


def test_lists_in_setup_cfg_by_comma_or_line() -> None:
    write("setup.cfg", "[tool:picklefix]\nignore = A, B,C\n    D\n\n    E,\nextend_select =\n    F\n")
    settings = Configuration().for_folder(".")
    assert settings.ignore == ("A", "B", "C", "D", "E")
    assert settings.extend_select == ("F",)


@pytest.mark.parametrize("name", ["pyproject.toml", "setup.cfg"])
def test_all_kinds_in_both_formats(here: Path, name: str) -> None:
    if name == "setup.cfg":
        write(name, "[tool:picklefix]\nforce-exclude = yes\nline_length = 100\nrequired-version = 0\nexclude = a, /b\n"
              "per-file-ignores =\n    tests/*: A, B\n    !src/*: C\n")  # fmt: skip
    else:
        write(name, "[tool.picklefix]\nforce-exclude = true\nline_length = 100\nrequired-version = '0'\n"
              "exclude = ['a', '/b']\nper-file-ignores = {'tests/*' = ['A', 'B'], '!src/*' = ['C']}\n")  # fmt: skip
    folder = str(here)
    assert Configuration().for_folder(".") == Settings(
        origin=str(here / name),
        force_exclude=True,
        line_length=100,
        required_version="0",
        exclude=(Glob(folder, "a"), Glob(folder, "/b")),
        per_file_ignores=(
            FileIgnore(Glob(folder, "tests/*"), ("A", "B"), False),
            FileIgnore(Glob(folder, "src/*"), ("C",), True),
        ),
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("pyproject.toml", "[tool.picklefix]\nselct = []", "unknown key `selct`; did you mean `select`?"),
        ("setup.cfg", "[tool:picklefix]\nextend_exlude = a", "unknown key `extend_exlude`; did you mean `extend-exclude`?"),
        ("pyproject.toml", "[tool.picklefix]\nselect = 'A'", "`select` must be a list of strings, not 'A'"),
        ("pyproject.toml", "[tool.picklefix]\nselect = [1]", "`select` must be a list of strings, not [1]"),
        ("pyproject.toml", "[tool.picklefix]\nline-length = '9'", "`line-length` must be a whole number above 0, not '9'"),
        ("pyproject.toml", "[tool.picklefix]\nline-length = true", "`line-length` must be a whole number above 0, not True"),
        ("setup.cfg", "[tool:picklefix]\nline-length = 0", "`line-length` must be a whole number above 0, not 0"),
        ("setup.cfg", "[tool:picklefix]\npreview = maybe", "`preview` must be true or false, not 'maybe'"),
        ("pyproject.toml", "[tool.picklefix]\nextend = 3", "`extend` must be a path"),
        ("pyproject.toml", "[tool.picklefix]\nextend = 'no.toml'", "`extend`: there is no file no.toml; check the path"),
        ("pyproject.toml", "[tool.picklefix]\nextend = 'pyproject.toml'", "`extend` leads back to this file"),
        ("pyproject.toml", "[tool.picklefix\n", "Expected ']'"),
        ("setup.cfg", "[tool:picklefix]\nignore = a\nignore = b", "option 'ignore' in section 'tool:picklefix' already"),
        ("setup.cfg", "[tool:picklefix]\nrequired-version = 99", f"`required-version` is 99, but this is picklefix {__version__}"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_named_with_its_file_in_one_line(name: str, text: str, message: str) -> None:
    write(name, text)
    with pytest.raises(ConfigError) as raised:
        Configuration().for_folder("src")
    shown = str(raised.value)
    assert shown.startswith(f"{name}: ")
    assert message in shown
    assert "\n" not in shown


def test_not_utf_8() -> None:
    Path("pyproject.toml").write_bytes(b"[tool.picklefix]\nselect = ['\xff']\n")
    with pytest.raises(ConfigError, match=r"^pyproject\.toml: .*utf-8"):
        Configuration().for_folder(".")


def test_extend_puts_this_file_on_top_of_another() -> None:
    write(
        "base/base.cfg", "[tool:picklefix]\nignore = A\nextend-select = X\nline-length = 70\nextend-exclude = gen/x\n"
    )
    write("pyproject.toml", "[tool.picklefix]\nextend = 'base/base.cfg'\nextend-select = ['Y']\nline-length = 90\n")
    settings = Configuration().for_folder(".")
    assert (settings.ignore, settings.extend_select, settings.line_length) == (("A",), ("X", "Y"), 90)
    assert settings.extend_exclude == (Glob(str(Path("base").resolve()), "gen/x"),)


def test_files_that_extend_each_other() -> None:
    write("setup.cfg", "[tool:picklefix]\nextend = base/one.toml\n")
    write("base/one.toml", "[tool.picklefix]\nextend = '../two.cfg'\n")
    write("two.cfg", "[tool:picklefix]\nextend = base/one.toml\n")
    with pytest.raises(ConfigError, match=r"^base/one\.toml: `extend` leads back to this file$"):
        Configuration().for_folder(".")


@pytest.mark.parametrize("key", [key for key in KEYS if key != "required-version"])
def test_every_key_refuses_every_wrong_type(key: str) -> None:
    for value in (
        "3.5",
        "[[1]]",
        "{a = 1}",
        "1979-05-27",
        "[3]",
        "{a = ['x', 3]}",
        "-1",
        "''" if KEYS[key] is not Kind.TEXT else "[]",
    ):
        write("pyproject.toml", f"[tool.picklefix]\n{key} = {value}\n")
        with pytest.raises(ConfigError, match=f"^pyproject.toml: `{key}`"):
            Configuration().for_folder(".")


def test_select_starts_the_selection_anew() -> None:
    write("base.toml", "[tool.picklefix]\nignore = ['A']\nextend-select = ['B']\n")
    write("pyproject.toml", "[tool.picklefix]\nextend = 'base.toml'\nselect = ['C']\n")
    settings = Configuration().for_folder(".")
    assert (settings.select, settings.ignore, settings.extend_select) == (("C",), (), ())


def test_command_line_over_given_keys_over_the_file() -> None:
    write("pyproject.toml", "[tool.picklefix]\nignore = ['A']\nline-length = 70\npreview = true\n")
    given = (assignment("line-length = 80", "."), assignment("ignore=B,C", "."), {"ignore": ("D",)})
    settings = Configuration(overrides=given).for_folder(".")
    assert (settings.ignore, settings.line_length, settings.preview) == (("D",), 80, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("line-length=80", {"line-length": 80}),
        ("select = ['A', 'B']", {"select": ("A", "B")}),
        ("select=A,B", {"select": ("A", "B")}),
        ("output_format=json", {"output-format": "json"}),
        ("preview=true", {"preview": True}),
        ("force-exclude = off", {"force-exclude": False}),
        ("required-version = '0.1'", {"required-version": "0.1"}),
    ],
)
def test_one_key_from_the_command_line(text: str, expected: dict[str, object]) -> None:
    assert assignment(text, ".") == expected


@pytest.mark.parametrize("text", ["selct=A", "line-length=wide", "="])
def test_a_wrong_key_from_the_command_line(text: str) -> None:
    with pytest.raises(ConfigError):
        assignment(text, ".")


def test_a_given_file_replaces_the_nearest_and_isolated_takes_none() -> None:
    write("pyproject.toml", "[tool.picklefix]\nignore = ['A']\n")
    write("other.toml", "[tool.picklefix]\nignore = ['B']\n")
    assert ignore_in("src", Configuration("other.toml")) == ("B",)
    assert ignore_in(".", Configuration(isolated=True)) == ()
    write("empty.toml", "")
    with pytest.raises(ConfigError, match=r"^empty\.toml: no section \[tool\.picklefix\]$"):
        Configuration("empty.toml")
    with pytest.raises(ConfigError, match=r"^missing\.toml: No such file"):
        Configuration("missing.toml")


def test_load_reads_a_file_by_itself() -> None:
    write("x.cfg", "[tool:picklefix]\npreview = on\n")
    assert load("x.cfg").preview is True


@pytest.mark.parametrize("required", [__version__, __version__.rpartition(".")[0], __version__.partition(".")[0]])
def test_required_version_may_be_its_beginning(required: str) -> None:
    write("setup.cfg", f"[tool:picklefix]\nrequired-version = {required}\n")
    assert Configuration().for_folder(".").required_version == required


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        pytest.param(["ALL"], [], {"PKL101", "PKL102", "PKL201"}, id="all"),
        pytest.param(["PKL1"], [], {"PKL101", "PKL102"}, id="prefix"),
        pytest.param(["dict-view"], [], {"PKL201"}, id="name"),
        pytest.param(["PKL201", "lambda-expression"], [], {"PKL102", "PKL201"}, id="code-and-name"),
        pytest.param(["ALL"], ["PKL1"], {"PKL201"}, id="ignored-prefix"),
        pytest.param(["PKL1"], ["PKL1"], set(), id="ignore-wins-a-tie"),
        pytest.param(["PKL101"], ["nested-function"], set(), id="code-and-name-tie"),
        pytest.param(["PKL101", "PKL2"], ["PKL1"], {"PKL101", "PKL201"}, id="more-specific-wins"),
        pytest.param(["PKL1"], ["ALL"], {"PKL101", "PKL102"}, id="all-is-least-specific"),
        pytest.param([], [], set(), id="none"),
    ],
)
def test_selectors(select: list[str], ignore: list[str], expected: set[str]) -> None:
    assert selected(RULES, select, ignore) == expected


@pytest.mark.parametrize(
    ("selector", "hint"),
    [("PKL301", "did you mean `PKL"), ("nested-functon", "did you mean `nested-function`"), ("pkl1", ""), ("", "")],
)
def test_an_unknown_selector_names_the_nearest(selector: str, hint: str) -> None:
    with pytest.raises(ConfigError, match="unknown rule") as raised:
        selected(RULES, ["ALL"], [selector])
    assert hint in str(raised.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[tool.black]\nline-length = 100\nskip-string-normalization = true\n", Style(100, True)),
        ("[tool.black]\nline_length = 90\nskip_magic_trailing_comma = true\n", Style(90, False, True)),
        ("[tool.black]\npreview = true\n", Style(preview=True)),
        ("[tool.other]\nblack = 1\n", Style()),
        ("[tool.black\n", Style()),
        ("[tool.black]\nline-length = 'wide'\n", Style()),
    ],
)
def test_the_style_is_that_of_black(here: Path, text: str, expected: Style) -> None:
    write("pyproject.toml", text)
    (here / "src").mkdir()
    style_for.cache_clear()
    assert style_for(str(here / "src")) == expected
