"""Fuzz the kernel under sanitizers: ``python tests/soak/fuzz_kernel.py [SECONDS] [SEED]``.

Builds fuzz_kernel.cpp twice, plain and with the newer instructions, with the address and the
undefined-behaviour sanitizers, and runs each for half of the time. Exit status 1 is a finding.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
KERNEL = HERE.parents[1] / "engine" / "madcat_ter" / "kernel"
CHECKED = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-D_GLIBCXX_ASSERTIONS"]
BUILDS = {"plain": [], "avx2": ["-mavx2", "-mbmi", "-mbmi2", "-mlzcnt", "-mpopcnt"]}


def main(seconds: float = 600, seed: int = 1) -> int:
    compiler = os.environ.get("CXX") or shutil.which("c++")
    if compiler is None:
        print("no C++ compiler: nothing to fuzz")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        for name, flags in BUILDS.items():
            program = Path(folder, name)
            source = str(HERE / "fuzz_kernel.cpp")
            subprocess.run(
                [
                    *(compiler, "-std=c++20", "-O1", "-g", *CHECKED, *flags),
                    *(f"-I{KERNEL}", source, "-o", str(program)),
                ],
                check=True,
            )
            print(f"{name}: ", end="", flush=True)
            ran = subprocess.run([str(program), str(seconds / len(BUILDS)), str(seed)], check=False)
            if ran.returncode:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*(float(one) for one in sys.argv[1:2]), *(int(one) for one in sys.argv[2:3])))
