"""Setting up and filling a campaign: everything is checked before anything is written.

Each function may be run again with the same files: what is there already is left as it is and
told. What a function writes it writes as a whole or not at all.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.formats.files import read_file
from madcat_studio.formats.tables import Table
from madcat_studio.images.metadata import without_metadata
from madcat_studio.model.campaign import ScribeError
from madcat_studio.operations.campaign.guidelines import read_text
from madcat_studio.operations.campaign.options import check_options
from madcat_studio.operations.checked import Checking, Outcome, counted, describe_added
from madcat_studio.operations.corpus.from_names import corpus_from_names, read_list
from madcat_studio.operations.corpus.intake import (
    Intake,
    read_conditions,
    read_corpus,
    read_standoff,
)
from madcat_studio.operations.corpus.outputs import (
    Known,
    changed_meanwhile,
    check_names,
    read_outputs,
    store_outputs,
)
from madcat_studio.operations.planning.scans import warn_of_scans
from madcat_studio.operations.scores.options import COACH_OPTION
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import (
    Campaign,
    OptionValue,
    campaign_there,
    create_campaign,
    discard_campaign,
    open_campaign,
)

__all__ = [
    "Documents",
    "add_system",
    "campaign_for",
    "create",
    "known_documents",
    "machine_name",
    "read_documents",
    "set_options",
    "store_documents",
]


def machine_name() -> str:
    """What claims and revisions call this machine."""
    return socket.gethostname() or "unknown"


# -- making a campaign ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Documents:
    """Reference documents that were read and checked, ready to be put into a campaign.

    Attributes:
        intakes: the documents; ``scribe_errors``: of the stand-off file, None without one.
        guidelines: the text that editors are shown, None without one.
        source: what the audit trail says they came from.
    """

    intakes: tuple[Intake, ...]
    scribe_errors: tuple[ScribeError, ...] | None
    guidelines: str | None
    source: str

    @property
    def known(self) -> dict[str, Known]:
        """BASE -> what outputs are held against."""
        return {
            one.document.base: Known(
                one.document.data_set, [segment.name for segment in one.segments]
            )
            for one in self.intakes
        }


def read_documents(
    documents: Path,
    checking: Checking,
    *,
    corpus: Path | None = None,
    images: Path | None = None,
    standoff: Path | None = None,
    conditions: Path | None = None,
    sequestered: Path | None = None,
    training_scribes: Path | None = None,
    guidelines: Path | None = None,
) -> Documents:
    """Read references and what belongs to them; nothing is written, and findings are told.

    Args:
        documents: the folder of ``BASE.madcat.xml`` files.
        checking: is told.
        corpus: the table ``corpus.tsv``; None: one made from the files' names.
        images, standoff, conditions, sequestered, guidelines: as :func:`create`.
        training_scribes: a list of the scribes whose hand training data has: who is in it is
            exposed. A table that says otherwise is told.

    Raises:
        StudioError: a table or a list cannot be read at all.
    """
    codes = read_conditions(conditions, checking)
    held_back = read_list(sequestered)
    scribes = None if training_scribes is None else read_list(training_scribes)
    table: Path | Table = (
        corpus
        if corpus is not None
        else corpus_from_names(
            documents, checking, training_scribes=scribes or (), sequestered=held_back
        )
    )
    intakes = read_corpus(table, documents, images, held_back, codes, checking, scribes)
    names = {
        one.document.base: frozenset(segment.name for segment in one.segments) for one in intakes
    }
    errors = read_standoff(standoff, names, checking)
    return Documents(
        tuple(intakes),
        None if standoff is None else tuple(errors),
        None if guidelines is None else read_text(guidelines),
        str(corpus or documents),
    )


def store_documents(campaign: Campaign, read: Documents, checking: Checking) -> list[str]:
    """Put documents into a campaign, within the caller's transaction; what was done.

    Raises:
        ConflictError: a file changed since it was read, or the campaign has another of its name.
        Cancelled: the user stopped it.
    """
    intakes = read.intakes
    added = 0
    for number, one in enumerate(intakes):
        checking.step(number, len(intakes), one.document.base)
        content = read_file(one.file)
        changed_meanwhile(one.file, content, one.document.sha256)
        added += campaign.contents.add_document(
            one.document,
            content,
            one.segments,
            None if one.image is None else without_metadata(read_file(one.image)),
        )
    errors = read.scribe_errors or ()
    marked = campaign.contents.add_scribe_errors(errors)
    if read.guidelines is not None:
        campaign.set_guidelines(read.guidelines)
    if added or marked:
        campaign.note("take in documents", read.source, detail=counted(added, "document"))
    done = [
        describe_added(added, len(intakes) - added, "document"),
        f"{counted(sum(len(one.segments) for one in intakes), 'segment')}, "
        f"{counted(sum(1 for one in intakes if one.image), 'image')}",
    ]
    if read.scribe_errors is not None:
        done.append(describe_added(marked, len(errors) - marked, "scribe error"))
    return done


def create(
    where: str,
    *,
    documents: Path,
    corpus: Path | None = None,
    images: Path | None = None,
    standoff: Path | None = None,
    conditions: Path | None = None,
    sequestered: Path | None = None,
    training_scribes: Path | None = None,
    name: str = "",
    options: Mapping[str, OptionValue] | None = None,
    guidelines: Path | None = None,
    progress: Progress = SILENT,
) -> Outcome:
    """Make a campaign, or add to one what is new in the corpus table.

    Args:
        where: a folder, or the URL of an empty PostgreSQL database.
        documents: the folder of ``BASE.madcat.xml`` files.
        corpus: the table ``corpus.tsv`` of docs/files.md; None: made from the files' names.
        images: the folder of the pages' images; None: none are taken in.
        standoff: the file of scribe errors.
        conditions: ``writing_conditions.tab``.
        sequestered: a list of passages, one a line, that may be in the progress set only.
        training_scribes: a list of the scribes of training data, one a line.
        name: of the campaign; by default that of the folder.
        options: options to set.
        guidelines: a text file that editors are shown.
        progress: told after each document.

    Raises:
        Refused: something is wrong; all of it is listed and nothing was written.
        StudioError: a table or the database cannot be used.
        Cancelled: the user stopped it; nothing was written.
    """
    check_options(options or {})
    checking = Checking(progress)
    read = read_documents(
        documents,
        checking,
        corpus=corpus,
        images=images,
        standoff=standoff,
        conditions=conditions,
        sequestered=sequestered,
        training_scribes=training_scribes,
        guidelines=guidelines,
    )
    checking.settle()
    with campaign_for(where, name) as campaign, campaign.transaction():
        done = store_documents(campaign, read, checking)
        if options:
            campaign.set_options(options)
    return Outcome(tuple(done), tuple(checking.problems))


def _default_name(where: str) -> str:
    return re.split(r"[\\/]", where.split("?")[0].rstrip("\\/"))[-1] or "campaign"


@contextmanager
def campaign_for(where: str, name: str = "") -> Iterator[Campaign]:
    """The campaign at ``where``, made where there is none, and unmade if filling it fails."""
    if campaign_there(where):
        with open_campaign(where) as campaign:
            yield campaign
        return
    campaign = create_campaign(where, name or _default_name(where))
    try:
        campaign.set_options({COACH_OPTION: True})
        yield campaign
    except BaseException:
        campaign.close()
        discard_campaign(where)
        raise
    campaign.close()


def set_options(where: str, options: Mapping[str, OptionValue]) -> Outcome:
    """Set options of a campaign that nobody has begun to edit.

    Raises:
        StudioError: it cannot be opened, or editing has begun.
    """
    check_options(options)
    checking = Checking(SILENT)
    with open_campaign(where) as campaign:
        campaign.set_options(options)
        warn_of_scans(campaign, campaign.plans.kits(), checking)
    done = tuple(f"{name} = {value}" for name, value in options.items())
    return Outcome(done, tuple(checking.problems))


# -- systems ----------------------------------------------------------------------------------


def add_system(
    where: str,
    *,
    name: str,
    outputs: Path,
    code: str = "",
    earlier: bool = False,
    progress: Progress = SILENT,
) -> Outcome:
    """Add a system with its outputs (``BASE.linesys.madcat.xml``).

    Segments that the system left out count as empty output, and so do evaluation documents of
    which there is no file (progress documents too, once the system gave one of them). Extra and
    doubled segments are listed and not scored.

    Args:
        where: the campaign.
        name: of the system; editors never see it.
        outputs: the folder of its files.
        code: what editors see; by default the next free one of X1, X2 …
        earlier: the output is an earlier phase's, for the control set: a document without a
            file is then not missing.
        progress: told after each file.

    Raises:
        Refused: a file cannot be read; all are listed and nothing was written.
        StudioError: the name or code is another system's, or the database cannot be used.
    """
    checking = Checking(progress)
    with open_campaign(where) as campaign:
        check_names([name], [one.name for one in campaign.contents.systems()], checking)
        checking.settle()
        read = read_outputs(name, outputs, known_documents(campaign), checking, earlier=earlier)
        checking.settle()
        with campaign.transaction():
            done = store_outputs(campaign, read, code=code, earlier=earlier)
    return Outcome(tuple(done), tuple(checking.problems))


def known_documents(campaign: Campaign) -> dict[str, Known]:
    """BASE -> what outputs are held against, of a campaign that is there."""
    return {
        one.base: Known(
            one.data_set, [segment.name for segment in campaign.contents.segments(one.base)]
        )
        for one in campaign.contents.documents()
    }
