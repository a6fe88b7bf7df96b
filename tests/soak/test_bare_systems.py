"""The built wheels, installed where there is nothing but Debian or Ubuntu and its Python.

``python3 run.py soak -k bare_system``. The systems come from Debian once (debootstrap, as root)
and are kept beside the others. The wheels are built anew, unless ``MADCAT_STUDIO_WHEELS`` names a
folder where ``run.py wheels`` has put them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts import debian
from scripts.wheels import SMOKE, Place, share_network
from tests.soak.needs import need_root

HERE = Path(__file__).resolve().parents[2]
PACKAGES = ["python3", "python3-venv", "ca-certificates"]
SYSTEMS = {"bookworm": "cp311-cp311", "trixie": "cp312-abi3", "noble": "cp312-abi3"}
"""Debian 12 and 13, Ubuntu 24.04, and which of the compiled wheels is for its Python."""

SIZE = """
import pathlib, sysconfig
place = pathlib.Path(sysconfig.get_path("purelib"))
files = [f for f in place.rglob("*") if f.is_file() and not f.is_symlink()]
of_pip = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils")
ours = [f for f in files if not f.relative_to(place).parts[0].startswith(of_pip)]
print(round(sum(f.stat().st_size for f in ours if f.suffix != ".pyc") / 1e6, 1))
"""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All wheels, as they are released."""
    if built := os.environ.get("MADCAT_STUDIO_WHEELS"):
        return Path(built)
    folder = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, str(HERE / "run.py"), "wheels", str(folder), "--all"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return folder


@pytest.fixture(params=SYSTEMS)
def bare(request: pytest.FixtureRequest) -> Iterator[tuple[Place, str]]:
    """A bare system's Python, and the tag of its wheels."""
    need_root()
    release: str = request.param
    made = debian.ubuntu if release == "noble" else debian.system
    root = made(f"bare-{release}", release, PACKAGES)
    share_network(root)
    with debian.processes(root):
        yield Place("/usr/bin/python3", root), SYSTEMS[release]


@pytest.mark.soak
def test_soak_installed_on_a_bare_system(
    bare: tuple[Place, str], wheels: Path, record_property: Callable[[str, object], None]
) -> None:
    place, tag = bare
    python = place.run("-c", "import platform; print(platform.python_version())").strip()
    record_property("Python", python)
    with place.folder() as (folder, inside):
        place.run("-m", "venv", f"{inside}/venv")
        fresh = Place(f"{inside}/venv/bin/python", place.root)
        ours = {}
        for wheel in wheels.glob("*.whl"):
            if tag in wheel.name:
                shutil.copyfile(wheel, folder / wheel.name)
                ours[wheel.name.partition("-")[0]] = wheel.name
        assert sorted(ours) == ["madcat_studio", "madcat_ter"]
        for name in ("madcat_ter", "madcat_studio"):
            start = time.monotonic()
            fresh.run("-m", "pip", "install", "-q", "-f", inside, f"{inside}/{ours[name]}")
            record_property(f"{name}: seconds", round(time.monotonic() - start))
            record_property(f"{name}: wheel (kB)", (folder / ours[name]).stat().st_size // 1000)
            record_property(f"{name}: with all it needs (MB)", float(fresh.run("-c", SIZE)))
            if name == "madcat_ter":
                assert "kernel, imported" in fresh.run("-W", "error", "-c", SMOKE, "")
        output, reference = folder / "output", folder / "reference"
        output.write_text("d e f g h a b c\n", encoding="utf-8")
        reference.write_text("a b c d e f g h\n", encoding="utf-8")
        scored = fresh.run(
            *("-m", "madcat_studio", "ter", f"{inside}/output", f"{inside}/reference"), HOME=inside
        )
        assert "12.50" in scored
        start = time.monotonic()
        fresh.run("-m", "madcat_studio", "demo", f"{inside}/campaign", HOME=inside)
        record_property("demo: seconds", round(time.monotonic() - start))
        assert (folder / "campaign").is_dir()
