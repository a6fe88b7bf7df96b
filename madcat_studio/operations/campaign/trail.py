"""What was done in a campaign and who did it, and what editors said of segments."""

from __future__ import annotations

from madcat_studio.model.campaign import Flagged
from madcat_studio.store import AuditEntry, open_campaign

__all__ = ["audit_trail", "flags"]


def flags(where: str) -> tuple[Flagged, ...]:
    """What editors said of segments, as it stands: kits in order.

    Raises:
        StudioError: the campaign cannot be opened.
    """
    with open_campaign(where, read_only=True) as campaign:
        return campaign.revisions.flagged()


def audit_trail(where: str, limit: int, *, by: str = "", about: str = "") -> tuple[AuditEntry, ...]:
    """Who did what, newest first.

    Args:
        where: the campaign.
        limit: how many entries at most.
        by: a person's; "": everybody's.
        about: words that action, subject or detail hold, whatever their case; "": everything.

    Raises:
        StudioError: the campaign cannot be opened.
    """
    with open_campaign(where, read_only=True) as campaign:
        return campaign.audit_trail(limit, who=by, about=about)
