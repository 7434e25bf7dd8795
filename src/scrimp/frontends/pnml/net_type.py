"""The kind of net in a document, by the type that it states, or else by its labels."""

from __future__ import annotations

from scrimp.frontends.pnml.xml import Element, shortened

# The last parts of types' addresses. Many tools write P/T nets as the core model, which has no labels at all.
_PLACE_TRANSITION = frozenset(
    {
        *("ptnet", "pt-net", "ptnetb", "t net", "inhibitorptnet", "resetptnet", "resetinhibitorptnet"),
        *("coremodel", "pnmlcoremodel", "pnmlcore", "epnml-1.1"),
    }
)
_COLOURED = frozenset({"symmetricnet", "symmetric", "highlevelnet", "hlnet", "pt-hlpng", "pt_hlpng"})
_GRAMMAR_FILES = (".pntd", ".rng", ".xsd")
_COLOURED_LABELS = ("hlinitialMarking", "hlinscription")


def is_coloured(net: Element) -> bool:
    """Whether a net is coloured; raises ModelError if it is neither that nor a place/transition net. TAPAAL gives
    coloured nets the type of P/T nets, so their labels decide."""
    stated = net.attributes.get("type", "").strip()
    last = stated.rpartition("/")[2].lower()
    for ending in _GRAMMAR_FILES:
        last = last.removesuffix(ending)
    if last in _COLOURED:
        return True
    if last in _PLACE_TRANSITION or not stated:
        return _has_colours(net)
    raise net.error(
        f"found a net of the type '{shortened(stated.rpartition('/')[2])}', expected a place/transition net (ptnet) or "
        "a symmetric net (symmetricnet)"
    )


def _has_colours(element: Element) -> bool:
    """Whether some marking or inscription is a term."""
    if element.tag in _COLOURED_LABELS and element.first("structure") is not None:
        return True
    return any(map(_has_colours, element.children))
