"""The commands ``ter`` and ``wer`` as Typer knows them; what they do is in :mod:`.scored`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from madcat_studio.cli import scored
from madcat_studio.cli.forms import Form, FormOption
from madcat_studio.cli.streams import READ, Stream
from madcat_studio.cli.switches import takes_switches
from madcat_ter.options import TerOptions, WerOptions

__all__ = ["ter", "wer"]

Output = Annotated[
    Path,
    typer.Argument(
        metavar="OUTPUT",
        help="What to score: plain lines, .tsv, .jsonl or .parquet (segment or id, text), "
        "MADCAT .xml; for wer also .trn, .stm and .ctm. Lines may come from -.",
    ),
    READ,
]
To = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="Write all segments: .csv, .json, .jsonl, .parquet (WER: .pra, .sum); CSV to -.",
    ),
    Stream(".csv", written=True),
]
On = Annotated[
    str,
    typer.Option(
        metavar="SCHEDULER",
        help="Compute on the workers of a Dask scheduler, or in N processes: local:N.",
    ),
]
Segments = Annotated[bool, typer.Option("--segments", help="Show every segment.")]


@takes_switches(TerOptions)
def ter(
    output: Output,
    references: Annotated[
        list[Path],
        typer.Argument(metavar="REFERENCE...", help="One or more, in the same form; - too."),
        READ,
    ],
    exact: Annotated[
        bool, typer.Option("--exact", help="No beam: the true edit distance instead of tercom's.")
    ] = False,
    beam: Annotated[int, typer.Option(help="tercom's beam width.")] = 20,
    distance: Annotated[
        int, typer.Option(min=0, help="Longest shift, in words; 0: no shifts.")
    ] = 50,
    jobs: Annotated[int, typer.Option(help="Threads.")] = 1,
    on: On = "",
    segments: Segments = False,
    replay: Annotated[
        str, typer.Option(metavar="SEGMENT", help="Show one segment's shifts and edits.")
    ] = "",
    form: FormOption = Form.TEXT,
    out: To = None,
    **switches: Any,
) -> None:
    """Score translations: TER by segment and in total, exactly as tercom 0.7.25 -s -N."""
    scored.ter(
        output,
        references,
        exact=exact,
        beam=beam,
        distance=distance,
        jobs=jobs,
        on=on,
        segments=segments,
        replay=replay,
        form=form,
        out=out,
        **switches,
    )


@takes_switches(WerOptions)
def wer(
    output: Output,
    reference: Annotated[
        Path,
        typer.Argument(metavar="REFERENCE", help="In the same form as OUTPUT; - too."),
        READ,
    ],
    characters: Annotated[
        bool, typer.Option("--characters", help="Count characters: CER.")
    ] = False,
    alternatives: Annotated[
        bool,
        typer.Option(
            "--alternatives",
            help="{ a / b / @ } are alternatives, as with sclite; always for .trn, .stm, .ctm.",
        ),
    ] = False,
    optional_words: Annotated[
        bool,
        typer.Option("--optional-words", help="(Words) may be left out, as with sclite -D."),
    ] = False,
    confusions: Annotated[
        int, typer.Option(metavar="N", min=0, help="Show the N most frequent substitutions.")
    ] = 0,
    on: On = "",
    segments: Segments = False,
    form: FormOption = Form.TEXT,
    out: To = None,
    **switches: Any,
) -> None:
    """Score transcriptions: WER or CER by segment and in total."""
    scored.wer(
        output,
        reference,
        characters=characters,
        alternatives=alternatives,
        optional_words=optional_words,
        confusions=confusions,
        on=on,
        segments=segments,
        form=form,
        out=out,
        **switches,
    )
