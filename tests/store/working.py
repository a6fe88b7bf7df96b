"""Work on a campaign as fast as it goes: ``working.py CAMPAIGN EDITOR SECONDS``.

Claims any practice kit of the team that is free, saves texts in it, gives it back, and so on.
Prints what it stored: the ids of the revisions, the claims it got, the longest wait in seconds.
"""

from __future__ import annotations

import json
import random
import sys
import time
from datetime import UTC, datetime

from madcat_studio.errors import ConflictError
from madcat_studio.model.campaign import Pass, Revision, SegmentName, SegmentState, new_id
from madcat_studio.store import open_campaign


def main(where: str, editor: str, seconds: float) -> None:
    chance = random.Random(editor)
    stored: list[str] = []
    claimed: list[tuple[str, int]] = []
    longest = 0.0
    with open_campaign(where) as campaign:
        kits = [kit.name for kit in campaign.plans.kits() if kit.practice]
        print("ready", flush=True)
        sys.stdin.readline()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            kit = chance.choice(kits)
            begun = time.monotonic()
            try:
                claim = campaign.claims.claim(kit, "red", Pass.FIRST, editor, editor)
            except ConflictError:
                longest = max(longest, time.monotonic() - begun)
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
                campaign.revisions.append([revision])
                stored.append(revision.id)
            campaign.claims.release(kit, "red", Pass.FIRST, by=editor)
            longest = max(longest, time.monotonic() - begun)
    print(json.dumps({"stored": stored, "claimed": claimed, "longest": longest}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
