from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import UsageError
from madcat_studio.formats.madcat import read
from madcat_studio.formats.schema import violations
from madcat_studio.operations.pages.derive import Release, derive_files, derive_input
from madcat_studio.pages.derive import Task

DATA = Path(__file__).parent.parent / "data" / "madcat"
NORMAL = DATA / "ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
ERRORS = DATA / "ZZN_ARB_20991231.0003_2_SCR0005.madcat.xml"


def derived(folder: Path, path: Path, task: Task) -> Path:
    target = folder / f"{path.name.removesuffix('.madcat.xml')}.{task.value}.madcat.xml"
    target.write_bytes(derive_input(path, task))
    return target


@pytest.mark.parametrize("task", Task)
def test_image_layer_and_names_stay(tmp_path: Path, task: Task) -> None:
    reference = read(NORMAL).document
    found = read(derived(tmp_path, NORMAL, task))
    assert found.problems == ()
    assert violations(found.source) == []
    document = found.document
    assert (document.id, document.src, document.scribe) == (
        reference.id,
        reference.src,
        reference.scribe,
    )
    assert [line.polygon for line in document.pages[0].lines] == [
        line.polygon for line in reference.pages[0].lines
    ]
    assert [s.id for s in document.segments()] == ["s1", "s2", "s3"]
    assert all(segment.translation is None for segment in document.segments())


def test_each_input_holds_what_table_6_leaves(tmp_path: Path) -> None:
    line = read(derived(tmp_path, NORMAL, Task.LINE)).document
    word = read(derived(tmp_path, NORMAL, Task.WORD)).document
    text = read(derived(tmp_path, NORMAL, Task.TEXT)).document
    assert [segment.zone_refs for segment in line.segments()] == [
        ["z0", "z1", "z2"],
        ["z2", "z3", "z4"],
        ["z4", "z5"],
    ]
    assert not list(line.pages[0].words())
    assert all(not segment.tokens for segment in line.segments())
    given = read(DATA / "ZZN_ARB_20991231.0001_1_SCR0001.wordseg.madcat.xml").document
    assert [(t.id, t.ref_id, t.source) for s in word.segments() for t in s.tokens] == [
        (t.id, t.ref_id, t.source) for s in given.segments() for t in s.tokens
    ]
    assert len(list(word.pages[0].words())) == 43
    assert all(segment.transcription is None for segment in word.segments())
    reference = read(NORMAL).document
    assert [s.transcription for s in text.segments()] == [
        s.transcription for s in reference.segments()
    ]
    assert [t.source for s in text.segments() for t in s.tokens] == [
        t.source for s in reference.segments() for t in s.tokens
    ]


def test_what_annotators_said_of_words_is_withheld_too(tmp_path: Path) -> None:
    word = read(derived(tmp_path, ERRORS, Task.WORD)).document
    tokens = next(word.segments()).tokens
    assert {token.status for token in tokens} == {""}
    assert "s1-3" not in [token.id for token in tokens]  # missing on paper


def test_comments_and_strange_attributes_do_not_come_along(tmp_path: Path) -> None:
    path = tmp_path / "B_1_S.madcat.xml"
    text = NORMAL.read_text(encoding="utf-8")
    secret = "The Minister of Culture"
    text = text.replace("<page ", f'<!-- {secret} --><?x {secret}?><page hint="{secret}" ')
    text = text.replace("</zone>", f"<note>{secret}</note></zone>")
    path.write_text(f"{text}<!-- {secret} -->", encoding="utf-8")
    for task in Task:
        assert secret.encode() not in derive_input(path, task)


def test_a_text_in_an_attribute_that_stays_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "B_1_S.madcat.xml"
    first = next(read(NORMAL).document.segments())
    text = NORMAL.read_text(encoding="utf-8").replace('id="z0"', f'id="{first.tokens[0].source}"')
    path.write_text(text, encoding="utf-8")
    (result,) = derive_files([path], tmp_path / "out", Task.WORD, Release())
    assert result.error is not None
    assert result.error.code == "derive.leak"
    assert not (tmp_path / "out").exists()
    (result,) = derive_files([path], tmp_path / "out", Task.TEXT, Release(image_tasks_closed=True))
    assert result.output is not None


def test_transcriptions_wait_for_the_image_tasks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    with pytest.raises(UsageError):
        list(derive_files([NORMAL], out, Task.TEXT, Release()))
    assert not out.exists()
    arguments = ["derive", str(NORMAL), "-o", str(out)]
    assert main([*arguments, "--task", "textseg"]) == 2
    assert "derive.not-released" in capsys.readouterr().err
    assert main([*arguments, "--task", "textseg", "--image-tasks-closed"]) == 0
    assert main([*arguments, "--task", "lineseg"]) == 2
    assert "derive.beside-text" in capsys.readouterr().err
    assert main([*arguments, "--task", "lineseg", "--image-tasks-closed"]) == 0
    assert main([*arguments, "--task", "lineseg", "--image-tasks-closed"]) == 2
    assert "derive.file-exists" in capsys.readouterr().err


def test_sequestered_passages_stay_in_every_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, listed = tmp_path / "corpus.tsv", tmp_path / "sequestered.txt"
    base = NORMAL.name.removesuffix(".madcat.xml")
    corpus.write_text(f"base\tpassage\n{base}\tP1\n{base}x\tP2\n")
    listed.write_text("# withheld\nP1\n")
    arguments = ["derive", str(NORMAL), str(ERRORS), "--task", "wordseg"]
    lists = ["--corpus", str(corpus), "--sequestered", str(listed)]
    assert main([*arguments, "-o", str(tmp_path / "a"), "--set", "training", *lists]) == 0
    out = capsys.readouterr().out
    assert "its passage P1 is sequestered" in out
    assert "does not say which passage it is" in out
    assert not (tmp_path / "a").exists()
    assert main([*arguments, "-o", str(tmp_path / "b"), "--set", "progress", *lists]) == 0
    assert len(list((tmp_path / "b").iterdir())) == 2
    assert main([*arguments, "-o", str(tmp_path / "c"), *lists[:2]]) == 2
    listed.write_text("P9\n")
    assert main([*arguments, "-o", str(tmp_path / "c"), *lists]) == 2
    assert "P9" in capsys.readouterr().err


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.madcat.xml"
    bad.write_text("<madcat>")
    out = tmp_path / "out"
    assert main(["derive", str(bad), str(NORMAL), "--task", "lineseg", "-o", str(out)]) == 2
    shown = capsys.readouterr()
    assert "xml.truncated" in shown.err
    assert "1 file written" in shown.out


def test_a_folder_that_cannot_be_made_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("x")
    place = tmp_path / "file" / "below"
    assert main(["derive", str(NORMAL), "--task", "lineseg", "-o", str(place)]) == 2
    assert "[file.no-folder]" in capsys.readouterr().err
