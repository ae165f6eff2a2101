"""The rewrites as commands of LibCST's own runner, for projects that run their codemods with it.

``python -m libcst.tool codemod codemods.libcst_commands.MakePicklable FILE``
"""

from __future__ import annotations

import argparse
from typing import ClassVar

import libcst as cst
from libcst.codemod import CodemodCommand, CodemodContext

from codemods import engine
from codemods.finding import Level


class MakePicklable(CodemodCommand):
    """Apply every safe fix to a module, as ``picklefix migrate`` does.

    Args:
        context: given by LibCST.
        reach: how far something has to flow to be rewritten: ``sink``, ``state`` or ``all``.
    """

    DESCRIPTION = "Make functions, classes and objects picklable where that changes nothing else."
    LEVELS: ClassVar[dict[str, Level]] = {"sink": Level.SINK, "state": Level.STATE, "all": Level.LOCAL}

    def __init__(self, context: CodemodContext, reach: str = "state") -> None:
        super().__init__(context)
        self.options = engine.Options(reach=self.LEVELS[reach])

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Declare the command's own options."""
        arg_parser.add_argument(
            "--reach", choices=sorted(MakePicklable.LEVELS), default="state", help="what is rewritten (default: state)"
        )

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """Rewrite a module; what is left is reported as a warning."""
        result = engine.fix(self.context.filename or "-", tree.bytes, self.options)
        if result.error is not None:
            self.warn(result.error.message)
        for finding in result.remaining:
            if finding.refusal is not None:
                self.warn(f"line {finding.start.row}: {finding.message}: {finding.refusal.advice}")
        return cst.parse_module(result.after) if result.changed else tree
