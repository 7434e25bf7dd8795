"""Hooks of mkdocs: pages that come from elsewhere in the repository, and the command-line reference.

README.md, CONTRIBUTING.md and CHANGELOG.md stay in the root, where people look for them first. The site shows them
as pages of its own, so links between them and `docs/` are rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
ROOT_PAGES = {"README.md": "getting-started.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
COMMANDS_HERE = "<!-- the commands -->"
OTHER_NAMES_HERE = "<!-- the other names -->"

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)")


def on_config(config: Any) -> Any:
    config["nav"] = expanded(config["nav"])
    return config


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File

    for name, page in ROOT_PAGES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=with_site_links(text, ROOT)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    if page.file.src_uri in ROOT_PAGES.values():
        return markdown
    if page.file.src_uri == "cli.md":
        markdown = markdown.replace(COMMANDS_HERE, command_line_reference())
    if page.file.src_uri == "reference.md":
        markdown = with_other_names(markdown)
    return with_site_links(markdown, (DOCS / page.file.src_uri).parent)


def expanded(nav: list[Any]) -> list[Any]:
    """The navigation with each pattern, such as `methods/*.md`, replaced by the pages that match it."""
    found: list[Any] = []
    for entry in nav:
        if isinstance(entry, str) and "*" in entry:
            found += [path.relative_to(DOCS).as_posix() for path in sorted(DOCS.glob(entry))]
        elif isinstance(entry, dict):
            found.append(
                {title: expanded(value) if isinstance(value, list) else value for title, value in entry.items()}
            )
        else:
            found.append(entry)
    return found


def with_site_links(text: str, folder: Path) -> str:
    """Markdown from `folder` with the links of the site; a link to a file that is not in the site becomes its text."""

    def replaced(link: re.Match[str]) -> str:
        image, label, target, anchor = link.groups(default="")
        path = (folder / target).resolve()
        if path.is_relative_to(DOCS):
            page = path.relative_to(DOCS).as_posix()
        elif path.parent == ROOT and path.name in ROOT_PAGES:
            page = ROOT_PAGES[path.name]
        else:
            return label
        above = "" if folder == ROOT else "../" * len(folder.relative_to(DOCS).parts)
        return f"{image}[{label}]({above}{page}{anchor})"

    return _LINK.sub(replaced, text)


def command_line_reference() -> str:
    """Every command with its description, usage and options, in the order of `scrimp --help`."""
    from scrimp.cli.application import COMMANDS, application

    top = click.Context(application, info_name="scrimp")
    commands = ((name, application.get_command(top, name)) for name in COMMANDS)
    return "\n".join(line for name, command in commands if command for line in described(name, command, top))


def public_names() -> list[str]:
    import scrimp

    names: list[str] = scrimp.__all__
    return [name for name in names if getattr(scrimp, name).__module__.split(".")[0] == "scrimp"]


def with_other_names(reference: str) -> str:
    """The Python reference with the public names that it does not list by itself."""
    missing = sorted(set(public_names()) - set(listed_names(reference)))
    section = ["## More", *(f"::: scrimp.{name}" for name in missing)] if missing else []
    return reference.replace(OTHER_NAMES_HERE, "\n\n".join(section))


def listed_names(reference: str) -> list[str]:
    return re.findall(r"^::: scrimp\.(\w+)$", reference, re.MULTILINE)


def described(name: str, command: click.Command, top: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=top)
    yield from (f"## scrimp {name}", "")
    for paragraph in (command.help or "").split("\n\n"):
        yield from (" ".join(paragraph.split()), "")
    usage = " ".join(command.collect_usage_pieces(context))
    yield from ("```text", f"scrimp {name} {usage}", "```", "", "| option | meaning |", "| --- | --- |")
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1]:
            yield f"| {as_code(record[0])} | {cell(record[1])} |"
    yield ""


def as_code(option: str) -> str:
    """`-q, --quiet` as code; a bar inside would end the cell of a table."""
    return f"<code>{cell(option)}</code>"


def cell(text: str) -> str:
    return text.replace("<", "&lt;").replace("|", "&#124;").replace("*", "&#42;")
