"""References that changed after the campaign was made: found by hash, told, then taken in or not.

Outputs, kits and texts rest on a reference. What follows from another one is said before anything
is done; and where editors have begun with it, nothing is done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import InputError
from madcat_studio.formats import madcat
from madcat_studio.formats.files import read_file
from madcat_studio.model.campaign import CampaignDocument, CampaignSegment, KitItem
from madcat_studio.operations.checked import Outcome, counted
from madcat_studio.operations.corpus.from_names import reference_files
from madcat_studio.operations.corpus.intake import campaign_segments
from madcat_studio.operations.corpus.outputs import changed_meanwhile
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.store import Campaign, open_campaign

__all__ = ["ChangedReference", "changed_references", "replace_references"]


@dataclass(frozen=True, slots=True)
class ChangedReference:
    """A reference file that is not the one that the campaign was made from.

    Attributes:
        base, file: which.
        sha256: of the file as it is now; ``before``: as the campaign has it.
        differences: what is different, a sentence each.
        consequences: what follows from taking it in, a sentence each.
        refusal: why it cannot be taken in; "" where it can.
        segments, genre, image_name: of the file as it is now.
    """

    base: str
    file: Path
    sha256: str
    before: str
    differences: tuple[str, ...]
    consequences: tuple[str, ...]
    refusal: str
    segments: tuple[CampaignSegment, ...]
    genre: str
    image_name: str

    @property
    def allowed(self) -> bool:
        """Whether it can be taken in."""
        return not self.refusal


def changed_references(
    where: str, folder: Path, *, progress: Progress = SILENT
) -> tuple[ChangedReference, ...]:
    """Compare a folder of references with the campaign, by hash.

    Args:
        where: the campaign; it is only read.
        folder: with ``BASE.madcat.xml`` files; those that the campaign does not have are left out.
        progress: told after each file; may cancel.

    Raises:
        InputError: there is no such folder.
        StudioError: the campaign or a file cannot be read.
        Cancelled: ``progress`` said so.
    """
    if not folder.is_dir():
        raise InputError(
            "campaign.no-folder",
            "There is no such folder",
            where=folder,
            remedy="Name the folder that holds the references",
        )
    files = reference_files(folder)
    found = []
    with open_campaign(where, read_only=True) as campaign:
        documents = {one.base: one for one in campaign.contents.documents()}
        kits: dict[str, dict[str, list[KitItem]]] = {}
        for kit in campaign.plans.kits():
            for item in kit.items:
                kits.setdefault(item.base, {}).setdefault(kit.name, []).append(item)
        claimed = campaign.plans.claimed()
        for number, (base, file) in enumerate(files.items()):
            if progress.cancelled():
                raise Cancelled
            progress.advance(number, len(files), base)
            document = documents.get(base)
            if document is None:
                continue
            read = madcat.read(file)
            if read.source.sha256 == document.sha256:
                continue
            segments = campaign_segments(read.document, document.page)
            before = campaign.contents.segments(base)
            genre = (read.document.genre or "").strip() or "unknown"
            own = kits.get(base, {})
            found.append(
                ChangedReference(
                    base,
                    file,
                    read.source.sha256,
                    document.sha256,
                    tuple(_differences(document, genre, before, segments)),
                    tuple(_consequences(campaign, base, own, before, segments)),
                    _refusal(own, claimed, before, segments),
                    segments,
                    genre,
                    read.document.src or "",
                )
            )
    return tuple(found)


def _differences(
    document: CampaignDocument,
    genre: str,
    before: Sequence[CampaignSegment],
    after: Sequence[CampaignSegment],
) -> Iterable[str]:
    old = {one.name: one for one in before}
    new = {one.name: one for one in after}
    gone, come = old.keys() - new.keys(), new.keys() - old.keys()
    if gone:
        yield f"{counted(len(gone), 'segment')} gone: {', '.join(sorted(gone))}"
    if come:
        yield f"{counted(len(come), 'segment')} new: {', '.join(sorted(come))}"
    for what, texts in (
        ("reference translation", [(old[n].reference, new[n].reference) for n in old if n in new]),
        (
            "transcription",
            [(old[n].transcription, new[n].transcription) for n in old if n in new],
        ),
    ):
        changed = sum(one != other for one, other in texts)
        if changed:
            yield f"another {what} in {counted(changed, 'segment')}"
    words = sum(one.reference_words for one in after) - sum(one.reference_words for one in before)
    if words:
        yield f"{counted(abs(words), 'reference word')} {'more' if words > 0 else 'fewer'}"
    if genre != document.genre:
        yield f"genre {genre} instead of {document.genre}"
    if [one.page for one in before if one.name in new] != [
        new[one.name].page for one in before if one.name in new
    ]:
        yield "segments on other pages"
    if tuple(old) == tuple(new) and all(
        (one.reference, one.transcription, one.page)
        == (new[name].reference, new[name].transcription, new[name].page)
        for name, one in old.items()
    ):
        yield "texts and segments are the same; only lines, words or the like differ"


def _consequences(
    campaign: Campaign,
    base: str,
    kits: Mapping[str, Sequence[KitItem]],
    before: Sequence[CampaignSegment],
    after: Sequence[CampaignSegment],
) -> Iterable[str]:
    giving = [
        system.name
        for system in campaign.contents.systems()
        if base in campaign.contents.documents_of(system.name)
    ]
    if giving:
        yield f"the outputs of {', '.join(giving)} stay, and are held against the new reference"
    words = sum(one.reference_words for one in after) - sum(one.reference_words for one in before)
    for name, items in kits.items():
        systems = ", ".join(sorted(item.system for item in items))
        more = "more" if words > 0 else "fewer"
        change = f"; it has {counted(abs(words), 'word')} {more}" if words else ""
        yield f"kit {name} holds it (output of {systems}){change}"
    if any(one.base == base for one in campaign.earlier.scores()):
        yield "what the earlier phase measured on it stays as it was measured"


def _refusal(
    kits: Mapping[str, Sequence[KitItem]],
    claimed: frozenset[str],
    before: Sequence[CampaignSegment],
    after: Sequence[CampaignSegment],
) -> str:
    begun = sorted(claimed.intersection(kits))
    if begun:
        return (
            f"kit {', '.join(begun)} has been claimed, and its texts were edited against the "
            "reference of before"
        )
    if [one.name for one in before] != [one.name for one in after]:
        return "it has other segments, and outputs and scribe errors hang on those of before"
    return ""


def replace_references(where: str, changed: Sequence[ChangedReference], *, by: str = "") -> Outcome:
    """Take changed references in: their texts, words and bytes; all of them, or nothing.

    Raises:
        InputError: ``campaign.reference-refused``: one of them cannot be taken in.
        ConflictError: a file changed again since, or a kit was claimed.
        StudioError: the campaign cannot be written.
    """
    for one in changed:
        if one.refusal:
            raise InputError(
                "campaign.reference-refused",
                f"The changed reference cannot replace the old one: {one.refusal}",
                where=one.file,
                remedy="Restore the old file, or make a new campaign",
            )
    with open_campaign(where) as campaign, campaign.transaction():
        for one in changed:
            content = read_file(one.file)
            changed_meanwhile(one.file, content, one.sha256)
            campaign.references.replace(
                one.base,
                content,
                one.segments,
                genre=one.genre,
                image_name=one.image_name,
                before=one.before,
            )
            campaign.note(
                "replace reference",
                one.base,
                who=by,
                detail=f"{one.before[:16]} by {one.sha256[:16]}: {'; '.join(one.differences)}",
            )
    return Outcome((f"{counted(len(changed), 'reference')} replaced",))
