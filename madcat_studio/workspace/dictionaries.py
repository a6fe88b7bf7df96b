"""Where a dictionary of Hunspell's lies: what comes with the program, and what is installed.

American and British English come along, so that all editors of a campaign have the same words. Any
other is found by its name, such as ``de_DE``: in the user's folder, in those of the system, of
LibreOffice, and of Python packages that have one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import platformdirs

from madcat_studio.errors import InputError
from madcat_studio.paths import resources

__all__ = ["AMERICAN", "BRITISH", "find_dictionary", "installed", "own_folder"]

AMERICAN, BRITISH = "en_US", "en_GB"


def own_folder() -> Path:
    """Where a user may put dictionaries for this program."""
    return platformdirs.user_data_path("madcat-studio", appauthor=False) / "dictionaries"


def find_dictionary(name: str, own: Path | None = None) -> Path:
    """The ``.dic`` file of a dictionary, with its ``.aff`` file beside it.

    A name without a country, such as ``de``, takes the first of that language's. Slow where it has
    to look at Python packages: for workers.

    Args:
        name: as Hunspell's files are called.
        own: a file that the user has chosen; it is taken where it has that name.

    Raises:
        InputError: ``spelling.missing``: it is nowhere.
    """
    if name == AMERICAN:
        import spylls.hunspell

        return Path(spylls.hunspell.__file__).parent / "data" / "en" / "en_US.dic"
    if name == BRITISH:
        return resources() / "dictionaries" / "en_GB.dic"
    if own is not None and _fits(own.with_suffix(".dic").name, name):
        return own
    for folder in _folders():
        if found := _best(_files(folder), name):
            return found
    if found := _best(_packaged(name), name):
        return found
    raise InputError(
        "spelling.missing",
        f"The dictionary {name} is not on this machine",
        remedy=_remedy(name),
    )


def installed() -> list[str]:
    """The names of all dictionaries in the folders of the user, the system and LibreOffice."""
    files = (file for folder in _folders() for file in _files(folder))
    return sorted({file.stem for file in files if file.with_suffix(".aff").is_file()})


def _remedy(name: str) -> str:
    folder = own_folder()
    package = f"hunspell-{name.lower().replace('_', '-')}"
    known = f", such as {package}" if sys.platform.startswith("linux") else ""
    return f"Install it{known}, or put {name}.dic and {name}.aff into {folder}"


def _fits(file: str, name: str) -> bool:
    """Whether a file has this dictionary, or one of this language where no country is named."""
    stem, _, ending = file.rpartition(".")
    stem, name = stem.replace("-", "_").casefold(), name.casefold()
    # LibreOffice has its German in de_DE_frami.
    return ending == "dic" and (stem == name or stem.startswith(f"{name}_"))


def _best(files: Iterator[Path], name: str) -> Path | None:
    """Of those that fit, the shortest name: that which says no more than was asked for."""
    fitting = (file for file in files if _fits(file.name, name))
    whole = (file for file in fitting if file.with_suffix(".aff").is_file())
    return min(whole, key=lambda file: (len(file.name), str(file)), default=None)


def _files(folder: Path) -> Iterator[Path]:
    try:
        yield from folder.glob("*.dic")
    except OSError:
        return  # a folder that may not be read has nothing for us


def _folders() -> Iterator[Path]:
    """Where dictionaries are put, the user's own first."""
    yield own_folder()
    # Hunspell's own variable.
    yield from (Path(one) for one in os.environ.get("DICPATH", "").split(os.pathsep) if one)
    shares = [
        os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share",
        *(os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":"),
    ]
    for share in shares:
        yield from (Path(share, *part) for part in (("hunspell",), ("myspell",)))
        yield Path(share, "myspell", "dicts")
    if sys.platform == "darwin":
        yield from (Path.home() / "Library" / "Spelling", Path("/Library/Spelling"))
    for office in _offices():
        if office.is_dir():
            yield from sorted(office.glob("share/extensions/dict-*"))


def _offices() -> Iterator[Path]:
    yield from (Path("/usr/lib/libreoffice"), Path("/usr/lib64/libreoffice"))
    yield from sorted(Path("/opt").glob("libreoffice*"))
    yield Path("/Applications/LibreOffice.app/Contents/Resources")
    for name in ("PROGRAMFILES", "PROGRAMFILES(X86)"):
        if programs := os.environ.get(name):
            yield Path(programs, "LibreOffice")


def _packaged(name: str) -> Iterator[Path]:
    """Dictionaries in installed Python packages, by the lists of their files."""
    for package in metadata.distributions():
        for file in package.files or ():
            if _fits(file.name, name):
                yield Path(str(file.locate()))
