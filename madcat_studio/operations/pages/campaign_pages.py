"""Pages of a campaign as files: to look at, never to edit in place.

They lie in a cache of this user, apart for each campaign and login:

    pages/CAMPAIGN/LOGIN/PAGE/HASH/file     PAGE stands for the BASE, HASH for the content

The campaign is asked each time, so that the cache gives nothing that its rights would not, and what
may not be seen any more is removed. What lies there is used only where its bytes are the right
ones.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import platformdirs

from madcat_studio.errors import InputError, WorldError
from madcat_studio.formats.files import write_atomically
from madcat_studio.store import Campaign

__all__ = ["fetch_page", "fetch_scan", "page_cache", "sweep_pages"]

_OWNER_ONLY = 0o700

_SCAN = "scan"
"""What an editor's scan is called: its name in the corpus may tell its scribe and its source."""


def page_cache() -> Path:
    """Where pages of campaigns are put to look at them; it may be emptied at any time."""
    return platformdirs.user_cache_path("madcat-studio", appauthor=False) / "pages"


def fetch_page(campaign: Campaign, base: str, folder: Path | None = None) -> Path:
    """Put a document of a campaign and its scan into the cache, unless they are there.

    Args:
        campaign: the campaign that holds both.
        base: BASE of the document.
        folder: by default the user's cache.

    Returns:
        The path of the document. Its scan lies beside it, where the campaign shows it.

    Raises:
        InputError: the campaign has no such document, or does not show it to this login.
        WorldError: the folder cannot be written, the campaign cannot be read.
    """
    place = _place(campaign, base, folder)
    scan = _scan(campaign, base, place)
    document = campaign.contents.document(base)
    assert document is not None  # it has been found, and documents never go
    name = f"{Path(base).name}.madcat.xml"
    wanted = [(name, document.sha256)]
    if scan is not None and campaign.contents.has_blob(scan):
        # As the document calls it, or nobody would find it.
        wanted.append((Path(document.image_name).name or _SCAN, scan))
    return _put(campaign, place, document.sha256, wanted) / name


def fetch_scan(campaign: Campaign, base: str, folder: Path | None = None) -> Path | None:
    """Put a document's scan, and nothing else of it, into the cache.

    Args:
        campaign, base, folder: as for :func:`fetch_page`.

    Returns:
        The scan's path; None where it has no scan.

    Raises:
        InputError, WorldError: as :func:`fetch_page`.
    """
    place = _place(campaign, base, folder)
    scan = _scan(campaign, base, place)
    return None if scan is None else _put(campaign, place, scan, [(_SCAN, scan)]) / _SCAN


def sweep_pages(campaign: Campaign, folder: Path | None = None) -> int:
    """Remove from the cache what this login may not see any more. Returns how many pages went.

    Raises:
        WorldError: the campaign cannot be read.
    """
    root = _place(campaign, "", folder).parent
    if not root.is_dir():
        return 0
    shown = campaign.contents.blob_hashes()
    current = {
        _code(scan.base): {scan.sha256}
        for scan in campaign.contents.scans()
        if scan.sha256 is None or scan.sha256 in shown
    }
    if not campaign.one_side:
        for document in campaign.contents.documents():
            current.setdefault(_code(document.base), set()).add(document.sha256)
    gone = [page for page in root.iterdir() if page.name not in current]
    for page in gone:
        shutil.rmtree(page, ignore_errors=True)
    for code, hashes in current.items():
        _remove_older(root / code, hashes)
    return len(gone)


def _code(text: str) -> str:
    """A name for a folder, whatever the text."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _place(campaign: Campaign, base: str, folder: Path | None) -> Path:
    # In a folder, what an editor sees lies apart from what the coordinator sees.
    side = "editor" if campaign.one_side and campaign.editor is None else "folder"
    login = _code(campaign.login) if campaign.login else side
    return (folder or page_cache()) / campaign.id / login / _code(base)


def _scan(campaign: Campaign, base: str, place: Path) -> str | None:
    """The hash of a document's scan."""
    found = campaign.contents.scans(base)
    if not found:
        shutil.rmtree(place, ignore_errors=True)
        raise InputError(
            "campaign.no-document",
            "The campaign has no such document",
            where=base,
            remedy="Check the name; `campaign status` lists all of them",
        )
    [(_, scan)] = found
    document = None if campaign.one_side else campaign.contents.document(base)
    _remove_older(place, {scan, None if document is None else document.sha256})
    return scan


def _remove_older(place: Path, current: set[str | None]) -> None:
    names = {one[:16] for one in current if one is not None}
    for version in place.iterdir() if place.is_dir() else ():
        if version.name not in names:
            shutil.rmtree(version, ignore_errors=True)


def _put(campaign: Campaign, place: Path, version: str, wanted: list[tuple[str, str]]) -> Path:
    """Have files, by name and hash, in a folder for this version of the page."""
    inside = place / version[:16]
    if not all(campaign.contents.has_blob(sha256) for _, sha256 in wanted):
        shutil.rmtree(place, ignore_errors=True)
        raise InputError(
            "campaign.not-shown",
            "The campaign does not show this page to you",
            where=campaign.where,
            remedy="Ask the coordinator whether it should",
        )
    try:
        inside.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
    except OSError as error:
        raise WorldError(
            "campaign.cannot-fetch",
            f"The page cannot be written there for viewing ({error.strerror})",
            where=inside,
            remedy="Make room on the disk, or give write permission there",
        ) from error
    for name, sha256 in wanted:
        if not _holds(inside / name, sha256):
            write_atomically(inside / name, campaign.contents.blob(sha256))
    return inside


def _holds(file: Path, sha256: str) -> bool:
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest() == sha256
    except OSError:
        return False
