"""Readers of the formats that are exported, as plain as can be."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

Edge = tuple[int, str, int]


@dataclass(frozen=True)
class Lts:
    """`edges` are sorted and may contain duplicates."""

    initial: int
    states: int
    edges: list[Edge]


def read_lts(path: Path) -> Lts:
    content = path.read_bytes()
    name = path.name
    if name.endswith(".gz"):
        content, name = gzip.decompress(content), name[:-3]
    readers = {"aut": read_aut, "dot": read_dot, "graphml": read_graphml}
    return readers[name.rpartition(".")[2]](content.decode())


def read_aut(text: str) -> Lts:
    header, *lines = text.splitlines()
    initial, transitions, states = (int(part) for part in header.strip()[3:].strip().strip("()").split(","))
    edges = []
    for line in lines:
        source, rest = line.strip().strip("()").split(",", 1)
        label, target = rest.rsplit(",", 1)
        edges.append((int(source), label.strip().removeprefix('"').removesuffix('"'), int(target)))
    assert len(edges) == transitions
    return Lts(initial, states, sorted(edges))


def read_dot(text: str) -> Lts:
    initial, *lines = text.removeprefix("digraph lts {\n").removesuffix("}\n").splitlines()
    edges = []
    for line in lines:
        match = re.fullmatch(r'  (\d+) -> (\d+) \[label="((?:[^"\\]|\\.)*)"\];', line)
        assert match is not None
        edges.append((int(match[1]), re.sub(r"\\(.)", r"\1", match[3]), int(match[2])))
    states = {0} | {source for source, _, _ in edges} | {target for _, _, target in edges}
    assert initial == "  0 [shape=doublecircle];"
    return Lts(0, len(states), sorted(edges))


def read_graphml(text: str) -> Lts:
    space = "{http://graphml.graphdrawing.org/xmlns}"
    (graph,) = ElementTree.fromstring(text.encode()).findall(f"{space}graph")
    nodes = [node.attrib["id"] for node in graph.findall(f"{space}node")]
    (initial,) = [
        node.attrib["id"] for node in graph.findall(f"{space}node") if node.findtext(f"{space}data") == "true"
    ]
    edges = [
        (nodes.index(edge.attrib["source"]), edge.findtext(f"{space}data") or "", nodes.index(edge.attrib["target"]))
        for edge in graph.findall(f"{space}edge")
    ]
    return Lts(nodes.index(initial), len(nodes), sorted(edges))
