from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.cli.words import read_pass
from madcat_studio.errors import ConflictError, InputError, StudioError, UsageError, WorldError
from madcat_studio.model.campaign import (
    DataSet,
    EarlierScore,
    Pass,
    PassState,
    SegmentName,
    System,
)
from madcat_studio.operations.campaign.copies import migrate
from madcat_studio.operations.campaign.earlier import add_earlier
from madcat_studio.operations.campaign.edits_table import export_edits, import_edits
from madcat_studio.operations.campaign.filling import (
    add_system,
    create,
    set_options,
)
from madcat_studio.operations.campaign.standing import read_glance
from madcat_studio.operations.campaign.trail import audit_trail
from madcat_studio.operations.checked import Outcome, Refused
from madcat_studio.operations.people.passes import release, replace_editor
from madcat_studio.operations.people.renaming import rename
from madcat_studio.operations.planning.tables import import_plan
from madcat_studio.progress import Cancelled
from madcat_studio.store import open_campaign

CORPUS = [
    "base",
    "source_document",
    "passage",
    "manuscript",
    "page",
    "scribe",
    "exposure",
    "set",
    "track",
]
EDITS = ["kit", "team", "pass", "editor", "segment", "state", "text", "reason"]


def write(path: Path, columns: list[str], rows: list[list[str]]) -> Path:
    path.write_text("".join("\t".join(row) + "\n" for row in [columns, *rows]), encoding="utf-8")
    return path


def document(base: str, segments: dict[str, tuple[str, str]], pages: int = 1) -> str:
    images = "".join(
        f'<page id="p{page}"><zone id="z0"><token-image id="t0"/></zone></page>'
        for page in range(1, pages + 1)
    )
    texts = "".join(
        f'<segment id="{name}"><zone_ref>z0</zone_ref><token id="{name}-1" ref_id="t0"/>'
        f"<transcription>{arabic}</transcription><translation>{english}</translation></segment>"
        for name, (arabic, english) in segments.items()
    )
    return (
        f'<madcat version="2008.1"><doc id="{base}" src="{base}.tif" nbpages="{pages}" '
        f'type="newswire"><writer id="S{base[-1]}"/><image>{images}</image>'
        f'<content><section id="1">{texts}</section></content></doc></madcat>'
    )


class Files:
    """A little corpus on the disk: two passages by two scribes, two systems, two teams."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.where = str(folder / "campaign")
        self.documents = folder / "documents"
        self.outputs = folder / "outputs"
        self.rows = [
            [f"{p}.x_1_S{s}", f"doc.{p}", p, f"{p}{s}", "1", f"S{s}", "exposed", "evaluation", "t"]
            for p in "AB"
            for s in "12"
        ]
        self.documents.mkdir()
        for row in self.rows:
            self.put(row[0], {"s1": ("جملة", "One two three."), "s2": ("نص", "Four five.")})
            self.answer("alpha", row[0], {"s1": ("", "one three"), "s2": ("", "four")})
            self.answer("beta", row[0], {"s1": ("", "two"), "s2": ("", "")})
        self.kits = [["K1", "alpha", "A.x_1_S1"], ["K1", "beta", "B.x_1_S1"]]
        self.teams = [[team, f"{team}{n}", "Name"] for team in ("red", "blue") for n in "12"]
        self.assignments = [["K1", "red", "red1", "red2"], ["K1", "blue", "blue1", "blue2"]]

    def put(self, base: str, segments: dict[str, tuple[str, str]], pages: int = 1) -> None:
        file = self.documents / f"{base}.madcat.xml"
        file.write_text(document(base, segments, pages), encoding="utf-8")

    def answer(self, system: str, base: str, segments: dict[str, tuple[str, str]]) -> None:
        folder = self.outputs / system
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{base}.linesys.madcat.xml"
        file.write_text(document(base, segments), encoding="utf-8")

    def create(self, **options: object) -> Outcome:
        corpus = write(self.folder / "corpus.tsv", CORPUS, self.rows)
        return create(self.where, corpus=corpus, documents=self.documents, **options)  # type: ignore[arg-type]

    def systems(self) -> None:
        for name in ("alpha", "beta"):
            add_system(self.where, name=name, outputs=self.outputs / name)

    def plan(self) -> Outcome:
        return import_plan(
            self.where,
            teams=write(self.folder / "teams.tsv", ["team", "editor", "name"], self.teams),
            kits=write(self.folder / "kits.tsv", ["kit", "system", "base"], self.kits),
            assignments=write(
                self.folder / "assignments.tsv",
                ["kit", "team", "first", "reviewer"],
                self.assignments,
            ),
        )

    def edits(self, rows: list[list[str]], **options: bool) -> Outcome:
        table = write(self.folder / "edits.tsv", EDITS, rows)
        return import_edits(self.where, table, **options)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


@pytest.fixture
def planned(files: Files) -> Files:
    files.create()
    files.systems()
    files.plan()
    return files


def codes(caught: pytest.ExceptionInfo[Refused]) -> set[str]:
    return {one.code for one in caught.value.problems if one.severity == "error"}


def warnings(outcome: Outcome) -> dict[str, str]:
    return {one.code: f"{one.where} {one.what} {one.done}" for one in outcome.problems}


# -- making -----------------------------------------------------------------------------------


def test_a_campaign_is_made_from_files_and_made_again_without_doubling(files: Files) -> None:
    outcome = files.create(name="Pilot", options={"scoring.case_sensitive": True})
    assert outcome.done == ("4 documents added", "8 segments, 0 images")
    assert outcome.problems == ()
    again = files.create()
    assert again.done[0] == "0 documents added, 4 already there"
    status = read_glance(files.where).status
    assert (status.name, status.documents, status.frozen) == ("Pilot", 4, False)
    assert status.options == {"editing.coach": True, "scoring.case_sensitive": True}
    files.rows.append(["C.x_1_S1", "doc.C", "C", "C1", "1", "S1", "unexposed", "evaluation", ""])
    files.put("C.x_1_S1", {"s1": ("نص", "Six.")})
    assert files.create().done[0] == "1 document added, 4 already there"


def test_everything_wrong_is_told_at_once_and_nothing_is_written(files: Files) -> None:
    files.rows[0][6] = "maybe"
    files.rows[1][7] = "test"
    (files.documents / "B.x_1_S1.madcat.xml").write_text("<madcat><doc>", encoding="utf-8")
    (files.documents / "B.x_1_S2.madcat.xml").unlink()
    files.rows.append(list(files.rows[0]))
    with pytest.raises(Refused) as caught:
        files.create()
    found = codes(caught)
    assert {"corpus.exposure", "corpus.set", "corpus.no-document", "corpus.base-twice"} <= found
    assert len(found) == 5  # and the file that is no XML
    assert "B.x_1_S1.madcat.xml" in str(caught.value)
    assert "nothing was written" in str(caught.value)
    assert not Path(files.where).exists()


def test_a_failure_while_filling_leaves_nothing_behind(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stop:
        def advance(self, done: int, total: int | None, text: str = "") -> None:
            self.done = done

        def cancelled(self) -> bool:
            return self.done == 3

    stop = Stop()
    stop.done = 0
    with pytest.raises(Cancelled):
        files.create(progress=stop)
    assert not Path(files.where).exists()

    def full(*_: object) -> bytes:
        raise WorldError("file.cannot-read", "the disk fell out")

    monkeypatch.setattr("madcat_studio.operations.campaign.filling.read_file", full)
    with pytest.raises(WorldError, match="fell out"):
        files.create()
    assert not Path(files.where).exists()


def test_defects_that_prevent_nothing_are_warnings(files: Files, tmp_path: Path) -> None:
    files.put("A.x_1_S1", {"s1": ("no arabic", "نص عربي كامل"), "s2": ("نص", "")})
    files.put("left.out_1_S1", {"s1": ("نص", "x")})
    conditions = tmp_path / "conditions.tab"
    conditions.write_text("A.x_1_S1\tx\t1\tIUN\nB.x_1_S1\tx\t1\tXXX\nelse\tx\t1\tPLF\n")
    standoff = tmp_path / "errors.tsv"
    standoff.write_text("# note\nA.x_1_S1\ts2\ts2-1\ttypo\tا\tب\nA.x_1_S1\ts9\tx\n", "utf-8")
    images = tmp_path / "images"
    images.mkdir()
    (images / "A.X_1_s1.TIF").write_bytes(b"image")
    outcome = files.create(conditions=conditions, standoff=standoff, images=images)
    found = warnings(outcome)
    assert set(found) == {
        "document.wrong-script",
        "document.no-reference",
        "corpus.not-listed",
        "conditions.code",
        "conditions.not-listed",
        "standoff.unknown",
        "document.no-image",
    }
    assert "left.out_1_S1" in found["corpus.not-listed"]
    assert outcome.done == ("4 documents added", "8 segments, 1 image", "1 scribe error added")
    with open_campaign(files.where) as campaign:
        [first, *_] = campaign.contents.documents()
        assert first.conditions == "IUN"
        assert campaign.contents.blob(first.image_sha256 or "") == b"image"
        assert [one.scribe_error for one in campaign.contents.segments("A.x_1_S1")] == [
            False,
            True,
        ]


def test_sequestered_passages_are_in_the_progress_set_only(files: Files, tmp_path: Path) -> None:
    listed = tmp_path / "sequestered.txt"
    listed.write_text("A\n", encoding="utf-8")
    with pytest.raises(Refused) as caught:
        files.create(sequestered=listed)
    assert codes(caught) == {"corpus.sequestered"}
    files.rows[0][7] = "progress"  # one copy of it, and another still in the evaluation
    with pytest.raises(Refused):
        files.create()
    files.rows[1][7] = "progress"
    files.create(sequestered=listed)
    with open_campaign(files.where) as campaign:
        assert [one.sequestered for one in campaign.contents.documents()] == [
            True,
            True,
            False,
            False,
        ]


def test_a_segment_is_on_the_page_of_its_first_token(files: Files) -> None:
    # The ids of words restart on the second page: the second t0 is the second page's.
    files.put("A.x_1_S1", {"s1": ("نص", "One."), "s2": ("نص", "Two.")}, pages=2)
    files.create()
    with open_campaign(files.where) as campaign:
        assert [one.page for one in campaign.contents.segments("A.x_1_S1")] == ["1", "2"]


def test_doubled_segments_are_never_merged(files: Files) -> None:
    text = document("A.x_1_S1", {"s1": ("نص", "One."), "s2": ("نص", "Two.")})
    path = files.documents / "A.x_1_S1.madcat.xml"
    path.write_text(text.replace('segment id="s2"', 'segment id="s1"'), encoding="utf-8")
    outcome = files.create()
    assert "document.segment-id" in warnings(outcome)
    with open_campaign(files.where) as campaign:
        found = campaign.contents.segments("A.x_1_S1")
    assert [(one.name, one.reference) for one in found] == [("s1", "One."), ("s1#2", "Two.")]


# -- systems ----------------------------------------------------------------------------------


def test_systems_are_added_under_neutral_codes(files: Files) -> None:
    files.create()
    outcome = add_system(files.where, name="alpha", outputs=files.outputs / "alpha")
    assert outcome.done == ("4 documents of system alpha added",)
    again = add_system(files.where, name="alpha", outputs=files.outputs / "alpha")
    assert "4 already there" in again.done[0]
    add_system(files.where, name="beta", outputs=files.outputs / "beta", code="B7")
    assert read_glance(files.where).status.systems == (System("alpha", "X1"), System("beta", "B7"))
    files.answer("alpha", "A.x_1_S1", {"s1": ("", "other"), "s2": ("", "four")})
    with pytest.raises(ConflictError, match="another output"):
        add_system(files.where, name="alpha", outputs=files.outputs / "alpha")
    with pytest.raises(ConflictError, match="code 'X1'"):
        add_system(files.where, name="gamma", outputs=files.outputs / "beta", code="X1")


def test_outputs_whose_segments_do_not_match(files: Files) -> None:
    files.create()
    folder = files.outputs / "alpha"
    files.answer("alpha", "A.x_1_S1", {"s2": ("", "four"), "s7": ("", "extra")})
    (folder / "B.x_1_S1.linesys.madcat.xml").unlink()
    files.answer("alpha", "Z.x_1_S9", {"s1": ("", "not in the campaign")})
    three = document("A.x_1_S2", {"s1": ("", "once"), "s2": ("", "two"), "s3": ("", "more")})
    twice = three.replace('segment id="s3"', 'segment id="s1"')
    (folder / "A.x_1_S2.linesys.madcat.xml").write_text(twice, encoding="utf-8")
    found = warnings(add_system(files.where, name="alpha", outputs=folder))
    assert set(found) == {
        "output.missing-segments",
        "output.extra-segments",
        "output.no-file",
        "output.unknown-document",
    }
    assert "s1#2" in found["output.extra-segments"]
    assert "not scored" in found["output.extra-segments"]
    with open_campaign(files.where) as campaign:
        contents = campaign.contents
        assert contents.outputs("alpha", "A.x_1_S1") == {"s1": None, "s2": "four"}
        assert contents.outputs("alpha", "A.x_1_S2") == {"s1": "once", "s2": "two"}
        assert contents.outputs("alpha", "B.x_1_S1") == {"s1": None, "s2": None}


def test_an_output_that_cannot_be_read_prevents_the_whole(files: Files) -> None:
    files.create()
    folder = files.outputs / "alpha"
    (folder / "A.x_1_S1.linesys.madcat.xml").write_text("no xml", encoding="utf-8")
    with pytest.raises(Refused) as caught:
        add_system(files.where, name="alpha", outputs=folder)
    assert "A.x_1_S1.linesys.madcat.xml" in str(caught.value)
    assert read_glance(files.where).status.systems == ()
    with pytest.raises(InputError, match="no such folder"):
        add_system(files.where, name="alpha", outputs=files.folder / "absent")
    (files.folder / "empty").mkdir()
    with pytest.raises(Refused, match="for a document of the campaign"):
        add_system(files.where, name="alpha", outputs=files.folder / "empty")
    with pytest.raises(StudioError, match="no name"):
        add_system(files.where, name=" ", outputs=folder)


def test_an_earlier_phase_need_not_have_every_document(files: Files) -> None:
    files.rows[0][7] = files.rows[1][7] = "control"
    files.create()
    folder = files.folder / "old"
    folder.mkdir()
    shutil.copy(files.outputs / "alpha" / "A.x_1_S1.linesys.madcat.xml", folder)
    outcome = add_system(files.where, name="old", outputs=folder, earlier=True)
    assert outcome.problems == ()
    files.systems()
    files.kits = [["K1", "old", "A.x_1_S1"], ["K1", "beta", "B.x_1_S1"]]
    assert files.plan().problems == ()
    with open_campaign(files.where) as campaign:
        records = list(campaign.segment_records())
    assert {(one.system, one.data_set, one.earlier) for one in records} == {
        ("old", DataSet.CONTROL, True),
        ("beta", DataSet.EVALUATION, False),
    }


# -- the plan ---------------------------------------------------------------------------------


def test_a_plan_is_taken_in_and_again_without_doubling(files: Files) -> None:
    files.create()
    files.systems()
    assert files.plan().done == (
        "4 editors in 2 teams added",
        "1 kit added",
        "1 assigned kit added",
    )
    assert files.plan().done == (
        "0 editors in 2 teams added, 4 already there",
        "0 kits added, 1 already there",
        "0 assigned kits added, 1 already there",
    )


def test_a_plan_that_breaks_rules_changes_nothing(files: Files) -> None:
    files.rows[1][3] = "A1"  # two pages of one manuscript
    files.rows[1][5] = "S1"
    files.rows[2][7] = "training"
    files.create()
    files.systems()
    files.teams.append(["lone", "lone1", "x"])
    files.teams.append(["lone", "red1", "Other"])
    files.teams.append(["short", "short1", "x"])
    files.kits = [
        ["K1", "alpha", "A.x_1_S1"],
        ["K2", "alpha", "A.x_1_S2"],
        ["K2", "alpha", "B.x_1_S1"],
        ["K3", "delta", "B.x_1_S2"],
        ["K4", "alpha", "B.x_1_S2"],
        ["K4", "beta", "B.x_1_S2"],
    ]
    with pytest.raises(Refused) as caught:
        files.plan()
    assert codes(caught) == {
        "teams.two-names",
        "teams.too-small",
        "plan.manuscript-divided",
        "plan.set",
        "store.unknown-system",
        "store.document-twice",
    }
    status = read_glance(files.where).status
    assert (status.kits, status.teams) == (0, ())


@pytest.mark.long
def test_assignments_that_break_rules_change_nothing(planned: Files) -> None:
    planned.assignments = [["K1", "red", "red1", "red1"], ["K1", "red", "red1", "red2"]]
    with pytest.raises(Refused) as caught:
        planned.plan()
    assert codes(caught) == {"plan.team-twice", "store.both-sides"}
    planned.assignments = [["K1", "red", "red1", "red2"]]
    assert "plan.teams" in warnings(planned.plan())
    assert {one.team for one in read_glance(planned.where).status.progress} == {"red"}


# -- an earlier phase -------------------------------------------------------------------------


@pytest.fixture
def earlier(files: Files) -> Path:
    folder = files.folder / "earlier"
    old = Files.__new__(Files)
    old.documents, old.outputs = folder / "reference", folder / "systems"
    old.documents.mkdir(parents=True)
    rows = []
    for base, data_set in (("O.x_1_S1", "control"), ("P.x_1_S1", "progress")):
        old.put(base, {"s1": ("نص", "Old words.")})
        old.answer("past_2", base, {"s1": ("", "old word")})
        rows.append([base, "doc", base[0], base[0], "1", "S1", "exposed", data_set, ""])
    write(folder / "corpus.tsv", CORPUS, rows)
    (folder / "sequestered.txt").write_text("P\n", encoding="utf-8")
    write(
        folder / "finals.tsv",
        ["system", "segment", "team", "first", "reviewer", "first_text", "final_text"],
        [["past", "O.x_1_S1/s1", "old", "red1", "gone", "old words", "Old words."]],
    )
    write(
        folder / "hter.tsv",
        ["system", "base", "passage", "edits", "words"],
        [["past", "O.x_1_S1", "O", "1", "2"]],
    )
    return folder


@pytest.mark.long
def test_an_earlier_phase_is_brought_in_once(planned: Files, earlier: Path) -> None:
    outcome = add_earlier(planned.where, earlier)
    assert outcome.done[-2:] == (
        "1 text of the earlier phase added",
        "1 score of the earlier phase added",
    )
    again = add_earlier(planned.where, earlier)
    assert "1 already there" in again.done[-1]
    with open_campaign(planned.where) as campaign:
        contents = campaign.contents
        assert System("past", "X3", earlier=True) in contents.systems()
        assert campaign.earlier.scores() == (EarlierScore("past", "O.x_1_S1", "O", 1, 2),)
        [text] = campaign.earlier.texts()
        assert (text.team, text.reviewer, text.final_text) == ("old", "gone", "Old words.")
        assert [one.sequestered for one in contents.documents()][-2:] == [False, True]
    # A system that gave no progress page is not missing any; one that gave one must give all.
    again = add_system(planned.where, name="alpha", outputs=planned.outputs / "alpha")
    assert again.problems == ()


@pytest.mark.long
def test_the_control_set_never_goes_to_its_first_editors(planned: Files, earlier: Path) -> None:
    add_earlier(planned.where, earlier)
    planned.kits.append(["K1", "past", "O.x_1_S1"])
    planned.assignments = [["K1", "red", "red2", "red1"], ["K1", "blue", "blue1", "blue2"]]
    with pytest.raises(Refused) as caught:
        planned.plan()
    assert codes(caught) == {"plan.same-editor"}
    planned.teams.append(["red", "red3", "Third"])
    planned.assignments[0] = ["K1", "red", "red2", ""]
    with pytest.raises(Refused) as caught:
        planned.plan()
    assert codes(caught) == {"plan.open-control"}
    planned.assignments[0] = ["K1", "red", "red2", "red3"]
    planned.plan()


@pytest.mark.long
def test_an_earlier_phase_that_cannot_be_used(planned: Files, earlier: Path) -> None:
    with pytest.raises(StudioError, match="No such folder"):
        add_earlier(planned.where + "x", earlier)
    (earlier / "finals.tsv").write_text(
        (earlier / "finals.tsv").read_text(encoding="utf-8").replace("/s1", ""), encoding="utf-8"
    )
    corpus = earlier / "corpus.tsv"
    corpus.write_text(
        corpus.read_text(encoding="utf-8").replace("control", "evaluation"), encoding="utf-8"
    )
    with pytest.raises(Refused) as caught:
        add_earlier(planned.where, earlier)
    assert codes(caught) == {"earlier.segment", "earlier.set"}
    shutil.rmtree(earlier / "systems")
    with pytest.raises(InputError, match="no systems"):
        add_earlier(planned.where, earlier)


# -- texts ------------------------------------------------------------------------------------


def texts(team: str, pass_: str, editor: str, **changes: str) -> list[list[str]]:
    names = ["A.x_1_S1/s1", "A.x_1_S1/s2", "B.x_1_S1/s1"]
    return [
        ["K1", team, pass_, editor, name, "confirmed", changes.get(name[0] + name[-1], "text"), ""]
        for name in names
    ]


@pytest.mark.long
@pytest.mark.parametrize("commas", [True, False])
def test_texts_that_a_spreadsheet_saved_are_the_same_texts(planned: Files, commas: bool) -> None:
    written = {"A1": 'He said "yes", twice.', "A2": "One, two", "B1": '"Three."'}

    def cell(text: str) -> str:
        wants = '"' in text or (commas and "," in text)
        doubled = text.replace('"', '""')
        return f'"{doubled}"' if wants else text

    rows = [[cell(one) for one in row] for row in texts("red", "first", "red1", **written)]
    table = planned.folder / "saved.tsv"
    lines = ["\t".join(row) for row in ([*EDITS], *rows)]
    table.write_bytes("\r\n".join(lines).encode("utf-16"))
    outcome = import_edits(planned.where, table)
    assert "3 cells in quotation marks" in warnings(outcome)["table-quoted"] or not commas
    assert "table-quoted" in warnings(outcome)
    with open_campaign(planned.where) as campaign:
        latest = campaign.revisions.latest("K1", "red", Pass.FIRST)
    assert sorted(one.text for one in latest.values()) == sorted(written.values())


@pytest.mark.long
def test_what_would_be_replaced_is_told_and_asked_for(planned: Files) -> None:
    def draft(**changes: str) -> list[list[str]]:
        rows = texts("red", "first", "red1", **changes)
        return [[*row[:5], "draft", *row[6:]] for row in rows]

    planned.edits(draft(A1='He said "yes".', A2="One two.", B1="Three four five."))

    def stored() -> list[str]:
        with open_campaign(planned.where) as campaign:
            latest = campaign.revisions.latest("K1", "red", Pass.FIRST)
        return [one.text for one in latest.values()]

    before = stored()
    other = draft(A1="'He said ''yes''.'", A2="One  two.", B1="Three 4 five.")
    told = (
        "1 text differs from what is there by quotes alone, such as A.x_1_S1/s1: "
        "He said \"yes\". → 'He said ''yes''.'",
        "1 text differs from what is there by blanks alone, such as A.x_1_S1/s2: "
        "One two. → One  two.",
        "1 text differs from what is there by words, such as B.x_1_S1/s1: "
        "Three four five. → Three 4 five.",
    )
    with pytest.raises(Refused) as caught:
        planned.edits(other)
    assert codes(caught) == {"edits.would-replace"}
    assert "; ".join(told) in str(caught.value)
    outcome = planned.edits(other, dry_run=True)
    assert outcome.done == ("3 texts would be added, 0 are there", *told, "Nothing was written")
    assert stored() == before
    done = planned.edits(other, replace_texts=True).done
    assert done == (*told, "3 texts added", "0 passes handed over")
    assert stored() == ["'He said ''yes''.'", "One  two.", "Three 4 five."]
    # A state that changes replaces no text.
    same = [[*row[:5], "confirmed", *row[6:]] for row in other]
    assert planned.edits(same).done == ("3 texts added", "1 pass handed over")


@pytest.mark.long
def test_a_table_with_what_is_not_there_is_tried_too(planned: Files) -> None:
    rows = texts("red", "first", "red1")
    rows += [["K9", *row[1:]] for row in rows]
    done = planned.edits(rows, dry_run=True).done
    assert done == (
        "3 texts would be added, 0 are there",
        "3 name no kit or team of the campaign",
        "Nothing was written",
    )
    with pytest.raises(Refused) as caught:
        planned.edits(rows)
    assert codes(caught) == {"store.unknown-kit"}


@pytest.mark.long
def test_a_table_with_the_names_that_editors_know(planned: Files) -> None:
    """As the window writes it where the folder is gone."""
    with open_campaign(planned.where) as campaign:
        names = campaign.covers.of("K1")
    rows = texts("red", "first", "red1", A1="One.", A2="Two.", B1="Three.")
    for row in rows:
        row[4] = str(names[SegmentName.parse(row[4])])
    assert rows[0][4] == "K1.01/1"
    assert planned.edits(rows).done == ("3 texts added", "1 pass handed over")
    with open_campaign(planned.where) as campaign:
        latest = campaign.revisions.latest("K1", "red", Pass.FIRST)
    assert {str(name): one.text for name, one in latest.items()} == {
        "A.x_1_S1/s1": "One.",
        "A.x_1_S1/s2": "Two.",
        "B.x_1_S1/s1": "Three.",
    }


@pytest.mark.long
def test_texts_where_the_system_gave_nothing_are_told_and_left_out(files: Files) -> None:
    files.answer("alpha", "A.x_1_S1", {"s1": ("", "an output")})
    files.create()
    files.systems()
    files.plan()
    outcome = files.edits(texts("red", "first", "red1", A2="Ours."))
    assert outcome.done == ("2 texts added", "1 pass handed over")
    found = warnings(outcome)["edits.no-output"]
    assert "1 text for segments of which the system gave nothing: A.x_1_S1/s2" in found
    with open_campaign(files.where) as campaign:
        assert len(campaign.revisions.latest("K1", "red", Pass.FIRST)) == 2


@pytest.mark.long
def test_another_name_in_the_table_of_teams_is_told(planned: Files) -> None:
    planned.teams = [["red", "red1", "Amara Okafor"], ["red", "red2", planned.teams[1][2]]]
    found = warnings(planned.plan())["teams.other-name"]
    assert "the table calls this editor 'Amara Okafor'" in found
    assert rename(planned.where, "editor", "red1", full_name="Amara Okafor").done == (
        "Editor red1 is Amara Okafor in reports",
    )
    assert "teams.other-name" not in warnings(planned.plan())
    assert rename(planned.where, "system", "alpha", "maple").done == (
        "System alpha is now called maple",
    )
    for wrong in (("page", "x", "y"), ("editor", "red1")):
        with pytest.raises(UsageError, match=r"rename\.what"):
            rename(planned.where, *wrong)


@pytest.mark.long
def test_texts_are_taken_in_once_and_finish_their_passes(planned: Files) -> None:
    # Reviews stand before first passes in the table; that is no hindrance.
    rows = texts("red", "review", "red2", A1="One two.") + texts("red", "first", "red1")
    draft = ["K1", "blue", "first", "blue1", "A.x_1_S1/s1", "draft", "half", ""]
    outcome = planned.edits([*rows, draft])
    assert outcome.done == ("7 texts added", "2 passes handed over")
    assert planned.edits([*rows, draft]).done == (
        "0 texts added, 7 already there",
        "0 passes handed over",
    )
    states = {
        (one.team, one.pass_): one.state for one in read_glance(planned.where).status.progress
    }
    assert states == {
        ("red", Pass.FIRST): PassState.HANDED_OVER,
        ("red", Pass.REVIEW): PassState.HANDED_OVER,
        ("blue", Pass.FIRST): PassState.CLAIMED,
        ("blue", Pass.REVIEW): PassState.WAITING,
    }
    with open_campaign(planned.where) as campaign:
        record = next(iter(campaign.segment_records()))
    assert (record.teams[0].first, record.teams[0].final) == ("text", "One two.")
    # A draft that is confirmed later is another text.
    draft[5] = "confirmed"
    assert planned.edits([draft]).done[0] == "1 text added"
    rows[0][6] = "too late"
    with pytest.raises(Refused) as caught:
        planned.edits(rows)
    assert codes(caught) == {"edits.handed-over"}


@pytest.mark.long
def test_what_an_editor_did_after_another_stays_under_both_names(planned: Files) -> None:
    planned.teams.append(["red", "red3", "Third"])
    planned.plan()
    rows = texts("red", "first", "red1")
    rows[2][3] = "red3"
    assert planned.edits(rows).done == ("3 texts added", "1 pass handed over")
    with open_campaign(planned.where) as campaign:
        latest = campaign.revisions.latest("K1", "red", Pass.FIRST)
    assert [one.editor for one in latest.values()] == ["red1", "red1", "red3"]


@pytest.mark.long
def test_tables_of_texts_that_break_rules(planned: Files) -> None:
    rows = texts("red", "first", "red1")
    for index, column, value, code in [
        (0, 2, "third", "edits.pass"),
        (0, 5, "done", "edits.state"),
        (0, 4, "A.x_1_S1", "edits.segment"),
        (0, 4, "A.x_1_S1/s2", "edits.twice"),
        (0, 4, "A.x_1_S1/s9", "store.not-in-kit"),
        (0, 4, "B.x_1_S2/s1", "store.not-in-kit"),
        (0, 0, "K9", "store.unknown-kit"),
        (0, 1, "green", "store.unknown-team"),
        (0, 3, "red2", "store.not-yours"),
        (0, 3, "blue1", "store.not-in-team"),
        (0, 6, "", "store.empty-text"),
    ]:
        broken = [list(row) for row in rows]
        broken[index][column] = value
        with pytest.raises(Refused) as caught:
            planned.edits(broken)
        assert code in codes(caught), (value, codes(caught))
        assert read_glance(planned.where).status.frozen is False


def test_an_empty_text_needs_a_reason(planned: Files) -> None:
    rows = texts("red", "first", "red1")
    rows[0][6], rows[0][7] = "", "not to be understood"
    assert planned.edits(rows).done == ("3 texts added", "1 pass handed over")


@pytest.mark.long
def test_texts_come_out_as_they_went_in(planned: Files, tmp_path: Path) -> None:
    odd = 'a "b" \u201cc\u201d; =1+1 \u200fنص\u00a0x \\\\ back'
    rows = texts("red", "first", "red1", A1=odd)
    planned.edits(rows)
    export_edits(planned.where, tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_text(encoding="utf-8") == (tmp_path / "edits.tsv").read_text(
        encoding="utf-8"
    )
    with open_campaign(planned.where) as campaign:
        latest = campaign.revisions.latest("K1", "red", Pass.FIRST)
    assert next(iter(latest.values())).text == odd.replace("\\\\", "\\")
    assert (
        export_edits(planned.where, tmp_path / "f.tsv", finished_only=True)
        .done[0]
        .startswith("3 texts")
    )


def test_characters_that_no_file_holds_are_left_out_and_breaks_stay(planned: Files) -> None:
    rows = texts("red", "first", "red1", A1="a\\nb\x0bc\x04d\ufffe")
    found = warnings(planned.edits(rows))
    assert "U+000B, U+0004, U+FFFE" in found["edits.characters"]
    with open_campaign(planned.where) as campaign:
        latest = campaign.revisions.latest("K1", "red", Pass.FIRST)
    assert next(iter(latest.values())).text == "a\nbcd"


# -- people -----------------------------------------------------------------------------------


@pytest.mark.long
def test_a_coordinator_releases_replaces_and_looks(planned: Files) -> None:
    planned.edits(texts("red", "first", "red1")[:1])
    release(planned.where, "K1", "red", Pass.FIRST, reason="ill")
    planned.teams.append(["red", "red3", "Third"])
    planned.plan()
    replace_editor(planned.where, "K1", "red", Pass.FIRST, "red3")
    with pytest.raises(UsageError, match="Write first or review"):
        read_pass("second")
    assert main(["campaign", "release", planned.where, "K1", "red", "second"]) == 2
    actions = [one.action for one in audit_trail(planned.where, 10)]
    assert actions[:4] == ["replace editor", "release", "import texts", "claim"]
    assert migrate(planned.where).done[0].endswith("is up to date")
    with pytest.raises(ConflictError, match="can no longer be changed"):
        set_options(planned.where, {"editing.show_source": True})
