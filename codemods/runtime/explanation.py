"""An error or a traced failure, with the lines and the findings that belong to it."""

from __future__ import annotations

from dataclasses import dataclass

from codemods.finding import Finding
from codemods.runtime import reducers
from codemods.runtime.diagnosis import Diagnosis
from codemods.runtime.location import Clue, Located, Project, locate
from codemods.runtime.mending import Mended, mend
from codemods.runtime.wordings import Kind, kinds

_DEFINITIONS = frozenset(
    [
        "local_function",
        "local_lambda",
        "local_class",
        "local_object",
        "toplevel_lambda",
        "class_lambda",
        "name_not_found",
        "not_same_object",
        "load_init_args",
        "load_missing_attribute",
        "child_missing_attribute",
    ]
)
_NAMED = 10


@dataclass(frozen=True)
class Explanation:
    """What is wrong, where, and what to do.

    Args:
        diagnosis: what the error means.
        clue: what was looked for.
        located: what was found in the project.
        project: where it was looked for.
    """

    diagnosis: Diagnosis
    clue: Clue
    located: Located
    project: Project

    @property
    def meaning(self) -> Kind:
        """The entry of the catalog."""
        return kinds()[self.diagnosis.family]

    @property
    def what(self) -> str:
        """What happened, in one sentence."""
        name = self.diagnosis.object or self.diagnosis.qualname or ""
        name = name.removeprefix("__main__.").removeprefix("__mp_main__.")
        return self.meaning.what.replace("`{object}`", f"`{name}`" if name else "it").replace("{object}", name or "it")

    @property
    def is_elsewhere(self) -> bool:
        """Whether the offender is not made in the project, although the traceback comes from there."""
        is_sought = bool(self.clue.qualname or self.clue.attribute or self.clue.type)
        return bool(self.meaning.library and is_sought and self.located.used and not self.located.made)

    @property
    def cure(self) -> str:
        """What to do, in one sentence."""
        return self.meaning.library if self.is_elsewhere else self.meaning.cure

    @property
    def reducer(self) -> str | None:
        """A reducer to register, where the class that holds the offender is somebody else's."""
        diagnosis = self.diagnosis
        owner = diagnosis.owner
        if not self.is_elsewhere or owner is None or "." not in owner or "<locals>" in owner or not diagnosis.attribute:
            return None
        if diagnosis.kind == "dict_view":
            return reducers.state_reducer(owner, as_lists=[diagnosis.attribute])
        if diagnosis.family == "resource":
            return reducers.state_reducer(owner, drop=[diagnosis.attribute])
        return None

    def mended(self, *, unsafe_fixes: bool) -> list[Mended]:
        """The files with the fixes made.

        Raises:
            OSError: if a file cannot be read any more.
        """
        by_path: dict[str, list[Finding]] = {}
        for finding in self.located.findings:
            by_path.setdefault(finding.path, []).append(finding)
        made = [mend(path, found, self.clue, unsafe_fixes=unsafe_fixes) for path, found in by_path.items()]
        return [item for item in made if item.fixed]


def explained(diagnosis: Diagnosis, root: str) -> Explanation:
    """Look up in a project what an error means there.

    Args:
        diagnosis: the error.
        root: the folder of the project.

    Raises:
        ConfigError: if the files of the folder cannot be listed for its settings.
    """
    clue = clue_of(diagnosis)
    project = Project(root)
    located = locate(clue, project) if diagnosis.is_pickling else Located()
    return Explanation(diagnosis, clue, located, project)


def clue_of(diagnosis: Diagnosis) -> Clue:
    """What an error says about the place of the offender."""
    is_definition = diagnosis.family in _DEFINITIONS or "<" in (diagnosis.qualname or "")
    is_typed = diagnosis.family in ("resource", "dict_view", "worker_result") and not is_definition
    return Clue(
        rules=kinds()[diagnosis.family].rules,
        qualname=diagnosis.qualname if is_definition else None,
        attribute=diagnosis.attribute,
        owner=diagnosis.owner,
        type=diagnosis.object if is_typed else None,
        places=_places(diagnosis),
        modules=tuple(filter(None, [diagnosis.module, _module(diagnosis.owner), _module(diagnosis.object)])),
        sink="datasets" if diagnosis.family == "hashing_warning" else None,
    )


def _places(diagnosis: Diagnosis) -> tuple[tuple[str, int], ...]:
    own = [frame for frame in diagnosis.frames if not frame.is_library and not frame.is_generated]
    return tuple((frame.file, frame.line) for frame in own)[-_NAMED:]


def _module(name: str | None) -> str | None:
    head = (name or "").partition(".<locals>")[0].rpartition(".")[0]
    return head if head and head != "__main__" else None
