"""Taking in and giving out the texts of passes as the table ``edits.tsv``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from madcat_studio.errors import ConflictError, StudioError
from madcat_studio.formats.files import write_atomically
from madcat_studio.formats.tables import Row, Table, read_table, table_bytes
from madcat_studio.model.campaign import (
    Claim,
    Pass,
    PassState,
    Revision,
    SegmentName,
    SegmentState,
    new_id,
)
from madcat_studio.model.characters import remove_forbidden
from madcat_studio.operations.campaign.filling import machine_name
from madcat_studio.operations.campaign.replacing import Replacement, describe
from madcat_studio.operations.checked import (
    Checking,
    Outcome,
    counted,
    describe_added,
)
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import Campaign, open_campaign
from madcat_studio.store.likeness import plain

__all__ = ["EDITS_COLUMNS", "export_edits", "import_edits", "write_own_edits"]

EDITS_COLUMNS = ("kit", "team", "pass", "editor", "segment", "state", "text")
_REASON = "reason"


@dataclass(frozen=True, slots=True)
class _Text:
    where: str
    editor: str
    segment: SegmentName
    state: SegmentState
    text: str
    reason: str


_Key = tuple[str, str, Pass]


def import_edits(
    where: str,
    table: Path,
    *,
    replace_texts: bool = False,
    dry_run: bool = False,
    progress: Progress = SILENT,
) -> Outcome:
    """Take in texts of passes (``edits.tsv`` of docs/files.md).

    What texts that are there would be replaced is told, in counts and examples, before anything
    is written; it is done only where it is asked for. Texts for segments without output are left
    out, and told.

    Each pass is claimed for the editor that the table names, its texts become revisions, and it
    is handed over once every segment is confirmed. Where the table names two editors in one
    pass, the second replaces the first. Texts that are there already are not stored again.

    Args:
        where: the campaign.
        table: the file.
        replace_texts: let texts of the table stand in the place of texts that are there.
        dry_run: say what would be done, and write nothing.
        progress: told after each pass.

    Raises:
        Refused: a row breaks a rule; all are listed and nothing was written.
        StudioError: the table or the database cannot be used.
    """
    checking = Checking(progress)
    read = read_table(table, required=EDITS_COLUMNS, optional=(_REASON,))
    checking.problems.extend(read.problems)
    passes = _passes(read, checking)
    checking.settle()
    stored = there = finished = 0
    with (
        open_campaign(where, read_only=dry_run) as campaign,
        nullcontext() if dry_run else campaign.transaction(),
    ):
        passes = _known_names(campaign, passes, checking)
        changes = describe(_replacements(campaign, passes))
        if dry_run:
            done = _would_do(campaign, passes, changes)
            return Outcome(done, tuple(checking.problems))
        if changes and not replace_texts:
            checking.error(
                "edits.would-replace",
                table,
                "texts that are there would be replaced: " + "; ".join(changes),
                "Look at it with --dry-run, and do it with --replace",
            )
        checking.settle()
        for number, (key, texts) in enumerate(passes.items()):
            checking.step(number, len(passes), f"kit {key[0]}, team {key[1]}, {key[2]} pass")
            try:
                new, known, ended = _import_pass(campaign, key, texts)
            except StudioError as error:
                place = f"{texts[0].where}: {error.where}" if error.where else texts[0].where
                checking.error(error.code, place, error.reason, error.remedy)
                continue
            stored, there, finished = stored + new, there + known, finished + ended
        checking.settle()
        if stored:
            campaign.note("import texts", str(table), detail=counted(stored, "text"))
    return Outcome(
        (
            *changes,
            describe_added(stored, there, "text"),
            f"{counted(finished, 'pass', 'passes')} handed over",
        ),
        tuple(checking.problems),
    )


def _passes(table: Table, checking: Checking) -> dict[_Key, list[_Text]]:
    """The texts by pass, first passes before reviews."""
    found: dict[_Key, list[_Text]] = {}
    seen: set[tuple[_Key, SegmentName]] = set()
    for row in table.rows:
        where = table.where(row)
        try:
            key = (row["kit"], row["team"], Pass(row["pass"]))
        except ValueError:
            checking.error(
                "edits.pass", where, f"the pass is {row['pass']!r}", "Write first or review"
            )
            continue
        text = _text(row, where, checking)
        if text is None:
            continue
        if (key, text.segment) in seen:
            checking.error(
                "edits.twice", where, f"{text.segment} is in this pass of the table twice"
            )
            continue
        seen.add((key, text.segment))
        found.setdefault(key, []).append(text)
    # A review begins from a first pass that is handed over.
    return dict(sorted(found.items(), key=lambda one: one[0][2] is Pass.REVIEW))


def _text(row: Row, where: str, checking: Checking) -> _Text | None:
    if row["state"] not in (SegmentState.DRAFT, SegmentState.CONFIRMED):
        checking.error(
            "edits.state", where, f"the state is {row['state']!r}", "Write draft or confirmed"
        )
        return None
    try:
        segment = SegmentName.parse(row["segment"])
    except ValueError:
        checking.error(
            "edits.segment", where, f"{row['segment']!r} names no segment", "Write BASE/segment"
        )
        return None
    # Line breaks and tabs are written out in the table: they are the text's own.
    text, removed = remove_forbidden(row["text"])
    if removed:
        checking.warn(
            "edits.characters",
            where,
            "the text holds characters that XML cannot hold",
            f"{', '.join(removed)} removed",
        )
    return _Text(where, row["editor"], segment, SegmentState(row["state"]), text, row.get(_REASON))


def _known_names(
    campaign: Campaign, passes: Mapping[_Key, list[_Text]], checking: Checking
) -> dict[_Key, list[_Text]]:
    """The texts by the campaign's own names, without those that nobody could have edited.

    A table that an editor's window wrote names pages as editors do.
    """
    found: dict[_Key, list[_Text]] = {}
    without: list[_Text] = []
    kits = {kit.name for kit in campaign.plans.kits()}
    for key, texts in passes.items():
        kit = plain(key[0])
        if kit not in kits:
            found[key] = texts  # refused with what is wrong, when it is its turn
            continue
        behind = campaign.covers.behind(kit)
        named = [replace(one, segment=behind.get(one.segment, one.segment)) for one in texts]
        empty = campaign.revisions.without_output(kit)
        without += [one for one in named if one.segment in empty]
        found[key] = [one for one in named if one.segment not in empty]
    if without:
        names = ", ".join(dict.fromkeys(str(one.segment) for one in without[:_NAMED]))
        checking.warn(
            "edits.no-output",
            without[0].where,
            f"{counted(len(without), 'text')} for segments of which the system gave nothing: "
            f"{names}{' …' if len(without) > _NAMED else ''}",
            "left out: there the reference counts as the team's text",
        )
    return {key: texts for key, texts in found.items() if texts}


_NAMED = 5
"""So many segments a warning names."""


def _new(campaign: Campaign, key: _Key, texts: Iterable[_Text]) -> list[_Text]:
    """Those that are not there just so."""
    latest = campaign.revisions.latest(*key)
    return [
        one
        for one in texts
        if (old := latest.get(one.segment)) is None
        or (old.text, old.state, old.editor, old.reason)
        != (one.text, one.state, one.editor, one.reason)
    ]


def _replacements(campaign: Campaign, passes: Mapping[_Key, list[_Text]]) -> Iterator[Replacement]:
    for key, texts in passes.items():
        try:
            if campaign.claims.handed_over(*key):
                continue
            latest = campaign.revisions.latest(*key)
        except StudioError:
            continue  # no such kit or team, or handed over: refused when it is its turn
        for one in texts:
            old = latest.get(one.segment)
            if old is not None and old.text != one.text:
                yield Replacement(one.segment, old.text, one.text)


def _would_do(
    campaign: Campaign, passes: Mapping[_Key, list[_Text]], changes: tuple[str, ...]
) -> tuple[str, ...]:
    names = {kit.name for kit in campaign.plans.kits()}
    teams = {team.name for team in campaign.plans.teams()}
    known = {
        key: texts
        for key, texts in passes.items()
        if plain(key[0]) in names and plain(key[1]) in teams
    }
    new = sum(len(_new(campaign, key, texts)) for key, texts in known.items())
    total = sum(map(len, passes.values()))
    return (
        f"{counted(new, 'text')} would be added, {sum(map(len, known.values())) - new} are there",
        *(
            (f"{total - sum(map(len, known.values()))} name no kit or team of the campaign",)
            if len(known) < len(passes)
            else ()
        ),
        *changes,
        "Nothing was written",
    )


def _import_pass(campaign: Campaign, key: _Key, texts: list[_Text]) -> tuple[int, int, int]:
    """Store what is new in one pass. Returns how many are new, were there, and passes ended."""
    kit, team, pass_ = key
    new = _new(campaign, key, texts)
    known = len(texts) - len(new)
    if campaign.claims.handed_over(kit, team, pass_):
        if new:
            raise ConflictError(
                "edits.handed-over",
                f"The pass is handed over, and the table has {len(new)} other texts for it, "
                f"the first for {new[0].segment}",
                where=f"kit {kit}, team {team}, {pass_} pass",
                remedy="Take the pass back first",
            )
        return 0, known, 0
    by_editor: dict[str, list[_Text]] = {}
    for one in new:
        by_editor.setdefault(one.editor, []).append(one)
    for number, (editor, own) in enumerate(by_editor.items()):
        if number:
            campaign.claims.replace_editor(
                kit, team, pass_, editor, by="import", reason="named by the table of texts"
            )
        claim = campaign.claims.claim(kit, team, pass_, editor, machine_name())
        campaign.revisions.append([_revision(claim, one) for one in own])
    return len(new), known, _finish(campaign, key)


def _revision(claim: Claim, one: _Text) -> Revision:
    return Revision(
        id=new_id(),
        kit=claim.kit,
        team=claim.team,
        pass_=claim.pass_,
        segment=one.segment,
        editor=claim.editor,
        machine=machine_name(),
        at=datetime.now(UTC),
        state=one.state,
        text=one.text,
        turn=claim.turn,
        reason=one.reason,
    )


def _finish(campaign: Campaign, key: _Key) -> int:
    """Hand a pass over if every segment that needs a text is confirmed."""
    kit, team, pass_ = key
    claim = campaign.claims.current(kit, team, pass_)
    segments = campaign.revisions.kit_segments(kit, team, pass_)
    complete = all(one.state is SegmentState.CONFIRMED or not one.output for one in segments)
    if claim is None or not complete:
        return 0
    campaign.claims.hand_over(kit, team, pass_, editor=claim.editor)
    return 1


def export_edits(where: str, table: Path, *, finished_only: bool = False) -> Outcome:
    """Write the latest text of every segment in every pass as ``edits.tsv``.

    Args:
        where: the campaign.
        table: the file to write.
        finished_only: only passes that are handed over.

    Raises:
        StudioError: the campaign cannot be opened, or the file cannot be written.
    """
    with open_campaign(where, read_only=True) as campaign:
        rows = list(_rows(campaign, finished_only))
        told = campaign.left_out()
    write_atomically(table, table_bytes(table, (*EDITS_COLUMNS, _REASON), rows, told))
    return Outcome((f"{counted(len(rows), 'text')} written to {table}", *told))


def write_own_edits(
    table: Path, claim: Claim, texts: Mapping[SegmentName, tuple[SegmentState, str, str]]
) -> None:
    """Write an editor's own texts of a pass as ``edits.tsv``, for :func:`import_edits`.

    Args:
        table: the file to write.
        claim: of the pass.
        texts: segment -> (state, text, reason).

    Raises:
        StudioError: the file cannot be written.
    """
    rows = [
        (
            *(claim.kit, claim.team, claim.pass_.value, claim.editor),
            *(str(segment), state.value, text, reason),
        )
        for segment, (state, text, reason) in texts.items()
    ]
    write_atomically(table, table_bytes(table, (*EDITS_COLUMNS, _REASON), rows))


def _rows(campaign: Campaign, finished_only: bool) -> Iterable[tuple[str, ...]]:
    for one in campaign.progress():
        if finished_only and one.state is not PassState.HANDED_OVER:
            continue
        for segment, revision in campaign.revisions.latest(one.kit, one.team, one.pass_).items():
            yield (
                one.kit,
                one.team,
                one.pass_.value,
                revision.editor,
                str(segment),
                revision.state.value,
                revision.text,
                revision.reason,
            )
