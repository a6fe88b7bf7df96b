"""A newcomer's first minutes: the first command of README.md, twice, on a bare Debian 12 and 13.

``python3 run.py soak -k newcomer``, as root: once as root and once as somebody without rights, who
has neither a compiler nor Qt's system libraries. What pip fetched is kept beside the
systems, so that only the first run waits for the network.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts import debian
from scripts.wheels import share_network
from tests.soak.needs import need, need_root
from tests.soak.test_bare_systems import PACKAGES

HERE = Path(__file__).resolve().parents[2]
MOST_MEGABYTES = 720
KEPT = debian.CACHE / "pip"
RELEASES = ("bookworm", "trixie")
USERS = {"root": "0:0", "anybody": "1000:1000"}


@pytest.fixture(params=RELEASES)
def bare(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A copy of a bare Debian with a clone of this checkout, as it is committed."""
    need_root()
    need("git")
    kept = debian.system(f"bare-{request.param}", request.param, PACKAGES)
    root = tmp_path / str(request.param)
    subprocess.run(["cp", "-a", "--reflink=auto", "-x", str(kept), str(root)], check=True)
    share_network(root)
    home = root / "srv" / "newcomer"
    home.mkdir()
    subprocess.run(["git", "clone", "-q", str(HERE), str(home / "studio")], check=True)
    if KEPT.is_dir():
        shutil.copytree(KEPT, home / ".cache" / "pip")
    with debian.processes(root):
        yield root
    # A run that is not the first is one with a warm cache.
    cache = home / ".cache" / "pip"
    if cache.is_dir():
        shutil.rmtree(KEPT, ignore_errors=True)
        shutil.copytree(cache, KEPT)
    shutil.rmtree(root)


@pytest.mark.soak
@pytest.mark.parametrize("user", USERS)
def test_soak_newcomer(
    user: str, bare: Path, record_property: Callable[[str, object], None]
) -> None:
    home = bare / "srv" / "newcomer"
    warm = KEPT.is_dir()
    subprocess.run(["chown", "-R", USERS[user], str(home)], check=True)
    kept = {key: text for key, text in os.environ.items() if key.startswith(("PIP_", "SSL_"))}
    kept.pop("PIP_CACHE_DIR", None)

    def run(word: str) -> tuple[str, float, float]:
        command = f"cd /srv/newcomer/studio && python3 run.py {word}"
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(
            ["chroot", f"--userspec={USERS[user]}", str(bare), "sh", "-c", command],
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/srv/newcomer", **kept},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=3000,
        )
        took = time.monotonic() - begun
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        work = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return done.stdout, took, work

    said, took, work = run("demo")
    if folder := os.environ.get("MADCAT_STUDIO_PICTURES"):
        Path(folder, f"newcomer-{bare.name}-{user}.txt").write_text(said, "utf-8")
    record_property("pip's cache", "warm" if warm else "cold")
    record_property("to the score (s)", round(took))
    record_property("to the score, processor time (s)", round(work))
    assert "Three things to try:" in said
    assert "HTER" in said
    # What could not be installed is named at the end, with the command for somebody who may.
    assert ("To install:  sudo apt-get install" in said) is (user != "root")
    sizes = (path.lstat().st_size for path in (home / "studio" / ".venv").rglob("*"))
    megabytes = round(sum(sizes) / 1e6)
    record_property("installed (MB)", megabytes)
    assert megabytes < MOST_MEGABYTES
    # A second start installs nothing, and finds the demo that is there.
    again, took, _ = run("demo")
    record_property("second start (s)", round(took))
    assert "Installing" not in again
    assert "Three things to try:" in again
