"""A campaign's scoring options: their names, which values make sense, what they come to.

They are looked at by the same rule when they are set and when the campaign is scored: another
program may have written them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from madcat_studio.errors import UsageError
from madcat_ter.hter import Denominator
from madcat_ter.options import TerOptions, switches

__all__ = [
    "COACH_OPTION",
    "SCORING",
    "bad_value",
    "check_scoring",
    "denominator_of",
    "scoring_options",
]

COACH_OPTION = "editing.coach"
"""Whether editors are told which edits could be spared, and reports what could have been; on in
every campaign that is made, unless whoever makes it says otherwise."""

_ROOM = "scoring."
_DENOMINATOR = f"{_ROOM}denominator"
_BEAM = f"{_ROOM}beam"
_FIELDS: dict[str, str] = {
    f"{_ROOM}{one.name}": one.name for one in fields(TerOptions) if one.name != "costs"
}
_SWITCHES = frozenset(name for name, _ in switches(TerOptions))

SCORING: tuple[str, ...] = (*_FIELDS, _DENOMINATOR)
"""How HTER is counted."""


def bad_value(name: str, value: object, wanted: str) -> UsageError:
    """What is said of an option's value that makes no sense."""
    return UsageError(
        "campaign.option-value",
        f"the option {name} cannot be {value!r}",
        remedy=f"It should be {wanted}",
    )


def check_scoring(name: str, value: object) -> None:
    """Refuse a scoring option that this program does not know, or a value that makes no sense.

    Raises:
        UsageError: ``campaign.unknown-option``, ``campaign.option-value``.
    """
    if name == _DENOMINATOR:
        if value not in set(Denominator):
            raise bad_value(name, value, " or ".join(Denominator))
    elif name not in _FIELDS:
        raise UsageError(
            "campaign.unknown-option",
            f"there is no option {name}",
            remedy=f"There are: {', '.join(SCORING)}",
        )
    elif _FIELDS[name] in _SWITCHES:
        if not isinstance(value, bool):
            raise bad_value(name, value, "true or false")
    elif not (name == _BEAM and value is None) and (
        isinstance(value, bool) or not isinstance(value, int) or value < 0
    ):
        raise bad_value(
            name, value, "a whole number, 0 or more" + (", or none" if name == _BEAM else "")
        )


def scoring_options(options: Mapping[str, object]) -> TerOptions:
    """The TER options among a campaign's options.

    Raises:
        UsageError: as :func:`check_scoring`.
    """
    chosen: dict[str, Any] = {}
    for name, value in options.items():
        if name.startswith(_ROOM):
            check_scoring(name, value)
            if name in _FIELDS:
                chosen[_FIELDS[name]] = value
    return replace(TerOptions(), **chosen)


def denominator_of(options: Mapping[str, object]) -> Denominator:
    """Whose words a campaign's rates divide by, unless somebody asks for others.

    Raises:
        UsageError: as :func:`check_scoring`.
    """
    if (value := options.get(_DENOMINATOR)) is None:
        return Denominator.CHOSEN
    check_scoring(_DENOMINATOR, value)
    return Denominator(str(value))
