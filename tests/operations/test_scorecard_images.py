"""IMTBench's prompts A and B from files to files: filtered, translated, and shown side by side."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import PIL.Image
import pytest

from tests.operations.test_scorecards import checked, run, sample, write_lines


def png(colour: str, size: tuple[int, int] = (40, 30), form: str = "PNG") -> bytes:
    stream = io.BytesIO()
    PIL.Image.new("RGB", size, colour).save(stream, form)
    return stream.getvalue()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def reply(image: bytes, **more: str) -> str:
    return json.dumps({"render_image": base64.b64encode(image).decode(), **more})


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "red.png").write_bytes(png("red"))
    (folder / "blue.png").write_bytes(png("blue"))
    return folder


def translate(judge: Any, samples: Path, out: Path) -> int:
    return run(
        "scorecard", "imtbench-translate", samples, "--out", out, "--model-url", judge.base,
        "--model", "m",
    )  # fmt: skip


def test_prompt_b_gives_the_images_that_are_scored(judge, sources, tmp_path, capsys) -> None:
    old = {"output_text": "old", "output_boxes": [[0, 0, 9, 9]], "naturalness": 9, "comet": 0.9}
    given = write_lines(
        sources / "set.jsonl",
        [
            sample("1", source_image="red.png", reference_image="blue.png", **old),
            sample("2", source_image="blue.png", reference_text="the door"),
            sample("3", source_image="none.png"),
            sample("4"),
        ],
    )
    judge.answers = [reply(png("green", form="JPEG")), f"```json\n{reply(b'no image')}\n```"]
    out = tmp_path / "made" / "ours.jsonl"
    out.parent.mkdir()
    assert translate(judge, given, out) == 0
    content = judge.bodies[0]["messages"][0]["content"]
    assert content[0]["text"].startswith("You are an expert in scene-text OCR")
    assert "↪" not in content[0]["text"]
    assert content[-1]["text"] == "Source language: ar\nTarget language: en"
    assert content[1]["image_url"]["url"].endswith(base64.b64encode(png("red")).decode())
    # An image needs more room than a verdict.
    assert judge.bodies[0]["max_tokens"] == 262_144
    counts = json.loads(capsys.readouterr().out.splitlines()[0])
    assert counts == {
        "translated": 1,
        "no image, not_an_image": 1,
        "no image, image_unreadable": 1,
        "no image, image_missing": 1,
    }
    first, second, _, fourth = lines(out)
    # What was of the output before is gone; files are named from where the new samples are.
    assert first == sample(
        "1", source_image="../set/red.png", reference_image="../set/blue.png",
        output_image="ours.images/00001.png",
    )  # fmt: skip
    with PIL.Image.open(out.parent / "ours.images" / "00001.png") as made:
        assert (made.format, made.size) == ("PNG", (40, 30))
    assert second["output_error"] == "not_an_image"
    assert "output_image" not in second
    assert second["reference_text"] == "the door"
    assert fourth["output_error"] == "image_missing"
    # What was paid is not paid again.
    asked = len(judge.bodies)
    assert translate(judge, given, out) == 0
    assert len(judge.bodies) == asked
    assert run("scorecard", "imtbench", out) == 0


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("", "empty_response"),
        ("here it is", "not_json"),
        ("[]", "not_an_object"),
        ("{}", "missing_render_image"),
        ('{"render_image": 7}', "bad_render_image"),
        ('{"render_image": " "}', "bad_render_image"),
        ('{"render_image": "data:image/png;base64,"}', "bad_render_image"),
        ('{"render_image": "!!!!"}', "not_base64"),
        ('{"render_image": "AAA"}', "not_base64"),
    ],
)
def test_a_reply_without_an_image_is_an_error_of_a_kind(content: str, error: str) -> None:
    from madcat_studio.scoring.scorecards.image_reply import read_image_reply

    found = read_image_reply(content)
    assert (found.image, found.error) == (None, error)


@pytest.mark.parametrize(
    ("content", "warnings"),
    [
        ('{"render_image": "QUJD"}', ()),
        ('{"render_image": "QU\\nJD"}', ()),
        ('```json\n{"render_image": "QUJD"}\n```', ("markdown_fence",)),
        ('{"render_image": "data:image/png;base64,QUJD"}', ("data_prefix",)),
        ('{"render_image": "QUJD", "text": "x"}', ("extra_keys",)),
    ],
)
def test_what_the_prompt_forbids_and_does_no_harm_is_told(content, warnings) -> None:
    from madcat_studio.scoring.scorecards.image_reply import read_image_reply

    found = read_image_reply(content)
    assert (found.image, found.warnings, found.error) == (b"ABC", warnings, None)


def decisions(path: Path, **valid: bool | None) -> Path:
    return write_lines(path, [{"sample_id": name, "valid": own} for name, own in valid.items()])


def scored(name: str, comet: float, **more: Any) -> dict[str, Any]:
    return sample(name, comet=comet, mask_lpips=0.5, naturalness=5, alignment=5, **more)


@pytest.mark.long
def test_with_and_without_the_filter_side_by_side(tmp_path: Path, capsys) -> None:
    path = write_lines(
        tmp_path / "system.jsonl", [scored("a", 1.0), scored("b", 0.2), scored("c", 0.0)]
    )
    kept = decisions(tmp_path / "kept.jsonl", a=True, b=False, c=None)
    out = tmp_path / "out"
    assert run("scorecard", "imtbench", path, "--filter", kept, "--out", out) == 0
    told = capsys.readouterr()
    assert "system: the filter decided nothing on 1 samples" in told.err
    assert "passed by the filter" in told.out
    value = checked(out / "imtbench.json", "imtbench")
    (found,) = value["systems"]
    assert found["overall"] == pytest.approx((0.4 + 1.5) / 4)
    assert found["passed_by_filter"]["overall"] == pytest.approx((1.0 + 1.5) / 4)
    assert found["passed_by_filter"]["all"]["n"] == 1
    [table] = [one for one in value["tables"] if one["name"] == "filtered"]
    assert [row[1:4] for row in table["rows"]] == [
        ["all", 3, pytest.approx(0.475)],
        ["passed by the filter", 1, pytest.approx(0.625)],
    ]
    assert "decisions of the filter" in value["input_sha256"]
    assert run("scorecard", "imtbench", path, "--out", out) == 0
    value = checked(out / "imtbench.json", "imtbench")
    assert value["systems"][0]["passed_by_filter"] is None
    assert "filtered" not in [one["name"] for one in value["tables"]]


@pytest.mark.parametrize("bad", [{"valid": "yes"}, {"valid": 1}, {"sample_id": None}])
def test_decisions_that_are_none_are_refused(tmp_path: Path, capsys, bad) -> None:
    path = write_lines(tmp_path / "system.jsonl", [scored("a", 1.0)])
    kept = write_lines(tmp_path / "kept.jsonl", [{"sample_id": "a", "valid": True, **bad}])
    assert run("scorecard", "imtbench", path, "--filter", kept) == 2
    told = capsys.readouterr().err
    assert "[scorecards.field]" in told
    assert f"{kept}:1" in told


def test_decisions_twice_for_one_sample_are_refused(tmp_path: Path, capsys) -> None:
    path = write_lines(tmp_path / "system.jsonl", [scored("a", 1.0)])
    kept = write_lines(tmp_path / "kept.jsonl", [{"sample_id": "a", "valid": True}] * 2)
    assert run("scorecard", "imtbench", path, "--filter", kept) == 2
    assert "[scorecards.sample-twice]" in capsys.readouterr().err


def test_images_stand_side_by_side_the_worst_first(judge, sources, tmp_path: Path) -> None:
    path = write_lines(
        sources / "system.jsonl",
        [
            scored("good", 1.0, source_image="red.png", output_image="blue.png"),
            scored(
                "bad", 0.0, source_image="red.png", reference_image="blue.png",
                output_image="red.png", output_text="the <door>",
            ),
            scored("none", 0.0, source_image="red.png"),
            scored("lost", 0.0, output_image="lost.png"),
        ],
    )  # fmt: skip
    out = tmp_path / "out"
    assert run("scorecard", "imtbench", path, "--out", out, "--formats", "html,json") == 0
    page = (out / "imtbench.html").read_text("utf-8")
    assert page.index('id="sample-1"') < page.index('id="sample-2"')
    assert "sample-3" not in page
    first = page[page.index('id="sample-1"') : page.index('id="sample-2"')]
    assert "system · source, reference, output · S 37.5 %" in first
    assert "the &lt;door&gt;" in first
    assert '<a href="#sample-1">' in page[page.index("<h2>Samples</h2>") :]
    data = first.partition("data:image/jpeg;base64,")[2].partition('"')[0]
    with PIL.Image.open(io.BytesIO(base64.b64decode(data))) as shown:
        assert shown.size == (3 * 40 + 2 * 12, 30)
        left, middle, right = (shown.getpixel((x, 15)) for x in (20, 72, 124))
    assert left[0] > 200 > left[2]
    assert middle[2] > 200 > middle[0]
    assert right[0] > 200 > right[2]


def test_each_prompt_is_shown(capsys) -> None:
    for letter, words in (
        ("A", "strict data quality inspector"),
        ("b", "scene-text OCR"),
        ("C", "localization QA specialist"),
    ):
        assert run("scorecard", "imtbench-prompt", letter) == 0
        assert words in capsys.readouterr().out
    assert run("scorecard", "imtbench-prompt", "D") == 2
    assert "[scorecards.prompt]" in capsys.readouterr().err
