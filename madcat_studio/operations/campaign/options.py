"""The options of a campaign: their names, what they mean, and whether a value makes sense."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from madcat_studio.errors import UsageError
from madcat_studio.scoring.hter import Denominator
from madcat_studio.scoring.ter import TerOptions
from madcat_studio.store import OptionValue

__all__ = ["CLAIMS", "EDITING", "SCORING", "Showing", "check_options"]

EDITING: dict[str, str] = {
    "editing.show_source": "editors see the source's transcription",
    "editing.show_page": "editors see the segment's lines on the page",
    "editing.show_figures": "editors see the HTER of their text",
    "editing.allow_return": "reviewers may return segments to the first pass",
}
"""What editors see besides reference, output and their own text, and what reviewers may do; each
is true or false, and off unless the coordinator says otherwise."""

CLAIMS: dict[str, str] = {
    "claims.expire_hours": "hours without a text after which another may claim the pass; 0: never",
}
"""How long passes stay an editor's; these options may be changed at any time."""

SCORING: tuple[str, ...] = (
    *(f"scoring.{field.name}" for field in fields(TerOptions) if field.name != "costs"),
    "scoring.denominator",
)
"""How HTER is counted."""


@dataclass(frozen=True, slots=True)
class Showing:
    """What editors see and may do, by the campaign's options."""

    source: bool = False
    page: bool = False
    figures: bool = False
    returns: bool = False

    @classmethod
    def of(cls, options: Mapping[str, object]) -> Showing:
        """By a campaign's options; anything but true is off."""

        def on(name: str) -> bool:
            return options.get(f"editing.{name}") is True

        return cls(on("show_source"), on("show_page"), on("show_figures"), on("allow_return"))


def check_options(values: Mapping[str, OptionValue]) -> None:
    """Refuse an option that this program does not know, or a value that makes no sense.

    Raises:
        UsageError: ``campaign.unknown-option``, ``campaign.option-value``.
    """
    defaults = TerOptions()
    for name, value in values.items():
        short = name.removeprefix("scoring.")
        if name not in EDITING and name not in SCORING and name not in CLAIMS:
            raise UsageError(
                "campaign.unknown-option",
                f"there is no option {name}",
                remedy=f"There are: {', '.join((*EDITING, *CLAIMS, *SCORING))}",
            )
        if name == "scoring.denominator":
            good, wanted = value in set(Denominator), " or ".join(Denominator)
        elif name in EDITING or isinstance(getattr(defaults, short, None), bool):
            good, wanted = isinstance(value, bool), "true or false"
        else:
            whole = isinstance(value, int) and not isinstance(value, bool) and value >= 0
            good = whole or (value is None and short == "beam")
            wanted = "a whole number, 0 or more" + (", or none" if short == "beam" else "")
        if not good:
            raise UsageError(
                "campaign.option-value",
                f"the option {name} cannot be {value!r}",
                remedy=f"It is {wanted}",
            )
