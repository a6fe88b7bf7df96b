"""A campaign's segments scored, and its systems compared, on many machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from madcat_studio.model.campaign import SegmentRecord
from madcat_studio.operations.many import Many, in_order
from madcat_studio.progress import Progress
from madcat_studio.reports.results import ScoredBlock, Through
from madcat_studio.scoring.resampling import Resampling
from madcat_ter.options import TerOptions
from madcat_ter.parts import Segments, TeamTexts, hter_part

__all__ = ["HterWorkers"]


@dataclass(frozen=True, slots=True)
class HterWorkers:
    """Who does what a campaign's report would do in its own process.

    Attributes:
        many: the workers.
        progress: may cancel.
    """

    many: Many
    progress: Progress

    def scored(
        self, options: TerOptions, look: Callable[[Sequence[SegmentRecord]], None]
    ) -> Through:
        """Scores blocks of records; ``look`` sees each here, in their order."""

        def part(block: list[SegmentRecord]) -> tuple[Any, ...]:
            return hter_part, Segments([_texts(record) for record in block]), options

        def through(blocks: Iterator[list[SegmentRecord]]) -> Iterator[ScoredBlock]:
            for block, scores in in_order(self.many, blocks, part, _place, self.progress):
                look(block)
                yield block, scores

        return through

    def resampling(self, how: Resampling) -> Resampling:
        """The same, done by workers."""
        return replace(how, each=partial(self.many.each, progress=self.progress))


def _texts(record: SegmentRecord) -> tuple[str, str, tuple[TeamTexts, ...]]:
    """What a worker gets of a record."""
    teams = tuple(TeamTexts(team.team, team.first, team.final) for team in record.teams)
    return record.output, record.reference, teams


def _place(block: list[SegmentRecord], row: int | None) -> str:
    if row is None:
        return f"{_place(block, 0)} to {_place(block, -1)}"
    record = block[row]
    return f"{record.system}, {record.base}/{record.segment}"
