"""GraphML, which yEd, Gephi and NetworkX read. Edges come before nodes: the number of nodes is known only at the
end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import BinaryIO
from xml.sax.saxutils import escape

from scrimp.outputs.lts.writer import Column, EdgeText, LtsWriter, Text

_BEGIN = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="label" for="edge" attr.name="label" attr.type="string"/>
<key id="initial" for="node" attr.name="initial" attr.type="boolean"><default>false</default></key>
<graph id="lts" edgedefault="directed">
"""
_END = "</graph>\n</graphml>\n"
_NODES_AT_ONCE = 10_000
# Characters that XML cannot represent.
_UNSPEAKABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class GraphmlWriter(LtsWriter):
    def __init__(self, file: BinaryIO, compressed: bool) -> None:
        self._text = Text(file, compressed)
        self._text.write(_BEGIN)
        self._edges = EdgeText('<edge source="n', _around)

    def add(self, sources: Column, labels: Column, targets: Column, names: Sequence[str]) -> None:
        self._text.write_bytes(self._edges.of(sources, labels, targets, names))

    def finish(self, states: int, transitions: int) -> None:
        self._text.write('<node id="n0"><data key="initial">true</data></node>\n')
        others = (f'<node id="n{state}"/>\n' for state in range(1, states))
        while some := "".join(islice(others, _NODES_AT_ONCE)):
            self._text.write(some)
        self._text.write(_END)
        self._text.finish()


def _around(name: str) -> tuple[str, str]:
    """The texts after the numbers of an edge with this label."""
    label = escape(_UNSPEAKABLE.sub("\ufffd", name))
    return '" target="n', f'"><data key="label">{label}</data></edge>\n'


writer = GraphmlWriter
