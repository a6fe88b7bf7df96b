"""Work on a campaign: ``working.py CAMPAIGN EDITOR SECONDS PAUSE``, without a pause at full speed.

Claims any practice kit of the team that is free, saves texts in it, gives it back, and so on; an
editor's login keeps the first that it gets.
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
    """Measures operations; knows the longest. Rests after each for ``pause`` seconds."""

    def __init__(self, pause: float) -> None:
        self.longest, self._pause = 0.0, pause

    @contextmanager
    def running(self) -> Iterator[None]:
        begun = time.monotonic()
        try:
            yield
        finally:
            took = time.monotonic() - begun
            self.longest = max(self.longest, took)
            time.sleep(max(0.0, self._pause - took))


def main(where: str, editor: str, seconds: float, pause: float) -> None:
    chance = random.Random(editor)
    stored: list[str] = []
    claimed: list[tuple[str, int]] = []
    names: dict[str, list[SegmentName]] = {}
    clock = Clock(pause)
    with open_campaign(where) as campaign:
        # Not from the plan: an editor's login may not read it.
        kits = sorted({one.kit for one in campaign.progress() if one.practice})
        claims, revisions = campaign.claims, campaign.revisions
        print("ready", flush=True)
        sys.stdin.readline()
        end = time.monotonic() + seconds
        kit = ""
        while time.monotonic() < end:
            # A login may not end its own claim: it goes on with its kit.
            held = bool(kit) and campaign.editor is not None
            kit = kit if held else chance.choice(kits)
            try:
                if not held:
                    with clock.running():
                        claim = claims.claim(kit, "red", Pass.FIRST, editor, editor)
                    claimed.append((kit, claim.turn))
            except ConflictError:
                kit = ""
                continue
            if kit not in names:  # an editor's login knows pages by names of that kit alone
                shown = revisions.kit_segments(kit, "red", Pass.FIRST)
                names[kit] = [one.name for one in shown]
            for number in range(3):
                revision = Revision(
                    id=new_id(),
                    kit=kit,
                    team="red",
                    pass_=Pass.FIRST,
                    segment=names[kit][number % 2],
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
            if campaign.editor is None:
                with clock.running():
                    claims.release(kit, "red", Pass.FIRST, by=editor)
    answer = {"stored": stored, "claimed": claimed, "longest": clock.longest}
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]))
