"""A segmenter for the tests: it does what its first argument says, well or badly."""

import json
import subprocess
import sys
import time
from pathlib import Path

GOOD = {"protocol": "madcat-segmenter", "version": 1}


def rows(asked):
    """The rows that have ink, from right to left."""
    import numpy as np
    from PIL import Image

    with Image.open(asked["image"]) as image:
        assert image.format == "PNG"
        assert image.size == (asked["width"], asked["height"])
        dark = np.asarray(image.convert("L")) < 128
    there = np.concatenate([[False], dark.sum(axis=1) > 3, [False]])
    edges = np.flatnonzero(np.diff(there.astype(int))).reshape(-1, 2).tolist()
    lines = []
    for top, bottom in edges:
        if bottom - top < 12:
            continue
        columns = np.flatnonzero(dark[top:bottom].any(axis=0))
        left, right = int(columns[0]), int(columns[-1]) + 1
        box = [[right, top], [left, top], [left, bottom], [right, bottom]]
        base = [[right, bottom - 4], [left, bottom - 4]]
        lines.append({"polygon": box, "baseline": base if sys.argv[2:] != ["bare"] else None})
    return lines


def main():
    how = sys.argv[1]
    asked = json.load(sys.stdin)
    print("progress 1/2", file=sys.stderr, flush=True)
    if how == "rows":
        print(json.dumps(GOOD | {"lines": rows(asked)}))
    elif how == "says":
        print(sys.argv[2])
    elif how == "asked":
        print(json.dumps(asked), file=sys.stderr)
        sys.exit(1)
    elif how == "dies":
        print("Traceback", file=sys.stderr)
        print("MemoryError: no room for the model", file=sys.stderr)
        sys.exit(3)
    elif how == "hangs":
        # A child that holds the output open, too.
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", sys.argv[-1]])
        time.sleep(600)
    elif how == "floods":
        while True:
            sys.stdout.write("x" * 65_536)
    elif how == "chatters":
        for number in range(20_000):
            print(f"epoch {number}", file=sys.stderr)
        print(json.dumps(GOOD | {"lines": []}))
    elif how == "escapes":
        code = "import time; time.sleep(600)"
        child = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
        Path(sys.argv[2]).write_text(str(child.pid), "ascii")
        print(json.dumps(GOOD | {"lines": []}))
    elif how == "leaves":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", sys.argv[-1]])
        print(json.dumps(GOOD | {"lines": []}))


main()
