"""Follows branches, loops, jumps and exceptions through compound statements into the control-flow graph."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from codemods.analysis.control.cursor import FinallyFrame, Frame, HandlerFrame, Jump, LoopFrame, WithFrame
from codemods.analysis.control.statements import StatementFlow, parameters

RunHandlers = Callable[[list[ast.ExceptHandler]], list[int]]

# Copies of a `finally` suite inside copies of another multiply: from this depth on, the ways through it share one copy.
_SHARED_FINALLY_DEPTH = 2


class ScopeFlow(StatementFlow):
    """Executes a whole scope."""

    finally_depth = 0

    def run(self) -> None:
        """Execute the scope from its parameters to its end."""
        if isinstance(self.scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            for parameter in parameters(self.scope.args):
                self.bind(parameter.arg)
        if isinstance(self.scope, ast.Lambda):
            self.visit(self.scope.body)
        else:
            self.visit_suite(self.scope.body)

    # Jumps

    def visit_Return(self, node: ast.Return) -> None:
        self.visit_each((node.value,))
        self.jump(Jump.RETURN)

    def visit_Raise(self, node: ast.Raise) -> None:
        self.visit_each((node.exc, node.cause))
        self.jump(Jump.RAISE)

    def visit_Break(self, node: ast.Break) -> None:
        self.jump(Jump.BREAK)

    def visit_Continue(self, node: ast.Continue) -> None:
        self.jump(Jump.CONTINUE)

    def visit_Assert(self, node: ast.Assert) -> None:
        """An assertion is skipped under ``python -O``; ``assert False`` is taken for the end of a path all the same."""
        skipped = self.current
        self.advance()
        if_true, if_false = self.condition(node.test)
        self.join(if_false)
        self.visit_each((node.msg,))
        self.jump(Jump.RAISE)
        self.join((skipped, *if_true) if if_true else ())

    # Branches

    def visit_If(self, node: ast.If) -> None:
        ends = []
        while True:
            if_true, if_false = self.condition(node.test)
            self.join(if_true)
            self.visit_suite(node.body)
            ends.append(self.current)
            self.join(if_false)
            # A chain of `elif` would be a deep recursion.
            if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
                break
            node = node.orelse[0]
            self.mark(node)
        self.visit_suite(node.orelse)
        self.join((*ends, self.current))

    def visit_Match(self, node: ast.Match) -> None:
        self.visit(node.subject)
        ends = []
        for case in node.cases:
            self.may_raise()
            # A pattern that fails in the end may have bound names already; the next one then just knows less.
            failures = [] if _is_irrefutable(case.pattern) else [self.current]
            self.advance()
            for name in _captures(case.pattern):
                self.bind(name)
            if case.guard is not None:
                if_true, if_false = self.condition(case.guard)
                failures += if_false
                self.join(if_true)
            self.visit_suite(case.body)
            ends.append(self.current)
            self.join(failures)
        self.join((*ends, self.current))

    # Loops

    def visit_While(self, node: ast.While) -> None:
        head = self.advance()
        if_true, if_false = self.condition(node.test)
        self.join(if_true)
        following = self.graph.new_block()
        breaks = self._run_loop_body(node, following)
        self.join((following,))
        # Each iteration may be interrupted: even `while True: pass` can be left by KeyboardInterrupt.
        self.may_raise()
        self.connect(self.current, head)
        self._finish_loop(node, if_false, breaks)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self.visit(node.iter)
        head = self.advance()
        self.may_raise()
        self.advance()
        self.assign(node.target)
        breaks = self._run_loop_body(node, head)
        self._finish_loop(node, [head], breaks)

    visit_AsyncFor = visit_For

    def _run_loop_body(self, node: ast.While | ast.For | ast.AsyncFor, following: int) -> list[int]:
        frame = LoopFrame(self.landing, following)
        self.frames.append(frame)
        self.visit_suite(node.body)
        self.frames.pop()
        self.connect(self.current, following)
        return frame.breaks

    def _finish_loop(self, node: ast.While | ast.For | ast.AsyncFor, exhausted: list[int], breaks: list[int]) -> None:
        self.join(exhausted)
        self.visit_suite(node.orelse)
        self.join((*breaks, self.current))

    # Exceptions

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        managers: list[tuple[int, bool]] = []
        for item in node.items:
            self.visit(item.context_expr)
            self.may_raise()
            landing = self._new_landing()
            managers.append((landing, self.passes_on(item.context_expr)))
            self.advance()
            self.frames.append(WithFrame(landing))
            if item.optional_vars is not None:
                self.assign(item.optional_vars)
        self.visit_suite(node.body)
        for landing, passes_on in reversed(managers):
            self.frames.pop()
            self.may_raise()
            # `__exit__` may swallow the exception.
            self.join((self.current,) if passes_on else (self.current, landing))

    visit_AsyncWith = visit_With

    def _new_landing(self) -> int:
        """A block for exceptions that are passed on to whatever is around."""
        block = self.graph.new_block()
        if self.landing is not None:
            self.connect(block, self.landing)
        return block

    def visit_Try(self, node: ast.Try) -> None:
        self._run_try(node, self._run_handlers)

    def visit_TryStar(self, node: ast.Try) -> None:
        """Run ``try`` with ``except*`` (``ast.TryStar``, since Python 3.11, has the fields of ``ast.Try``)."""
        self._run_try(node, self._run_group_handlers)

    def _run_try(self, node: ast.Try, run_handlers: RunHandlers) -> None:
        if not node.finalbody:
            self._run_guarded(node, run_handlers)
            return
        frame = FinallyFrame(None, shared=self.finally_depth >= _SHARED_FINALLY_DEPTH)
        frame.landing = frame.entry(self, Jump.RAISE)
        self.frames.append(frame)
        self._run_guarded(node, run_handlers)
        self.frames.pop()
        self.connect(self.current, frame.entry(self, Jump.FALL_THROUGH))
        self._run_finally(node, frame)

    def _run_finally(self, node: ast.Try, frame: FinallyFrame) -> None:
        ends = []
        self.finally_depth += 1
        for copy in frame.copies.values():
            self.current = copy.entry
            self.visit_suite(node.finalbody)
            end = self.current
            for jump in copy.jumps:
                self.join((end,))
                if jump is Jump.FALL_THROUGH:
                    ends.append(self.current)
                else:
                    self.jump(jump)
        self.finally_depth -= 1
        self.join(ends)

    def _run_guarded(self, node: ast.Try, run_handlers: RunHandlers) -> None:
        """Run all of a ``try`` statement but its ``finally`` suite."""
        dispatch = self.graph.new_block()
        self.frames.append(Frame(dispatch))
        self.visit_suite(node.body)
        self.frames.pop()
        self.visit_suite(node.orelse)
        ends = [self.current]
        self.current = dispatch
        self.join((*ends, *run_handlers(node.handlers)))

    def _run_handlers(self, handlers: list[ast.ExceptHandler]) -> list[int]:
        """Run the handler that fits the exception; return the blocks after which the exception is forgotten."""
        ends = []
        for handler in handlers:
            unmatched = []
            if handler.type is not None:
                self.visit(handler.type)
                self.may_raise()
                unmatched.append(self.current)
                self.advance()
            self._run_handler(handler)
            ends.append(self.current)
            self.join(unmatched)
        self.jump(Jump.RAISE)
        return ends

    def _run_group_handlers(self, handlers: list[ast.ExceptHandler]) -> list[int]:
        """Run the ``except*`` clauses: each may take a part of the group, and the next one runs even if it raises."""
        for handler in handlers:
            following = self.graph.new_block()
            raised = self._new_landing()
            self.connect(raised, following)
            self.frames.append(Frame(raised))
            self.advance()
            self.visit_each((handler.type,))
            self.may_raise()
            self.connect(self.current, following)
            self.advance()
            self._run_handler(handler)
            self.frames.pop()
            self.connect(self.current, following)
            self.join((following,))
        end = self.current
        self.advance()
        self.jump(Jump.RAISE)
        return [end]

    def _run_handler(self, handler: ast.ExceptHandler) -> None:
        if handler.name is None:
            self.visit_suite(handler.body)
            return
        self.bind(handler.name)
        body = self.advance()
        self.current = landing = self._new_landing()
        self.unbind(handler.name)
        self.current = body
        self.frames.append(HandlerFrame(landing, handler.name))
        self.visit_suite(handler.body)
        self.frames.pop()
        self.unbind(handler.name)


def _captures(pattern: ast.pattern) -> Iterator[str]:
    for node in ast.walk(pattern):
        name = node.rest if isinstance(node, ast.MatchMapping) else getattr(node, "name", None)
        if name is not None:
            yield name


def _is_irrefutable(pattern: ast.pattern) -> bool:
    if isinstance(pattern, ast.MatchOr):
        return _is_irrefutable(pattern.patterns[-1])
    return isinstance(pattern, ast.MatchAs) and (pattern.pattern is None or _is_irrefutable(pattern.pattern))
