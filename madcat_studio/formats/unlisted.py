"""References to what goes from a file, and the lists that are left empty without them.

Orders of reading, layers and relations refer to regions and lines by their ids. The schemas of
PAGE XML and ALTO allow none of these lists to be empty.
"""

from __future__ import annotations

from madcat_studio.formats.patching import TextPatch
from madcat_studio.formats.spans import Span

__all__ = ["Unlisted"]

_LISTS = frozenset({
    "ReadingOrder", "OrderedGroup", "UnorderedGroup", "OrderedGroupIndexed",
    "UnorderedGroupIndexed", "Layers", "Layer", "Relations",
})  # fmt: skip
_PAIR = "Relation"
_BESIDE = frozenset({"Labels", "UserDefined"})
"""What a list may have beside its members."""


class Unlisted:
    """The references that a patch takes out."""

    def __init__(self, patch: TextPatch) -> None:
        self._patch = patch
        self._gone: set[int] = set()

    def drop(self, reference: int, attribute: str) -> None:
        """Take a reference out; a list that refers to something keeps its members."""
        span = self._patch.spans[reference]
        if span.local in _LISTS:
            self._patch.set_attribute(reference, attribute, None)
        else:
            self._take_out(reference)

    def drop_emptied(self) -> None:
        """Take the lists out that have no members any more, once all else is written."""
        left = [self._patch.spans[reference].parent for reference in self._gone]
        while left:
            above = left.pop()
            if above not in self._gone and self._is_emptied(above):
                self._take_out(above)
                left.append(self._patch.spans[above].parent)

    def _take_out(self, ordinal: int) -> None:
        self._patch.remove(ordinal)
        self._gone.add(ordinal)

    def _is_emptied(self, ordinal: int) -> bool:
        span = self._patch.spans[ordinal]
        if span.local == _PAIR:  # half of one relates nothing
            return True
        members = [c for c in span.children if self._patch.spans[c].local not in _BESIDE]
        return (
            span.local in _LISTS
            and self._gone.issuperset(members)
            and not self._gets_members(span, [self._patch.spans[c] for c in members])
        )

    def _gets_members(self, span: Span, members: list[Span]) -> bool:
        """Whether something is put between the members of a list."""
        put_in = (r.start for r in self._patch.replacements if r.start == r.end)
        return any(
            span.tag_end <= at <= span.inner_end
            and not any(member.start < at < member.end for member in members)
            for at in put_in
        )
