"""What the campaign has beside the pages under evaluation: each for one purpose of the plan.

A second track (challenge), development pages to practise on, and new output for the earlier phase's
sequestered passages (progress), which stand in kits with some of its old output (control). The
pages have no image layer, as those of the earlier phase.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from madcat_studio.model.document import Document, Section, Segment, Token
from scripts.demo.chance import share
from scripts.demo.earlier import SYSTEM as EARLIER_SYSTEM
from scripts.demo.earlier import EarlierPage, earlier_pages
from scripts.demo.markup import Span, parse, render
from scripts.demo.outputs import system_text
from scripts.demo.plan import (
    SYSTEMS,
    TEAMS,
    Manuscript,
    Passage,
    Text,
    texts_folder,
)

__all__ = [
    "FURTHER_KITS",
    "FurtherKit",
    "FurtherPage",
    "further_assignments",
    "further_pages",
    "newer_output",
    "plain_document",
]

_MENDED = {"juniper": 0.6, "tamarisk": 0.35}
"""The share of the old system's errors that each system makes no more."""

CONTROL = ("article-4",)
"""The passages that `campaign select CAMPAIGN control` chooses."""


@dataclass(frozen=True, slots=True)
class FurtherPage:
    """A page with its place in the plan."""

    copy: Manuscript
    data_set: str
    track: str
    conditions: str

    def corpus_row(self) -> tuple[str, ...]:
        """The page's row in corpus.tsv."""
        return self.copy.corpus_row(self.data_set, self.track)

    def output(self, system: str) -> Document:
        """The page's linesys document."""
        copy = self.copy
        texts = [system_text(text, system, 0) for text in copy.passage.segments]
        return _with_texts(plain_document(copy), texts)


def plain_document(copy: Manuscript) -> Document:
    """A manuscript's MADCAT document without an image layer."""
    segments = [
        Segment(
            f"s{number}",
            [],
            [Token(f"s{number}-{n}", "", "", word) for n, word in enumerate(text.tokens, 1)],
            " ".join(text.tokens),
            text.reference,
        )
        for number, text in enumerate(copy.passage.segments, 1)
    ]
    return Document(
        id=copy.base,
        src=f"{copy.base}.tif",
        genre=copy.passage.genre,
        nbpages=1,
        scribe=copy.scribe,
        version="2009.1",
        sections=[Section("sec0001", "tokenization", segments)],
    )


def _with_texts(document: Document, texts: list[str]) -> Document:
    section = document.sections[0]
    section.segments = [
        Segment(one.id, [], [], one.transcription, text)
        for one, text in zip(section.segments, texts, strict=True)
    ]
    return document


def further_pages() -> tuple[FurtherPage, ...]:
    """Challenge pages, then development pages."""
    with (texts_folder() / "further.toml").open("rb") as file:
        entries = tomllib.load(file)["passage"]
    return tuple(
        FurtherPage(
            Manuscript(
                Passage(
                    key=entry["name"],
                    name=entry["name"],
                    source_document=entry["source_document"],
                    genre=entry["genre"],
                    segments=tuple(
                        Text(
                            tuple(one["arabic"].split()),
                            one["english"],
                            {system: one[system] for system in SYSTEMS},
                        )
                        for one in entry["segment"]
                    ),
                ),
                0,
                entry["scribe"],
            ),
            entry["set"],
            entry["track"],
            entry["conditions"],
        )
        for entry in entries
    )


def newer_output(page: EarlierPage, system: str) -> Document:
    """What a system of today makes of a page of the earlier phase: fewer of the old errors."""

    def choose(number: int, span: Span) -> str:
        mended = share("newer", system, page.copy.base, number) < _MENDED[system]
        return span.right[0] if mended else span.wrong

    text = page.copy.passage.segments[0].outputs[EARLIER_SYSTEM]
    return _with_texts(page.document(), [render(parse(text), choose)])


@dataclass(frozen=True, slots=True)
class FurtherKit:
    """A kit: (system, BASE) of each page, and its two teams."""

    name: str
    items: tuple[tuple[str, str], ...]
    teams: tuple[str, str]


def _kits() -> tuple[FurtherKit, ...]:
    earlier = list(earlier_pages())
    progress = [page.copy.base for page in earlier if page.sequestered]
    control = [page.copy.base for page in earlier if page.copy.passage.name in CONTROL]
    challenge = [page.copy.base for page in further_pages() if page.track == "challenge"]
    one, other = SYSTEMS
    # The control page was edited by T1 and T3 then. What the second system made of the challenge
    # pages is in no kit yet: it is left to be planned.
    return (
        FurtherKit(
            "K7",
            (
                *((one, base) for base in progress),
                *((EARLIER_SYSTEM, base) for base in control),
            ),
            ("T2", "T4"),
        ),
        FurtherKit("K8", tuple((other, base) for base in progress), ("T1", "T3")),
        FurtherKit("K9", tuple((one, base) for base in challenge), ("T2", "T3")),
    )


FURTHER_KITS = _kits()


def further_assignments() -> Iterator[tuple[str, str, str, str]]:
    """Kit, team, first editor, reviewer; nobody has begun."""
    for kit in FURTHER_KITS:
        for team in kit.teams:
            editors = [login for login, _ in TEAMS[team]]
            yield kit.name, team, editors[1], editors[0]
