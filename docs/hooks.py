"""What mkdocs asks while it builds the pages: the ones that are written by programs, and the tables inside the others.

Nothing generated is kept in the repository. A page asks for a table by a line ``<!-- generated: NAME -->``.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

# The pages describe the code beside them, not a version that is installed somewhere.
sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from generators import commands, reasons, rules
from generators.tables import TABLES

_REQUEST = re.compile(r"^<!-- generated: (\S+) -->$", re.MULTILINE)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the pages of the rules to the navigation."""
    for section in config.nav or []:
        if isinstance(section, dict) and "Rules" in section:
            section["Rules"] += [f"rules/{name}.md" for name in rules.names()]
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    for path, text in {**rules.pages(), **reasons.pages(), **commands.pages()}.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, **context: Any) -> str:
    """Put the tables where a page asks for them.

    Raises:
        PluginError: if there is no table of a name.
    """

    def table(request: re.Match[str]) -> str:
        if request[1] not in TABLES:
            raise PluginError(f"{context['page'].file.src_uri}: no table `{request[1]}`; known are {', '.join(TABLES)}")
        return TABLES[request[1]]()

    return _REQUEST.sub(table, markdown)
