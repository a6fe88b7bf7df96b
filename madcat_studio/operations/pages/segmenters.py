"""The segmenters that a user has named: a list in the user's folder, and which one is in use."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import platformdirs

from madcat_studio.errors import FormatError, UsageError, WorldError
from madcat_studio.formats.files import make_folder, read_file, write_atomically
from madcat_studio.paths import resources

__all__ = [
    "OWN",
    "Segmenter",
    "Segmenters",
    "add_segmenter",
    "command_of",
    "find_segmenter",
    "list_segmenters",
    "python_of",
    "remove_segmenter",
    "segmenter_in_use",
    "segmenters_folder",
    "use_segmenter",
]

OWN = "ink"
"""The name of what the program finds by itself."""
SECONDS = 600.0
_FILE = "segmenters.json"
_VERSION = 1
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


@dataclass(frozen=True, slots=True)
class Segmenter:
    """A program that finds lines.

    Attributes:
        name: what its user calls it.
        command: the words that start it; none where this program installed it.
        adapter: which program of ours speaks for an installed one.
        environment: the folder in the user's where that is installed.
        model: a file that it is to use, "" for its own.
        seconds: that it may take for a page.
    """

    name: str
    command: tuple[str, ...] = ()
    adapter: str = ""
    environment: str = ""
    model: str = ""
    seconds: float = SECONDS

    @property
    def installed(self) -> bool:
        """Whether this program installed it."""
        return bool(self.adapter)


@dataclass(frozen=True, slots=True)
class Segmenters:
    """The list.

    Attributes:
        all: in the order of their names.
        use: the name of the one in use, "" for none.
        always: whether its lines are taken always; else only where they are better than the ink's.
    """

    all: tuple[Segmenter, ...] = ()
    use: str = ""
    always: bool = False


def segmenters_folder() -> Path:
    """Where the list is, and what was installed."""
    return platformdirs.user_data_path("madcat-studio", appauthor=False) / "segmenters"


def list_segmenters() -> Segmenters:
    """All that are named.

    Raises:
        FormatError: ``segmenter.list``: the file is damaged.
        WorldError: it cannot be read.
    """
    path = segmenters_folder() / _FILE
    if not path.exists():
        return Segmenters()
    try:
        said = json.loads(read_file(path))
        if said["version"] != _VERSION:
            raise ValueError(f"its version is {said['version']}")
        found = [
            replace(Segmenter(**one), command=tuple(map(str, one["command"])))
            for one in said["segmenters"]
        ]
        return Segmenters(tuple(found), str(said["use"]), bool(said["always"]))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise FormatError(
            "segmenter.list",
            f"the list of segmenters cannot be read ({error})",
            where=path,
            remedy="Remove the file; installing a segmenter again finds what is already there",
        ) from None


def segmenter_in_use() -> Segmenter | None:
    """The one whose lines are looked at beside the ink's."""
    listed = list_segmenters()
    return next((one for one in listed.all if one.name == listed.use), None)


def find_segmenter(name: str) -> Segmenter:
    """One by its name.

    Raises:
        UsageError: ``segmenter.unknown``.
    """
    return _find(list_segmenters(), name)


def _find(listed: Segmenters, name: str) -> Segmenter:
    for one in listed.all:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in listed.all)
    raise UsageError(
        "segmenter.unknown",
        f"there is no segmenter {name}" + (f"; there is {names}" if names else ""),
        remedy="Install kraken with: madcat-studio segmenter install kraken; or name a program of "
        "your own with: madcat-studio segmenter add NAME -- COMMAND",
    )


def add_segmenter(segmenter: Segmenter, *, instead: bool = False) -> None:
    """Name a segmenter.

    Args:
        segmenter: its command's first word is looked up, a relative model's path made whole.
        instead: of one that has its name.

    Raises:
        UsageError: ``segmenter.name``, ``segmenter.exists``, ``segmenter.no-program``,
            ``segmenter.no-model``.
        WorldError: the list cannot be written.
    """
    name = segmenter.name
    if not _NAME.fullmatch(name) or name in (OWN, "none"):
        raise UsageError(
            "segmenter.name",
            f"{name!r} cannot be the name of a segmenter",
            remedy=f"Use letters, digits and - . _, but not {OWN} or none",
        )
    if segmenter.model:
        segmenter = replace(segmenter, model=str(_model(segmenter.model)))
    if not segmenter.installed:
        segmenter = replace(segmenter, command=_whole(segmenter.command))
    with _changing() as now:
        if not instead and any(one.name == name for one in now.all):
            raise UsageError(
                "segmenter.exists",
                f"a segmenter {name} already exists",
                remedy="Choose another name, or remove that one first",
            )
        others = [one for one in now.all if one.name != name]
        _write(replace(now, all=tuple(sorted([*others, segmenter], key=lambda one: one.name))))


def use_segmenter(name: str, *, always: bool = False, model: str | None = None) -> None:
    """Use one from now on; "" or :data:`OWN` for none.

    Args:
        name: of one that is named.
        always: whether to take its lines without comparing.
        model: a file that it is to use from now on, "" for its own; None: as before.

    Raises:
        UsageError: ``segmenter.unknown``, ``segmenter.no-model``.
        WorldError: the list cannot be written.
    """
    with _changing() as now:
        if name in ("", OWN):
            _write(replace(now, use="", always=False))
            return
        before = _find(now, name)
        after = before if model is None else replace(before, model=model and str(_model(model)))
        named = tuple(after if one is before else one for one in now.all)
        _write(Segmenters(named, name, always))


def remove_segmenter(name: str) -> None:
    """Name it no longer; what was installed for it goes.

    Raises:
        UsageError: ``segmenter.unknown``.
        WorldError: the list cannot be written.
    """
    with _changing() as now:
        gone = _find(now, name)
        use = "" if now.use == name else now.use
        _write(replace(now, all=tuple(one for one in now.all if one != gone), use=use))
    if gone.environment:
        shutil.rmtree(segmenters_folder() / Path(gone.environment).name, ignore_errors=True)


def command_of(segmenter: Segmenter) -> list[str]:
    """The words that start it now."""
    if not segmenter.installed:
        return list(segmenter.command)
    python = python_of(segmenters_folder() / Path(segmenter.environment).name)
    # Isolated: neither our modules nor the user's own get into its environment.
    return [str(python), "-I", str(resources() / "segmenters" / f"{segmenter.adapter}.py")]


def python_of(environment: Path) -> Path:
    """The interpreter of an environment."""
    if sys.platform == "win32":
        return environment / "Scripts" / "python.exe"
    return environment / "bin" / "python"


def _model(said: str) -> Path:
    path = Path(said).expanduser().absolute()
    if not path.is_file():
        raise UsageError(
            "segmenter.no-model",
            "there is no such model file",
            where=path,
            remedy="Check its name",
        )
    return path


def _whole(command: Sequence[str]) -> tuple[str, ...]:
    """A command that works from any folder."""
    if not command:
        raise UsageError(
            "segmenter.no-program",
            "no command is named",
            remedy="Write it after --, such as: -- python3 mine.py",
        )
    program = shutil.which(Path(command[0]).expanduser())
    if program is None:
        raise UsageError(
            "segmenter.no-program",
            f"there is no program {command[0]}, or you may not run it",
            remedy="Check its name and its permissions",
        )
    rest = [str(Path(word).absolute()) if Path(word).is_file() else word for word in command[1:]]
    return str(Path(program).absolute()), *rest


def _write(listed: Segmenters) -> None:
    said = {
        "version": _VERSION,
        "use": listed.use,
        "always": listed.always,
        "segmenters": [asdict(one) for one in listed.all],
    }
    data = json.dumps(said, ensure_ascii=False, indent=1).encode("utf-8") + b"\n"
    write_atomically(segmenters_folder() / _FILE, data)


@contextmanager
def _changing() -> Iterator[Segmenters]:
    """The list as it is, to be written anew; others wait until that is done."""
    folder = segmenters_folder()
    make_folder(folder)
    try:
        with (folder / f"{_FILE}.lock").open("w", encoding="ascii") as stream:
            try:
                import fcntl

                fcntl.flock(stream.fileno(), fcntl.LOCK_EX)
            except (ImportError, OSError):
                pass  # no locks here: whoever changes it last has the say
            yield list_segmenters()
    except OSError as error:
        raise WorldError(
            "segmenter.cannot-write",
            f"the list of segmenters cannot be written ({error.strerror or error})",
            where=folder,
            remedy="Check the folder's permissions and the disk space",
        ) from error
