"""What ``ter`` and ``wer`` do with their arguments, read by Typer or by :mod:`.quick`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from madcat_ter.options import TerOptions, WerOptions

if TYPE_CHECKING:
    from madcat_studio.operations.scores.on_many import ScoredOnMany
    from madcat_studio.operations.scores.ter_wer import Scores

__all__ = ["ter", "wer"]


def ter(
    output: Path,
    references: Sequence[Path],
    *,
    exact: bool = False,
    beam: int = 20,
    distance: int = 50,
    jobs: int = 1,
    on: str = "",
    segments: bool = False,
    replay: str = "",
    form: str = "text",
    out: Path | None = None,
    **switches: Any,
) -> None:
    """Score translations."""
    as_json = form == "json"
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scores import ter_wer as operations

    options = TerOptions(beam=None if exact else beam, max_shift_distance=distance, **switches)
    if on and not replay:
        from madcat_studio.cli.on_many import ter as ter_on_many

        _told(ter_on_many(on, output, references, options, jobs), segments, as_json, out)
        return
    paired = operations.read_pairs(output, references)
    for note in operations.long_ones(paired, options):
        print(f"note: {note}", file=sys.stderr)
    if replay:
        for line in operations.replay_text(paired, replay, options):
            print(line)
        return
    with bar() as progress:
        scores = operations.score_ter(paired, options, jobs=jobs, progress=progress)
    _show(scores, segments, as_json)
    if out is not None:
        operations.write_scores(scores, out)
        print(out, file=sys.stderr if as_json else sys.stdout)


def wer(
    output: Path,
    reference: Path,
    *,
    characters: bool = False,
    alternatives: bool = False,
    optional_words: bool = False,
    confusions: int = 0,
    on: str = "",
    segments: bool = False,
    form: str = "text",
    out: Path | None = None,
    **switches: Any,
) -> None:
    """Score transcriptions."""
    as_json = form == "json"
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scores import ter_wer as operations
    from madcat_studio.reports.terminal import print_table

    options = WerOptions(**switches)
    if alternatives:
        options = replace(options, nist=True, alternatives="read")
    options = operations.as_sclite(options, output, reference)
    if optional_words:
        options = replace(options, nist=True, alternatives="optional")
    if on:
        from madcat_studio.cli.on_many import wer as wer_on_many

        found = wer_on_many(on, output, reference, options, characters, confusions)
        _told(found, segments, as_json, out, confusions)
        return
    paired = operations.read_pairs(output, [reference], "transcription")
    with bar() as progress:
        scores, corpus = operations.score_wer(
            paired, options, characters=characters, progress=progress
        )
    _show(scores, segments, as_json)
    if confusions and not as_json:
        print_table(operations.confusion_table(corpus.confusions(), confusions))
    if out is not None:
        operations.write_scores(scores, out, corpus)
        print(out, file=sys.stderr if as_json else sys.stdout)


def _told(
    found: ScoredOnMany, segments: bool, as_json: bool, out: Path | None, confusions: int = 0
) -> None:
    """Show and write what many machines found, as one machine does."""
    from madcat_studio.operations.scores import ter_wer as operations
    from madcat_studio.reports.terminal import print_table

    with found:
        _show(found.scores, segments, as_json)
        if confusions and not as_json:
            print_table(operations.confusion_table(found.confusions, confusions))
        if out is not None:
            operations.write_scores(found.scores, out)
            print(out, file=sys.stderr if as_json else sys.stdout)


def _show(scores: Scores, segments: bool, as_json: bool) -> None:
    from madcat_studio.operations.scores.ter_wer import json_parts
    from madcat_studio.reports.terminal import print_table

    for warning in scores.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    if as_json:
        for part in json_parts(scores):
            print(part, end="")
        return
    if segments:
        print_table(scores.segments)
    print_table(scores.total)
    for note in scores.notes:
        print(f"note: {note}")
    print(scores.signature)
