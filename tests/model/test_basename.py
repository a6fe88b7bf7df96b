"""BASE, and what it says."""

from __future__ import annotations

import pytest

from madcat_studio.model.basename import BaseName


@pytest.mark.parametrize(
    ("base", "parts"),
    [
        ("AAW_ARB_20070121.0096_8_LDC0108", ("AAW_ARB_20070121.0096", "8", "LDC0108")),
        # The last three parts count: a source document's name has underscores of its own.
        ("a_b_12_3_S-1.x", ("a_b_12", "3", "S-1.x")),
        ("a_0012_S", ("a", "0012", "S")),
        ("مقال_1_كاتب", ("مقال", "1", "كاتب")),
    ],
)
def test_a_base_tells_its_source_page_and_scribe(base: str, parts: tuple[str, ...]) -> None:
    found = BaseName.of(base)
    assert found is not None
    assert (found.source_document, found.page, found.scribe) == parts
    assert "_".join(found) == base


@pytest.mark.parametrize(
    "base",
    [
        "",
        "a",
        "a_1",
        "1_S",
        "_1_S",
        "a_1_",
        "a__S",
        "a_x_S",
        "a_1x_S",
        "a_1.5_S",
        "a-1-S",
    ],
)
def test_a_name_of_another_form_tells_nothing(base: str) -> None:
    assert BaseName.of(base) is None
