"""``ter`` and ``wer`` as their users run them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from madcat_studio.cli.app import main

MADCAT = Path(__file__).parents[1] / "data" / "madcat"


@pytest.fixture
def texts(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "out.txt").write_text(
        "d e f g h a b c\nhello world\n\nCrema per latticini\n", encoding="utf-8"
    )
    (tmp_path / "ref.txt").write_text(
        "a b c d e f g h\r\nhello, world.\r\nomitted line\r\nPanna", encoding="utf-8"
    )
    return str(tmp_path / "out.txt"), str(tmp_path / "ref.txt")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    shown = capsys.readouterr()
    return status, shown.out.replace("\u202f", " "), shown.err


def test_ter(texts: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "ter", *texts, "--segments")
    assert status == 0
    assert "300.00 %" in out  # never clipped
    assert "53.33 %" in out  # 8 edits of 15 words, not the mean of the rates
    assert "above 100 %" in out
    assert "like:tercom-0.7.25" in out
    assert err == ""


def test_ter_as_json(texts: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "ter", *texts, "--format", "json")
    found = json.loads(out)
    assert found["total"]["edits"] == 8
    assert found["total"]["ter"] == 8 / 15
    assert [row["segment"] for row in found["segments"]] == ["1", "2", "3", "4"]
    assert found["segments"][0]["shifts"] == 1


def test_ter_as_csv(
    texts: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "scores.csv"
    assert run(capsys, "ter", *texts, "--out", str(target))[0] == 0
    with target.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert rows[3]["segment"] == "4"
    assert rows[3]["ter"] == "3.0"
    status, _, err = run(capsys, "ter", *texts, "--out", str(tmp_path / "scores.pdf"))
    assert status == 2
    assert "scoring.form" in err


def test_no_reference_words_is_not_a_rate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "o").write_text("a\n", encoding="utf-8")
    (tmp_path / "r").write_text("\u064b\n", encoding="utf-8")
    both = str(tmp_path / "o"), str(tmp_path / "r")
    for command in ("ter", "wer"):
        _, out, _ = run(capsys, command, *both, "--remove-diacritics", "--format", "json")
        found = json.loads(out)
        assert found["total"][command] == "n/a"
        assert found["total"]["edits"] == 1
        assert "n/a" in run(capsys, command, *both, "--remove-diacritics")[1]


def test_the_beam_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [f"w{number}" for number in range(60)]
    (tmp_path / "o").write_text(" ".join(words[:5] + words[26:]) + "\n", encoding="utf-8")
    (tmp_path / "r").write_text(" ".join(words) + "\n", encoding="utf-8")
    both = str(tmp_path / "o"), str(tmp_path / "r")
    found = json.loads(run(capsys, "ter", *both, "--format", "json")[1])
    assert found["total"]["edits"] == 23
    assert "beam:20" in found["signature"]
    exact = json.loads(run(capsys, "ter", *both, "--exact", "--format", "json")[1])
    assert exact["total"]["edits"] == 21
    assert "beam:none" in exact["signature"]
    assert "no beam" in exact["notes"][0]


@pytest.mark.parametrize("switch", [["--distance", "-1"], ["--beam", "-1"], ["--jobs", "0"]])
def test_numbers_that_make_no_sense(
    texts: tuple[str, str], switch: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "ter", *texts, *switch)[:2] == (2, "")
    assert run(capsys, "wer", *texts, "--confusions", "-1")[:2] == (2, "")


def test_replay(texts: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "ter", *texts, "--replay", "1")
    assert status == 0
    assert "shift 1    [a b c] d e f g h   (3 words, 5 left)" in out
    status, _, err = run(capsys, "ter", *texts, "--replay", "9")
    assert status == 2
    assert "no segment '9'" in err


def test_foreign_blanks_are_warned_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "o").write_text("a\u00a0b\n", encoding="utf-8")
    (tmp_path / "r").write_text("a b\n", encoding="utf-8")
    both = str(tmp_path / "o"), str(tmp_path / "r")
    _, out, err = run(capsys, "ter", *both, "--format", "json")
    assert json.loads(out)["total"]["edits"] == 2
    assert "in 1 output (U+00A0 1 time); 2 edits fewer with --nfkc" in err
    assert (
        json.loads(run(capsys, "ter", *both, "--nfkc", "--format", "json")[1])["total"]["edits"]
        == 0
    )


SWITCHES = {
    "--no-case": ("CAT", "cat"),
    "--no-normalise": ("a ,", "a,"),
    "--no-punctuation": ("a,", "a"),
    "--remove-diacritics": ("كَتب", "كتب"),
    "--remove-tatweel": ("كـتب", "كتب"),
    "--fold-alef": ("أب", "اب"),
    "--fold-yeh": ("على", "علي"),
    "--fold-teh-marbuta": ("مدرسة", "مدرسه"),
    "--fold-digits": ("٣", "3"),
    "--remove-format-characters": ("\u200fمحمد\u200e", "محمد"),
    "--nfkc": ("ﬁn", "fin"),
}


@pytest.mark.parametrize("switch", SWITCHES)
@pytest.mark.parametrize("command", ["ter", "wer"])
def test_each_switch_acts_and_is_signed(
    command: str, switch: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if command == "wer" and switch == "--no-normalise":
        switch, pair = "--normalise", ("a ,", "a,")
    else:
        pair = SWITCHES[switch]
    for name, text in zip("or", pair, strict=True):
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    both = str(tmp_path / "o"), str(tmp_path / "r")
    off = json.loads(run(capsys, command, *both, "--format", "json")[1])
    on = json.loads(run(capsys, command, *both, switch, "--format", "json")[1])
    assert (off["total"]["edits"] == 0) != (on["total"]["edits"] == 0)
    assert off["signature"] != on["signature"]


def test_ids_decide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "o.tsv").write_text("id\ttext\nB\tx y\nA\tz\n", encoding="utf-8")
    (tmp_path / "r.jsonl").write_text(
        '{"id": "A", "text": "z"}\n{"segment": "B", "text": "x"}\n', encoding="utf-8"
    )
    both = str(tmp_path / "o.tsv"), str(tmp_path / "r.jsonl")
    found = json.loads(run(capsys, "ter", *both, "--format", "json")[1])
    assert [(row["segment"], row["edits"]) for row in found["segments"]] == [("B", 1), ("A", 0)]


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("o.txt", b"one\n", "scoring.lines-differ"),
        ("o.txt", b"a\0b\nx\n", "scoring.not-text"),
        ("o.txt", "كتب\nx\n".encode("cp1256"), "scoring.not-utf8"),
        ("o.txt", "a\nb\n".encode("utf-16"), "scoring.not-text"),
        ("o.tsv", b"id\ttext\nA\tx\nA\ty\n", "scoring.duplicate-ids"),
        ("o.tsv", b"id\ttext\nA\tx\nC\ty\n", "scoring.ids-differ"),
        ("o.tsv", b"name\ntext\n", "table."),
        ("o.jsonl", b'{"id": "A"}\n', "scoring.json-text"),
        ("o.jsonl", b'{"text": "x"}\n', "scoring.no-id"),
        ("o.xml", b"<madcat>", "xml."),
    ],
)
@pytest.mark.parametrize("command", ["ter", "wer"])
def test_bad_input(
    command: str,
    name: str,
    content: bytes,
    code: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / name).write_bytes(content)
    (tmp_path / "r.txt").write_text("a\nb\n", encoding="utf-8")
    status, out, err = run(capsys, command, str(tmp_path / name), str(tmp_path / "r.txt"))
    assert status == 2
    assert out == ""
    assert "Traceback" not in err
    assert f"[{code}" in err
    assert run(capsys, command, str(tmp_path / "none"), str(tmp_path / "r.txt"))[0] == 2


def test_ids_that_do_not_match_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "o.tsv").write_text("id\ttext\nonly-out\tx\nA\ty\n", encoding="utf-8")
    (tmp_path / "r.tsv").write_text("id\ttext\nonly-ref\tx\nA\ty\n", encoding="utf-8")
    for command in ("ter", "wer"):
        _, _, err = run(capsys, command, str(tmp_path / "o.tsv"), str(tmp_path / "r.tsv"))
        assert "1 without output (only-ref); 1 without reference (only-out)" in err


def test_a_lone_surrogate_in_json_is_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "o.jsonl").write_bytes(b'{"id": "A", "text": "a\\ud800"}\n')
    (tmp_path / "r.jsonl").write_bytes('{"id": "A", "text": "a\ufffd"}\n'.encode())
    for command in ("ter", "wer"):
        found = run(
            capsys, command, *(str(tmp_path / f"{x}.jsonl") for x in "or"), "--format", "json"
        )[1]
        assert json.loads(found)["total"]["edits"] == 0


def test_wer(texts: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "wer", *texts, "--nist", "--confusions", "2")
    assert status == 0
    assert "weights:nist" in out
    assert "latticini" in out
    found = json.loads(run(capsys, "wer", *texts, "--format", "json")[1])
    assert found["total"]["wer"] == found["total"]["edits"] / 13
    assert "metric" in found
    characters = json.loads(run(capsys, "wer", *texts, "--characters", "--format", "json")[1])
    assert characters["metric"] == "CER"
    assert characters["signature"].startswith("CER|")


def test_sclite_listings(
    texts: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pra, total = tmp_path / "w.pra", tmp_path / "w.sum"
    assert run(capsys, "wer", *texts, "--nist", "--out", str(pra))[0] == 0
    assert pra.read_text(encoding="utf-8").startswith(
        "id: (1)\nScores: (#C #S #D #I) 5 0 3 3\n"
        "REF:  a b c d e f g h * * *\n"
        "HYP:  * * * d e f g h a b c\n"
        "Eval: D D D           I I I\n"
    )
    assert run(capsys, "wer", *texts, "--nist", "--out", str(total))[0] == 0
    lines = total.read_text(encoding="utf-8").splitlines()
    assert len({len(line) for line in lines}) == 1
    assert "| Sum/Avg |      4     13 |" in lines[-2]
    assert run(capsys, "ter", *texts, "--out", str(pra))[0] == 2


def test_madcat_files(capsys: pytest.CaptureFixture[str]) -> None:
    reference = next(MADCAT.rglob("*0001_1_SCR0001.madcat.xml"))
    output = reference.with_name(reference.name.replace(".madcat.", ".linesys.madcat."))
    same = str(reference), str(reference)
    for command in ("ter", "wer"):
        found = json.loads(run(capsys, command, *same, "--format", "json")[1])
        assert found["total"]["edits"] == 0
        assert found["total"]["words"] > 10
        assert "/s" in found["segments"][0]["segment"]
    status, out, err = run(capsys, "wer", str(output), str(reference), "--format", "json")
    assert (status == 0 and json.loads(out)["total"]["edits"] > 0) or "ids-differ" in err


def test_transcripts_of_sclite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = Path(__file__).parent.parent / "data" / "sclite"
    expected = json.loads((data / "two.json").read_text(encoding="utf-8"))
    files = str(data / "two.ctm"), str(data / "two.stm")
    for switches, told in (((), "False"), (("--optional-words",), "True")):
        found = json.loads(run(capsys, "wer", *files, "--format", "json", *switches)[1])
        assert {
            row["segment"]: [row[name] for name in _COUNTED] for row in found["segments"]
        } == expected[told]
        assert "weights:nist|alternatives:" in found["signature"]
    said, heard = tmp_path / "r.trn", tmp_path / "h.trn"
    said.write_text(";; made\n{ a / b } c (uh) (s_1)\n", encoding="utf-8")
    heard.write_text("b c (s_1)\n", encoding="utf-8")
    assert (
        json.loads(run(capsys, "wer", str(heard), str(said), "--format", "json")[1])["total"][
            "edits"
        ]
        == 1
    )
    found = run(capsys, "wer", str(heard), str(said), "--format", "json", "--optional-words")[1]
    assert json.loads(found)["total"]["edits"] == 0


_COUNTED = ("matches", "substitutions", "deletions", "insertions")


@pytest.mark.parametrize(
    ("output", "reference", "told"),
    [
        ("a (s_1)", "{ a (s_1)", "segment s_1, reference: a brace is not closed"),
        ("a } (s_1)", "a (s_1)", "segment s_1, output: a brace is inside"),
        ("a", "a (s_1)", "h.trn:1: the line has no id"),
        ("a (s_2)", "a (s_1)", "do not have the same segments"),
    ],
)
def test_bad_transcripts(
    output: str, reference: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said, heard = tmp_path / "r.trn", tmp_path / "h.trn"
    said.write_text(reference, encoding="utf-8")
    heard.write_text(output, encoding="utf-8")
    status, _, err = run(capsys, "wer", str(heard), str(said))
    assert (status, told in err) == (2, True), err


def test_words_by_time_need_segments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = Path(__file__).parent.parent / "data" / "sclite"
    for files in (("two.stm", "two.ctm"), ("two.ctm", "two.ctm")):
        status, _, err = run(capsys, "wer", *(str(data / name) for name in files))
        assert status == 2
        assert "a CTM file has words and times, but no segments" in err


def test_alternatives_in_other_files_are_read_when_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said, heard = tmp_path / "r.txt", tmp_path / "h.txt"
    said.write_text("{ a / b } c\n", encoding="utf-8")
    heard.write_text("b c\n", encoding="utf-8")
    files = str(heard), str(said)
    assert json.loads(run(capsys, "wer", *files, "--format", "json")[1])["total"]["edits"] == 4
    found = json.loads(run(capsys, "wer", *files, "--format", "json", "--alternatives")[1])
    assert found["total"]["edits"] == 0
