"""A page for each rule, from the docstring of its module, and a page that lists them."""

from __future__ import annotations

from collections.abc import Iterator

from codemods.rules import Rule, all_rules

FAMILIES = {
    "1": "Functions and classes",
    "2": "Views and iterators",
    "3": "State",
    "4": "Processes",
    "9": "About picklefix itself",
}
"""The families of rules by the first digit of their codes."""

_INTRODUCTION = """# Rules

Each rule has a code and a name; both are accepted wherever a rule is asked for. Prefixes select families:
`--select PKL1`. `picklefix rule NAME` prints the text of a page.
"""


def names() -> list[str]:
    """The names of all rules, in the order of the codes."""
    return [rule.name for rule in all_rules()]


def pages() -> dict[str, str]:
    """The text of each page by its path."""
    return {"rules/index.md": _index(), **{f"rules/{rule.name}.md": _page(rule) for rule in all_rules()}}


def _index() -> str:
    text = _INTRODUCTION
    for digit, family in FAMILIES.items():
        found = [rule for rule in all_rules() if rule.code[3] == digit]
        if found:
            rows = [f"| {rule.code} | [{rule.name}]({rule.name}.md) | {_summary(rule)} |" for rule in found]
            text += "\n".join(["", f"## {family}", "", "| Code | Rule | Finds |", "|---|---|---|", *rows, ""])
    return text


def _summary(rule: Rule) -> str:
    return rule.documentation.strip().splitlines()[0].rstrip(".")


def _page(rule: Rule) -> str:
    body = "\n".join(_fenced(rule.documentation.strip()))
    return f"# {rule.name} ({rule.code})\n\n{body}\n{_footer(rule)}"


def _footer(rule: Rule) -> str:
    return f"""
## Turn it on or off
```toml title="pyproject.toml"
[tool.picklefix]
ignore = ["{rule.name}"]
```

`--select {rule.code}` runs this rule alone. What is declined is explained under [Reasons](../reasons.md).
"""


def _fenced(text: str) -> Iterator[str]:
    """The lines of a docstring with indented code in fences, so that it is coloured."""
    code: list[str] = []
    for line in [*text.splitlines(), None]:
        if line is not None and (line.startswith("    ") or (code and not line)):
            code.append(line[4:])
            continue
        if code:
            yield from ("```python", *"\n".join(code).rstrip().splitlines(), "```", "")
            code = []
        if line is not None:
            yield line
