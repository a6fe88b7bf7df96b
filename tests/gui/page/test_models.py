from __future__ import annotations

import pytest

from madcat_studio.formats.madcat import read
from madcat_studio.gui.page.problems import ProblemModel, places_by_origin
from madcat_studio.gui.page.segments import SegmentModel, TokenModel
from madcat_studio.gui.theme import LIGHT
from tests.gui.helpers import BROKEN, NORMAL, SAMPLES


@pytest.mark.parametrize("name", [NORMAL, BROKEN])
def test_models_keep_qts_rules(qtmodeltester, qapp, name: str) -> None:
    opened = read(SAMPLES / f"{name}.madcat.xml")
    segments, tokens, problems = SegmentModel(), TokenModel(), ProblemModel()
    for model in (segments, tokens, problems):
        qtmodeltester.check(model, force_py=True)
    segments.set_document(opened.document)
    tokens.set_segment(opened.document.sections[0].segments[0], (0, 0), frozenset({0}))
    problems.set_problems(opened.problems * 3)
    problems.dress(LIGHT, 1.0)
    for model in (segments, tokens, problems):
        qtmodeltester.check(model, force_py=True)
    assert problems.rowCount() == 3 * len(opened.problems)


def test_every_element_has_its_place() -> None:
    document = read(SAMPLES / f"{NORMAL}.madcat.xml").document
    places = places_by_origin(document)
    kinds = [kind for kind, _ in places.values()]
    assert {kind: kinds.count(kind) for kind in sorted(set(kinds))} == {
        "line": 6,
        "page": 1,
        "segment": 3,
        "token": 43,
        "word": 43,
    }
