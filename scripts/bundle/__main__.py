"""Build the program as a folder that needs no Python: ``python3 run.py bundle [FOLDER]``.

What comes of it lies in FOLDER (by default dist/): a ``.tar.xz`` to unpack anywhere, and a ``.deb``
that puts the program into the menu and on the path. ``--wheels`` names a folder where ``run.py
wheels`` has put its wheels; without it they are built first. It runs on systems whose C library is
as new as this one's.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from madcat_studio import __version__
from madcat_studio.cli.completion import SHELLS, completion_script
from scripts import wheels as released
from scripts.bundle.desktop import desktop_entry, icon, mime_types
from scripts.bundle.freezing import environment, freeze
from scripts.bundle.licences import collect
from scripts.bundle.manpages import man_pages
from scripts.bundle.packing import folder_size, pack_deb, pack_tar

PACKED, UNPACKED = 250_000_000, 550_000_000
"""Bytes, at most."""

COMPLETIONS = {
    "bash": "bash-completion/completions/madcat-studio",
    "zsh": "zsh/site-functions/_madcat-studio",
    "fish": "fish/vendor_completions.d/madcat-studio.fish",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, furnish and pack; what is too large is an error."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=released.HERE / "dist")
    parser.add_argument("--wheels", type=Path, help="take these; none are built")
    asked = parser.parse_args(arguments)
    to: Path = asked.folder.resolve()
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bundle-", dir=to) as made:
        work = Path(made)
        wheels = asked.wheels or build_wheels(work / "wheels")
        released.say("an environment of its own")
        python = environment(wheels, work / "environment")
        released.say("the folder, by PyInstaller; some minutes")
        folder = freeze(python, work).rename(work / f"madcat-studio-{__version__}")
        [packages] = (work / "environment").glob("lib/python*/site-packages")
        parts = collect(packages, folder, folder / "licences")
        furnish(folder / "share")
        print(f"{len(parts)} parts; licences/PARTS.tsv lists them")
        released.say("the packed folder and the package")
        stem = f"madcat-studio-{__version__}-linux-x86_64"
        size = folder_size(folder)
        packed = [
            pack_tar(folder, to / f"{stem}.tar.xz"),
            pack_deb(folder, __version__, work, to / f"madcat-studio_{__version__}_amd64.deb"),
        ]
    too_large = size > UNPACKED
    print(f"unpacked  {size / 1e6:,.0f} MB")
    for path in packed:
        print(f"{path.name}  {path.stat().st_size / 1e6:,.0f} MB")
        too_large |= path.stat().st_size > PACKED
    if too_large:
        print(f"At most {PACKED / 1e6:.0f} MB packed, {UNPACKED / 1e6:.0f} unpacked.")
    return int(too_large)


def build_wheels(to: Path) -> Path:
    """The wheels for this Python alone."""
    to.mkdir()
    for name, project in released.PROJECTS.items():
        released.build(released.Place(sys.executable), name, project, to)
    return to


def furnish(share: Path) -> None:
    """What a desktop and shells look for, in the places where they do."""
    texts = {
        "applications/madcat-studio.desktop": desktop_entry(),
        "mime/packages/madcat-studio.xml": mime_types(),
        "icons/hicolor/scalable/apps/madcat-studio.svg": icon(),
        **{COMPLETIONS[shell]: completion_script(shell) for shell in SHELLS},
    }
    for name, text in texts.items():
        place = share / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    manual = share / "man" / "man1"
    manual.mkdir(parents=True)
    for name, page in man_pages().items():
        with gzip.GzipFile(manual / f"{name}.gz", "wb", mtime=0) as file:
            file.write(page.encode())


if __name__ == "__main__":
    sys.exit(main())
