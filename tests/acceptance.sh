#!/usr/bin/env bash
# All that picklefix promises, judged on a clean clone of the last commit, as a table. It takes hours; see --help.
set -uo pipefail

usage() {
    cat <<'TEXT'
tests/acceptance.sh [--logs FOLDER] [--hours HOURS] [--pythons "PYTHON …"] [--only "STEP …"]

Runs each step on a clean clone, with environments of its own, and prints a table: the step, whether it holds, how long
it took, the last line that it printed. The exit status is 1 if a step fails.

  --logs FOLDER    where the whole output of each step is kept (a new temporary folder)
  --hours HOURS    how long to fuzz with each Python (1)
  --pythons "…"    interpreters besides python3; those that do not start are reported as failures
                   (python3.10 python3.11 python3.12 python3.13)
  --only "…"       some of: ci pythons wheel ecosystem fuzz coverage hooks speed

Example:
  tests/acceptance.sh --hours 0.05 --only "ci wheel"
TEXT
}

logs="" hours=1 pythons="python3.10 python3.11 python3.12 python3.13"
steps="ci pythons wheel ecosystem fuzz coverage hooks speed"
while [ $# -gt 0 ]; do
    case $1 in
        --logs) logs=$2; shift 2 ;;
        --hours) hours=$2; shift 2 ;;
        --pythons) pythons=$2; shift 2 ;;
        --only) steps=$2; shift 2 ;;
        -h | --help) usage; exit 0 ;;
        *) echo "$1 is not an option; see --help" >&2; exit 2 ;;
    esac
done

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
logs=${logs:-$(mktemp -d)}
mkdir -p "$logs"
clone=$work/picklefix
git clone --quiet "$here" "$clone" || exit 2
[ -d "$here/../shared" ] && ln -s "$(cd "$here/../shared" && pwd)" "$work/shared"
cd "$clone" || exit 2

rows=() failed=0

step() {
    local name=$1 start=$SECONDS verdict=holds
    shift
    "$@" > "$logs/$name.log" 2>&1 < /dev/null || { verdict=FAILS; failed=1; }
    rows+=("$(printf '%-22s %-6s %4d min  %s' "$name" "$verdict" $(((SECONDS - start + 59) / 60)) \
        "$(grep -v '^[[:space:]]*$' "$logs/$name.log" | tail -n 1 | cut -c 1-90)")")
    printf '%s\n' "${rows[-1]}"
}

# An environment of its own for each purpose and interpreter; it is called "$home" from there on.
environment() {
    home=$work/$1-${2//\//_}
    "$2" -m venv "$home" && "$home/bin/pip" install --quiet --disable-pip-version-check "${@:3}"
}

# What an interpreter is called in the table.
version() {
    "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2> /dev/null || echo "${1##*/}"
}

tests_of() {
    environment tests "$1" '.[test]' && "$home/bin/python" -m pytest --ignore tests/fuzz
}

build() {
    environment build python3 build twine && "$home/bin/python" -m build --outdir "$work/dist" . &&
        "$home/bin/twine" check --strict "$work"/dist/*
}

# The wheel alone, into an empty environment, and the main job on the example from there.
wheel_of() {
    environment wheel "$1" "$work"/dist/*.whl || return
    cp -r fixtures/quickstart "$home/quickstart"
    (cd "$home" && bin/picklefix diff --exit-zero quickstart)
}

# The own tests of released packages, before and after. The harness needs Python 3.11.
ecosystem() {
    environment ecosystem python3 . || return
    python3.11 tests/ecosystem/gate.py ../shared/ecosystem --all --cache "$work/packages" \
        --tool "$home/bin/picklefix migrate --allow-dirty --reach all {path}"
}

# A table of ratios, to be read: nothing fails because a machine is slow.
speed() {
    environment speed python3 '.[benchmarks]' && "$home/bin/python" -m benchmarks.compare --repeat 3
}

fuzz_of() {
    environment fuzz "$1" '.[test]' && "$home/bin/python" -W ignore -m tests.fuzz --hours "$hours"
}

covered() {
    environment coverage python3 '.[test]' || return
    "$home/bin/coverage" run -m pytest --ignore tests/fuzz
    "$home/bin/coverage" combine --quiet && "$home/bin/coverage" report --fail-under 95
}

hooks() {
    environment hooks python3 pre-commit || return
    "$home/bin/pre-commit" validate-manifest .pre-commit-hooks.yaml || return
    local sample=$work/sample status
    git init --quiet "$sample" && cp -r fixtures/quickstart/. "$sample" && git -C "$sample" add --all
    for hook in picklefix-check picklefix; do
        (cd "$sample" && "$home/bin/pre-commit" try-repo "$clone" "$hook" --all-files)
        status=$?
        [ "$status" -eq 1 ] || { echo "$hook: exit status $status, but there is something to find"; return 1; }
    done
}

for name in $steps; do
    case $name in
        ci) step ci .ci/run ;;
        pythons) for python in $pythons; do step "tests-$(version "$python")" tests_of "$python"; done ;;
        wheel)
            step wheel build
            for python in $pythons; do step "wheel-$(version "$python")" wheel_of "$python"; done
            ;;
        ecosystem) step ecosystem ecosystem ;;
        fuzz) for python in $pythons; do step "fuzz-$(version "$python")" fuzz_of "$python"; done ;;
        coverage) step coverage covered ;;
        hooks) step hooks hooks ;;
        speed) step speed speed ;;
        *) echo "$name is no step; see --help" >&2; exit 2 ;;
    esac
done

printf '\n%s\n\nlogs: %s\n' "$(printf '%s\n' "${rows[@]}")" "$logs"
exit "$failed"
