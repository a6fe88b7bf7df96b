"""The judge's memory on disk: every attempt and every raw reply, one a line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from madcat_studio.errors import FormatError
from madcat_studio.formats.json_lines import JsonLog
from madcat_studio.scoring.scorecards.judge import Record, Reply

__all__ = ["JudgeLog", "open_log"]


class JudgeLog:
    """A ledger in a file of JSON lines; it can be resumed after a kill."""

    def __init__(self, log: JsonLog) -> None:
        self._log = log

    def records(self) -> Iterator[Record]:
        """What earlier runs kept.

        Raises:
            FormatError: ``scorecards.judge-log``: a line is no record.
        """
        for number, value in enumerate(self._log.values, 1):
            try:
                yield _record(value)
            except (KeyError, TypeError, ValueError) as error:
                raise FormatError(
                    "scorecards.judge-log",
                    "this line is not a record of a judge run",
                    where=f"{self._log.path}:{number}",
                    remedy="Give the file that an earlier run wrote, or a new name",
                ) from error

    def add(self, record: Record) -> None:
        """Keep one more attempt."""
        self._log.append(
            {
                "request": record.fingerprint,
                "sample": record.sample,
                "attempt": record.attempt,
                "reply": None if record.reply is None else asdict(record.reply),
            }
        )


def _record(value: Any) -> Record:
    reply = value["reply"]
    return Record(
        str(value["request"]),
        str(value["sample"]),
        int(value["attempt"]),
        None if reply is None else Reply(**reply),
    )


@contextlib.contextmanager
def open_log(path: Path) -> Iterator[JudgeLog]:
    """The log at ``path``, made if it is not there."""
    log = JsonLog(path)
    try:
        yield JudgeLog(log)
    finally:
        log.close()
