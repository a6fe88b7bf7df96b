"""The original's command, file by file and byte by byte."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.cli.tercom import parse_arguments
from madcat_studio.errors import InputError, UsageError
from madcat_studio.operations.scores.tercom import run_tercom
from madcat_studio.operations.scores.tercom_task import TercomStop

DATA = Path(__file__).parents[1] / "data" / "tercom"
CASES = sorted(folder.name for folder in DATA.iterdir())
# This search calls its inner loop less often than the original's.
COUNTERS = ("Number of calls to beam search", "Number of shifts tried")


def test_number_of_cases() -> None:
    assert len(CASES) == 46


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = json.loads((DATA / name / "case.json").read_text(encoding="utf-8"))
    wanted = {path.name: path.read_bytes() for path in (DATA / name).glob("out.*")}
    for path in (DATA / name).iterdir():
        if path.name not in wanted:
            shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    status = 0
    try:
        run_tercom(parse_arguments(case["args"], said.append), said.append, lambda _: None)
    except TercomStop:
        status = 1
    assert status == case["exit"]
    output = (DATA / name / "stdout.txt").read_text(encoding="utf-8").splitlines()
    assert said == [line for line in output if not line.startswith(COUNTERS)]
    written = {path.name: path.read_bytes() for path in tmp_path.glob("out.*")}
    if "out.xml" in written:
        written["out.xml"] = re.sub(
            rb'creation_date="[^"]*"', b'creation_date="*"', written["out.xml"]
        )
    assert written == wanted


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("trans")])
def test_numbers_alone(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without alignments another way is taken, and the bytes are the same."""
    case = json.loads((DATA / name / "case.json").read_text(encoding="utf-8"))
    for path in (DATA / name).glob("*.txt"):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    for outputs in ("ter", "ter,sum,sum_nbest"):
        said: list[str] = []
        try:
            task = parse_arguments([*case["args"], "-o", outputs], said.append)
            run_tercom(task, said.append, lambda _: None)
        except TercomStop:
            assert case["exit"] == 1
        output = (DATA / name / "stdout.txt").read_text(encoding="utf-8").splitlines()
        assert "\n".join(said).split("\n") == [
            line for line in output if not line.startswith(COUNTERS)
        ]
        for path in tmp_path.glob("out.*"):
            assert path.read_bytes() == (DATA / name / path.name).read_bytes()
        assert (tmp_path / "out.ter").exists()


def write(folder: Path, hyp: str, ref: str) -> list[str]:
    (folder / "h").write_text(hyp, encoding="utf-8")
    (folder / "r").write_text(ref, encoding="utf-8")
    return ["-r", str(folder / "r"), "-h", str(folder / "h")]


def run(arguments: list[str], *, strict: bool = False) -> tuple[list[str], list[str]]:
    said: list[str] = []
    warned: list[str] = []
    run_tercom(parse_arguments(arguments, said.append), said.append, warned.append, strict=strict)
    return said, warned


@pytest.mark.parametrize(
    ("hyp", "ref", "told"),
    [
        ("a (1)\nno id\n", "a (1)\n", "h:2: a line without a final (id): no id"),
        ("a\u2028b (1)\na (2)\n", "a (2)\n", "h:1: a line without a final (id)"),
        ("a (1)\nb (1)\n", "a (1)\n", "only the first of 2 texts of 1"),
        ("a (1)\n", "a (1)\nb (2)\n", "1 segments without hypothesis (2)"),
        (
            '<tstset setid="s">\n<doc docid="d">\n<seg id="1">a & b\nc</seg>\n</doc>\n</tstset>\n',
            '<refset setid="s">\n<doc docid="d">\n<seg id="1">a & b</seg>\n</doc>\n</refset>\n',
            "text of segment [d][0001] after its first line",
        ),
        (
            '<tstset setid="s">\n<doc docid="d">\n<seg id="1">a\u0085b &</seg>\n'
            '<seg id="2">&</seg>\n</doc>\n</tstset>\n',
            '<refset setid="s">\n<doc docid="d">\n<seg id="2">&</seg>\n</doc>\n</refset>\n',
            "h:3: a line with U+0085, U+2028 or U+2029",
        ),
        (
            '<tstset setid="s">\n<doc docid="d">\n<seg id="1">&</seg><seg id="2">b</seg>\n'
            "</doc>\n</tstset>\n",
            '<refset setid="s">\n<doc docid="d">\n<seg id="1">&</seg>\n</doc>\n</refset>\n',
            "h:3: what follows </seg> on its line",
        ),
    ],
)
def test_losses_are_told(hyp: str, ref: str, told: str, tmp_path: Path) -> None:
    arguments = write(tmp_path, hyp, ref)
    _, warned = run(arguments)
    assert any(told in warning for warning in warned), warned
    with pytest.raises(InputError, match=r"tercom\.dropped"):
        run(arguments, strict=True)


def test_nothing_lost_nothing_told(tmp_path: Path) -> None:
    said, warned = run(write(tmp_path, "a b (1)\n", "a (1)\n"), strict=True)
    assert warned == []
    assert "Total TER: 1.0 (1.0/1.0)" in said


def test_bytes_that_are_not_utf8_are_told(tmp_path: Path) -> None:
    arguments = write(tmp_path, "x", "a (1)\n")
    (tmp_path / "h").write_bytes("b\nكتب (1)\n".encode("cp1256"))
    _, warned = run(arguments)
    assert any("h:2: bytes that are not UTF-8, the first at 2" in one for one in warned)


def test_totals_of_nothing(tmp_path: Path) -> None:
    assert "Total TER: NaN (0.0/0.0)" in run(write(tmp_path, "(1)\n", "(1)\n"))[0]
    assert "Total TER: Infinity (2.0/0.0)" in run(write(tmp_path, "a b (1)\n", "(1)\n"))[0]


def test_an_id_is_cut_at_its_last_colon(tmp_path: Path) -> None:
    arguments = write(tmp_path, "a (d:1)\n", "a (d:1)\n")
    with pytest.raises(TercomStop, match="segment d has no reference"):
        run(arguments)


def test_a_lost_line_can_make_the_file_no_sgml(tmp_path: Path) -> None:
    """The start of a segment goes and its end stays: Trans lines then, which it has none of."""
    hyp = '<tstset setid="s"><doc docid="d">\n<seg id="1">a\u2028b\n</seg>\n</doc>\n</tstset>\n'
    ref = '<refset setid="s">\n<doc docid="d">\n<seg id="1">&</seg>\n</doc>\n</refset>\n'
    with pytest.raises(TercomStop, match="is Trans text"):
        run(write(tmp_path, hyp.replace("a", "&"), ref))


def test_spans(tmp_path: Path) -> None:
    arguments = write(tmp_path, "a b (1)\n", "a b (1)\n")
    (tmp_path / "s.hyp").write_text("0:0 1:1 (1)\n", encoding="utf-8")
    (tmp_path / "s.ref").write_text("0:0 5:5 (1)\n", encoding="utf-8")
    said, _ = run([*arguments, "-S", str(tmp_path / "s")])
    assert "Total TER: 1.0 (2.0/2.0)" in said
    (tmp_path / "s.ref").write_text("0:0 (1)\n", encoding="utf-8")
    said, warned = run([*arguments, "-S", str(tmp_path / "s")])
    assert "Total TER: 0.0 (0.0/2.0)" in said  # the word without a span may meet any other
    assert any("2 words and 1 spans" in one for one in warned)
    with pytest.raises(UsageError, match="2 words and 1 spans"):
        run([*arguments, "-S", str(tmp_path / "s")], strict=True)
    for span in ("0:0 1-1", "0:0 1:99999999999"):
        (tmp_path / "s.ref").write_text(f"{span} (1)\n", encoding="utf-8")
        with pytest.raises(UsageError, match="is not a span"):
            run([*arguments, "-S", str(tmp_path / "s")])


def test_spans_go_along_by_an_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hyp ``c b`` and ref ``a a a b`` take a second shift only where the spans are put back."""
    arguments = write(tmp_path, "c b (1)\n", "a a a b (1)\n")
    (tmp_path / "s.hyp").write_text("2:3 0:0 (1)\n", encoding="utf-8")
    (tmp_path / "s.ref").write_text("0:3 3:4 1:2 2:5 (1)\n", encoding="utf-8")
    out = tmp_path / "out"
    arguments += ["-s", "-S", str(tmp_path / "s"), "-o", "pra,pra_more", "-n", str(out)]
    paths = []
    for option in ([], ["--moving-spans"]):
        assert main(["tercom", *arguments, *option]) == 0
        listing = out.with_suffix(".pra").read_text(encoding="utf-8")
        paths.append((listing.count("  ["), re.findall(r"Alignment: \((.*)\)", listing)))
        assert (
            out.with_suffix(".pra_more").read_text(encoding="utf-8").count("Shift [")
            == (paths[-1][0])
        )
    assert paths == [(2, ["SDD "]), (1, ["SDDS"])]
    assert capsys.readouterr().err == ""


def test_a_seg_without_a_number(tmp_path: Path) -> None:
    sgml = '<tstset setid="s"><doc docid="d"><seg id="x">a</seg></doc></tstset>'
    with pytest.raises(InputError, match=r"tercom\.number"):
        run(write(tmp_path, sgml, sgml))


@pytest.mark.parametrize(
    "arguments",
    [[], ["-r", "r"], ["x", "-r", "r", "-h", "h"], ["-r", "-h", "h"], ["-r", "r", "-h"]],
)
def test_usage(arguments: list[str]) -> None:
    said: list[str] = []
    with pytest.raises(TercomStop, match="usage"):
        parse_arguments(arguments, said.append)
    assert said[-1].startswith("** Usage: java -jar tercom.jar [-N]")


def test_only_the_first_letter_counts() -> None:
    task = parse_arguments(["-ref", "r", "-hyp", "h", "-Normal", "-z", "-beam", "3"], print)
    assert (task.reference, task.hypothesis) == ("r", "h")
    assert task.options.normalise
    assert not task.options.case_sensitive
    assert task.options.beam == 3
    assert task.prefix is None


@pytest.mark.parametrize(
    "number",
    ["one", "nan", "inf", "infinity", "1_0", "1dd", "1e", "0x1", "0x1p", "x", "", " ", ".", "١"],
)
def test_what_java_takes_for_no_number(number: str) -> None:
    with pytest.raises(TercomStop, match="not a number"):
        parse_arguments(["-r", "r", "-h", "h", "-I", number], print)


@pytest.mark.parametrize(
    ("number", "value"),
    [
        *(("1d", 1.0), ("1F", 1.0), ("0x1p0", 1.0), ("0x.8P+1f", 1.0), ("1.", 1.0), (".5", 0.5)),
        *((" +2e-1D\t", 0.2), ("0", 0.0), ("007", 7.0)),
    ],
)
def test_numbers_as_java_reads_them(number: str, value: float) -> None:
    task = parse_arguments(["-r", "r", "-h", "h", "-T", number], print)
    assert task.options.costs.shift == value


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", "0x1p99999", " -1"])
def test_costs_that_nothing_comes_of(number: str) -> None:
    with pytest.raises(UsageError, match=r"scoring\.cost"):
        parse_arguments(["-r", "r", "-h", "h", "-D", number], print)


@pytest.mark.parametrize(
    ("number", "value"), [("+5", 5), ("٢٠", 20), ("2147483647", 2**31 - 1), ("007", 7)]
)
def test_whole_numbers_as_java_reads_them(number: str, value: int) -> None:
    assert parse_arguments(["-r", "r", "-h", "h", "-b", number], print).options.beam == value


@pytest.mark.parametrize("number", ["x", "1d", " 1", "1_0", "2147483648", "1.0", "", "\U0001d7d3"])
def test_what_java_takes_for_no_whole_number(number: str) -> None:
    with pytest.raises(TercomStop, match="not a whole number"):
        parse_arguments(["-r", "r", "-h", "h", "-d", number], print)


def test_shifts_for_nothing_that_never_end_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Each shift gives the errors another place and mends none.
    arguments = write(tmp_path, "a a b (1)\n", "a b b (1)\n")
    assert main(["tercom", *arguments, "-T", "0", "-n", str(tmp_path / "out")]) == 2
    assert "scoring.endless" in capsys.readouterr().err
    assert not list(tmp_path.glob("out*"))


def test_files_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = write(tmp_path, "a b (1)\n", "a (1)\n")
    (tmp_path / "out.ter").mkdir()
    (tmp_path / "file").write_bytes(b"")
    for prefix, outputs, reason in (
        ("out", "ter", "Is a directory"),
        ("out", "ter,sum", "Is a directory"),
        ("file/out", "ter", "Not a directory"),
        ("none/out", "ter", "No such file or directory"),
    ):
        path = f"{tmp_path / prefix}.ter"
        command = ["tercom", "-s", *arguments, "-o", outputs, "-n", str(tmp_path / prefix)]
        assert main(command) == 0
        shown = capsys.readouterr()
        lines = shown.out.splitlines()
        at = lines.index(f"java.io.FileNotFoundException: {path} ({reason})")
        assert lines[at + 1] == "Processing 1:1"
        assert "Total TER: 1.0 (1.0/1.0)" in lines
        assert f"not written: {path}" in shown.err
        assert main([*command, "--strict"]) == 2
        assert "tercom.cannot-write" in capsys.readouterr().err
    assert (tmp_path / "out.sum").exists()


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = write(tmp_path, "a b (1)\nlost\n", "a (1)\n")
    assert main(["tercom", *arguments, "-o", "ter", "-n", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr()
    assert "Total TER: 1.0 (1.0/1.0)" in shown.out
    assert "lost" in shown.err
    assert (tmp_path / "out.ter").read_text(encoding="utf-8").endswith("1:1 1.0 1.0 1.0\n")
    assert not (tmp_path / "out.sum").exists()
    assert main(["tercom", *arguments, "--strict"]) == 2
    assert main(["tercom", "-r", str(tmp_path / "r")]) == 1
    assert "usage" in capsys.readouterr().err
    assert main(["tercom", "-r", str(tmp_path / "none"), "-h", str(tmp_path / "h")]) == 2
