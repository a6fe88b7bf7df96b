"""Ask for the next kit, in a process of its own: ``asking.py CAMPAIGN ROUNDS EDITOR``.

Waits for a line before each round, so that two processes ask at the same moment, and answers
with what it got.
"""

from __future__ import annotations

import sys

from madcat_studio.errors import ConflictError
from madcat_studio.model.campaign import Pass
from madcat_studio.store import open_campaign


def main(where: str, rounds: int, editor: str) -> None:
    with open_campaign(where) as campaign:
        print("ready", flush=True)
        for number in range(rounds):
            sys.stdin.readline()
            try:
                claim = campaign.claims.claim(f"R{number}", "red", Pass.FIRST, editor, editor)
            except ConflictError as error:
                print(error.code, flush=True)
            else:
                print("got", claim.editor, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
