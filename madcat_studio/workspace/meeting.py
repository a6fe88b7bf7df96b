"""What somebody else wrote into the file of an open document, beside what its user changed."""

from __future__ import annotations

from madcat_studio.formats.documents import read_document
from madcat_studio.formats.files import read_file
from madcat_studio.model.copies import copy_document
from madcat_studio.model.document import Document
from madcat_studio.operations.pages.convert import open_source
from madcat_studio.pages.merging import Merge, merge
from madcat_studio.workspace.page import PageWorkspace

__all__ = ["meet"]


def meet(workspace: PageWorkspace) -> Merge | None:
    """What can be taken from the file as it is now; None where that cannot be told.

    Raises:
        InputError, FormatError, WorldError: the file cannot be read.
    """
    base = _as_saved(workspace)
    if base is None:
        return None
    fresh = read_document(open_source(read_file(workspace.path), workspace.path))
    return merge(base, workspace.document, fresh.document)


def _as_saved(workspace: PageWorkspace) -> Document | None:
    """The document as it was saved last; None where no step leads back to that."""
    history = workspace.history
    if history.saved is None:
        return None
    document, steps = copy_document(workspace.document), history.steps()
    for step in reversed(steps[history.saved : history.position]):
        step.back.apply(document)
    for step in steps[history.position : history.saved]:
        step.edit.apply(document)
    return document
