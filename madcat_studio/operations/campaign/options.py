"""The options of a campaign: their names, what they mean, and whether a value makes sense."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from madcat_studio.errors import UsageError
from madcat_studio.model.calendar import OPTIONS, Calendar, date_of
from madcat_studio.model.visits import TIMES_ONLY_OPTION
from madcat_studio.operations.scores.options import COACH_OPTION, SCORING, bad_value, check_scoring
from madcat_studio.store import OptionValue

__all__ = [
    "CLAIMS",
    "EDITING",
    "SPELLING",
    "SPELLING_OFF",
    "SPELLING_OPTION",
    "Showing",
    "check_options",
]

EDITING: dict[str, str] = {
    "editing.show_source": "editors see the source's transcription",
    "editing.show_page": "editors see the segment's lines on the page",
    "editing.show_translated": "editors see the page with their texts in place of the writing; "
    "only with editing.show_page",
    "editing.show_figures": "editors see the HTER of their text",
    COACH_OPTION: "editors are told which of their edits could be spared",
    "editing.allow_return": "reviewers may return segments to the first pass",
    TIMES_ONLY_OPTION: "of editors' work times are recorded and nothing else",
}
"""What editors see besides reference, output and their own text, what reviewers may do, and what is
recorded; each is true or false, and off unless the coordinator says otherwise."""

SPELLING_OPTION, SPELLING_OFF = "editing.spelling", "off"

SPELLING: dict[str, str] = {
    SPELLING_OPTION: "the dictionary that marks misspelt words, as en_US or en_GB; or off",
}
"""The same for every editor of the campaign; where it is not set, each chooses one."""

_DICTIONARY = re.compile("[a-z]{2,3}(_[A-Za-z0-9]+)*")

CLAIMS: dict[str, str] = {
    "claims.expire_hours": "hours without a text after which another may claim the pass; 0: never",
}
"""How long passes stay an editor's; these options may be changed at any time."""


@dataclass(frozen=True, slots=True)
class Showing:
    """What editors see and may do, by the campaign's options.

    ``spelling`` is the name of the dictionary, :data:`SPELLING_OFF`, or "": each editor's own.
    """

    source: bool = False
    page: bool = False
    figures: bool = False
    returns: bool = False
    coach: bool = False
    spelling: str = ""
    translated: bool = False

    @classmethod
    def of(cls, options: Mapping[str, object]) -> Showing:
        """By a campaign's options; anything but true is off."""

        def on(name: str) -> bool:
            return options.get(f"editing.{name}") is True

        shown = (on("show_source"), on("show_page"), on("show_figures"))
        name = options.get(SPELLING_OPTION)
        spelling = name if isinstance(name, str) and _DICTIONARY.fullmatch(name) else ""
        # Whoever may not see the page may not see it with other texts either.
        translated = on("show_page") and on("show_translated")
        return cls(*shown, on("allow_return"), on("coach"), spelling, translated)


def check_options(values: Mapping[str, OptionValue]) -> None:
    """Refuse an option that this program does not know, or a value that makes no sense.

    Raises:
        UsageError: ``campaign.unknown-option``, ``campaign.option-value``.
        InputError: ``calendar.moment``.
    """
    for name, value in values.items():
        if name in EDITING:
            if not isinstance(value, bool):
                raise bad_value(name, value, "true or false")
        elif name in SPELLING:
            if not isinstance(value, str) or not _DICTIONARY.fullmatch(value):
                raise bad_value(name, value, "the name of a dictionary, such as en_GB, or off")
        elif name in CLAIMS:
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise bad_value(name, value, "a whole number, 0 or more")
        elif (dated := date_of(name)) is not None:
            Calendar.of({name: value}, dated[1])
        elif name.startswith("scoring."):
            check_scoring(name, value)
        else:
            raise UsageError(
                "campaign.unknown-option",
                f"there is no option {name}",
                remedy="There are: "
                + ", ".join((*EDITING, *SPELLING, *CLAIMS, *OPTIONS, *SCORING)),
            )
