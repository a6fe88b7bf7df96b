"""The bundle, installed and started where there is neither our Python nor Qt.

``python3 run.py soak -k bundle``, as root. It is built anew, unless ``MADCAT_STUDIO_BUNDLE`` names
a folder where ``run.py bundle`` has put it. ``MADCAT_STUDIO_PICTURES`` one for pictures of
the window.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import Image
from Xlib import X, display

from scripts import debian
from scripts.bundle.packing import folder_size
from scripts.wheels import share_network
from tests.soak.needs import need, need_root
from tests.soak.test_bare_systems import PACKAGES

HERE = Path(__file__).resolve().parents[2]
PATIENCE = 120
MOST_PACKED = 250e6
MOST_UNPACKED = 550e6
EXTRAS = ("cv2", "dask", "distributed", "ortools", "pyarrow", "statsmodels", "torch")
"""What users install with pip if they need it; hundreds of megabytes."""
CHROOT = "/usr/sbin/chroot"  # not on the path of those who start a window


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if there := os.environ.get("MADCAT_STUDIO_BUNDLE"):
        return Path(there)
    folder = tmp_path_factory.mktemp("bundle")
    command = [sys.executable, str(HERE / "run.py"), "bundle", str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return folder


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of a bare Debian 12: what is installed there stays out of the one that is kept."""
    need_root()
    kept = debian.system("bare-bookworm", "bookworm", PACKAGES)
    root = tmp_path_factory.mktemp("systems") / "bookworm"
    subprocess.run(["cp", "-a", "--reflink=auto", "-x", str(kept), str(root)], check=True)
    share_network(root)
    with debian.processes(root):
        yield root
    shutil.rmtree(root)


def within(root: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    surroundings = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", **environment}
    return subprocess.run(
        ["chroot", str(root), *command],
        check=False,
        capture_output=True,
        text=True,
        env=surroundings,
        stdin=subprocess.DEVNULL,
        timeout=1800,
    )


@contextmanager
def screen() -> Iterator[str]:
    """An X server that other systems reach too: over the network of this machine."""
    need("Xvfb")
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-listen", "tcp", "-ac"]
    # Else it begins anew, and refuses for a moment, whenever the last that was shown has ended.
    command += ["-noreset", "-screen", "0", "1280x720x24"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as running:
        os.close(writing)
        try:
            with os.fdopen(reading) as told:
                yield f"127.0.0.1:{told.readline().strip()}"
        finally:
            running.terminate()


def picture(shown: str) -> Image.Image:
    """What is on the screen."""
    connected = display.Display(shown)
    try:
        root = connected.screen().root
        raw = root.get_image(0, 0, 1280, 720, X.ZPixmap, 0xFFFFFFFF)
        return Image.frombytes("RGB", (1280, 720), raw.data, "raw", "BGRX")
    finally:
        connected.close()


def wait_for_window(root: Path, home: str, shown: str, *command: str) -> tuple[Image.Image, float]:
    """Start a program; what is on the screen once a window has many colours, and after how long."""
    begun = time.monotonic()
    environment = {"PATH": "/usr/bin:/bin", "HOME": home, "DISPLAY": shown, "LANG": "C.UTF-8"}
    chroot = [] if root == Path("/") else [CHROOT, str(root)]
    with subprocess.Popen([*chroot, *command], env=environment) as running:
        try:
            while True:
                seen = picture(shown)
                if len(seen.getcolors(1 << 20) or ()) > 20:
                    took = time.monotonic() - begun
                    break
                assert running.poll() is None, "it ended"
                assert time.monotonic() - begun < PATIENCE, "no window"
                time.sleep(0.02)
            # What was asked for is opened after the window is there: until nothing changes.
            while True:
                time.sleep(3)
                later = picture(shown)
                if later.tobytes() == seen.tobytes():
                    return seen, took
                assert time.monotonic() - begun < PATIENCE
                seen = later
        finally:
            running.terminate()


def keep(seen: Image.Image, name: str) -> None:
    if folder := os.environ.get("MADCAT_STUDIO_PICTURES"):
        seen.save(Path(folder) / f"{name}.png")


@pytest.mark.soak
def test_soak_bundle_as_a_package(
    bare: Path, built: Path, record_property: Callable[[str, object], None]
) -> None:
    [package] = built.glob("*.deb")
    shutil.copyfile(package, bare / "tmp" / package.name)
    update = within(bare, "apt-get", "-q", "update")
    assert update.returncode == 0, update.stderr
    begun = time.monotonic()
    added = within(
        *(bare, "apt-get", "-q", "-y", "install", "--no-install-recommends"),
        *("desktop-file-utils", "shared-mime-info", "libglib2.0-bin", f"/tmp/{package.name}"),
        DEBIAN_FRONTEND="noninteractive",
    )
    assert added.returncode == 0, added.stdout[-3000:] + added.stderr
    record_property("installed in (s)", round(time.monotonic() - begun))
    entry = "/usr/share/applications/madcat-studio.desktop"
    checked = within(bare, "desktop-file-validate", entry)
    assert (checked.returncode, checked.stdout) == (0, "")
    # What a double click asks: the kind of a file by its name, and the program for that kind.
    kinds = (bare / "usr/share/mime/globs2").read_text("utf-8")
    opened = (bare / "usr/share/applications/mimeinfo.cache").read_text("utf-8")
    for kind, end in (("x-madcat-page+xml", "*.madcat.xml"), ("x-madcat-kit", "*.madcat-kit")):
        assert f":application/{kind}:{end}\n" in kinds
        assert f"application/{kind}=madcat-studio.desktop;" in opened
    share = bare / "usr" / "share"
    for name in (
        "bash-completion/completions/madcat-studio",
        "doc/madcat-studio/copyright",
        "doc/madcat-studio/licences/PARTS.tsv",
        "fish/vendor_completions.d/madcat-studio.fish",
        "icons/hicolor/scalable/apps/madcat-studio.svg",
        "man/man1/madcat-studio-check.1.gz",
        "zsh/vendor-completions/_madcat-studio",
    ):
        assert (share / name).is_file(), name
    told = within(bare, "madcat-studio", "doctor")
    assert "broken" not in told.stdout, told.stdout
    assert "in /usr/lib/madcat-studio/_internal" in told.stdout
    assert "compiled kernel" in told.stdout
    assert within(bare, "madcat-studio", "demo", "/srv/demo").returncode == 0
    # Its processes of many pages are the program itself.
    pages = within(bare, "madcat-studio", "check", "/srv/demo/pages", "--jobs", "2")
    assert pages.returncode in {0, 1}, pages.stderr
    page = next((bare / "srv/demo/pages").rglob("*.madcat.xml")).relative_to(bare)
    # And so does a desktop answer, of a file that is there.
    kind = within(bare, "gio", "info", "-a", "standard::content-type", f"/{page}")
    assert "application/x-madcat-page+xml" in kind.stdout, kind
    program = within(bare, "gio", "mime", "application/x-madcat-page+xml")
    assert "madcat-studio.desktop" in program.stdout.splitlines()[0], program
    with screen() as shown:
        seen, _ = wait_for_window(bare, "/root", shown, "madcat-studio", "open")
        keep(seen, "bundle-start")
        seen, _ = wait_for_window(bare, "/root", shown, "madcat-studio", "open", f"/{page}")
        keep(seen, "bundle-page")


@pytest.mark.soak
def test_soak_bundle_unpacked_starts_nearly_as_a_checkout(
    built: Path, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    need("tar", "xz")
    [packed] = built.glob("*.tar.xz")
    subprocess.run(["tar", "-C", str(tmp_path), "-xf", str(packed)], check=True)
    [folder] = tmp_path.glob("madcat-studio-*")
    program = str(folder / "madcat-studio")
    sizes = (packed.stat().st_size, folder_size(folder))
    record_property("packed and unpacked (MB)", [round(size / 1e6) for size in sizes])
    assert sizes[0] < MOST_PACKED
    assert sizes[1] < MOST_UNPACKED
    # The program holds the names of its modules in Python; those with other files are beside it.
    program_itself = (folder / "madcat-studio").read_bytes()
    modules = set(re.findall(rb"(?<![\w.])(\w+)\.\w", program_itself))
    assert b"sacrebleu" in modules
    for extra in EXTRAS:
        assert extra.encode() not in modules
        assert not (folder / "_internal" / extra).exists()
    home = str(tmp_path / "home")
    Path(home).mkdir()
    rates = []
    with screen() as shown:
        for _ in range(6):
            _, bundled = wait_for_window(Path("/"), home, shown, program, "open")
            _, own = wait_for_window(
                Path("/"), home, shown, sys.executable, "-m", "madcat_studio", "open"
            )
            rates.append(bundled / own)
    rate = statistics.median(rates[1:])  # the first reads from the disk
    record_property("start, against the checkout's", round(rate, 2))
    assert rate <= 1.5
