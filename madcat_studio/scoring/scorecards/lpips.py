"""Learned perceptual distance (LPIPS) of two images as a map, with the user's own backbone file.

LPIPS (Zhang and others, CVPR 2018) compares features of AlexNet that are normalised over their
channels; the squared differences are weighted by learned heads, summed over five layers and
brought to the image's size. The heads come with the package ``lpips``; the backbone's weights
(``alexnet-owt-7be5be79.pth``) do not, and are never downloaded: the user names the file. Whoever
shows a number shows :attr:`Distance.backbone` and its hash with it: from other weights it is not
LPIPS.
"""

from __future__ import annotations

import hashlib
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from madcat_studio.errors import FormatError, InputError, WorldError

__all__ = ["Distance"]

# Channels, kernel, stride, padding of each convolution, and whether a pooling goes before it.
_LAYERS = (
    (3, 64, 11, 4, 2, False),
    (64, 192, 5, 1, 2, True),
    (192, 384, 3, 1, 1, True),
    (384, 256, 3, 1, 1, False),
    (256, 256, 3, 1, 1, False),
)
# Their names in the backbone file.
_NAMES = ("features.0", "features.3", "features.6", "features.8", "features.10")

# What the images are brought to before the backbone sees them, for values -1..1.
_SHIFT = (-0.030, -0.088, -0.188)
_SCALE = (0.458, 0.448, 0.450)

_TINY = 1e-10

SMALLEST = 64
"""Pixels of a side below which the backbone's last layer has nothing left."""


class Distance:
    """The distance of two images of the same size.

    Args:
        backbone: the file with AlexNet's weights.
        heads: the file with the learned heads; None: those of the package ``lpips``.

    Raises:
        WorldError: ``scorecards.no-lpips``: torch, or the package with the heads, is not there.
        InputError: ``scorecards.no-model``: no such file.
        FormatError: ``scorecards.bad-model``: the file holds no such weights.
    """

    def __init__(self, backbone: Path, heads: Path | None = None) -> None:
        if find_spec("torch") is None or (heads is None and find_spec("lpips") is None):
            raise WorldError(
                "scorecards.no-lpips",
                "the packages torch and lpips are not installed",
                remedy="Install them with: pip install 'madcat-studio[lpips]'",
            )
        import torch

        self._torch: Any = torch
        self.backbone = backbone.name
        """The name of the file that the weights came from."""
        weights = self._load(backbone)
        self.sha256 = hashlib.sha256(backbone.read_bytes()).hexdigest()
        """Of that file."""
        self._convolutions = [
            (self._tensor(weights, f"{name}.weight", backbone, (out, inner, size, size)),
             self._tensor(weights, f"{name}.bias", backbone, (out,)))
            for name, (inner, out, size, _, _, _) in zip(_NAMES, _LAYERS, strict=True)
        ]  # fmt: skip
        heads = heads or _packaged_heads()
        learned = self._load(heads)
        self._heads = [
            self._tensor(learned, f"lin{number}.model.1.weight", heads, (1, layer[1], 1, 1))
            for number, layer in enumerate(_LAYERS)
        ]
        self._shift = torch.tensor(_SHIFT).view(1, 3, 1, 1)
        self._scale = torch.tensor(_SCALE).view(1, 3, 1, 1)

    def _load(self, path: Path) -> dict[str, Any]:
        if not path.is_file():
            raise InputError("scorecards.no-model", "there is no such file", where=path)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of files by other programs; a bad one raises
                # Only tensors are read: a weights file must not run code.
                found = self._torch.load(str(path), map_location="cpu", weights_only=True)
        except Exception as error:
            raise self._bad(path, f"it cannot be read ({type(error).__name__})") from error
        if not isinstance(found, dict):
            raise self._bad(path, "it has no table of weights")
        return found

    def _tensor(
        self, weights: dict[str, Any], name: str, path: Path, shape: tuple[int, ...]
    ) -> Any:
        tensor = weights.get(name)
        if tensor is None:
            raise self._bad(path, f"it has no “{name}”")
        if tuple(getattr(tensor, "shape", ())) != shape:
            raise self._bad(path, f"“{name}” has another shape")
        if not bool(self._torch.isfinite(tensor).all()):
            raise self._bad(path, f"“{name}” has values that are not numbers")
        return tensor.float()

    @staticmethod
    def _bad(path: Path, reason: str) -> FormatError:
        return FormatError(
            "scorecards.bad-model",
            f"these are not the weights that are needed: {reason}",
            where=path,
            remedy="Give AlexNet's weights as published by torchvision",
        )

    def map(self, first: NDArray[np.uint8], second: NDArray[np.uint8]) -> NDArray[np.float64]:
        """The distance at each pixel, summed over the layers.

        Args:
            first: (height, width, 3), RGB.
            second: of the same shape.

        Raises:
            InputError: ``scorecards.image-size``: shapes differ, or an image is too small.
        """
        height, width = first.shape[:2]
        if first.shape != second.shape or first.shape[2:] != (3,):
            raise InputError("scorecards.image-size", "the images have different sizes")
        if min(height, width) < SMALLEST:
            raise InputError(
                "scorecards.image-size",
                f"an image of {width} × {height} pixels is too small to compare",
                remedy=f"Both sides need at least {SMALLEST} pixels",
            )
        torch = self._torch
        total = torch.zeros(1, 1, height, width)
        with torch.inference_mode():
            left, right = self._prepared(first), self._prepared(second)
            for number, layer in enumerate(_LAYERS):
                left, right = self._layer(left, number, layer), self._layer(right, number, layer)
                difference = (_unit(left) - _unit(right)) ** 2
                weighted = (self._heads[number] * difference).sum(dim=1, keepdim=True)
                total += torch.nn.functional.interpolate(
                    weighted, size=(height, width), mode="bilinear", align_corners=False
                )
        result: NDArray[np.float64] = total[0, 0].numpy().astype(np.float64)
        return result

    def _prepared(self, image: NDArray[np.uint8]) -> Any:
        values = self._torch.from_numpy(np.ascontiguousarray(image)).float()
        values = values.permute(2, 0, 1)[None] / 127.5 - 1
        return (values - self._shift) / self._scale

    def _layer(self, values: Any, number: int, layer: tuple[int, int, int, int, int, bool]) -> Any:
        functional = self._torch.nn.functional
        _, _, _, stride, padding, pooled = layer
        if pooled:
            values = functional.max_pool2d(values, kernel_size=3, stride=2)
        weight, bias = self._convolutions[number]
        return functional.relu(
            functional.conv2d(values, weight, bias, stride=stride, padding=padding)
        )


def _unit(features: Any) -> Any:
    """Features of length 1 over their channels."""
    return features / ((features**2).sum(dim=1, keepdim=True).sqrt() + _TINY)


def _packaged_heads() -> Path:
    spec = find_spec("lpips")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "weights" / "v0.1" / "alex.pth"
