"""An earlier phase in small: old outputs, both teams' texts, HTER, a list of sequestered passages.

Control and progress sets are chosen from it (docs/files.md tells the columns): sequestered
passages may serve for progress, the others for control.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from madcat_studio.model.campaign import TeamText
from madcat_studio.model.document import Document, Section, Segment, Token
from madcat_ter.hter import score_segment
from scripts.demo.articles import article_passages
from scripts.demo.editing import final_text, first_text
from scripts.demo.outputs import system_text
from scripts.demo.plan import TEAMS, Manuscript

__all__ = ["SYSTEM", "EarlierPage", "earlier_pages"]

SYSTEM = "larch"
"""The system of the earlier phase."""

_SCRIBES = ("SCR0001", "SCR0002", "SCR0003", "SCR0004")
_PAIRS = (("T1", "T2"), ("T3", "T4"), ("T1", "T3"), ("T2", "T4"), ("T1", "T4"), ("T2", "T3"))
_SEQUESTERED = frozenset({"article-3", "article-5", "article-10", "article-24"})


@dataclass(frozen=True)
class EarlierPage:
    """One page of the earlier phase, one segment long, and what two teams made of its output."""

    copy: Manuscript
    teams: tuple[str, str]
    turn: int

    @property
    def sequestered(self) -> bool:
        """Whether the passage is kept out of training and development."""
        return self.copy.passage.name in _SEQUESTERED

    @property
    def output(self) -> str:
        """The old system's output."""
        return system_text(self.copy.passage.segments[0], SYSTEM, 0)

    def document(self) -> Document:
        """The page's MADCAT document; its scan is not kept, so it has no image layer."""
        text = self.copy.passage.segments[0]
        tokens = [Token(f"s1-{n}", "", "", word) for n, word in enumerate(text.tokens, 1)]
        segment = Segment("s1", [], tokens, " ".join(text.tokens), text.reference)
        return Document(
            id=self.copy.base,
            src=f"{self.copy.base}.tif",
            genre=self.copy.passage.genre,
            nbpages=1,
            scribe=self.copy.scribe,
            version="2008.1",
            sections=[Section("sec0001", "tokenization", [segment])],
        )

    def old_output(self) -> Document:
        """The page's linesys document."""
        document = self.document()
        transcription = document.sections[0].segments[0].transcription
        document.sections[0].segments = [Segment("s1", [], [], transcription, self.output)]
        return document

    def corpus_row(self) -> tuple[str, ...]:
        """The page's row in corpus.tsv."""
        return self.copy.corpus_row("progress" if self.sequestered else "control", "go-no-go")

    @cached_property
    def texts(self) -> tuple[tuple[str, str, str, str, str], ...]:
        """Team, first editor, reviewer, first text, final text: one for each team."""
        text = self.copy.passage.segments[0]
        rows = []
        for team in self.teams:
            editors = [login for login, _ in TEAMS[team]]
            first, reviewer = editors[self.turn % 2], editors[(self.turn + 1) % 2]
            rows.append(
                (
                    team,
                    first,
                    reviewer,
                    first_text(text, SYSTEM, self.copy, team, 1, "earlier"),
                    final_text(text, SYSTEM, self.copy, team, 1),
                )
            )
        return tuple(rows)

    def hter_row(self) -> tuple[str, ...]:
        """System, BASE, passage, genre, edits, words and HTER in per cent, scored by the rule."""
        reference = self.copy.passage.segments[0].reference
        teams = [TeamText(team, first, final) for team, _, _, first, final in self.texts]
        choice = score_segment(self.output, reference, teams).choice()
        return (
            SYSTEM,
            self.copy.base,
            self.copy.passage.name,
            self.copy.passage.genre,
            f"{choice.edits:.0f}",
            f"{choice.words:.0f}",
            f"{100 * choice.edits / choice.words:.2f}",
        )


def earlier_pages() -> Iterator[EarlierPage]:
    """The pages of the earlier phase."""
    for turn, passage in enumerate(article_passages().values()):
        copy = Manuscript(passage, 0, _SCRIBES[turn % len(_SCRIBES)])
        yield EarlierPage(copy, _PAIRS[turn % len(_PAIRS)], turn // len(_PAIRS) + turn)
