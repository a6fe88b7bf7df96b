"""WER alignments and sums as text, in a layout like that of NIST's sclite."""

from __future__ import annotations

from collections.abc import Sequence

from madcat_ter.wer import WerCorpus, WerResult

__all__ = ["pra_listing", "sum_listing"]


def pra_listing(ids: Sequence[str], corpus: WerCorpus) -> str:
    """Each segment: its id, its counts, the words over one another and what happens to them."""
    parts = []
    for name, one in zip(ids, corpus.segments, strict=True):
        counts = f"{one.matches} {one.substitutions} {one.deletions} {one.insertions}"
        lines = _columns(one)
        parts.append(
            f"id: ({name})\n"
            f"Scores: (#C #S #D #I) {counts}\n"
            f"REF:  {lines[0]}\nHYP:  {lines[1]}\nEval: {lines[2]}\n\n"
        )
    return "".join(parts)


def _columns(one: WerResult) -> tuple[str, str, str]:
    rows: tuple[list[str], list[str], list[str]] = ([], [], [])
    for (output, reference), step in zip(one.pairs(), one.alignment, strict=True):
        ref = reference if reference is not None else "*" * len(output or "")
        hyp = output if output is not None else "*" * len(reference or "")
        width = max(len(ref), len(hyp), 1)
        for row, cell in zip(rows, (ref, hyp, step.strip()), strict=True):
            row.append(cell.ljust(width))
    return " ".join(rows[0]).rstrip(), " ".join(rows[1]).rstrip(), " ".join(rows[2]).rstrip()


_HEADS = ("# Snt", "# Wrd", "Corr", "Sub", "Del", "Ins", "Err", "S.Err")


def sum_listing(ids: Sequence[str], corpus: WerCorpus) -> str:
    """One row a document and one of all, in percent of the reference words.

    The document is what stands in front of the last ``/`` of an id, or everything.
    """
    groups: dict[str, list[WerResult]] = {}
    for name, one in zip(ids, corpus.segments, strict=True):
        groups.setdefault(name.rpartition("/")[0] or "all", []).append(one)
    rows = [(name, _percent(members)) for name, members in groups.items()]
    rows.append(("Sum/Avg", _percent(corpus.segments)))
    wide = max(len("SPKR"), *(len(name) for name, _ in rows))
    rule = "|" + "-" * (wide + 2) + "|" + "-" * 15 + "|" + "-" * 43 + "|\n"
    lines = [rule, _line("SPKR", _HEADS, wide), rule]
    for name, cells in rows[:-1]:
        lines.append(_line(name, cells, wide))
    return "".join([*lines, rule, _line(*rows[-1], wide), rule])


def _line(name: str, cells: Sequence[str], wide: int) -> str:
    counts = " ".join(f"{cell:>6}" for cell in cells[:2])
    rates = "".join(f"{cell:>6} " for cell in cells[2:]).rstrip()
    return f"| {name:<{wide}} | {counts} | {rates:<41} |\n"


def _percent(members: Sequence[WerResult]) -> tuple[str, ...]:
    words = sum(one.words for one in members)
    wrong = sum(one.edits > 0 for one in members)

    def share(count: int, of: int) -> str:
        if of == 0:
            return "n/a" if count else "0.0"
        return f"{100 * count / of:.1f}"

    return (
        str(len(members)),
        str(words),
        share(sum(one.matches for one in members), words),
        share(sum(one.substitutions for one in members), words),
        share(sum(one.deletions for one in members), words),
        share(sum(one.insertions for one in members), words),
        share(sum(one.edits for one in members), words),
        share(wrong, len(members)),
    )
