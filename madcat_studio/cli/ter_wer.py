"""The commands ``ter`` and ``wer``: texts in files, scored."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from madcat_studio.cli.switches import takes_switches
from madcat_studio.scoring.options import TerOptions, WerOptions

if TYPE_CHECKING:
    from madcat_studio.operations.scores.ter_wer import Scores

__all__ = ["ter", "wer"]

Output = Annotated[
    Path,
    typer.Argument(
        metavar="OUTPUT",
        help="What is scored: plain lines, .tsv or .jsonl (segment or id, text), MADCAT .xml.",
    ),
]
To = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="FILE", help="Write all segments: .csv or .json (WER: .pra, .sum)."
    ),
]
Segments = Annotated[bool, typer.Option("--segments", help="Show every segment.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


@takes_switches(TerOptions)
def ter(
    output: Output,
    references: Annotated[
        list[Path], typer.Argument(metavar="REFERENCE...", help="One or more, in the same form.")
    ],
    exact: Annotated[
        bool, typer.Option("--exact", help="No beam: the true edit distance, not tercom's.")
    ] = False,
    beam: Annotated[int, typer.Option(help="tercom's beam width.")] = 20,
    distance: Annotated[
        int, typer.Option(min=0, help="Longest shift, in words; 0: no shifts.")
    ] = 50,
    jobs: Annotated[int, typer.Option(help="Threads.")] = 1,
    segments: Segments = False,
    replay: Annotated[
        str, typer.Option(metavar="SEGMENT", help="Show one segment's shifts and edits.")
    ] = "",
    as_json: AsJson = False,
    out: To = None,
    **switches: Any,
) -> None:
    """Score translations: TER by segment and in total, exactly as tercom 0.7.25 -s -N."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scores import ter_wer as operations

    options = TerOptions(beam=None if exact else beam, max_shift_distance=distance, **switches)
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


@takes_switches(WerOptions)
def wer(
    output: Output,
    reference: Annotated[
        Path, typer.Argument(metavar="REFERENCE", help="In the same form as OUTPUT.")
    ],
    characters: Annotated[
        bool, typer.Option("--characters", help="Count characters: CER.")
    ] = False,
    confusions: Annotated[
        int, typer.Option(metavar="N", min=0, help="Show the N most frequent substitutions.")
    ] = 0,
    segments: Segments = False,
    as_json: AsJson = False,
    out: To = None,
    **switches: Any,
) -> None:
    """Score transcriptions: WER or CER by segment and in total."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scores import ter_wer as operations
    from madcat_studio.reports.terminal import print_table

    paired = operations.read_pairs(output, [reference], "transcription")
    with bar() as progress:
        scores, corpus = operations.score_wer(
            paired, WerOptions(**switches), characters=characters, progress=progress
        )
    _show(scores, segments, as_json)
    if confusions and not as_json:
        print_table(operations.confusion_table(corpus, confusions))
    if out is not None:
        operations.write_scores(scores, out, corpus)
        print(out, file=sys.stderr if as_json else sys.stdout)


def _show(scores: Scores, segments: bool, as_json: bool) -> None:
    from madcat_studio.operations.scores.ter_wer import json_text
    from madcat_studio.reports.terminal import print_table

    for warning in scores.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    if as_json:
        print(json_text(scores), end="")
        return
    if segments:
        print_table(scores.segments)
    print_table(scores.total)
    for note in scores.notes:
        print(f"note: {note}")
    print(scores.signature)
