"""Leaderboards made from saved LTB results, of our own and of the public scorer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from madcat_studio.formats.json_lines import read_json
from madcat_studio.operations.scorecards.files import hash_of, located, new_name, now
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.cards_ltb_board import board_report
from madcat_studio.scoring.scorecards.ltb_saved import SavedResult, by_data_set, read_saved

__all__ = ["board_of"]


def board_of(paths: Sequence[Path], title: str = "") -> CardReport:
    """The leaderboards of saved results.

    Args:
        paths: files of results, or folders of them.
        title: of the report.

    Raises:
        StudioError: a file cannot be read, or is no result.
    """
    files = [file for path in paths for file in located(path, (".json",))]
    results: list[SavedResult] = []
    for file in files:
        # deepl.comet.json: what stands between the system's name and the ending.
        label = file.name.removesuffix(file.suffix).partition(".")[2]
        results += read_saved(read_json(file), str(file), label)
    sets = [_named(one) for one in by_data_set(results)]
    return board_report(
        sets,
        title=title or "LTB-100: saved results",
        made=now(),
        hashes={str(number): hash_of([file]) for number, file in enumerate(files, 1)},
        warnings=[
            f"{result.name} is unverified: its manifest lacks {', '.join(result.missing)}."
            for one in sets
            for result in one
            if result.missing
        ],
    )


def _named(results: Sequence[SavedResult]) -> list[SavedResult]:
    """The same results; a second one of a system's name is numbered."""
    taken: set[str] = set()
    named = []
    for result in results:
        name = new_name(result.name, taken)
        taken.add(name)
        named.append(replace(result, name=name))
    return named
