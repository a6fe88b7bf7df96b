"""What scribes are given, and what of it has come in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import InputError
from madcat_studio.formats.files import make_folder
from madcat_studio.formats.tables import Table, read_table
from madcat_studio.model.naming import natural_key
from madcat_studio.operations.corpus.from_names import CORPUS_COLUMNS
from madcat_studio.planning.corpus import CorpusPlan
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.sheets import Sheet, check_bar_codes, write_sheets

__all__ = ["Arrivals", "arrivals_of", "read_arrivals", "write_scribes_sheets"]


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Which planned copies there are.

    Attributes:
        arrived: BASE -> file.
        missing: scribe -> BASEs that are still to come.
        unknown: files that no row of the plan names.
    """

    arrived: dict[str, Path]
    missing: dict[str, tuple[str, ...]]
    unknown: tuple[Path, ...]


def read_arrivals(corpus: Path, folder: Path) -> Arrivals:
    """Look for the scans of a corpus table's copies in a folder and those in it.

    Raises:
        StudioError: the table cannot be read, or there is no such folder.
    """
    table: Table = read_table(corpus, required=CORPUS_COLUMNS)
    return arrivals_of({row["base"]: row["scribe"] for row in table.rows}, folder)


def arrivals_of(scribes: dict[str, str], folder: Path, *, progress: Progress = SILENT) -> Arrivals:
    """Look for the scans of copies in a folder and those in it.

    A file belongs to the copy whose BASE its name begins with.

    Args:
        scribes: BASE -> who writes it.
        folder: into which copies are scanned.
        progress: may cancel.

    Raises:
        InputError: ``corpus.no-folder``.
        Cancelled: ``progress`` said so.
    """
    if not folder.is_dir():
        raise InputError(
            "corpus.no-folder",
            "there is no such folder",
            where=folder,
            remedy="Name the folder into which copies are scanned",
        )
    arrived: dict[str, Path] = {}
    unknown: list[Path] = []
    for number, file in enumerate(sorted(folder.rglob("*"))):
        if not number % 1000:
            progress.advance(number, None)
            if progress.cancelled():
                raise Cancelled
        if not file.is_file() or file.name.startswith("."):
            continue
        base = next((one for one in _beginnings(file.name) if one in scribes), None)
        if base is None:
            unknown.append(file)
        else:
            arrived.setdefault(base, file)
    missing: dict[str, list[str]] = {}
    for base, scribe in scribes.items():
        if base not in arrived:
            missing.setdefault(scribe, []).append(base)
    ordered = sorted(missing, key=natural_key)
    return Arrivals(arrived, {one: tuple(missing[one]) for one in ordered}, tuple(unknown))


def _beginnings(name: str) -> list[str]:
    """What a name may begin with, the longest first: BASE.tif, BASE.second.tif."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(len(parts) - 1, 0, -1)]


def write_scribes_sheets(
    plan: CorpusPlan, out: Path, *, progress: Progress = SILENT
) -> tuple[Path, ...]:
    """Write what each scribe is to copy, a PDF for each.

    Args:
        plan: with the texts of its passages.
        out: the folder to write to (made if need be).
        progress: may cancel, between two scribes.

    Raises:
        StudioError: a passage has no text, a BASE fits no bar code, or the folder is not writable.
        Cancelled: ``progress`` said so.
    """
    for passage in plan.order.passages:
        if not passage.text.strip():
            raise InputError(
                "corpus.no-text",
                f"passage {passage.name} has no text to copy",
                remedy="Give its text in the column text of the table of passages",
            )
    check_bar_codes([one.base for one in plan.manuscripts])
    make_folder(out)
    files = []
    people = plan.by_scribe()
    for number, (scribe, own) in enumerate(people.items()):
        progress.advance(number, len(people), scribe)
        if progress.cancelled():
            raise Cancelled
        path = out / f"{scribe}.pdf"
        write_sheets(
            [
                Sheet(one.base, scribe, one.passage.name, *one.way, one.passage.text.strip())
                for one in own
            ],
            path,
        )
        files.append(path)
    return tuple(files)
