"""A campaign looked at as a whole before anything is written."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import ConflictError, InputError
from madcat_studio.model.problem import Severity
from madcat_studio.operations.campaign.references import changed_references, replace_references
from madcat_studio.operations.campaign.setup import Examined, SetUp, examine_setup, write_setup
from madcat_studio.operations.checked import Refused
from madcat_studio.operations.corpus.from_names import write_corpus
from madcat_studio.paths import resources
from madcat_studio.store import open_campaign

DEMO = resources() / "demo"
SYSTEMS = (
    ("juniper", DEMO / "systems/juniper_1"),
    ("tamarisk", DEMO / "systems/tamarisk_1"),
)
FIRST = "DEMO_ARB_20480101.0001_1_SCR0001"


def errors(examined: Examined) -> list[str]:
    return sorted(one.code for one in examined.problems if one.severity is Severity.ERROR)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the demo's references without their scans, and a campaign made of them."""
    folder = tmp_path_factory.mktemp("prepared")
    (folder / "references").mkdir()
    for file in (DEMO / "reference").glob("*.madcat.xml"):
        shutil.copy(file, folder / "references")
    setup = SetUp(folder / "references", SYSTEMS, corpus=DEMO / "corpus.tsv")
    write_setup(str(folder / "campaign"), examine_setup(setup))
    return folder


@pytest.fixture
def references(prepared: Path, tmp_path: Path) -> Path:
    """A copy of the references."""
    return Path(shutil.copytree(prepared / "references", tmp_path / "references"))


@pytest.fixture
def made(prepared: Path, tmp_path: Path) -> str:
    """A copy of the campaign."""
    return str(shutil.copytree(prepared / "campaign", tmp_path / "campaign"))


@pytest.mark.long
def test_everything_is_counted_before_and_is_there_afterwards(tmp_path: Path) -> None:
    setup = SetUp(
        DEMO / "reference",
        SYSTEMS,
        images=DEMO / "reference",
        corpus=DEMO / "corpus.tsv",
        standoff=DEMO / "scribe_errors.standoff.tsv",
        conditions=DEMO / "writing_conditions.tab",
        teams=DEMO / "teams.tsv",
        earlier=DEMO / "earlier",
        name="By hand",
        options={"editing.show_page": True},
    )
    where = tmp_path / "campaign"
    found = examine_setup(setup, where=str(where))
    assert found.sound
    assert not where.exists()
    assert (found.documents, found.pages, found.images, found.teams) == (12, 13, 12, 4)
    assert found.sets == {"evaluation": 12}
    assert [one.name for one in found.systems] == ["juniper", "tamarisk", "larch"]
    assert found.systems[1].missing == 1
    assert "System tamarisk: 12 documents, 1 of 69 segments without output" in found.sentences()
    outcome = write_setup(str(where), found)
    assert "12 documents of system juniper added" in outcome.done
    with open_campaign(where) as campaign:
        assert campaign.name == "By hand"
        assert len(campaign.contents.documents()) == 24
        assert sum(campaign.contents.reference_words().values()) > found.words
        assert campaign.options() == {"editing.coach": True, "editing.show_page": True}
        assert len(campaign.earlier.scores()) == 12
        assert len(campaign.plans.teams()) == 4
    again = write_setup(str(where), examine_setup(setup, where=str(where)))
    assert "0 documents added, 12 already there" in again.done


@pytest.mark.long
def test_without_a_corpus_table_names_say_what_is_what(tmp_path: Path, references: Path) -> None:
    scribes = tmp_path / "scribes.txt"
    scribes.write_text("SCR0001\n")
    sequestered = tmp_path / "sequestered.txt"
    sequestered.write_text("DEMO_ARB_20480101.0001\n")
    found = examine_setup(SetUp(references, training_scribes=scribes, sequestered=sequestered))
    assert found.sound
    assert found.exposures["exposed"] == sum(
        file.name.endswith("_SCR0001.madcat.xml") for file in references.iterdir()
    )
    assert found.sets["progress"] == len(list(references.glob("DEMO_ARB_20480101.0001_*")))
    table = tmp_path / "corpus.tsv"
    write_corpus(references, table, training_scribes=scribes, sequestered=sequestered)
    with_table = examine_setup(SetUp(references, corpus=table, training_scribes=scribes))
    assert replace(with_table, setup=found.setup) == found
    (references / "nameless.madcat.xml").write_bytes(next(references.iterdir()).read_bytes())
    assert errors(examine_setup(SetUp(references))) == ["corpus.base-name"]


def test_all_that_is_wrong_is_told_at_once_and_nothing_is_written(
    tmp_path: Path, references: Path
) -> None:
    teams = tmp_path / "teams.tsv"
    teams.write_text("team\teditor\nT1\tanna\n")
    scribes = tmp_path / "scribes.txt"
    scribes.write_text("SCR0001\nSCR0099\n")
    setup = SetUp(
        references,
        (SYSTEMS[0], ("Juniper", SYSTEMS[0][1]), ("", tmp_path), ("oak", tmp_path / "no")),
        images=tmp_path / "none",
        corpus=DEMO / "corpus.tsv",
        training_scribes=scribes,
        teams=teams,
    )
    found = examine_setup(setup)
    assert errors(found) == [
        "campaign.no-folder",
        "campaign.no-folder",
        "campaign.no-name",
        "corpus.exposure-list",
        "output.folder-twice",
        "output.system-twice",
        "teams.too-few",
        "teams.too-small",
    ]
    assert not found.sound
    with pytest.raises(Refused):
        write_setup(str(tmp_path / "campaign"), found)
    assert not (tmp_path / "campaign").exists()
    nowhere = examine_setup(SetUp(tmp_path / "missing", corpus=tmp_path / "no.tsv"))
    assert not nowhere.sound
    assert nowhere.documents == 0


def test_output_in_the_wrong_script_is_told(tmp_path: Path, references: Path) -> None:
    folder = tmp_path / "oak"
    folder.mkdir()
    for number, file in enumerate(sorted(SYSTEMS[0][1].glob("*.xml"))):
        text = file.read_text(encoding="utf-8")
        if not number:
            start, end = text.index("<translation>") + 13, text.index("</translation>")
            text = text[:start] + "ذهب الولد إلى المدرسة" + text[end:]
        (folder / file.name).write_text(text, encoding="utf-8")
    found = examine_setup(SetUp(references, (("oak", folder),)))
    assert [one.code for one in found.problems] == ["output.wrong-script"]
    assert found.sound


@pytest.mark.long
def test_a_file_that_changes_between_looking_and_writing_stops_it(
    tmp_path: Path, references: Path
) -> None:
    found = examine_setup(SetUp(references, SYSTEMS))
    file = references / f"{FIRST}.madcat.xml"
    file.write_bytes(file.read_bytes() + b"\n")
    with pytest.raises(ConflictError) as caught:
        write_setup(str(tmp_path / "campaign"), found)
    assert caught.value.code == "campaign.changed-meanwhile"
    assert not (tmp_path / "campaign").exists()


@pytest.mark.long
def test_the_command_tells_and_writes_nothing_in_a_dry_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = tmp_path / "campaign"
    command = ["campaign", "create", str(where), "--documents", str(DEMO / "reference")]
    command += ["--system", f"juniper={SYSTEMS[0][1]}"]
    assert main([*command, "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "System juniper: 12 documents" in said
    assert "Nothing was written" in said
    assert not where.exists()
    assert main([*command, "--system", "juniper=elsewhere", "--dry-run"]) == 2
    assert main([*command, "--system", "nothing"]) == 2
    assert "Traceback" not in capsys.readouterr().err
    table = tmp_path / "corpus.tsv"
    assert main(["campaign", "corpus", str(DEMO / "reference"), str(table)]) == 0
    assert FIRST in table.read_text(encoding="utf-8")


# -- references that change afterwards ----------------------------------------------------------


def change(references: Path, base: str, old: str, new: str) -> Path:
    file = references / f"{base}.madcat.xml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return file


@pytest.mark.long
def test_a_changed_reference_is_found_told_and_taken_in(made: str, references: Path) -> None:
    assert changed_references(made, references) == ()
    with open_campaign(made) as campaign:
        before = campaign.contents.reference_words()[FIRST]
    change(references, FIRST, "<translation>", "<translation>Three more words ")
    examined = examine_setup(SetUp(references, corpus=DEMO / "corpus.tsv"), where=made)
    assert errors(examined) == ["store.reference-changed"]
    (found,) = changed_references(made, references)
    assert found.base == FIRST
    assert found.allowed
    assert "3 reference words more" in found.differences
    assert any("juniper, tamarisk" in line for line in found.consequences)
    replace_references(made, [found])
    assert changed_references(made, references) == ()
    with open_campaign(made) as campaign:
        assert campaign.contents.reference_words()[FIRST] == before + 3
        assert campaign.audit_trail()[0].action == "replace reference"


@pytest.mark.long
def test_what_follows_is_said_for_kits_and_a_claimed_one_refuses(
    made: str, references: Path
) -> None:
    from madcat_studio.model.campaign import Assignment, Editor, Kit, KitItem, Pass, Team

    with open_campaign(made) as campaign:
        for name in ("red", "blue"):
            campaign.plans.add_team(Team(name, (Editor(f"{name}1"), Editor(f"{name}2"))))
        campaign.plans.plan_kit(Kit("K1", (KitItem("juniper", FIRST),)))
        campaign.plans.assign(
            "K1", [Assignment("K1", t, f"{t}1", f"{t}2") for t in ("red", "blue")]
        )
        words = campaign.progress()[0].words
    change(references, FIRST, "<translation>", "<translation>More ")
    (found,) = changed_references(made, references)
    assert "kit K1 holds it (output of juniper); it has 1 word more" in found.consequences
    with open_campaign(made) as campaign:
        campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "m")
    with pytest.raises(ConflictError):
        replace_references(made, [found])
    (now,) = changed_references(made, references)
    assert "claimed" in now.refusal
    with pytest.raises(InputError) as caught:
        replace_references(made, [now])
    assert caught.value.code == "campaign.reference-refused"
    with open_campaign(made) as campaign:
        assert campaign.progress()[0].words == words


@pytest.mark.long
def test_other_segments_are_refused_and_other_bytes_alone_are_told(
    made: str, references: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(references, FIRST, 'id="s2"', 'id="s77"')
    second = FIRST.replace("SCR0001", "SCR0002")
    change(references, second, "</madcat>", "</madcat>\n")
    found = {one.base: one for one in changed_references(made, references)}
    assert "other segments" in found[FIRST].refusal
    assert any("only lines" in line for line in found[second].differences)
    assert found[second].allowed
    assert main(["campaign", "references", made, str(references)]) == 0
    assert "Nothing was written" in capsys.readouterr().out
    assert main(["campaign", "references", made, str(references), "--replace"]) == 2


# -- systems that come later ------------------------------------------------------------------


def test_two_systems_never_have_one_name(
    made: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["campaign", "add-system", made, "Juniper", str(SYSTEMS[0][1])]) == 2
    assert "differ by case alone" in capsys.readouterr().err
    assert main(["campaign", "add-system", made, "juniper", str(SYSTEMS[1][1])]) == 2
    assert "another output of system juniper" in capsys.readouterr().err
    assert main(["campaign", "add-system", made, "oak", str(SYSTEMS[1][1])]) == 0
    with open_campaign(made) as campaign:
        assert [one.name for one in campaign.contents.systems()] == ["juniper", "oak", "tamarisk"]


@pytest.mark.long
def test_plans_that_cannot_be_say_which_rule_binds(
    made: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    propose = ["campaign", "propose-plan", made, "--write"]
    assert main(propose) == 2
    assert "there is no team" in capsys.readouterr().err
    assert main(["campaign", "plan", made, "--teams", str(DEMO / "teams.tsv")]) == 0
    assert main([*propose, "--kit-words", "100"]) == 2
    assert "more than a kit may have" in capsys.readouterr().err
    assert main([*propose, "--kit-words", "3000"]) == 2
    assert "it would be in a kit twice" in capsys.readouterr().err
    assert main([*propose, "--absent", "T1", "--absent", "T2", "--absent", "T3"]) == 2
    assert "there is 1 team besides 3 that are away" in capsys.readouterr().err
    assert main([*propose, "--anew", "--kit-words", "0"]) == 2
    capsys.readouterr()
    assert main(["campaign", "propose-plan", made]) == 0
    assert "Nothing was written" in capsys.readouterr().out
    assert main(["campaign", "select", made, "control"]) == 2
    assert "no scores of an earlier phase" in capsys.readouterr().err
    with open_campaign(made) as campaign:
        assert campaign.plans.kits() == ()
