"""The demo campaign's plan: who wrote what, which kit holds what, who edits it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from itertools import count
from pathlib import Path

__all__ = [
    "ASSIGNMENTS",
    "EXPOSED",
    "KITS",
    "SCRIBE_ERRORS",
    "SYSTEMS",
    "TEAMS",
    "Assignment",
    "Kit",
    "Manuscript",
    "Passage",
    "ScribeError",
    "Text",
    "manuscripts",
    "passages",
    "texts_folder",
]

SYSTEMS = ("juniper", "tamarisk")
"""The systems under evaluation."""

EXPOSED = frozenset({"SCR0001", "SCR0003"})
"""The scribes whose hands are in the training data."""

_COPIES = {
    "P1": ("SCR0001", "SCR0002", "SCR0003"),
    "P2": ("SCR0002", "SCR0003", "SCR0004"),
    "P3": ("SCR0003", "SCR0004", "SCR0001"),
    "P4": ("SCR0004", "SCR0001", "SCR0002"),
}
_NAMES = {"P1": "railway", "P2": "flood", "P3": "radio", "P4": "village"}
_CONDITIONS = {
    # Implement, surface, speed; the writing conditions are not in the XML.
    ("P1", "SCR0002"): "IUF",
    ("P2", "SCR0003"): "ILN",
    ("P3", "SCR0001"): "IUC",
    ("P3", "SCR0004"): "PUN",
    ("P4", "SCR0001"): "ILN",
    ("P4", "SCR0004"): "ILN",
}


@dataclass(frozen=True, slots=True)
class Text:
    """One segment of a passage: tokens, reference, and each system's marked text.

    ``outputs`` maps ``system`` and ``system_<manuscript number>`` to marked text.
    """

    tokens: tuple[str, ...]
    reference: str
    outputs: dict[str, str]

    def output(self, system: str, manuscript: int) -> str:
        """The system's marked text for the manuscript with that number."""
        return self.outputs.get(f"{system}_{manuscript}", self.outputs[system])


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage."""

    key: str
    name: str
    source_document: str
    genre: str
    segments: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class ScribeError:
    """Something that a scribe wrote wrongly: ``missing``, ``extra`` or ``typo``.

    ``token`` counts the segment's tokens from 1; an extra word stands after it.
    """

    passage: str
    scribe: str
    segment: int
    token: int
    error: str
    written: str
    intended: str


SCRIBE_ERRORS = (
    ScribeError("P1", "SCR0002", 4, 11, "typo", "المنقذة", "المنفذة"),
    ScribeError("P2", "SCR0003", 2, 5, "typo", "الطواري", "الطوارئ"),
    ScribeError("P3", "SCR0004", 4, 12, "missing", "", "كبيرا"),
    ScribeError("P4", "SCR0001", 6, 7, "extra", "صورة", ""),
)
"""Every scribe error of the campaign."""


@dataclass(frozen=True, slots=True)
class Manuscript:
    """One scribe's copy of a passage; ``number`` counts the copies of the passage from 0."""

    passage: Passage
    number: int
    scribe: str

    @property
    def base(self) -> str:
        """BASE of its file."""
        return f"{self.passage.source_document}_1_{self.scribe}"

    @property
    def name(self) -> str:
        """The manuscript's own name."""
        return f"{self.passage.name}-{self.scribe}"

    def corpus_row(self, data_set: str, track: str) -> tuple[str, ...]:
        """The row of its first page in a corpus table."""
        return (
            self.base,
            self.passage.source_document,
            self.passage.name,
            self.name,
            "1",
            self.scribe,
            "exposed" if self.scribe in EXPOSED else "unexposed",
            data_set,
            track,
        )

    @property
    def errors(self) -> list[ScribeError]:
        """What the scribe wrote wrongly."""
        return [
            e for e in SCRIBE_ERRORS if (e.passage, e.scribe) == (self.passage.key, self.scribe)
        ]

    @property
    def conditions(self) -> str:
        """The code of the writing conditions."""
        return _CONDITIONS.get((self.passage.key, self.scribe), "IUN")

    @property
    def lines_on_first_page(self) -> int | None:
        """Where the scribe turned the page: one manuscript has two pages."""
        return 9 if self.scale != 1 else None

    @property
    def scale(self) -> float:
        """How much larger than usual the scribe wrote, which filled a second page."""
        return 1.2 if (self.passage.key, self.scribe) == ("P2", "SCR0003") else 1.0


TEAMS = {
    "T1": (("amara.okafor", "Amara Okafor"), ("lars.nygaard", "Lars Nygaard")),
    "T2": (("lin.mei", "Lin Mei"), ("tomas.herrera", "Tomás Herrera")),
    "T3": (("leila.haddad", "Leila Haddad"), ("priya.raman", "Priya Raman")),
    "T4": (("sione.tupou", "Sione Tupou"), ("agnieszka.wolska", "Agnieszka Wolska")),
}
"""Editors (login, name) by team."""


@dataclass(frozen=True, slots=True)
class Kit:
    """One kit: one manuscript of each passage, all of one system's output."""

    name: str
    system: str
    manuscripts: tuple[Manuscript, ...]


@dataclass(frozen=True, slots=True)
class Assignment:
    """A team's part in a kit."""

    kit: str
    team: str
    first: str
    reviewer: str


def texts_folder() -> Path:
    """Where the plain texts are."""
    return Path(__file__).resolve().parent / "texts"


def passages() -> tuple[Passage, ...]:
    """The four passages."""
    with (texts_folder() / "passages.toml").open("rb") as file:
        data = tomllib.load(file)
    return tuple(
        Passage(
            key=entry["id"],
            name=_NAMES[entry["id"]],
            source_document=entry["source_document"],
            genre=entry["genre"],
            segments=tuple(
                Text(
                    tuple(segment["arabic"].split()),
                    segment["english"],
                    {
                        key: value
                        for key, value in segment.items()
                        if key not in ("arabic", "english")
                    },
                )
                for segment in entry["segment"]
            ),
        )
        for entry in data["passage"]
    )


def manuscripts() -> tuple[Manuscript, ...]:
    """The twelve manuscripts, passage by passage."""
    return tuple(
        Manuscript(passage, number, scribe)
        for passage in passages()
        for number, scribe in enumerate(_COPIES[passage.key])
    )


def _kits() -> tuple[Kit, ...]:
    """Three kits a system; in each, every passage once and by another scribe where possible."""
    by_place = {(copy.passage.key, copy.number): copy for copy in manuscripts()}
    names = count(1)
    return tuple(
        Kit(
            f"K{next(names)}",
            system,
            tuple(
                by_place[key, (turn + place) % 3]
                for place, key in enumerate(("P1", "P2", "P3", "P4"))
            ),
        )
        for system in SYSTEMS
        for turn in range(3)
    )


def _assignments() -> tuple[Assignment, ...]:
    """Each pair of teams has one kit; a team's two editors change places from kit to kit."""
    pairs = {
        "K1": ("T1", "T2"),
        "K2": ("T3", "T4"),
        "K3": ("T1", "T3"),
        "K4": ("T2", "T4"),
        "K5": ("T1", "T4"),
        "K6": ("T2", "T3"),
    }
    turns = dict.fromkeys(TEAMS, 0)
    rows = []
    for kit, teams in pairs.items():
        for team in teams:
            editors = [login for login, _ in TEAMS[team]]
            first = editors[turns[team] % 2]
            reviewer = editors[(turns[team] + 1) % 2]
            turns[team] += 1
            rows.append(Assignment(kit, team, first, reviewer))
    return tuple(rows)


KITS = _kits()
"""The six kits."""

ASSIGNMENTS = _assignments()
"""Two teams a kit."""
