"""Quick alignments are made at once, all others in a worker; the newest text is what counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from madcat_studio.errors import InputError
from madcat_studio.gui.editor import aligner
from madcat_studio.gui.editor.aligner import SegmentAligner
from madcat_studio.model.campaign import KitSegment, SegmentName, SegmentState
from madcat_studio.operations.scores.alignments import Aligned, align_segment
from madcat_ter.options import TerOptions

OPTIONS = TerOptions()


def segment(name: str) -> KitSegment:
    return KitSegment(
        name=SegmentName("D", name),
        reference="a b c",
        output="a c b",
        transcription=None,
        first=None,
        text=None,
        state=SegmentState.UNTOUCHED,
    )


class Seen:
    """What an aligner told."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.errors: list[BaseException] = []
        self.aligner = SegmentAligner(self._done, self.errors.append)

    def _done(self, aligned: Aligned) -> None:
        self.texts.append(aligned.own.alignment.text)


@pytest.fixture
def seen(qapp):
    made = Seen()
    yield made
    made.aligner.close()


@pytest.fixture
def takes(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    def set_seconds(seconds: float) -> None:
        def aligned(output: str, first: str | None, text: str, options: TerOptions) -> Aligned:
            if text == "refused":
                raise InputError("scoring.too-long", "too long")
            real = align_segment(output, first, text, options)
            return Aligned(real.output, real.first, seconds)

        monkeypatch.setattr(aligner, "align_segment", aligned)

    return set_seconds


def test_what_is_quick_is_aligned_at_once_from_the_second_time_on(seen, takes, qtbot) -> None:
    takes(0.001)
    one, other = segment("1"), segment("2")
    seen.aligner.align(one, "a b", OPTIONS)
    assert seen.texts == [], "nobody knows yet how long it takes"
    qtbot.waitUntil(lambda: seen.texts == ["a b"])
    seen.aligner.align(one, "a b x", OPTIONS)
    assert seen.texts == ["a b", "a b x"]
    seen.aligner.align(other, "b", OPTIONS)
    assert seen.texts == ["a b", "a b x"], "another segment may take longer"
    qtbot.waitUntil(lambda: seen.texts[-1] == "b")


def test_what_is_slow_stays_in_the_worker(seen, takes, qtbot) -> None:
    takes(1.0)
    one = segment("1")
    for text in ("a", "b"):
        seen.aligner.align(one, text, OPTIONS)
        assert seen.aligner.busy
        qtbot.waitUntil(lambda text=text: seen.texts[-1:] == [text])
    takes(0.001)
    seen.aligner.align(one, "c", OPTIONS)
    qtbot.waitUntil(lambda: seen.texts[-1] == "c")
    takes(1.0)
    seen.aligner.align(one, "d", OPTIONS)
    assert seen.texts[-1] == "d"
    seen.aligner.align(one, "e", OPTIONS)
    assert seen.texts[-1] == "d", "it was too slow at the last time"
    qtbot.waitUntil(lambda: seen.texts[-1] == "e")


def test_a_text_that_is_refused_is_told_either_way(seen, takes, qtbot) -> None:
    takes(0.001)
    one = segment("1")
    seen.aligner.align(one, "refused", OPTIONS)
    qtbot.waitUntil(lambda: len(seen.errors) == 1)
    seen.aligner.align(one, "a", OPTIONS)
    qtbot.waitUntil(lambda: seen.texts == ["a"])
    seen.aligner.align(one, "refused", OPTIONS)
    assert len(seen.errors) == 2
