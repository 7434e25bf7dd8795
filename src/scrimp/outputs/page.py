"""The files of the page, and the page as a single file that needs nothing else.

The page is plain HTML, CSS and ES modules in `src/scrimp/page/`, served as they are. A single file has all of them
inside: the modules are joined into one, in the order of their imports. That works because they follow two rules, which
a test checks: imports are of the form `import { a, b } from "./name.js";`, and no two modules declare the same name.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

MODULES = (
    "dom.js",
    "api.js",
    "list.js",
    "charts.js",
    "steps.js",
    "state.js",
    "source.js",
    "formula.js",
    "graph.js",
    "searches.js",
    "comparison.js",
    "help.js",
    "app.js",
)
"""The modules, each after those that it imports."""
FILES = ("index.html", "style.css", "icon.svg", *MODULES)

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./[a-z]+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(async )?(function|const|let|class) )", re.MULTILINE)


def file_bytes(name: str) -> bytes:
    """One of FILES."""
    return (files("scrimp") / "page" / name).read_bytes()


def _text(name: str) -> str:
    return file_bytes(name).decode()


@cache
def joined_modules() -> str:
    """All modules as one."""
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", _text(name))) for name in MODULES)


def single_file(data: Any, *, title: str) -> str:
    """The page with its data inside. It may load nothing, and its script is the only one that runs."""
    script = joined_modules()
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"
    icon = b64encode(file_bytes("icon.svg")).decode()
    page = _text("index.html")
    parts = {
        '<link rel="icon" href="icon.svg">': f'<link rel="icon" href="data:image/svg+xml;base64,{icon}">',
        '<meta charset="utf-8">': f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" '
        f'content="{policy}">',
        '<link rel="stylesheet" href="style.css">': f"<style>\n{_text('style.css')}</style>",
        '<script type="module" src="app.js"></script>': f'<script type="application/json" id="data">{embedded(data)}'
        f'</script>\n<script type="module">{script}</script>',
        "<title>scrimp</title>": f"<title>{escaped(title)}</title>",
    }
    for marker, content in parts.items():
        assert page.count(marker) == 1, marker
        page = page.replace(marker, content)
    return page


def embedded(data: Any) -> str:
    """JSON that can stand inside a script element, whatever the texts in it are."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace").decode().replace("<", "\\u003c")


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
