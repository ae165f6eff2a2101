"""Main guards: definitions that leave them, and code that should be under one; tried out with spawned processes."""

from __future__ import annotations

import pathlib
import textwrap

import pytest

from codemods.finding import Level, Safety
from tests.rules.scripts import fix, refusals, run_script

POOL = """
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map_async(work, [1, 2]).get(timeout=20))
"""

SPAWNING = {
    "constant-and-helper": """
import multiprocessing

if __name__ == "__main__":
    FACTOR = 10
    TABLE = {1: "one", 2: "two"}

    def scaled(x):
        return x * FACTOR

    def work(x):
        return scaled(x), TABLE[x]
""",
    "import": """
import multiprocessing

if __name__ == "__main__":
    import math as mathematics
    from os.path import join

    def work(x):
        def half():
            return mathematics.floor(x / 2)

        return half(), join("a", str(x))
""",
    "computed-value": """
import multiprocessing
import sys

if __name__ == "__main__":
    start = len(sys.argv)
    words = ["a"]
    words.append("b")

    def prefixed(x):
        return words[0] + str(x)

    def work(x, *rest, end="!"):
        return prefixed(x) + end + str([start + y for y in range(2)])
""",
    "instance-of-a-class": """
import multiprocessing

if __name__ == "__main__":

    class Net:
        def __init__(self, weight):
            self.weight = weight

    net = Net(3)

    def work(x):
        return net.weight * x
""",
    "shadowed-by-both-branches": """
import multiprocessing
import sys

if __name__ == "__main__":
    MODE = "parent" + sys.argv[0][:0]

    def work(x):
        return MODE, x

else:
    MODE = "child"
""",
    "used-by-a-function-above": """
import multiprocessing


def work(x):
    return helper(x)


if __name__ == "__main__":
    STEP = 2

    def helper(x):
        return x + STEP

    KEPT = [helper]
""",
}


@pytest.mark.parametrize("text", SPAWNING.values(), ids=SPAWNING)
def test_spawned_processes_find_what_was_guarded(tmp_path: pathlib.Path, text: str) -> None:
    pool = POOL if "else:" not in text else ""
    before = text + pool if pool else text.replace("\nelse:", POOL + "\nelse:")
    result = fix(before)
    assert result.error is None
    after = result.after.decode()
    assert not run_script(tmp_path, before.replace("timeout=20", "timeout=2")).succeeded
    done = run_script(tmp_path, after)
    assert done.succeeded, done.errors
    assert done.output == run_script(tmp_path, before.replace('"spawn"', '"fork"')).output
    assert fix(after).after == result.after


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_the_script_does_the_same_as_before(tmp_path: pathlib.Path, method: str) -> None:
    """Under fork nothing was wrong; nothing may differ afterwards, the order of effects included."""
    text = SPAWNING["computed-value"] + POOL.replace('"spawn"', f'"{method}"') + "    print(work(1, 2, end='?'))\n"
    expected = run_script(tmp_path, text.replace('"spawn"', '"fork"')).output
    assert expected.endswith("a1?[1, 2]\n")
    assert run_script(tmp_path, fix(text).after.decode()).output == expected


DECLINED = {
    "decorator": (
        "guarded-decorator",
        """
        if __name__ == "__main__":
            @register
            def work(x):
                return x
            TASKS = [work]
        """,
    ),
    "conditional": (
        "guarded-conditionally",
        """
        if __name__ == "__main__":
            if fast:
                def work(x):
                    return x
                TASKS = [work]
        """,
    ),
    "two-definitions": (
        "name-rebound",
        """
        def work(x):
            return x

        if __name__ == "__main__":
            def work(x):
                return x + 1
            TASKS = [work]
        """,
    ),
    "shadows-a-builtin": (
        "name-rebound",
        """
        if __name__ == "__main__":
            print(max(1, 2))
            def max(*xs):
                return xs
            TASKS = [max]
        """,
    ),
    "rebound-value": (
        "rebound-after-capture",
        """
        if __name__ == "__main__":
            limit = int("1")
            def work(x):
                return x + limit
            TASKS = [work]
            limit = int("2")
        """,
    ),
    "bound-later": (
        "maybe-unbound",
        """
        if __name__ == "__main__":
            def work(x):
                return x + limit
            limit = int("2")
            TASKS = [work]
        """,
    ),
    "unpicklable-value": (
        "captures-unpicklable",
        """
        if __name__ == "__main__":
            log = open("log")
            def work(x):
                return log.read(x)
            TASKS = [work]
        """,
    ),
    "set-through-global": (
        "set-by-function",
        """
        def set_up():
            global limit
            limit = 3

        if __name__ == "__main__":
            set_up()
            def work(x):
                return x + limit
            TASKS = [work]
        """,
    ),
    "function-above-reads-a-computed-value": (
        "guarded-variable",
        """
        def helper(x):
            return x + limit

        if __name__ == "__main__":
            limit = int("1")
            def work(x):
                return helper(x)
            TASKS = [work]
        """,
    ),
    "class-reads-a-computed-value": (
        "guarded-variable",
        """
        if __name__ == "__main__":
            limit = int("1")
            class Work:
                def run(self):
                    return limit
            TASKS = [Work()]
        """,
    ),
    "default-from-the-guard": (
        "guarded-definition-time",
        """
        if __name__ == "__main__":
            limit = int("1")
            def work(x, y=limit):
                return x + y
            TASKS = [work]
        """,
    ),
    "recursive-with-a-value": (
        "recursive-capture",
        """
        if __name__ == "__main__":
            limit = int("1")
            def work(x):
                return x if x > limit else work(x + 1)
            TASKS = [work]
        """,
    ),
    "reads-globals-by-name": (
        "namespace-observed",
        """
        if __name__ == "__main__":
            limit = int("1")
            def work(x):
                return globals()["limit"]
            TASKS = [work]
        """,
    ),
    "module-sweeps-its-globals": (
        "globals-swept",
        """
        COMMANDS = [value for name, value in globals().items() if callable(value)]
        if __name__ == "__main__":
            def work(x):
                return x
            TASKS = [work]
        """,
    ),
    "doctests": (
        "docstring-test",
        '''
        if __name__ == "__main__":
            def work(x):
                """
                >>> work(1)
                1
                """
                return x
            TASKS = [work]
        ''',
    ),
}


@pytest.mark.parametrize(("reason", "text"), DECLINED.values(), ids=DECLINED)
def test_definition_is_left_alone(reason: str, text: str) -> None:
    result = fix(text)
    assert result.error is None
    assert refusals(result, "guarded-definition") == [reason]
    assert result.after == result.before


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            """
            if __name__ == "__main__":
                def main():
                    print(1)
                main()
            """,
            id="only-called",
        ),
        pytest.param(
            """
            if __name__ == "elsewhere":
                def work(x):
                    return x
                TASKS = [work]
            """,
            id="another-test",
        ),
        pytest.param(
            """
            if __name__ == "__main__":
                pass
            else:
                def work(x):
                    return x
                TASKS = [work]
            """,
            id="other-branch",
        ),
    ],
)
def test_definition_is_of_no_interest(text: str) -> None:
    assert [finding for finding in fix(text).findings if finding.name == "guarded-definition"] == []


def test_what_has_to_import_more_is_unsafe() -> None:
    text = """
    if __name__ == "__main__":
        from somewhere import Base

        class Work(Base):
            pass

        TASKS = [Work()]
    """
    found = [finding for finding in fix(text).findings if finding.name == "guarded-definition"]
    assert [finding.fix.safety for finding in found if finding.fix] in ([], [Safety.UNSAFE])
    assert fix(text).after == fix(text).before


def test_a_guard_that_is_emptied_keeps_a_statement() -> None:
    text = """
    if __name__ == "__main__":
        LIMIT = 1
        def work(x):
            return x + LIMIT
        def rest(x):
            return x - LIMIT
    """
    result = fix(text, reach=Level.LOCAL)
    assert result.error is None
    assert result.after.decode().endswith('if __name__ == "__main__":\n    pass\n')


def test_text_that_stays_and_comments_that_go() -> None:
    text = """
    if __name__ == "__main__":
        # about the guard

        # about work
        def work(x):
            return x  # why
            # at its end

        # about tasks
        TASKS = [work]
    """
    expected = """
    # about work
    def work(x):
        return x  # why
        # at its end


    if __name__ == "__main__":
        # about the guard

        # about tasks
        TASKS = [work]
    """
    assert fix(text).after.decode() == textwrap.dedent(expected).lstrip("\n")


STARTING = {
    "start-method": (
        "[2, 4] two\n  lines\n",
        """
import multiprocessing
multiprocessing.set_start_method("spawn")


def work(x):
    return x * OFFSET


OFFSET = len("ab")
pool = multiprocessing.Pool(1)
print(pool.map(work, [1, 2]), '''two
  lines''')
pool.close()
""",
    ),
    "only-the-start-method": (
        "[3, 6]\n",
        """
import multiprocessing

multiprocessing.set_start_method("spawn")
offset = len("abc")


def work(x):
    return x * offset


if __name__ == "__main__":
    with multiprocessing.Pool(1) as pool:
        print(pool.map_async(work, [1, 2]).get(timeout=20))
""",
    ),
    "function": (
        "child 1\nparent 0\n",
        """
import multiprocessing as mp


def work(x):
    print("child", x)


def main():
    process = mp.get_context("spawn").Process(target=work, args=(1,))
    process.start()
    process.join()
    print("parent", process.exitcode)


main()
""",
    ),
    "executor": (
        "[1, 2]\n",
        """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
\tprint(list(executor.map(abs, [-1, 2])))
""",
    ),
}


@pytest.mark.parametrize(("output", "text"), STARTING.values(), ids=STARTING)
def test_a_guard_lets_processes_start(tmp_path: pathlib.Path, output: str, text: str) -> None:
    assert fix(text).after == fix(text).before
    result = fix(text, unsafe_fixes=True)
    assert result.error is None
    assert [finding.name for finding in result.fixed] == ["unguarded-start"]
    after = result.after.decode()
    # A pool whose processes fail at once goes on starting new ones for ever.
    if "Pool(" not in text:
        assert "RuntimeError" in run_script(tmp_path, text).errors
    done = run_script(tmp_path, after)
    assert (done.output, done.errors) == (output, "")
    assert fix(after, unsafe_fixes=True).after == result.after


def test_variables_that_functions_read_stay_outside() -> None:
    text = """
    import multiprocessing
    pool = multiprocessing.Pool(2)
    size = len("abc")
    many = pool.map(abs, [size])
    def work(x):
        return x * size, many
    """
    assert fix(text, unsafe_fixes=True).after.decode().splitlines()[1:] == [
        "",
        'if __name__ == "__main__":',
        "    pool = multiprocessing.Pool(2)",
        "",
        'size = len("abc")',
        "",
        'if __name__ == "__main__":',
        "    many = pool.map(abs, [size])",
        "",
        "def work(x):",
        "    return x * size, many",
    ]


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        pytest.param(
            "guarded-definition-time",
            """
            import multiprocessing
            pool = multiprocessing.Pool(2)
            size = pool._processes
            def work(x, size=size):
                return x * size
            print(pool.map(work, [1]))
            """,
            id="default-needs-the-guarded-code",
        ),
        pytest.param(
            "unsupported-syntax",
            """
            import multiprocessing; pool = multiprocessing.Pool(2)
            print(pool.map(abs, [1]))
            """,
            id="shared-line",
        ),
        pytest.param(
            "unsupported-syntax",
            """
            import multiprocessing
            pool = multiprocessing.Pool(2)
            \x0cprint(pool.map(abs, [1]))
            """,
            id="form-feed",
        ),
    ],
)
def test_code_that_cannot_go_under_a_guard(reason: str, text: str) -> None:
    result = fix(text, unsafe_fixes=True)
    assert refusals(result, "unguarded-start") == [reason]
    assert result.after == result.before


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "import multiprocessing\nmultiprocessing.set_start_method('fork')\nmultiprocessing.Pool()", id="fork"
        ),
        pytest.param("import multiprocessing\nif __name__ == '__main__':\n    multiprocessing.Pool()", id="guarded"),
        pytest.param("import multiprocessing\ndef f():\n    multiprocessing.Pool()", id="never-called"),
        pytest.param("import multiprocessing.pool\nmultiprocessing.pool.ThreadPool()", id="threads"),
        pytest.param(
            "import multiprocessing\nif multiprocessing.current_process().name == 'Main':\n    multiprocessing.Pool()",
            id="name-of-the-process",
        ),
        pytest.param(
            "from torch.utils.data import DataLoader\nfor x in DataLoader([], num_workers=n): pass", id="unknown"
        ),
        pytest.param(
            "from torch.utils.data import DataLoader\nmake(loader=DataLoader([], num_workers=2))", id="unused"
        ),
    ],
)
def test_nothing_is_started(text: str) -> None:
    assert [finding for finding in fix(text, Level.LOCAL).findings if finding.name == "unguarded-start"] == []
