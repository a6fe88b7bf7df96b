"""Following a campaign: board, overlap, pace, agreement, dates, absences, practice, the log."""

from __future__ import annotations

import gc
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.cli.words import read_due
from madcat_studio.errors import ConflictError, InputError, StudioError, UsageError
from madcat_studio.model.campaign import (
    Assignment,
    CampaignDocument,
    CampaignSegment,
    DataSet,
    Editor,
    Kit,
    KitItem,
    Pass,
    Revision,
    SegmentName,
    SegmentState,
    System,
    Team,
    new_id,
)
from madcat_studio.model.visits import Visit
from madcat_studio.operations.campaign.board import read_board
from madcat_studio.operations.campaign.follow import (
    read_agreement,
    read_overlap,
    write_agreement,
)
from madcat_studio.operations.campaign.guidelines import read_guidelines, set_guidelines
from madcat_studio.operations.campaign.pace import hours_left, read_pace
from madcat_studio.operations.campaign.trail import audit_trail
from madcat_studio.operations.people.passes import set_absent, set_due
from madcat_studio.operations.planning.draft import read_draft, write_draft
from madcat_studio.operations.planning.practice import make_practice_kit
from madcat_studio.operations.planning.proposal import propose_draft
from madcat_studio.operations.scores.report import open_report
from madcat_studio.planning.units import KitRules
from madcat_studio.store import Campaign, create_campaign, open_campaign
from madcat_studio.store.watch import Watch

RULES = KitRules(20, 0.5)
TEAMS = ("red", "blue", "green")


def document(campaign: Campaign, base: str, data_set: DataSet, passage: str) -> None:
    campaign.contents.add_document(
        CampaignDocument(
            base=base,
            source_document=passage,
            passage=passage,
            manuscript=f"m-{base}",
            page="1",
            scribe="S1",
            exposure="exposed",
            data_set=data_set,
            track="",
            genre="web",
            sha256="",
        ),
        b"<madcat/>",
        [
            CampaignSegment("s1", "1", "نص", "one two three four five", 1, 5),
            CampaignSegment("s2", "1", "نص", "six seven eight nine ten", 1, 5),
        ],
    )


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four evaluation pages and two development pages of one system; three teams; two kits."""
    folder = tmp_path_factory.mktemp("prepared") / "campaign"
    with create_campaign(folder, "Small") as campaign, campaign.transaction():
        pages = [f"e{n}_1_S1" for n in range(4)]
        for number, base in enumerate(pages):
            document(campaign, base, DataSet.EVALUATION, f"p{number}")
        for number in range(2):
            document(campaign, f"d{number}_1_S1", DataSet.DEVELOPMENT, f"q{number}")
        campaign.contents.add_system(System("Alpha", "X1"))
        for base in (*pages, "d0_1_S1", "d1_1_S1"):
            texts = {"s1": "one two four five", "s2": "six seven eight nine"}
            campaign.contents.add_output("Alpha", base, b"<out/>", texts)
        for team in TEAMS:
            campaign.plans.add_team(Team(team, (Editor(f"{team}1"), Editor(f"{team}2"))))
        for number, pair in enumerate((("red", "blue"), ("red", "green"))):
            kit = f"K{number + 1}"
            items = tuple(KitItem("Alpha", base) for base in pages[2 * number : 2 * number + 2])
            campaign.plans.plan_kit(Kit(kit, items))
            campaign.plans.assign(kit, [Assignment(kit, t, f"{t}1", f"{t}2") for t in pair])
    return folder


@pytest.fixture
def where(prepared: Path, tmp_path: Path) -> str:
    """A copy of it."""
    return str(shutil.copytree(prepared, tmp_path / "campaign"))


def edit(where: str, kit: str, team: str, text: str, *, review: bool = True) -> None:
    """Do a team's passes of a kit: every segment gets ``text``, in 10 seconds."""
    with open_campaign(where) as campaign:
        bases = {k.name: [item.base for item in k.items] for k in campaign.plans.kits()}[kit]
        for pass_, editor in ((Pass.FIRST, f"{team}1"), (Pass.REVIEW, f"{team}2")):
            if pass_ is Pass.REVIEW and not review:
                continue
            campaign.claims.claim(kit, team, pass_, editor, "m")
            campaign.revisions.append(
                [
                    Revision(
                        id=new_id(),
                        kit=kit,
                        team=team,
                        pass_=pass_,
                        segment=SegmentName(base, name),
                        editor=editor,
                        machine="m",
                        at=datetime.now(UTC),
                        state=SegmentState.CONFIRMED,
                        text=text,
                    )
                    for base in bases
                    for name in ("s1", "s2")
                ]
            )
            campaign.visits.append(
                [
                    Visit(
                        id=new_id(),
                        kit=kit,
                        team=team,
                        pass_=pass_,
                        segment=SegmentName(base, name),
                        editor=editor,
                        machine="m",
                        at=datetime.now(UTC),
                        ms=10_000,
                    )
                    for base in bases
                    for name in ("s1", "s2")
                ]
            )
            campaign.claims.hand_over(kit, team, pass_, editor=editor)


def test_overlap_counts_kits_of_pairs_and_those_that_are_final(where: str) -> None:
    edit(where, "K1", "red", "one two")
    edit(where, "K1", "blue", "one two three")
    found = read_overlap(where)
    assert found.teams == TEAMS
    assert found.kits == ((2, 1, 1), (1, 1, 0), (1, 0, 1))
    assert found.words == ((40, 20, 20), (20, 20, 0), (20, 0, 20))
    assert found.finished == ((1, 1, 0), (1, 1, 0), (0, 0, 0))
    assert found.connected
    assert found.most == 1


def test_pace_and_the_hours_that_are_left(where: str) -> None:
    assert read_pace(where).words_an_hour == {}
    assert hours_left(read_board(where), read_pace(where)) is None
    edit(where, "K1", "red", "one two", review=False)
    pace = read_pace(where)
    # 20 words in 40 seconds.
    assert pace.words_an_hour == {Pass.FIRST: pytest.approx(1800)}
    assert pace.by_editor == {("red1", Pass.FIRST): pytest.approx(1800)}
    board = read_board(where)
    assert board.words_left == 8 * 20 - 20
    assert hours_left(board, pace) == pytest.approx(140 / 1800)


@pytest.mark.parametrize("collecting", [True, False])
def test_the_garbage_collector_is_as_it_was_after_a_board(
    where: str, tmp_path: Path, collecting: bool
) -> None:
    before = gc.isenabled()
    try:
        (gc.enable if collecting else gc.disable)()
        read_board(where)
        assert gc.isenabled() is collecting
        with pytest.raises(StudioError):
            read_board(str(tmp_path / "none"))
        assert gc.isenabled() is collecting
    finally:
        (gc.enable if before else gc.disable)()


def test_the_first_kits_of_a_board_are_as_they_are_in_all_of_it(where: str) -> None:
    edit(where, "K1", "red", "one two", review=False)
    now = datetime(2048, 3, 2, 12, tzinfo=UTC)
    whole = read_board(where, now=now)
    begun = read_board(where, now=now, first_kits=1)
    assert begun.rows == whole.rows[:2]
    assert {row.kit for row in begun.rows} == {"K1"}
    assert not begun.complete
    assert read_board(where, now=now, first_kits=3) == whole


@pytest.mark.long
def test_agreement_so_far_with_its_raw_table(where: str, tmp_path: Path) -> None:
    edit(where, "K1", "red", "one two four five")
    edit(where, "K1", "blue", "one two three four five")
    edit(where, "K2", "red", "one two", review=False)
    found = read_agreement(where)
    assert (found.segments, found.compared) == (8, 4)
    raw = [row for row in found.raw.records() if row["stage"] == "final"]
    assert {(row["first"], row["second"]) for row in raw} == {("blue", "red")}
    one = next(row for row in raw if row["segment"] == "s1")
    assert (one["first_edits"], one["first_words"], one["first_hter"]) == (1, 5, 0.2)
    assert (one["second_edits"], one["second_hter"], one["difference"]) == (0, 0, 0.2)
    assert one["first_editor"] == "blue2"
    means = {
        (row["stage"], row["first"]): row["mean"]
        for row in found.summary.records()
        if row["first"] == "blue"
    }
    recount = [float(str(row["difference"])) for row in raw]
    assert means["final", "blue"] == pytest.approx(sum(recount) / len(recount))
    files = write_agreement(found, tmp_path / "out")
    assert [file.name for file in files] == ["agreement.csv", "agreement-raw.csv"]


def test_due_dates_stand_on_the_board_and_late_passes_are_told(
    where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    now = datetime(2048, 3, 2, 12, tzinfo=UTC)
    yesterday, tomorrow = now - timedelta(days=1), now + timedelta(days=1)
    set_due(where, ["K1"], yesterday, passes=(Pass.FIRST,))
    set_due(where, ["K2"], tomorrow)
    edit(where, "K1", "red", "one two", review=False)
    board = read_board(where, now=now)
    assert [(one.progress.kit, one.progress.team) for one in board.late] == [("K1", "blue")]
    assert board.rows[2].first.due == board.rows[2].review.due == tomorrow
    set_due(where, [], None)
    assert read_board(where, now=now).late == ()
    assert read_due("none") is None
    assert read_due("2048-03-01T17:00+00:00") == datetime(2048, 3, 1, 17, tzinfo=UTC)
    end = read_due("2048-03-01")
    assert end is not None
    assert end.astimezone().hour == 23
    with pytest.raises(UsageError, match="is not a date"):
        read_due("soon")
    assert main(["campaign", "due", where, "2026-01-01", "--kit", "K2"]) == 0
    assert main(["campaign", "status", where]) == 0
    assert "Late: kit K2, team red, first pass" in capsys.readouterr().out
    assert main(["campaign", "due", where, "2026-01-01", "--kit", "K9"]) == 2


@pytest.mark.long
def test_an_absent_team_gets_nothing_new_until_it_is_back(where: str) -> None:
    outcome = set_absent(where, "blue", reason="leave")
    assert any("still has 1 kit" in line for line in outcome.done)
    draft = read_draft(where, rules=RULES)
    assert draft.there == ("red", "green")
    assert draft.kit("K1").teams == ("red", "blue"), "what it has stays"
    with pytest.raises(InputError) as caught:
        draft.with_team("K2", "green", "blue")
    assert caught.value.code == "planning.absent-team"
    anew = propose_draft(where, rules=RULES, anew=True, steps=500)
    assert all("blue" not in kit.teams for kit in anew.kits)
    assert "as before" in set_absent(where, "blue").done[0]
    set_absent(where, "blue", absent=False)
    assert read_draft(where, rules=RULES).there == TEAMS
    with pytest.raises(InputError):
        set_absent(where, "purple")


@pytest.mark.long
def test_a_plan_is_written_and_claimed_kits_stay(where: str) -> None:
    before = read_draft(where, rules=RULES)
    swapped = before.with_teams_swapped("K1", "K2")
    write_draft(where, swapped)
    assert read_draft(where, rules=RULES) == swapped
    with open_campaign(where) as campaign:
        campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "m")
    exchanged = swapped.with_unit_moved(
        next(iter({("Alpha", one.manuscript) for one in swapped.kit("K1").units})), "K2"
    )
    with pytest.raises(ConflictError) as caught:
        write_draft(where, exchanged)
    assert caught.value.code == "plan.claimed-meanwhile"
    assert read_draft(where, rules=RULES).kit("K1").frozen
    anew = propose_draft(where, rules=RULES, anew=True, steps=500)
    assert [kit.name for kit in anew.kits if not kit.new] == ["K1"]
    write_draft(where, anew)
    assert read_draft(where, rules=RULES).kit("K1").frozen


@pytest.mark.long
def test_a_practice_kit_is_for_all_teams_and_in_no_report(where: str) -> None:
    outcome = make_practice_kit(where, words=15)
    assert "20 words" in outcome.done[0]
    assert not outcome.problems
    board = read_board(where)
    rows = [row for row in board.rows if row.practice]
    assert [row.team for row in rows] == list(TEAMS)
    assert board.words_left == 8 * 20
    edit(where, "PRACTICE", "red", "one two")
    with open_report(where, full=False) as (report, _):
        assert all(row["kit"] != "PRACTICE" for row in report.table("segments").records())
    assert all(kit.name != "PRACTICE" for kit in read_draft(where, rules=RULES).kits)
    assert "it was so already" in make_practice_kit(where, words=15).done[0]
    scored = make_practice_kit(where, "P2", bases=["e0_1_S1"])
    assert scored.problems[0].code == "plan.practice-set"
    with pytest.raises(InputError) as caught:
        make_practice_kit(where, "P3", bases=["zz"])
    assert caught.value.code == "plan.practice-page"
    with pytest.raises(InputError) as caught:
        make_practice_kit(where, "P4", system="Beta")
    assert caught.value.code == "plan.nothing-to-practise"


@pytest.mark.long
def test_guidelines_have_versions_until_editing_begins(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_guidelines(where, "Change as little as serves.")
    set_guidelines(where, "Change as little as serves.")
    text = tmp_path / "guidelines.txt"
    text.write_text("Be brief – and exact.\n", encoding="utf-8")
    assert main(["campaign", "guidelines", where, "--new-file", str(text)]) == 0
    assert [one.version for one in read_guidelines(where)] == [1, 2]
    capsys.readouterr()
    assert main(["campaign", "guidelines", where, "--version", "1"]) == 0
    assert "Change as little" in capsys.readouterr().out
    assert main(["campaign", "guidelines", where, "--version", "7"]) == 2
    edit(where, "K1", "red", "one two", review=False)
    with pytest.raises(ConflictError):
        set_guidelines(where, "Too late.")


def test_the_log_can_be_asked_about_a_person_and_a_thing(where: str) -> None:
    edit(where, "K1", "red", "one two")
    set_absent(where, "green", reason="a holiday")
    assert {entry.who for entry in audit_trail(where, 50, by="red2")} == {"red2"}
    assert [entry.action for entry in audit_trail(where, 50, about="HOLIDAY")] == ["team away"]
    assert all("K1" in entry.subject for entry in audit_trail(where, 50, about="kit K1"))
    assert audit_trail(where, 50, about="100%_") == ()


def test_a_watch_sees_what_others_write_and_nothing_else(where: str) -> None:
    with Watch(where) as watch:
        assert not watch.changed()
        read_board(where)
        assert not watch.changed()
        set_absent(where, "red")
        assert watch.changed()
        assert not watch.changed()


@pytest.mark.long
def test_commands_show_overlap_and_agreement(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(where, "K1", "red", "one two")
    edit(where, "K1", "blue", "one two three")
    assert main(["campaign", "overlap", where]) == 0
    assert "1 (1)" in capsys.readouterr().out
    assert main(["campaign", "agreement", where, "--out", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert "4 of 8 segments have two final texts" in said
    assert (tmp_path / "out" / "agreement-raw.csv").is_file()
    for command in (["away", where, "red"], ["back", where, "red"], ["practice", where]):
        assert main(["campaign", *command]) == 0
    assert main(["campaign", "away", where, "purple"]) == 2
    move = ["campaign", "change", "team", where, "K2", "green", "blue"]
    assert main([*move, "--dry-run", "--kit-words", "20"]) == 0
    assert "carry-over" not in capsys.readouterr().out
    assert read_draft(where, rules=RULES).kit("K2").teams == ("red", "green")
    assert main([*move, "--kit-words", "20"]) == 0
    assert "kits between busiest and idlest team: 1 -> 2 worse" in capsys.readouterr().out
    assert read_draft(where, rules=RULES).kit("K2").teams == ("red", "blue")
    assert main(["campaign", "change", "move", where, "Alpha", "m-e0_1_S1", "K2"]) == 2
    assert "has been claimed" in capsys.readouterr().err
