"""The steps of a kit's history, kept over a restart: undo goes on where it was.

A file of this user beside the spools, written when a segment is left or confirmed, and removed when
the pass is handed over. It is no safe-keeping: the texts themselves are in the spool and in the
campaign, and where they say something else than the steps, the steps are left out.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from madcat_studio.model.campaign import Flag, SegmentName, SegmentState
from madcat_studio.workspace.typing import KitStep, Snapshot

__all__ = ["UndoFile"]

_VERSION = 1
_MOST_STEPS = 200
_KEPT_DAYS = 60
"""How long the steps of a kit that nobody opens any more are kept."""


class UndoFile:
    """The steps of one open kit on the disk."""

    def __init__(self, spool: Path, names: Sequence[SegmentName]) -> None:
        """For the kit of a spool, whose segments have these names in order."""
        self.path = spool.parent.parent / "undo" / f"{spool.stem}.undo"
        self._names = names
        self._wrote = False
        self._last: KitStep | None = None

    def read(
        self, now: Callable[[int], Snapshot], recovered: Collection[int]
    ) -> tuple[KitStep, ...]:
        """The steps that lead to the texts as they are, oldest first.

        Args:
            now: the text of a segment as it is.
            recovered: segments whose text came back from the spool: typed after the last step
                that was kept, and so one more step.
        """
        self._sweep()
        steps = self._steps()
        ends: dict[int, Snapshot] = {}
        for step in steps:
            ends.update(step.after)
        bridges, broken = [], set()
        for index, end in ends.items():
            text = now(index)
            if text.content == end.content:
                continue
            if index in recovered:
                bridges.append(KitStep("Typing", {index: end}, {index: text}))
            else:
                broken.add(index)  # changed in another place: its steps lead somewhere else
        kept = [step for step in steps if not broken & step.after.keys()]
        return (*kept, *bridges)

    def _steps(self) -> list[KitStep]:
        index = {str(name): number for number, name in enumerate(self._names)}
        try:
            plain = json.loads(self.path.read_bytes())
            if plain["undo"] != _VERSION:
                return []
            return [
                KitStep(
                    str(one["label"]),
                    {index[name]: _snapshot(pair[0]) for name, pair in one["in"].items()},
                    {index[name]: _snapshot(pair[1]) for name, pair in one["in"].items()},
                )
                for one in plain["steps"]
            ]
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            return []  # none, damaged, or of a kit whose segments are others

    def write(self, done: Sequence[KitStep]) -> None:
        """Keep the last steps, unless they are kept; where that cannot be, undo ends sooner."""
        last = done[-1] if done else None
        if (self._wrote and last is self._last) or not (done or self.path.exists()):
            return
        plain = {
            "undo": _VERSION,
            "steps": [
                {
                    "label": step.label,
                    "in": {
                        str(self._names[index]): [_plain(step.before[index]), _plain(after)]
                        for index, after in step.after.items()
                    },
                }
                for step in done[-_MOST_STEPS:]
            ],
        }
        beside = self.path.with_suffix(".part")
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            data = json.dumps(plain, separators=(",", ":")).encode("ascii")
            file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(file, "wb") as stream:
                stream.write(data)
            beside.replace(self.path)
            self._wrote, self._last = True, last

    def remove(self) -> None:
        """The pass is finished."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def _sweep(self) -> None:
        """Remove what nobody will open any more, such as of a claim that was lost."""
        before = time.time() - _KEPT_DAYS * 86_400
        with suppress(OSError):
            for path in self.path.parent.glob("*.undo"):
                if path.stat().st_mtime < before:
                    path.unlink()


def _plain(one: Snapshot) -> list[Any]:
    flags: Mapping[Flag, str] = one.flags
    return [
        *(one.text, one.caret, one.anchor, one.state.value, one.reason),
        {flag.value: words for flag, words in flags.items()},
    ]


def _snapshot(plain: Any) -> Snapshot:
    text, caret, anchor, state, reason, flags = plain
    return Snapshot(
        str(text),
        min(int(caret), len(text)),
        min(int(anchor), len(text)),
        SegmentState(state),
        str(reason),
        {Flag(name): str(words) for name, words in flags.items()},
    )
