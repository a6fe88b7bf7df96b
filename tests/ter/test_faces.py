"""The engine as evaluate, jiwer, tables and quality estimation call it."""

from __future__ import annotations

import importlib
import random
import subprocess
import sys
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import jiwer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_ter.compute import compute
from madcat_ter.errors import InputError, UsageError
from madcat_ter.options import TerOptions, WerOptions
from madcat_ter.recognition import process_characters, process_words
from madcat_ter.tables import lists_of, texts_of
from madcat_ter.tags import quality_tags, tags_of
from madcat_ter.ter import ter, ter_counts

texts = st.lists(st.sampled_from("abc"), min_size=1, max_size=9).map(" ".join)


@pytest.mark.long
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5))
def test_what_jiwer_tells(pairs: list[tuple[str, str]]) -> None:
    references, hypotheses = map(list, zip(*pairs, strict=True))
    wanted, found = (
        module.process_words(references, hypotheses)
        for module in (jiwer, importlib.import_module("madcat_ter.recognition"))
    )
    for name in ("wer", "mer", "wil", "wip", "hits", "substitutions", "insertions", "deletions"):
        assert getattr(found, name) == getattr(wanted, name), name
    assert found.references == wanted.references
    assert found.hypotheses == wanted.hypotheses
    assert [[asdict(chunk) for chunk in one] for one in found.alignments] == [
        [asdict(chunk) for chunk in one] for one in wanted.alignments
    ]


@given(texts, texts)
def test_characters_as_jiwer(reference: str, hypothesis: str) -> None:
    wanted = jiwer.process_characters(reference, hypothesis)
    found = process_characters(reference, hypothesis)
    assert (found.cer, found.hits, found.insertions) == (wanted.cer, wanted.hits, wanted.insertions)


def test_recognition_where_a_side_is_empty() -> None:
    nothing, one = process_words("", ""), process_words("", "a b")
    assert (nothing.wer, nothing.mer, nothing.wip) == (0.0, 0.0, 1.0)
    assert (one.wer, one.mer, one.wip, one.wil) == (None, 1.0, 0.0, 1.0)
    missed = process_words("a b", "")
    assert (missed.wer, missed.mer, missed.wip) == (1.0, 1.0, 0.0)


def test_compute_ter() -> None:
    outputs, references = ["a b", "d e f"], [["a b c", "a b"], ["d e f"]]
    assert compute(predictions=outputs, references=references) == {
        "score": 0.0,
        "num_edits": 0.0,
        "ref_length": 5.5,
    }
    switched = compute(
        predictions=["A b."], references=["a b ."], options=TerOptions(case_sensitive=False)
    )
    assert switched["score"] == 0.0


@pytest.mark.parametrize("metric", ["wer", "cer"])
def test_compute_recognition(metric: str) -> None:
    outputs, references = ["a b c", "x"], ["a b", "x y z"]
    found = compute(predictions=outputs, references=references, metric=metric)
    wanted = getattr(jiwer, metric)(references, outputs)
    assert found["score"] == pytest.approx(100 * wanted, abs=1e-12)


@pytest.mark.long
@given(
    st.lists(st.tuples(texts, texts), min_size=1, max_size=5),
    st.sampled_from(["ter", "wer", "cer"]),
)
def test_bounded_rates_lie_between_nothing_and_all(
    pairs: list[tuple[str, str]], metric: str
) -> None:
    outputs, references = map(list, zip(*pairs, strict=True))
    asked: dict[str, Any] = {"predictions": outputs, "references": references, "metric": metric}
    score, free = compute(**asked, bounded=True)["score"], compute(**asked)["score"]
    assert score is not None
    assert free is not None
    assert 0 <= score <= min(100, free)


def test_bounded_is_worked_by_hand() -> None:
    # 3 edits; 4 words against 1: the longer one has 4. Then 1 edit among 3.
    found = compute(predictions=["a x x x", "a b"], references=["a", "a b c"], bounded=True)
    assert found == {"score": 100 * (4 / 7), "num_edits": 4.0, "ref_length": 7.0}


@pytest.mark.parametrize(
    ("given_", "code"),
    [
        ({"metric": "bleu"}, "scoring.metric"),
        ({"options": WerOptions()}, "scoring.options"),
        ({"metric": "wer", "options": TerOptions()}, "scoring.options"),
        ({"references": ["a", "b"]}, "scoring.unequal"),
        ({"references": [["a", "b"]], "metric": "wer"}, "scoring.one-reference"),
        ({"predictions": "a"}, "scoring.bare-string"),
        ({"predictions": 3}, "scoring.not-text"),
        ({"predictions": [float("nan")]}, "scoring.not-text"),
        ({"references": [3]}, "scoring.not-text"),
        ({"references": [["a", 3]]}, "scoring.not-text"),
        ({"references": [[None]]}, "scoring.no-reference"),
    ],
)
def test_compute_refuses(given_: dict[str, Any], code: str) -> None:
    with pytest.raises((InputError, UsageError)) as caught:
        compute(**{"predictions": ["a"], "references": ["a"], **given_})
    assert caught.value.code == code


class Column:
    """What the columns of pandas, polars and Arrow have in common with no list."""

    def __init__(self, name: str, rows: list[Any]) -> None:
        setattr(self, name, lambda: rows)


@pytest.mark.parametrize("name", ["to_pylist", "to_list", "tolist"])
def test_columns_are_taken_as_they_come(name: str) -> None:
    assert texts_of(Column(name, ["a", "b"]), "outputs") == ["a", "b"]
    assert lists_of(Column(name, [["a", None], "b"]), "references") == [["a"], ["b"]]


def test_columns_of_real_libraries() -> None:
    assert texts_of(np.array(["a", "b"]), "outputs") == ["a", "b"]
    for library in ("pandas", "polars", "pyarrow"):
        module = pytest.importorskip(library) if library in sys.modules else None
        if module is not None:
            make = getattr(module, "Series", None) or module.array
            assert texts_of(make(["a", "b"]), "outputs") == ["a", "b"]


@pytest.mark.parametrize(
    "table",
    [{"text": ["a"]}, {"a"}, SimpleNamespace(columns=["text"]), SimpleNamespace(column_names=[])],
)
def test_a_whole_table_is_no_column(table: object) -> None:
    with pytest.raises(InputError, match="not one column of texts") as caught:
        compute(predictions=table, references=["text"])
    assert caught.value.remedy == 'Pass a list, or name the column: table["text"]'
    with pytest.raises(InputError, match="row 1 of references"):
        compute(predictions=["text"], references=[{"text": "a"}])


def test_a_missing_value_is_told_by_its_row() -> None:
    with pytest.raises(InputError, match=r"row 2 of outputs is a float \(nan\)"):
        texts_of(["a", float("nan")], "outputs")


def test_quality_tags() -> None:
    [tags] = quality_tags(["a b x c d"], ["y a b c d"], TerOptions())
    assert tags.tokens == ("a", "b", "x", "c", "d")
    assert tags.words == ("OK", "OK", "BAD", "OK", "OK")
    assert tags.gaps == ("BAD", "OK", "OK", "OK", "OK", "OK")
    assert tags.interleaved()[:6] == ("BAD", "OK", "OK", "OK", "OK", "BAD")
    assert len(tags.interleaved()) == 11


@pytest.mark.long
@given(texts, texts)
def test_tags_count_what_the_alignment_counts(output: str, edited: str) -> None:
    [tags] = quality_tags([output], [edited])
    counts = ter_counts([output], [[edited]], TerOptions(max_shift_distance=0)).counts[0]
    insertions, deletions, substitutions = counts[:3].tolist()
    assert tags.words.count("BAD") == insertions + substitutions
    assert (tags.gaps.count("BAD") > 0) == (deletions > 0)
    assert len(tags.gaps) == len(tags.words) + 1


def test_tags_of_a_shifted_output_are_refused() -> None:
    with pytest.raises(ValueError, match="without shifts"):
        tags_of(ter("d e f g h a b c", ["a b c d e f g h"]))


def test_nothing_of_the_studio_and_nothing_heavy_is_loaded() -> None:
    program = (
        "import sys, madcat_ter.ter, madcat_ter.wer, madcat_ter.compute, madcat_ter.recognition,"
        " madcat_ter.tags, madcat_ter.hter, madcat_ter.hygiene, madcat_ter.signature\n"
        "tops = {name.partition('.')[0] for name in sys.modules}\n"
        "print(sorted(tops - set(sys.stdlib_module_names) - {'__main__'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    found = set(eval(done.stdout))
    assert {"madcat_ter", "numpy"} <= found
    # What the editable installation and the site's own start-up files bring is theirs.
    assert not found & {
        *("madcat_studio", "scipy", "rapidfuzz", "lxml", "matplotlib", "sacrebleu", "pandas"),
        *("typer", "rich", "sqlalchemy", "PySide6", "PIL", "shapely"),
    }


def test_random_texts_are_scored_alike_by_all_faces() -> None:
    rng = random.Random(5)
    outputs = [" ".join(rng.choices("abcde", k=12)) for _ in range(20)]
    references = [" ".join(rng.choices("abcde", k=12)) for _ in range(20)]
    counts = ter_counts(outputs, [[text] for text in references])
    found = compute(predictions=outputs, references=references, jobs=2)
    assert counts.rate is not None
    assert found["score"] == 100 * counts.rate
