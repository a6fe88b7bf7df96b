"""Which attributes a published schema allows on an element, and with which values."""

from __future__ import annotations

from copy import deepcopy
from functools import cache, lru_cache
from typing import Any

from lxml import etree

from madcat_studio.paths import schemas

__all__ = ["allows", "has_element", "knows", "required"]

_XSD = "{http://www.w3.org/2001/XMLSchema}"


@lru_cache(maxsize=4096)
def allows(schema: str, element: str, attribute: str, value: str) -> bool:
    """Whether an element may have an attribute with this value.

    Args:
        schema: a file of ``schemas/``.
        element, attribute: their local names.
        value: as it is written.
    """
    if not knows(schema, element, attribute):
        return False
    name = f"{element}.{attribute}"
    validator, namespace = _values(schema, element)
    test = etree.Element(f"{{{namespace}}}{name}")
    try:
        test.text = value
    except ValueError:  # a character that XML cannot hold
        return False
    return bool(validator.validate(test))


def knows(schema: str, element: str, attribute: str) -> bool:
    """Whether an element may have an attribute, with whatever value."""
    return f"{element}.{attribute}" in _attributes(schema, element)


@cache
def has_element(schema: str, element: str) -> bool:
    """Whether a schema knows an element."""
    return bool(_declared(_tree(schema), element))


@cache
def required(schema: str, element: str) -> frozenset[str]:
    """The attributes that an element must have."""
    found = _attributes(schema, element)
    return frozenset(a.get("name") or "" for a in found.values() if a.get("use") == "required")


@cache
def _tree(schema: str) -> Any:
    return etree.parse(schemas() / schema)


def _declared(tree: Any, name: str) -> list[Any]:
    return [found for found in tree.iter(f"{_XSD}element") if found.get("name") == name]


@cache
def _attributes(schema: str, element: str) -> dict[str, Any]:
    """The declarations of an element's attributes, by element and attribute."""
    tree = _tree(schema)
    named = {(found.tag, found.get("name")): found for found in tree.getroot() if found.get("name")}

    def local(name: str) -> str:
        return name.rpartition(":")[2]

    def collect(node: Any) -> list[Any]:
        found: list[Any] = []
        for child in node:
            if child.tag == f"{_XSD}attribute" and child.get("name"):
                found.append(child)
            elif child.tag == f"{_XSD}attributeGroup":
                group = named.get((child.tag, local(child.get("ref") or "")))
                found += collect(group) if group is not None else []
            elif child.tag in (f"{_XSD}complexContent", f"{_XSD}extension"):
                base = named.get((f"{_XSD}complexType", local(child.get("base") or "")))
                found += collect(base) if base is not None else []
                found += collect(child)
        return found

    for declared in _declared(tree, element):
        kind = declared.find(f"{_XSD}complexType")
        if kind is None:
            kind = named.get((f"{_XSD}complexType", local(declared.get("type") or "")))
        if kind is not None:
            return {f"{element}.{found.get('name')}": found for found in collect(kind)}
    return {}


@cache
def _values(schema: str, element: str) -> tuple[etree.XMLSchema, str]:
    """A schema with an element for the values of each attribute, and its namespace."""
    tree = etree.parse(schemas() / schema)
    root: Any = tree.getroot()
    for name, attribute in _attributes(schema, element).items():
        made = etree.SubElement(root, f"{_XSD}element", {"name": name})
        if attribute.get("type"):
            made.set("type", attribute.get("type"))
        made.extend(deepcopy(part) for part in attribute if part.tag == f"{_XSD}simpleType")
    return etree.XMLSchema(tree), root.get("targetNamespace") or ""
