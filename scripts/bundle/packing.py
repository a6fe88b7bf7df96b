"""The folder as ``.tar.xz`` and as ``.deb``."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

__all__ = ["control", "folder_size", "newest_libc", "pack_deb", "pack_tar"]

NEEDS = ("libegl1", "libgl1", "fontconfig")
"""What belongs to the machine's display, and is not to be taken along."""

_LIBC = re.compile(rb"GLIBC_2\.(\d+)")


def control(version: str, libc: str, kilobytes: int) -> str:
    """What Debian is told of the package."""
    return f"""\
Package: madcat-studio
Version: {version}
Architecture: amd64
Maintainer: The MADCAT Studio developers <madcat-studio@localhost>
Installed-Size: {kilobytes}
Depends: libc6 (>= {libc}), {", ".join(NEEDS)}
Recommends: fonts-noto-core, shared-mime-info, desktop-file-utils
Section: science
Priority: optional
Description: workbench for evaluating the translation of document images
 Handwritten pages in MADCAT XML, system output that people correct, and the
 scores that follow from it: HTER, TER, WER. The program brings its Python and
 its libraries along.
"""


def newest_libc(folder: Path) -> str:
    """The C library that what lies in a folder asks for."""
    newest = 0
    for path in folder.rglob("*"):
        if path.is_file() and (path.suffix == ".so" or ".so." in path.name or os.access(path, 1)):
            newest = max([newest, *map(int, _LIBC.findall(path.read_bytes()))])
    return f"2.{newest}"


def folder_size(folder: Path) -> int:
    """The bytes of all files within."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def pack_tar(folder: Path, to: Path) -> Path:
    """The folder, packed; whoever packs it does not show."""
    owner = ("--owner=0", "--group=0", "--numeric-owner", "--sort=name")
    command = ["tar", "-C", str(folder.parent), *owner, "-I", "xz -T0 -6", "-cf", str(to)]
    subprocess.run([*command, folder.name], check=True)
    return to


def pack_deb(folder: Path, version: str, work: Path, to: Path) -> Path:
    """The same as a package of Debian: the program in a folder of its own, ``share`` where it is.

    The files are linked, not copied: they are hundreds of megabytes.
    """
    root = work / "deb"
    lib = root / "usr" / "lib" / "madcat-studio"
    shutil.copytree(folder, lib, symlinks=True, copy_function=os.link)
    shutil.move(lib / "share", root / "usr" / "share")
    doc = root / "usr" / "share" / "doc" / "madcat-studio"
    doc.mkdir(parents=True)
    (lib / "licences").rename(doc / "licences")
    shutil.copyfile(doc / "licences" / "LICENSE", doc / "copyright")
    # Where Debian looks for those of zsh.
    (root / "usr/share/zsh/site-functions").rename(root / "usr/share/zsh/vendor-completions")
    (root / "usr" / "bin").mkdir()
    (root / "usr" / "bin" / "madcat-studio").symlink_to("../lib/madcat-studio/madcat-studio")
    told = root / "DEBIAN" / "control"
    told.parent.mkdir()
    told.write_text(control(version, newest_libc(lib), folder_size(root) // 1024), "utf-8")
    packed = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z4", "--build", str(root), str(to)]
    subprocess.run(packed, check=True, stdout=subprocess.DEVNULL)
    return to
