"""Work on a campaign as fast as it goes: ``working.py CAMPAIGN EDITOR SECONDS``.

Claims any practice kit of the team that is free, saves texts in it, gives it back, and so on.
Prints what it stored: the ids of the revisions, the claims it got, the longest wait in seconds.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from madcat_studio.errors import ConflictError
from madcat_studio.model.campaign import Pass, Revision, SegmentName, SegmentState, new_id
from madcat_studio.store import open_campaign


class Clock:
    """Measures operations; knows the longest."""

    def __init__(self) -> None:
        self.longest = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        begun = time.monotonic()
        try:
            yield
        finally:
            self.longest = max(self.longest, time.monotonic() - begun)


def main(where: str, editor: str, seconds: float) -> None:
    chance = random.Random(editor)
    stored: list[str] = []
    claimed: list[tuple[str, int]] = []
    clock = Clock()
    with open_campaign(where) as campaign:
        # Not from the plan: an editor's login may not read it.
        kits = sorted({one.kit for one in campaign.progress() if one.practice})
        claims, revisions = campaign.claims, campaign.revisions
        print("ready", flush=True)
        sys.stdin.readline()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            kit = chance.choice(kits)
            try:
                with clock.running():
                    claim = claims.claim(kit, "red", Pass.FIRST, editor, editor)
            except ConflictError:
                continue
            claimed.append((kit, claim.turn))
            for number in range(3):
                revision = Revision(
                    id=new_id(),
                    kit=kit,
                    team="red",
                    pass_=Pass.FIRST,
                    segment=SegmentName("A.x_1_S2", f"s{1 + number % 2}"),
                    editor=editor,
                    machine=editor,
                    at=datetime.now(UTC),
                    state=SegmentState.DRAFT,
                    text=f"{editor} {len(stored)}",
                    turn=claim.turn,
                )
                with clock.running():
                    revisions.append([revision])
                stored.append(revision.id)
            with clock.running():
                claims.release(kit, "red", Pass.FIRST, by=editor)
    answer = {"stored": stored, "claimed": claimed, "longest": clock.longest}
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
