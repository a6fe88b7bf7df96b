from __future__ import annotations

from dataclasses import replace

import pytest

from madcat_studio.errors import ConflictError, InputError, StudioError
from madcat_studio.model.campaign import (
    CampaignSegment,
    DataSet,
    ScribeError,
    System,
)
from madcat_studio.store import Campaign


def refused(code: str, kind: type[StudioError]) -> pytest.RaisesExc[StudioError]:
    return pytest.RaisesExc(kind, check=lambda error: error.code == code)


BASE = "A.x_1_S1"


def test_a_document_keeps_its_bytes_and_segments(campaign: Campaign) -> None:
    document = campaign.contents.document(BASE)
    assert document is not None
    assert (document.passage, document.data_set) == ("A", DataSet.EVALUATION)
    assert campaign.contents.blob(document.sha256) == f"<madcat>{BASE}</madcat>".encode()
    assert [one.name for one in campaign.contents.segments(BASE)] == ["s1", "s2"]
    assert campaign.contents.segments(BASE)[0].transcription == "جملة أولى"
    assert campaign.contents.document("absent") is None
    with refused("store.no-blob", InputError):
        campaign.contents.blob("0" * 64)


def test_adding_again_changes_nothing_and_a_changed_reference_is_refused(
    campaign: Campaign,
) -> None:
    contents = campaign.contents
    document = contents.document(BASE)
    assert document is not None
    content = contents.blob(document.sha256)
    segments = contents.segments(BASE)
    assert not contents.add_document(document, content, segments)
    with refused("store.reference-changed", ConflictError):
        contents.add_document(document, content + b" ", segments)
    with refused("store.corpus-changed", ConflictError):
        contents.add_document(replace(document, passage="B"), content, segments)
    assert contents.segments(BASE) == segments
    # An image that was missing may come later, and is kept once.
    assert contents.add_document(document, content, segments, b"image")
    assert not contents.add_document(document, content, segments, b"image")
    found = contents.document(BASE)
    assert found is not None
    assert found.image_sha256 == contents.add_blob(b"image")


def test_scribe_errors_mark_their_segments(campaign: Campaign) -> None:
    error = ScribeError(BASE, "s2", "s2-1", "typo", "الأربعا", "الأربعاء")
    assert campaign.contents.add_scribe_errors([error]) == 1
    assert campaign.contents.add_scribe_errors([error]) == 0
    assert campaign.contents.scribe_errors() == (error,)
    assert [one.scribe_error for one in campaign.contents.segments(BASE)] == [False, True]
    with refused("store.unknown-segment", InputError):
        campaign.contents.add_scribe_errors([replace(error, segment="s9")])


def test_two_systems_never_share_a_name_or_a_code(campaign: Campaign) -> None:
    contents = campaign.contents
    assert not contents.add_system(System("Alpha", "T1"))
    with refused("store.system-taken", ConflictError):
        contents.add_system(System("Alpha", "T9"))
    with refused("store.system-taken", ConflictError):
        contents.add_system(System("Gamma", "T1"))
    assert contents.add_system(System("Gamma", "T3", earlier=True))
    assert contents.systems() == (
        System("Alpha", "T1"),
        System("Beta", "T2"),
        System("Gamma", "T3", earlier=True),
    )


def test_outputs_say_what_is_missing(campaign: Campaign) -> None:
    contents = campaign.contents
    assert contents.outputs("Beta", BASE) == {"s1": "first sentence Beta", "s2": None}
    contents.add_system(System("Gamma", "T3"))
    assert contents.add_output("Gamma", BASE, b"file", {"s1": " \n ", "s2": None})
    assert contents.outputs("Gamma", BASE) == {"s1": "", "s2": None}
    assert not contents.add_output("Gamma", BASE, b"file", {"s1": "x"})
    with refused("store.output-changed", ConflictError):
        contents.add_output("Gamma", BASE, b"other", {"s1": "x"})
    with refused("store.unknown-segment", InputError):
        contents.add_output("Gamma", "B.x_1_S1", b"file", {"s1": "x", "s7": "y"})
    with refused("store.unknown-system", InputError):
        contents.add_output("Delta", BASE, b"file", {})
    with refused("store.unknown-document", InputError):
        contents.add_output("Gamma", "absent", b"file", {})
    assert list(contents.documents_of("Gamma")) == [BASE]


def test_any_text_comes_back_as_it_was(campaign: Campaign) -> None:
    odd = "\u200fa\u00a0b \U00010384 'quote' \\n % ; -- é e\u0301"
    document = campaign.contents.document(BASE)
    assert document is not None
    campaign.contents.add_document(
        replace(document, base="odd", passage="C", manuscript="C1"),
        b"odd",
        [CampaignSegment("s/1 #?", "1", odd, odd, 3, 4)],
    )
    assert campaign.contents.segments("odd")[0].reference == odd
