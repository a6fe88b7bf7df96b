"""Proof that a file holds nothing but what it may: on its bytes, comments included."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from lxml import etree

from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import Names, parse_xml

__all__ = ["strays"]


def strays(
    data: bytes,
    allowed: Mapping[str, Set[str]],
    with_text: Set[str],
    forbidden: Set[str],
) -> list[str]:
    """What a file holds beyond what is allowed, one sentence each; empty for a proven file.

    Args:
        data: the file.
        allowed: for each element that may occur, the attributes that it may have.
        with_text: the elements that may have text.
        forbidden: texts that may stand nowhere: not as a text, not as part of an attribute.
            Texts of fewer than four letters are only looked for as a whole.
    """
    root = parse_xml(Source(data, "derived file"))
    names = Names()
    found = []
    tree = root.getroottree()
    outside: list[Any] = []
    for step in ("getprevious", "getnext"):
        node = getattr(root, step)()
        while node is not None:
            outside.append(node)
            node = getattr(node, step)()
    if tree.docinfo.doctype:
        found.append("it has a document type")
    for node in [*outside, *root.iter()]:
        name = names[node.tag]
        if not name:
            kind = "comment" if node.tag is etree.Comment else "processing instruction"
            found.append(f"line {node.sourceline} has a {kind}")
            continue
        if name not in allowed:
            found.append(f"line {node.sourceline} has an element “{name}”")
            continue
        found += [
            f"line {node.sourceline}: {name} has an attribute “{key}”"
            for key in node.attrib
            if key not in allowed[name]
        ]
        texts = [(node.text or "").strip(), *((child.tail or "").strip() for child in node)]
        if any(texts) and name not in with_text:
            found.append(f"line {node.sourceline}: {name} has text")
        values = [*node.values(), *texts]
        found += [
            f"line {node.sourceline}: {name} holds a withheld text"
            for value in values
            if value and _holds(value, forbidden)
        ]
    return found


def _holds(value: str, forbidden: Set[str]) -> bool:
    return value in forbidden or any(
        text in value for text in forbidden if sum(map(str.isalpha, text)) >= 4
    )
