"""The log of one editor's work on one segment as XML, in the manner of Translog-II's log of events.

Elements and attributes are those that tools for Translog-II read: ``Key`` with ``Time``,
``Cursor``, ``Type`` (``insert``, ``delete``, ``navi``, ``edit``) and ``Value``, ``Mouse``, and
``System`` with ``START`` and ``STOP`` around each visit. Which key it was is not known where it
changed nothing: then ``Value`` is its class, in brackets.
"""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from madcat_studio.model.visits import Event, EventKind, Source, Visit

__all__ = ["translog"]

_BY_KEY = frozenset({Source.TYPED, Source.DELETED, Source.COMPOSED})


def translog(visits: Sequence[Visit], reference: str) -> bytes:
    """The file.

    Args:
        visits: of one editor to one segment in one pass, in the order of beginning.
        reference: what the editor worked towards; Translog-II calls it the source text.
    """
    first = visits[0]
    root = etree.Element("LogFile")
    etree.SubElement(root, "VersionInfo").text = "MADCAT Studio, in the manner of Translog-II 2.0"
    etree.SubElement(root, "Subject").text = first.editor
    project = etree.SubElement(root, "Project")
    etree.SubElement(
        project, "FileName"
    ).text = f"{first.kit} {first.team} {first.pass_} {first.segment}"
    etree.SubElement(project, "Languages", source="ar", target="en", task="post-editing")
    etree.SubElement(root, "startTime").text = first.at.isoformat(timespec="milliseconds")
    etree.SubElement(root, "endTime").text = visits[-1].left.isoformat(timespec="milliseconds")
    etree.SubElement(root, "SourceTextUTF8").text = reference
    began = _found(first)
    etree.SubElement(root, "TargetTextUTF8").text = began
    events = _Events(etree.SubElement(root, "Events"), began)
    for visit in visits:
        events.add(visit)
    etree.SubElement(root, "FinalTextUTF8").text = events.text
    return etree.tostring(root, encoding="utf-8", xml_declaration=True, pretty_print=True)


def _found(visit: Visit) -> str:
    """The text as a visit found it."""
    return next((str(one.says[0]) for one in visit.events if one.kind is EventKind.FROM), "")


class _Events:
    """The list of events; time runs from the first visit's beginning, and never back."""

    def __init__(self, parent: etree._Element, text: str) -> None:
        self._parent = parent
        self._cursor = 0
        self._start = self._now = 0
        self._first: Visit | None = None
        self.text = text

    def add(self, visit: Visit) -> None:
        """All of a visit."""
        self._first = self._first or visit
        after = round((visit.at - self._first.at).total_seconds() * 1000)
        # A clock that was set back must not put a visit before the one that it follows.
        self._start = max(after, self._now)
        self._put("System", 0, Value="START")
        for number, event in enumerate(visit.events):
            following = visit.events[number + 1 : number + 2]
            if event.kind is EventKind.KEY and following and _is_key(following[0]):
                continue  # the change says more of it
            self._event(event)
        self._put("System", visit.ms, Value="STOP")

    def _put(self, name: str, ms: int, **attributes: str) -> None:
        self._now = self._start + ms
        etree.SubElement(self._parent, name, {"Time": str(self._now), **attributes})

    def _event(self, event: Event) -> None:
        says = [str(one) for one in event.says]
        match event.kind:
            case EventKind.KEY:
                kind = "navi" if says[0] == "navigation" else "edit"
                self._put(
                    "Key", event.ms, Cursor=str(self._cursor), Type=kind, Value=f"[{says[0]}]"
                )
            case EventKind.MOUSE:
                self._put("Mouse", event.ms, Cursor=str(self._cursor), Type="down", Value="")
            case EventKind.TEXT:
                self._change(event)
            case EventKind.COMMAND:
                self._put("Interface", event.ms, Value=says[0])
            case EventKind.REST:
                self._put("System", event.ms, Value="REST", Dur=says[0])
            case EventKind.NOTE:
                self._put("System", event.ms, Value="NOTE", Name=says[0], Detail=says[1])
            case EventKind.FROM:
                self.text = says[0]

    def _change(self, event: Event) -> None:
        place, removed, added, source = event.says
        assert isinstance(place, int)
        removed, added = str(removed), str(added)
        self.text = self.text[:place] + added + self.text[place + len(removed) :]
        self._cursor = place + len(added)
        where = {"Cursor": str(place)}
        if removed:
            where["Text"] = removed
        if source not in _BY_KEY:
            self._put("Key", event.ms, **where, Type="edit", Value=f"[{source}]", Paste=added)
        elif added:
            self._put("Key", event.ms, **where, Type="insert", Value=added)
        else:
            self._put("Key", event.ms, **where, Type="delete", Value="[delete]")


def _is_key(event: Event) -> bool:
    return event.kind is EventKind.TEXT and event.says[3] in _BY_KEY
