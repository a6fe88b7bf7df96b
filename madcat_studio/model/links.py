"""Which token is which word on which page: the links between text and ink, resolved once.

Identifiers may be doubled on a page and start anew on every page, so a reference can fit several
words. Tokens follow the text and the text follows the pages: a reference takes the first word
with its identifier, from the page of the token before on, that no other token has taken; where
all are taken, the first from that page on, else the first of all.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from madcat_studio.model.document import Document

__all__ = ["LineIndex", "Links", "SegmentIndex", "TokenIndex", "WordIndex", "link"]

LineIndex = tuple[int, int]
"""Page, line."""
WordIndex = tuple[int, int, int]
"""Page, line, word."""
SegmentIndex = tuple[int, int]
"""Section, segment."""
TokenIndex = tuple[int, int, int]
"""Section, segment, token."""


@dataclass(slots=True)
class Links:
    """The links of one document as it is now. All indices count from 0.

    Attributes:
        word_of: the word of each token that has one.
        tokens_of: the tokens of each word that has any, in text order.
        words_of: the words of each segment, in text order.
        lines_of: the lines of each segment, in document order: those of its words, and those that
            it names where it has no words.
        segments_of: the segments of each line, in text order.
    """

    word_of: dict[TokenIndex, WordIndex] = field(default_factory=dict)
    tokens_of: dict[WordIndex, list[TokenIndex]] = field(default_factory=dict)
    words_of: dict[SegmentIndex, list[WordIndex]] = field(default_factory=dict)
    lines_of: dict[SegmentIndex, list[LineIndex]] = field(default_factory=dict)
    segments_of: dict[LineIndex, list[SegmentIndex]] = field(default_factory=dict)


def link(document: Document) -> Links:
    """Resolve all references of a document."""
    words: defaultdict[str, list[WordIndex]] = defaultdict(list)
    lines: defaultdict[str, list[LineIndex]] = defaultdict(list)
    for p, page in enumerate(document.pages):
        for n, line in enumerate(page.lines):
            if line.id is not None:
                lines[line.id].append((p, n))
            for k, word in enumerate(line.words):
                if word.id is not None:
                    words[word.id].append((p, n, k))
    links = Links()
    word_of, tokens_of = links.word_of, links.tokens_of
    taken: set[WordIndex] = set()
    at_page = 0
    for s, section in enumerate(document.sections):
        for g, segment in enumerate(section.segments):
            index = (s, g)
            found_words: list[WordIndex] = []
            for t, token in enumerate(segment.tokens):
                same = words.get(token.ref_id.strip()) if token.ref_id else None
                if not same:
                    continue
                # Mostly there is one word of that name, and this is worked out at every edit.
                found = same[0] if len(same) == 1 else _choose(same, at_page, taken)
                taken.add(found)
                at_page = found[0]
                word_of[s, g, t] = found
                if found in tokens_of:
                    tokens_of[found].append((s, g, t))
                else:
                    tokens_of[found] = [(s, g, t)]
                found_words.append(found)
            found_lines = {place[:2] for place in found_words}
            if not found_words:
                for reference in segment.zone_refs:
                    candidates = lines.get(reference.strip(), [])
                    later = [candidate for candidate in candidates if candidate[0] >= at_page]
                    found_lines.update((later or candidates)[:1])
            links.words_of[index] = found_words
            links.lines_of[index] = sorted(found_lines)
            for place in links.lines_of[index]:
                links.segments_of.setdefault(place, []).append(index)
    return links


def _choose(candidates: list[WordIndex], at_page: int, taken: set[WordIndex]) -> WordIndex:
    later = [word for word in candidates if word[0] >= at_page]
    for word in (*later, *candidates):
        if word not in taken:
            return word
    return later[0] if later else candidates[0]
