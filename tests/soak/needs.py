"""What a long run needs beside the project; where it is missing, the run fails and names it.

None is left out in silence: whoever asks for it wants to know what it gives. What is fetched while
it runs (a Debian, a model, an address) fails in its own words, which say what could not be had.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess

import pytest

__all__ = ["need", "need_modules", "need_of_system_python", "need_root"]

DEBIAN = {
    "/usr/bin/python3": "python3",
    "Xvfb": "xvfb",
    "c++": "g++",
    "chromium": "chromium",
    "chroot": "coreutils",
    "dbus-run-session": "dbus",
    "debootstrap": "debootstrap",
    "g++": "g++",
    "git": "git",
    "mount": "mount",
    "pyatspi": "at-spi2-core python3-pyatspi",
    "sctk": "sctk",
    "setxkbmap": "x11-xkb-utils",
    "tar": "tar",
    "tesseract": "tesseract-ocr tesseract-ocr-fra tesseract-ocr-ara",
    "xdotool": "xdotool",
    "xvfb-run": "xvfb xauth",
    "xz": "xz-utils",
}
"""The packages of Debian that hold these programs and modules, with what they need themselves."""


def need(*programs: str) -> str:
    """Fail unless all of some programs are here; the path of the first.

    Those that only root uses may be off the path of others.
    """
    places = f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin{os.pathsep}/sbin"
    found = {program: shutil.which(program, path=places) for program in programs}
    missing = [program for program, path in found.items() if path is None]
    packages = " ".join(dict.fromkeys(DEBIAN[program] for program in missing))
    if missing:
        pytest.fail(
            f"this needs {' and '.join(missing)}: apt-get install {packages}", pytrace=False
        )
    return found[programs[0]] or ""


def need_modules(extra: str, *modules: str) -> None:
    """Fail unless modules are here that one of the project's extras brings."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        told = " and ".join(missing)
        pytest.fail(f"this needs {told}: pip install 'madcat-studio[{extra}]'", pytrace=False)


def need_of_system_python(module: str) -> str:
    """Fail unless Debian's own Python has a module that no index of packages has; its path."""
    python = need("/usr/bin/python3")
    if subprocess.run([python, "-c", f"import {module}"], check=False).returncode != 0:
        pytest.fail(f"this needs {module}: apt-get install {DEBIAN[module]}", pytrace=False)
    return python


def need_root() -> None:
    """Fail unless one may enter other systems here."""
    if os.geteuid() != 0:
        pytest.fail("this needs root: it enters other systems", pytrace=False)
    need("chroot", "mount")
