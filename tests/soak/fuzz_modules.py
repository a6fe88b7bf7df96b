"""Fuzz the compiled modules from Python under sanitizers:
``python tests/soak/fuzz_modules.py [SECONDS] [SEED]``.

Builds the engine with the address and the undefined-behaviour sanitizers into a folder of its own,
and calls the module of texts and the searches with lists, tuples, types derived from str, objects
that are no texts, and damaged bytes. Each answer must be that of the twin in Python, or an error
that a caller can catch. Exit status 1 is a finding.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ENGINE = Path(__file__).parents[2] / "engine"
SANITIZED = "-fsanitize=address,undefined -fno-sanitize-recover=all -D_GLIBCXX_ASSERTIONS"
LETTERS = [*"ab .,-'s\"<>&()09\t\n\r\x0b\x00", "é", "\u2028", "\x85", "كتب", "\U0001f600", "&amp;"]


def main(seconds: float = 600, seed: int = 1) -> int:
    compiler = shutil.which("g++")
    if compiler is None:
        print("no g++: nothing to fuzz")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        build = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target"]
        subprocess.run(
            [*build, f"{folder}/engine", "-C", f"build-dir={folder}/build", str(ENGINE)],
            env={
                **os.environ,
                "CXX": compiler,
                "CXXFLAGS": SANITIZED,
                "LDFLAGS": "-fsanitize=address,undefined",
                "MADCAT_TER_REQUIRE_KERNEL": "1",
            },
            check=True,
        )
        return drive(compiler, f"{folder}/engine", seconds, seed)


def drive(compiler: str, engine: str, seconds: float, seed: int) -> int:
    """Call the modules of a sanitized engine, in a process that loads the sanitizers first."""
    libraries = [
        subprocess.run(
            [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so", "libstdc++.so")
    ]
    return subprocess.run(
        # Without the finder of an editable installation, which would come first.
        [sys.executable, "-S", __file__, "--call", str(seconds), str(seed)],
        env={
            **os.environ,
            "LD_PRELOAD": " ".join(libraries),
            # Python keeps much to its end, and its own memory hides what is read beyond an object.
            "ASAN_OPTIONS": "detect_leaks=0",
            "PYTHONMALLOC": "malloc",
            "PYTHONPATH": os.pathsep.join((engine, sysconfig.get_path("purelib"))),
        },
        check=False,
    ).returncode


class Derived(str):
    """A str that answers otherwise; the words are taken as they are all the same."""

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return False


def call(seconds: float, seed: int) -> int:
    from madcat_ter.kernel import _ter, _text, python, python_text  # the sanitized ones

    assert _text.__file__.startswith(os.environ["PYTHONPATH"].split(os.pathsep)[0])
    searches = [_ter]
    if _ter.has_avx2():
        from madcat_ter.kernel import _ter_avx2

        searches.append(_ter_avx2)
    rng = random.Random(seed)
    end = time.monotonic() + seconds
    calls = errors = 0

    def text() -> str:
        return "".join(rng.choices(LETTERS, k=rng.randrange(30)))

    def some(make: Callable[[], Any], most: int) -> list[Any]:
        return [make() for _ in range(rng.randrange(most))]

    def words() -> Any:
        found: list[Any] = [
            str(rng.randrange(1 + rng.randrange(40))) for _ in range(rng.randrange(40))
        ]
        kind = rng.randrange(12)
        if kind == 0 and found:
            found[rng.randrange(len(found))] = rng.choice([None, 1, b"a", "\ud800", Derived("1")])
        return tuple(found) if kind == 1 else iter(found) if kind == 2 else found

    def lines() -> bytes:
        made = [f"{text()} ({number}){rng.choice(['', '', ' ', ')'])}" for number in range(9)]
        rng.shuffle(made)
        data = bytearray("\n".join(made[: rng.randrange(10)]).encode())
        for _ in range(rng.choice([0, 0, 0, 3])):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data)

    def plain(found: Any) -> Any:
        if isinstance(found, list | tuple):
            return [plain(part) for part in found]
        return found.tolist() if hasattr(found, "tolist") else found

    def answer(function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            found = function(*arguments)
        except (TypeError, ValueError) as error:
            return type(error).__mro__[-4:]  # of both kinds alike
        return plain(found)

    def both(name: str, *arguments: Any) -> None:
        nonlocal calls, errors
        calls += 1
        ours, twin = (answer(getattr(module, name), *arguments) for module in (_text, python_text))
        errors += isinstance(ours, tuple)
        # The twin leaves some files to the careful reader, by None.
        told = isinstance(ours, tuple) or isinstance(twin, tuple) or twin is None
        assert told or ours == twin, (name, arguments)

    while time.monotonic() < end:
        flags = rng.random() < 0.5, rng.random() < 0.5
        outputs = some(text, 6)
        references = [text() for _ in outputs] if rng.random() < 0.9 else some(text, 6)
        both("prepare", outputs, references, *flags)
        both("split", text(), *flags)
        both("trans_lines", lines())
        both("trans_pairs", lines(), lines(), *flags)
        both("ter_lines", outputs, [rng.random() * 9] * len(outputs), [3.0] * len(outputs))
        lists = [some(words, 4) for _ in range(2)]
        calls += 1
        try:
            ids = _text.intern(*lists)
        except (TypeError, ValueError):
            errors += 1
            continue
        costs = (0.0, 1.0, 1.0, 1.0, 1.0) if rng.random() < 0.7 else (0.0, 0.5, 1.0, 2.0, 1.0)
        wanted = answer(python.align_batch, *ids, costs, 20, 50, 1, True)
        for module in searches:
            calls += 1
            found = answer(module.align_batch, *ids, costs, 20, 50, rng.randrange(1, 3), True)
            assert found == wanted, (lists, costs)
    print(f"{calls:,} calls of the modules, {errors:,} of them with an error that was told")
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--call"]:
        sys.exit(call(float(sys.argv[2]), int(sys.argv[3])))
    given = sys.argv[1:]
    sys.exit(main(float(given[0]) if given else 600, int(given[1]) if given[1:] else 1))
