"""What the writers of PAGE XML and of ALTO do alike: elements, ids, notes of what has no place."""

from __future__ import annotations

from lxml import etree

from madcat_studio.formats.layouts import FreshNames, Notes
from madcat_studio.formats.schema_attributes import knows
from madcat_studio.formats.xml import Element
from madcat_studio.model.layout import LayoutPage
from madcat_studio.model.problem import Severity

__all__ = ["LayoutWriter", "file_of", "root_of"]


class LayoutWriter:
    """Writes elements of one namespace, and notes what the format has no room for.

    Args:
        format_name: with its version, for messages.
        namespace: of all elements.
        notes: takes the messages.
    """

    def __init__(self, format_name: str, namespace: str, notes: Notes) -> None:
        self.format_name = format_name
        self.namespace = namespace
        self.notes = notes
        self.names = FreshNames()

    def add(self, parent: Element, name: str, **attributes: str) -> Element:
        """A new last child."""
        return etree.SubElement(parent, f"{{{self.namespace}}}{name}", attributes)

    def lost(self, place: str, what: str) -> None:
        """Note that something is left out."""
        self.notes.tell(
            "convert-lost",
            f"{self.format_name} cannot hold {what}",
            place=place,
            severity=Severity.NOTE,
        )

    def lost_trait(self, place: str, trait: str, value: str, schema: str, element: str) -> None:
        """Note that a trait is left out: the revision has not its name, or not its value."""
        attribute = trait.rpartition(".")[2]
        said = f"{trait} “{value}”" if knows(schema, element, attribute) else trait
        self.lost(place, f"{said} of a {element}")

    def resolution(self, page: LayoutPage) -> None:
        """Note that a page's resolution is left to its image, which says it as well."""
        if page.dpi:
            self.notes.tell_aside(
                f"{self.format_name} cannot hold the resolution", f"page {page.id}"
            )

    def identifier(self, wanted: str | None, prefix: str) -> str:
        """An id that the format allows: a name, and the file's only one."""
        if wanted is not None and self.names.take(wanted):
            return wanted
        made = self.names.fresh(prefix)
        if wanted is not None:
            self.notes.tell_id_changed(wanted, made)
        return made


def root_of(namespace: str, name: str) -> Element:
    """The root element of a file whose elements have no prefix."""
    return etree.Element(
        f"{{{namespace}}}{name}",
        nsmap={None: namespace},  # type: ignore[dict-item]
    )


def file_of(root: Element) -> bytes:
    """The bytes of a file, indented."""
    etree.indent(root)
    return bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True)) + b"\n"
