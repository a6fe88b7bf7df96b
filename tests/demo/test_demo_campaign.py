"""The demo's campaign: tables, outputs and post-edits hold what its README says."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from madcat_studio import paths
from madcat_studio.formats import madcat
from madcat_studio.formats.tables import Table, read_plain_rows, read_table
from madcat_studio.model.campaign import TeamText
from madcat_studio.model.document import Segment
from madcat_ter.hter import Outcome, SegmentScore, score_segment
from madcat_ter.ter import ter

DEMO = paths.resources() / "demo"
FILES = Path(__file__).parents[2] / "docs" / "files.md"

COLUMNS = {
    "corpus.tsv": "base source_document passage manuscript page scribe exposure set track",
    "teams.tsv": "team editor name",
    "kits.tsv": "kit system base",
    "assignments.tsv": "kit team first reviewer",
    "edits.tsv": "kit team pass editor segment state text",
    "earlier/corpus.tsv": "base source_document passage manuscript page scribe exposure set track",
    "earlier/finals.tsv": "system segment team first reviewer first_text final_text",
    "earlier/hter.tsv": "system base passage genre edits words hter",
}


def table(name: str) -> Table:
    return read_table(DEMO / name, required=COLUMNS[name].split())


def segments(kind: str, folder: str) -> dict[str, Segment]:
    """Segments by name, of all files of one kind in a folder."""
    found = {}
    suffix = f".{kind}.madcat.xml" if kind else ".madcat.xml"
    for path in sorted((DEMO / folder).glob(f"*{suffix}")):
        read = madcat.read(path)
        assert not read.problems
        assert read.document.id == madcat.base_of(path)
        for segment in read.document.segments():
            found[f"{read.document.id}/{segment.id}"] = segment
    return found


@pytest.fixture(scope="module")
def references() -> dict[str, str]:
    return {name: found.translation or "" for name, found in segments("", "reference").items()}


@pytest.fixture(scope="module")
def outputs() -> dict[str, dict[str, str]]:
    return {
        system: {
            name: found.translation or ""
            for name, found in segments("linesys", f"systems/{system}_1").items()
        }
        for system in ("juniper", "tamarisk")
    }


@pytest.fixture(scope="module")
def texts() -> dict[tuple[str, str, str, str], tuple[str, str]]:
    """(state, text) by kit, segment, team and pass."""
    return {
        (row["kit"], row["segment"], row["team"], row["pass"]): (row["state"], row["text"])
        for row in table("edits.tsv").rows
    }


@pytest.fixture(scope="module")
def scores(
    references: dict[str, str],
    outputs: dict[str, dict[str, str]],
    texts: dict[tuple[str, str, str, str], tuple[str, str]],
) -> dict[tuple[str, str], SegmentScore]:
    """Scores of the finished kits by kit and segment."""
    teams = defaultdict(list)
    for row in table("assignments.tsv").rows:
        teams[row["kit"]].append(row["team"])
    result = {}
    for row in table("kits.tsv").rows:
        if row["system"] != "juniper":
            continue
        for name in [name for name in references if name.startswith(f"{row['base']}/")]:
            of_teams = [
                TeamText(
                    team,
                    texts[row["kit"], name, team, "first"][1],
                    texts[row["kit"], name, team, "review"][1],
                )
                for team in teams[row["kit"]]
            ]
            score = score_segment(outputs["juniper"][name], references[name], of_teams)
            result[row["kit"], name] = score
    return result


@pytest.mark.parametrize("name", COLUMNS)
def test_tables_have_the_documented_columns(name: str) -> None:
    found = table(name)
    assert not found.problems
    assert found.rows
    described = re.search(rf"`{Path(name).name}` \| `([^`]+)`", FILES.read_text("utf-8"))
    assert described is not None
    assert described[1] == COLUMNS[name]


def test_the_corpus_names_every_file_once() -> None:
    rows = table("corpus.tsv").rows
    files = {madcat.base_of(path) for path in (DEMO / "reference").glob("*.madcat.xml")}
    assert [row["base"] for row in rows if row["base"] not in files] == []
    assert len(rows) == len(files) == 12
    assert Counter(row["passage"] for row in rows) == dict.fromkeys(
        ("railway", "flood", "radio", "village"), 3
    )
    assert Counter(row["exposure"] for row in rows) == {"exposed": 6, "unexposed": 6}
    for row in rows:
        document = madcat.read(DEMO / "reference" / f"{row['base']}.madcat.xml").document
        assert document.scribe == row["scribe"]
        assert document.genre == ("newswire" if row["passage"] in ("railway", "flood") else "web")


def test_passages_have_about_125_tokens() -> None:
    count = Counter[str]()
    for name, found in segments("", "reference").items():
        count[name.split("/")[0]] += len(found.tokens)
    assert all(115 <= tokens <= 135 for tokens in count.values())


def test_kits_have_about_600_words_and_each_passage_once(references: dict[str, str]) -> None:
    passage = {row["base"]: row["passage"] for row in table("corpus.tsv").rows}
    bases = defaultdict(list)
    systems = defaultdict(set)
    for row in table("kits.tsv").rows:
        bases[row["kit"]].append(row["base"])
        systems[row["kit"]].add(row["system"])
    assert len(bases) == 6
    for kit, own in bases.items():
        assert sorted(passage[base] for base in own) == ["flood", "radio", "railway", "village"]
        assert len(systems[kit]) == 1
        words = sum(
            len(text.split()) for name, text in references.items() if name.split("/")[0] in own
        )
        assert 550 <= words <= 650
    placed = Counter((row["system"], row["base"]) for row in table("kits.tsv").rows)
    assert set(placed.values()) == {1}
    assert len(placed) == 24


def test_every_pair_of_teams_has_one_kit_and_roles_alternate() -> None:
    editors = defaultdict(set)
    for row in table("teams.tsv").rows:
        editors[row["team"]].add(row["editor"])
    assert all(len(two) == 2 for two in editors.values())
    teams = defaultdict(list)
    firsts = defaultdict(list)
    for row in table("assignments.tsv").rows:
        teams[row["kit"]].append(row["team"])
        firsts[row["team"]].append(row["first"])
        assert {row["first"], row["reviewer"]} == editors[row["team"]]
    assert sorted(tuple(pair) for pair in teams.values()) == list(combinations(sorted(editors), 2))
    for order in firsts.values():
        assert all(one != other for one, other in pairwise(order))


def test_edits_are_by_the_assigned_editor() -> None:
    assigned = {(row["kit"], row["team"]): row for row in table("assignments.tsv").rows}
    system = {row["kit"]: row["base"] for row in table("kits.tsv").rows}
    assert set(system) >= {row["kit"] for row in table("edits.tsv").rows}
    for row in table("edits.tsv").rows:
        role = "first" if row["pass"] == "first" else "reviewer"
        assert row["editor"] == assigned[row["kit"], row["team"]][role]
        assert row["text"]


def test_how_far_the_kits_are(
    references: dict[str, str], texts: dict[tuple[str, str, str, str], tuple[str, str]]
) -> None:
    bases = defaultdict(set)
    for row in table("kits.tsv").rows:
        bases[row["kit"]].add(row["base"])
    done = Counter[tuple[str, str, str]]()
    drafts = Counter[tuple[str, str, str]]()
    for (kit, segment, team, stage), (state, _) in texts.items():
        assert segment in references
        assert segment.split("/")[0] in bases[kit]
        (done if state == "confirmed" else drafts)[kit, team, stage] += 1
    whole = 23
    finished = {
        (kit, team, stage)
        for kit, pair in {"K1": "12", "K2": "34", "K3": "13"}.items()
        for team in (f"T{number}" for number in pair)
        for stage in ("first", "review")
    }
    finished |= {("K4", "T2", "first"), ("K4", "T2", "review"), ("K4", "T4", "first")}
    assert {key for key, count in done.items() if count == whole} == finished
    assert {key for key in done if key not in finished} == {
        ("K4", "T4", "review"),
        ("K5", "T1", "first"),
    }
    assert drafts == {("K4", "T4", "review"): 1, ("K5", "T1", "first"): 4}


def test_the_first_system_lies_between_15_and_45(
    scores: dict[tuple[str, str], SegmentScore],
) -> None:
    choices = [score.choice() for score in scores.values()]
    rate = sum(choice.edits for choice in choices) / sum(choice.words for choice in choices)
    assert 0.15 < rate < 0.30
    assert sum(choice.outcome is Outcome.TIE for choice in choices) >= 3


def test_decisions_are_split_within_a_document(
    scores: dict[tuple[str, str], SegmentScore],
) -> None:
    winners = defaultdict(set)
    for (kit, name), score in scores.items():
        winners[kit, name.split("/")[0]].add(score.choice().credited)
    assert sum(won >= {0, 1} for won in winners.values()) >= 6


def test_a_reviewer_mends_what_the_first_editor_mistook(
    references: dict[str, str], texts: dict[tuple[str, str, str, str], tuple[str, str]]
) -> None:
    name = "DEMO_ARB_20480101.0001_1_SCR0001/s3"
    assert "187" in references[name]
    assert "178" in texts["K1", name, "T1", "first"][1]
    assert "187" in texts["K1", name, "T1", "review"][1]


def test_believable_errors(references: dict[str, str], outputs: dict[str, dict[str, str]]) -> None:
    juniper, tamarisk = outputs["juniper"], outputs["tamarisk"]
    assert set(juniper) == set(tamarisk) == set(references)
    perfect = "DEMO_ARB_20480101.0001_1_SCR0001/s3"
    assert juniper[perfect] == references[perfect]
    assert [name for name, text in tamarisk.items() if not text] == [
        "DEMO_ARB_20480103.0003_1_SCR0001/s6"
    ]
    assert all(juniper.values())
    assert "there were reports" in juniper["DEMO_ARB_20480102.0002_1_SCR0002/s3"]
    assert "430" in tamarisk["DEMO_ARB_20480101.0001_1_SCR0001/s1"]


def test_an_omission_where_the_beam_acts(
    references: dict[str, str],
    outputs: dict[str, dict[str, str]],
    texts: dict[tuple[str, str, str, str], tuple[str, str]],
) -> None:
    name = "DEMO_ARB_20480102.0002_1_SCR0004/s2"
    output, final = outputs["juniper"][name], texts["K2", name, "T4", "review"][1]
    assert len(references[name].split()) > 60
    assert len(final.split()) - len(output.split()) > 20
    assert "shepherds" not in output


def test_hands_are_read_differently(outputs: dict[str, dict[str, str]]) -> None:
    copies = ("SCR0001", "SCR0002", "SCR0003")
    for system in outputs.values():
        pages = {
            tuple(system[f"DEMO_ARB_20480101.0001_1_{scribe}/s{n}"] for n in range(1, 7))
            for scribe in copies
        }
        assert len(pages) == 3


@pytest.mark.parametrize("system", ["juniper", "tamarisk"])
def test_submissions_are_whole(system: str, references: dict[str, str]) -> None:
    for kind in ("linesys", "wordsys", "transys"):
        assert set(segments(kind, f"systems/{system}_1")) == set(references)
    gold = segments("", "reference")
    read = segments("linesys", f"systems/{system}_1")
    words = wrong = 0
    for name, found in read.items():
        wanted, got = gold[name].transcription or "", found.transcription or ""
        result = ter(got, [wanted])
        words += int(result.words)
        wrong += int(result.edits)
        assert found.zone_refs
    assert 0.03 < wrong / words < 0.25


def test_scribe_errors_name_tokens_of_the_pages() -> None:
    gold = segments("", "reference")
    rows = [fields for _, fields in read_plain_rows(DEMO / "scribe_errors.standoff.tsv")]
    assert [row[3] for row in rows] == ["typo", "typo", "missing", "extra"]
    for base, segment, token_id, error, written, intended in rows:
        (token,) = [t for t in gold[f"{base}/{segment}"].tokens if t.id == token_id]
        assert token.status == error
        assert token.source == (written if error == "extra" else intended)
        assert bool(token.ref_id) == (error != "missing")


def test_writing_conditions_name_every_page() -> None:
    rows = [fields for _, fields in read_plain_rows(DEMO / "writing_conditions.tab")]
    assert [row[0] for row in rows] == [row["base"] for row in table("corpus.tsv").rows]
    assert all(re.fullmatch("[IP][UL][NFC]", row[3]) for row in rows)


def test_the_defective_submission_is_defective_in_four_ways() -> None:
    good = {
        path.name: Counter(s.id for s in madcat.read(path).document.segments())
        for path in (DEMO / "systems" / "juniper_1").glob("*.linesys.madcat.xml")
    }
    bad = {
        path.name: Counter(s.id for s in madcat.read(path).document.segments())
        for path in (DEMO / "defective" / "juniper_2").glob("*.linesys.madcat.xml")
    }
    assert len(good) == 12
    assert [madcat.base_of(name) for name in good.keys() - bad.keys()] == [
        "DEMO_ARB_20480104.0004_1_SCR0002"
    ]
    differences = {
        (madcat.base_of(name), segment, bad[name][segment])
        for name in bad
        for segment in good[name] | bad[name]
        if good[name][segment] != bad[name][segment]
    }
    assert differences == {
        ("DEMO_ARB_20480101.0001_1_SCR0001", "s2", 2),
        ("DEMO_ARB_20480102.0002_1_SCR0002", "s4", 0),
        ("DEMO_ARB_20480103.0003_1_SCR0003", "s9", 1),
    }


def test_the_earlier_phase_adds_up() -> None:
    gold = segments("", "earlier/reference")
    output = {
        name: found.translation or ""
        for name, found in segments("linesys", "earlier/systems/larch_1").items()
    }
    finals = defaultdict(list)
    for row in table("earlier/finals.tsv").rows:
        text = TeamText(row["team"], row["first_text"], row["final_text"])
        finals[row["segment"]].append(text)
    rows = table("earlier/hter.tsv").rows
    assert {f"{row['base']}/s1" for row in rows} == set(gold) == set(output) == set(finals)
    for row in rows:
        name = f"{row['base']}/s1"
        score = score_segment(output[name], gold[name].translation or "", finals[name]).choice()
        assert (score.edits, score.words) == (float(row["edits"]), float(row["words"]))
        assert row["hter"] == f"{100 * score.edits / score.words:.2f}"
    corpus = table("earlier/corpus.tsv").rows
    sequestered = [fields for _, fields in read_plain_rows(DEMO / "earlier" / "sequestered.txt")]
    assert len({row["passage"] for row in corpus}) == 12
    assert len(sequestered) == 4
    assert sequestered == [[row["passage"]] for row in corpus if row["set"] == "progress"]
