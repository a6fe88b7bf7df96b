"""Traits in ALTO: languages, directions and the styles that elements refer to."""

from __future__ import annotations

from lxml import etree

from madcat_studio.formats.layout_writer import LayoutWriter
from madcat_studio.formats.schema_attributes import allows, required
from madcat_studio.formats.xml import Element
from madcat_studio.model.traits import DIRECTIONS, traits_of

__all__ = ["STYLES", "TRAITS", "TraitWriter"]

TRAITS = frozenset(
    ("LANG", "language", "BASEDIRECTION", "ROTATION", "STYLE", "SUBS_TYPE", "SUBS_CONTENT", "TYPE")
)
"""Attributes of blocks, lines and strings that are traits as they are."""
STYLES = ("TextStyle", "ParagraphStyle")
"""What elements refer to; a trait such as ``TextStyle.FONTSIZE`` tells a value of it."""


class TraitWriter:
    """Writes traits, and collects styles until all that refer to them is written.

    Args:
        writer: of the file; takes the notes.
        schema: the file of the schema of its revision.
    """

    def __init__(self, writer: LayoutWriter, schema: str) -> None:
        self._writer = writer
        self._schema = schema
        self._referring: list[tuple[Element, list[tuple[str, tuple[tuple[str, str], ...]]]]] = []

    def write(self, element: Element, said: str | None, place: str) -> None:
        """Write the traits of an element, as far as the revision allows them."""
        if not said:
            return
        traits = traits_of(said)
        name = etree.QName(element).localname
        styles = []
        for kind in STYLES:
            style = self._style(kind, traits)
            if style and allows(self._schema, name, "STYLEREFS", "any"):
                styles.append((kind, tuple(sorted(style.items()))))
                for value in style:
                    del traits[f"{kind}.{value}"]
        if styles:
            self._referring.append((element, styles))
        direction = DIRECTIONS.get(traits.get("readingDirection", ""), "")
        if allows(self._schema, name, "BASEDIRECTION", direction):
            del traits["readingDirection"]
            traits.setdefault("BASEDIRECTION", direction)
        for trait, value in traits.items():
            if trait in TRAITS and allows(self._schema, name, trait, value):
                element.set(trait, value)
            else:
                self._writer.lost_trait(place, trait, value, self._schema, name)

    def _style(self, kind: str, traits: dict[str, str]) -> dict[str, str]:
        """What the traits tell of a style that the revision allows; empty for none."""
        told = {n.partition(".")[2]: v for n, v in traits.items() if n.startswith(f"{kind}.")}
        kept = {n: v for n, v in told.items() if allows(self._schema, kind, n, v)}
        return kept if required(self._schema, kind) <= kept.keys() | {"ID"} else {}

    def close(self, root: Element) -> None:
        """Write the styles that were referred to, before the tags."""
        wanted = dict.fromkeys(style for _, styles in self._referring for style in styles)
        if not wanted:
            return
        above = self._writer.add(root, "Styles")
        root.remove(above)
        root.insert(1, above)  # behind the description
        names: dict[tuple[str, tuple[tuple[str, str], ...]], str] = {}
        for kind in STYLES:
            for style in wanted:
                if style[0] != kind:
                    continue
                values = dict(style[1])
                own = values.pop("ID", None)
                known = own is not None and self._writer.names.take(own)
                names[style] = own if known and own else self._writer.names.fresh("style")
                self._writer.add(above, kind, ID=names[style], **values)
        for element, styles in self._referring:
            element.set("STYLEREFS", " ".join(names[style] for style in styles))
