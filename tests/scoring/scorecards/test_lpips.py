"""The real loading path of LPIPS, with a backbone of random weights that is made here.

Numbers from a random backbone are not LPIPS; the tests are about loading, shape and masking.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from madcat_studio.errors import FormatError, InputError, WorldError
from madcat_studio.scoring.scorecards import lpips

SHAPES = {
    "features.0": (64, 3, 11),
    "features.3": (192, 64, 5),
    "features.6": (384, 192, 3),
    "features.8": (256, 384, 3),
    "features.10": (256, 256, 3),
}
HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="the extra lpips is not installed")


def backbone(seed: int = 1):
    import torch

    generator = torch.Generator().manual_seed(seed)
    weights = {}
    for name, (out, inner, size) in SHAPES.items():
        weights[f"{name}.weight"] = 0.05 * torch.randn(out, inner, size, size, generator=generator)
        weights[f"{name}.bias"] = 0.01 * torch.randn(out, generator=generator)
    return weights


def heads():
    import torch

    return {
        f"lin{number}.model.1.weight": torch.full((1, out, 1, 1), 0.1)
        for number, (out, _, _) in enumerate(SHAPES.values())
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> tuple[Path, Path]:
    import torch

    folder = tmp_path_factory.mktemp("lpips")
    torch.save(backbone(), folder / "random.pth")
    torch.save(heads(), folder / "heads.pth")
    return folder / "random.pth", folder / "heads.pth"


def image(seed: int, height: int = 96, width: int = 128) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


@needs_torch
def test_equal_images_have_no_distance(files) -> None:
    distance = lpips.Distance(*files)
    found = distance.map(image(1), image(1))
    assert found.shape == (96, 128)
    assert found.max() == 0
    assert distance.backbone == "random.pth"
    assert len(distance.sha256) == 64


@needs_torch
def test_the_map_is_symmetric_and_local(files) -> None:
    distance = lpips.Distance(*files)
    first = image(1, 256, 384)
    second = first.copy()
    second[:64, :64] = 255 - second[:64, :64]
    found = distance.map(first, second)
    assert np.allclose(found, distance.map(second, first))
    assert found[:64, :64].mean() > 20 * found[192:, 256:].mean()


@needs_torch
def test_the_map_is_that_of_plain_convolutions(files) -> None:
    """The same layers written out with torch's modules."""
    import torch

    distance = lpips.Distance(*files)
    first, second = image(3), image(4)
    weights = backbone()

    def features(pixels: np.ndarray):
        values = torch.from_numpy(pixels).permute(2, 0, 1)[None].float() / 127.5 - 1
        shift = torch.tensor([-0.030, -0.088, -0.188]).view(1, 3, 1, 1)
        scale = torch.tensor([0.458, 0.448, 0.450]).view(1, 3, 1, 1)
        values = (values - shift) / scale
        strides, paddings = (4, 1, 1, 1, 1), (2, 2, 1, 1, 1)
        for number, (name, (out, inner, size)) in enumerate(SHAPES.items()):
            if number in (1, 2):
                values = torch.nn.MaxPool2d(3, 2)(values)
            layer = torch.nn.Conv2d(inner, out, size, strides[number], paddings[number])
            layer.weight.data, layer.bias.data = weights[f"{name}.weight"], weights[f"{name}.bias"]
            values = torch.relu(layer(values))
            yield values

    expected = torch.zeros(1, 1, 96, 128)
    with torch.no_grad():
        for left, right in zip(features(first), features(second), strict=True):
            left = torch.nn.functional.normalize(left, dim=1, eps=1e-10)
            right = torch.nn.functional.normalize(right, dim=1, eps=1e-10)
            difference = 0.1 * ((left - right) ** 2).sum(1, keepdim=True)
            expected += torch.nn.functional.interpolate(
                difference, size=(96, 128), mode="bilinear", align_corners=False
            )
    assert np.allclose(distance.map(first, second), expected[0, 0].numpy(), atol=1e-5)


@needs_torch
@pytest.mark.skipif(importlib.util.find_spec("lpips") is None, reason="lpips is not installed")
def test_the_packages_own_heads_are_found(files) -> None:
    distance = lpips.Distance(files[0])
    assert distance.map(image(1), image(2)).mean() > 0


@needs_torch
def test_images_of_other_sizes_are_refused(files) -> None:
    distance = lpips.Distance(*files)
    with pytest.raises(InputError) as caught:
        distance.map(image(1), image(1, 96, 127))
    assert caught.value.code == "scorecards.image-size"
    with pytest.raises(InputError):
        distance.map(image(1, 40, 40), image(1, 40, 40))


@needs_torch
@pytest.mark.parametrize("what", ["text", "list", "other", "shape", "nan", "code"])
def test_files_that_are_no_backbone(files, tmp_path: Path, what: str) -> None:
    import pickle

    import torch

    path = tmp_path / "bad.pth"
    weights = backbone()
    if what == "text":
        path.write_text("not weights")
    elif what == "list":
        torch.save([1, 2], path)
    elif what == "other":
        torch.save({"x": torch.zeros(1)}, path)
    elif what == "shape":
        weights["features.3.weight"] = weights["features.3.weight"][:, :1]
        torch.save(weights, path)
    elif what == "nan":
        weights["features.0.bias"][0] = float("nan")
        torch.save(weights, path)
    else:

        class Evil:
            def __reduce__(self):
                return (Path.touch, (tmp_path / "ran",))

        path.write_bytes(pickle.dumps(Evil()))
    with pytest.raises(FormatError) as caught:
        lpips.Distance(path, files[1])
    assert caught.value.code == "scorecards.bad-model"
    assert not (tmp_path / "ran").exists()


@needs_torch
def test_no_such_backbone(files, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        lpips.Distance(tmp_path / "none.pth", files[1])
    assert caught.value.code == "scorecards.no-model"


def test_without_the_packages_the_extra_is_named(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(lpips, "find_spec", lambda name: None)
    with pytest.raises(WorldError) as caught:
        lpips.Distance(tmp_path / "any.pth")
    assert caught.value.code == "scorecards.no-lpips"
