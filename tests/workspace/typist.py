"""Type into a kit until killed: ``typist.py CAMPAIGN SPOOLS SEED``.

Before each action it says what the text of a segment will be, and whether it is about to undo
(when any text may change); after it, what all texts are: whoever has read that may count on
finding them again.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

from madcat_studio.model.campaign import Pass
from madcat_studio.store import open_campaign
from madcat_studio.workspace.kit import KitWorkspace


def main(where: str, spools: str, seed: int) -> None:
    chance = random.Random(seed)
    with open_campaign(where) as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
        kit = KitWorkspace(campaign, claim, folder=Path(spools))
        while True:
            text = kit.own(kit.current).text
            action = chance.random()
            letter = chance.choice("abc def\u00e9\u0301")
            undoing = 0.85 <= action < 0.9
            tell("will", kit.current, text + letter if action < 0.85 else text, undoing)
            if action < 0.85:
                kit.set_text(text + letter, len(text) + 1)
            elif action < 0.9:
                kit.undo()
            elif action < 0.95 and text.strip():
                kit.confirm_and_next()
            else:
                kit.go_to(chance.randrange(len(kit.segments)))
            tell("did", [kit.own(index).text for index in range(len(kit.segments))])


def tell(*words: object) -> None:
    print(json.dumps(words), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
