"""The schema as one rule: what reading did not already tell is told here."""

from __future__ import annotations

from collections.abc import Iterator

from madcat_studio.checks.findings import Checked, Finding
from madcat_studio.formats.documents import IN_PLACE, format_of
from madcat_studio.formats.schema import violations
from madcat_studio.model.problem import Problem, Severity, Where

__all__ = ["schema"]


def schema(checked: Checked) -> Iterator[Finding]:
    """The file follows its format's schema, if there is one; one finding, with the first place.

    Most violations have a finding of their own, in words of the subject; then this is a note.
    """
    source = checked.read.source
    if format_of(source) not in IN_PLACE:
        return
    found = violations(source)
    if not found:
        return
    first = found[0]
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    told = bool(checked.read.problems)
    yield Finding(
        Problem(
            "schema",
            Severity.NOTE if told else Severity.WARNING,
            checked.where(first.origin, first.element)
            if first.origin is not None
            else Where(source.name, first.line, first.element),
            f"the file does not follow the schema: {first.what}{more}",
            "kept as it is",
            "" if told else "Other programs may refuse the file",
        )
    )
