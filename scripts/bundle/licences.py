"""The licences of all that is in a bundle: of Python's packages, of Python, of system libraries."""

from __future__ import annotations

import email
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

__all__ = ["collect", "licence_files", "of_system"]

HERE = Path(__file__).resolve().parents[2]
COMMON = Path("/usr/share/common-licenses")
BUILDING = {"pip", "setuptools", "pyinstaller-hooks-contrib", "altgraph"}
_LICENCE = re.compile(r"(licen[cs]e|copying|notice|authors)", re.I)

QT = """\
Qt and PySide6 are under the GNU Lesser General Public License, version 3 (LGPL-3 beside this file).
They are shared libraries in _internal/PySide6 and _internal/PySide6/Qt/lib, and unchanged. You may
put your own build of the same version of Qt there: the program loads what lies in these folders.
Their source is at https://download.qt.io/official_releases/ (QtForPython and qt).
The same holds for other libraries under that licence in _internal: each is a file of its own.
"""


def collect(packages: Path, bundle: Path, to: Path) -> list[tuple[str, str, str]]:
    """Copy all licences into a folder; the parts with their versions and licences."""
    to.mkdir(parents=True)
    for name in ("LICENSE", "NOTICE"):
        shutil.copyfile(HERE / name, to / name)
    for name in ("LGPL-2.1", "LGPL-3", "GPL-2", "GPL-3", "Apache-2.0"):
        shutil.copyfile(COMMON / name, to / name)
    (to / "QT.txt").write_text(QT, "utf-8")
    python = Path(sysconfig.get_path("stdlib", vars={"base": sys.base_prefix}))
    known = [python / "LICENSE.txt", *Path("/usr/share/doc").glob("python3*/copyright")]
    shutil.copyfile(next(path for path in known if path.is_file()), to / "PYTHON.txt")
    parts = [("Python", sys.version.split()[0], "PSF-2.0")]
    for info in sorted(packages.glob("*.dist-info")):
        told = email.message_from_string((info / "METADATA").read_text("utf-8"))
        name = told["Name"]
        if name.lower() in BUILDING:
            continue
        files = licence_files(info)
        for file in files:
            place = to / name / file.relative_to(info)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
        licence = _named(told)
        if not files and "LGPL" not in licence:
            raise SystemExit(f"{name} brings no text of its licence ({licence})")
        parts.append((name, told["Version"], licence))
    for package, version in of_system(bundle).items():
        place = to / "system" / package
        place.mkdir(parents=True)
        shutil.copyfile(Path("/usr/share/doc", package, "copyright"), place / "copyright")
        parts.append((package, version, "see system"))
    lines = ["part\tversion\tlicence", *("\t".join(part) for part in parts)]
    (to / "PARTS.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    return parts


def licence_files(info: Path) -> list[Path]:
    """The files of a package's metadata that tell its licence, by their names or their folder's."""
    return sorted(
        path
        for path in info.rglob("*")
        if path.is_file() and _LICENCE.search(str(path.relative_to(info)))
    )


def _named(told: email.message.Message) -> str:
    classes = [
        one.rpartition("::")[2].strip()
        for one in told.get_all("Classifier", [])
        if one.startswith("License")
    ]
    written = (told["License"] or "").strip().partition("\n")[0]
    return told["License-Expression"] or "; ".join(classes) or written or "see its folder"


def of_system(bundle: Path) -> dict[str, str]:
    """The packages of Debian whose libraries were taken along, and their versions."""
    found: dict[str, str] = {}
    for file in sorted((bundle / "_internal").glob("lib*.so*")):
        if file.is_symlink() or file.name.startswith("libpython"):
            continue  # into the folder of a Python package; Python has its own above
        for folder in (Path("/usr/lib"), Path("/lib")):
            place = folder / f"{sysconfig.get_config_var('MULTIARCH')}" / file.name
            if not place.exists():
                continue
            for each in (place, place.resolve()):
                asked = ["dpkg-query", "-S", str(each)]
                done = subprocess.run(asked, check=False, capture_output=True, text=True)
                if done.returncode == 0:
                    package = done.stdout.split(":")[0]
                    version = ["dpkg-query", "-Wf", "${Version}", package]
                    found[package] = subprocess.run(
                        version, check=True, capture_output=True, text=True
                    ).stdout.splitlines()[0]
                    break
    return found
