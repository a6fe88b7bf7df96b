"""Speaks the protocol of docs/segmenters.md for kraken: one page in, its lines out.

It runs in kraken's own environment and knows nothing of the program that started it.
"""

import json
import os
import sys


def _told(done, total):
    print(f"progress {done}/{total}", file=sys.stderr, flush=True)


def _clipped(points, width, height):
    return [[min(max(int(x), 0), width), min(max(int(y), 0), height)] for x, y in points]


def main():
    """Answer one question."""
    asked = json.load(sys.stdin)
    if (asked.get("protocol"), asked.get("version")) != ("madcat-segmenter", 1):
        sys.exit("this adapter speaks version 1 of madcat-segmenter")
    # What libraries print must not get between the braces of the answer.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    _told(0, 4)
    from kraken.configs import SegmentationInferenceConfig
    from kraken.tasks import SegmentationTaskModel
    from PIL import Image

    _told(1, 4)
    model = SegmentationTaskModel.load_model(asked["model"])
    _told(2, 4)
    way = "horizontal-rl" if asked["right_to_left"] else "horizontal-lr"
    with Image.open(asked["image"]) as image:
        found = model.predict(image.convert("RGB"), SegmentationInferenceConfig(text_direction=way))
    _told(4, 4)
    size = asked["width"], asked["height"]
    lines = []
    for line in found.lines:
        polygon = _clipped(line.boundary or [], *size)
        base = _clipped(line.baseline or [], *size)
        if asked["right_to_left"] and base and base[0][0] < base[-1][0]:
            base.reverse()
        if len({tuple(point) for point in polygon}) >= 3:
            whole = len({tuple(point) for point in base}) >= 2
            lines.append({"polygon": polygon, "baseline": base if whole else None})
    with answer:
        json.dump({"protocol": "madcat-segmenter", "version": 1, "lines": lines}, answer)


if __name__ == "__main__":
    main()
