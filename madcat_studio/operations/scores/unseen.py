"""What nobody sees in the texts of a campaign, and what makes edits or takes long all the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from madcat_studio.model.campaign import SegmentRecord
from madcat_studio.operations.scores.ter_wer import ter_edits
from madcat_studio.reports.tables import number_of
from madcat_studio.scoring.duration import long_texts
from madcat_ter.hygiene import Hygiene, Trouble
from madcat_ter.options import TerOptions
from madcat_ter.text import FOREIGN_BLANKS

__all__ = ["Blanks", "Unseen", "long_told"]


def _held_against(record: SegmentRecord) -> list[str]:
    """The texts with which an output is compared."""
    edited = [text for team in record.teams for text in (team.first, team.final) if text]
    return [record.reference, *edited]


@dataclass(slots=True)
class Blanks:
    """Counts texts with blanks that do not split words (a no-break space is none to tercom)."""

    segments: int = 0

    def look(self, record: SegmentRecord) -> None:
        """Look at the texts of one segment."""
        texts = [record.output, *_held_against(record)]
        if any(not text.isascii() and not FOREIGN_BLANKS.isdisjoint(text) for text in texts):
            self.segments += 1

    def warnings(self) -> list[str]:
        """What is to be told of them, in sentences."""
        if not self.segments:
            return []
        verb = "holds" if self.segments == 1 else "hold"
        return [
            f"{number_of(self.segments, 'segment')} {verb} a no-break space or another blank that "
            "does not part words, as tercom reads them; an editor who typed an ordinary blank "
            "there made edits."
        ]


class Unseen:
    """What else cannot be seen, in the output of each system and in the edited texts."""

    def __init__(self, options: TerOptions) -> None:
        self._options = options
        self._by_system: dict[str, Hygiene[TerOptions]] = {}

    def look(self, record: SegmentRecord) -> None:
        """Look at the texts of one segment."""
        finals = [team.final for team in record.teams if team.final]
        if record.output.isascii() and all(text.isascii() for text in finals):
            return
        if record.system not in self._by_system:
            self._by_system[record.system] = Hygiene(
                self._options,
                ter_edits,
                (("output", "outputs"), ("edited text", "edited texts")),
                [kind for kind in Trouble if kind is not Trouble.BLANKS],
            )
        for final in finals:
            self._by_system[record.system].look(record.output, [final])

    def warnings(self) -> list[str]:
        """What is to be told of them, in sentences."""
        return [
            f"{system}: {warning}."
            for system, hygiene in sorted(self._by_system.items())
            for warning in hygiene.warnings()
        ]


def long_told(
    records: Iterable[SegmentRecord], options: TerOptions, tell: Callable[[str], None]
) -> Iterator[SegmentRecord]:
    """The records, after it was told which of them may take long."""
    for record in records:
        name = f"{record.system}, {record.base}/{record.segment}"
        texts = [_held_against(record)]
        note = next(long_texts([name], [record.output], texts, options), None)
        if note is not None:
            tell(note)
        yield record
