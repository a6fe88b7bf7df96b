"""Rules about page images."""

from __future__ import annotations

from collections.abc import Iterator

from madcat_studio.checks.findings import OUTPUTS, Checked, Finding
from madcat_studio.edits.facts import SetPageFacts
from madcat_studio.errors import StudioError
from madcat_studio.formats.files import has_name
from madcat_studio.images.reading import image_facts
from madcat_studio.model.names import label, page_name
from madcat_studio.model.problem import Severity

__all__ = ["page_images"]


def page_images(checked: Checked) -> Iterator[Finding]:
    """The image is there, can be read, and is of the size and resolution that the file says."""
    document, finder = checked.document, checked.images
    if finder is None or not document.pages or not document.src:
        return
    whole = (document.origin, label("document", document.id, 0))
    path = finder.find(document.src, checked.path)
    if path is None and checked.kind in OUTPUTS:
        return  # systems return their text; the images stay with the inputs
    if path is None:
        yield checked.found(
            "image-missing",
            Severity.WARNING,
            whole,
            f"the image “{document.src}” cannot be found",
            "Put it beside the document, or into a folder named “images” beside it"
            if has_name(checked.path)  # nothing is beside what came from another program
            else "Name its folder with --images, or look for no image with --no-images",
        )
        return
    if path.name != document.src.replace("\\", "/").rpartition("/")[2]:
        yield checked.found(
            "image-name-differs",
            Severity.NOTE,
            whole,
            f"the image is named “{path.name}”, the file says “{document.src}”",
            "Rename it; other programs will not find it",
        )
    for index, page in enumerate(document.pages):
        place = (page.origin, page_name(document, index))
        try:
            facts = image_facts(path, index)
        except StudioError as error:
            yield checked.found(
                error.code.replace(".", "-"),
                Severity.WARNING,
                place,
                f"{path.name}: {error.reason}",
                error.remedy,
            )
            continue
        size = (facts.width, facts.height)
        if (page.width or facts.width, page.height or facts.height) != size:
            yield checked.found(
                "image-size-differs",
                Severity.ERROR,
                place,
                f"the image has {facts.width} x {facts.height} pixels, the file says "
                f"{page.width} x {page.height}",
                "Check that it is the right image and was not scaled",
            )
        elif page.width is None or page.height is None:
            yield checked.found(
                "page-size-missing",
                Severity.NOTE,
                place,
                "the file does not give the page's size, the image does",
                f"Set it to {facts.width} x {facts.height}",
                (SetPageFacts(index, facts.width, facts.height, page.dpi),),
            )
        if facts.dpi is not None and page.dpi and any(abs(d - page.dpi) > 1 for d in facts.dpi):
            yield checked.found(
                "image-resolution-differs",
                Severity.WARNING,
                place,
                f"the image has {facts.dpi[0]:g} dpi, the file says {page.dpi}",
                "Check that the image was not scaled",
            )
