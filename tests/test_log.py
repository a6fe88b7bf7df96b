from __future__ import annotations

import logging
from pathlib import Path

import pytest

from madcat_studio import log
from madcat_studio.errors import FormatError


def _text() -> str:
    return (log.folder() / "madcat-studio.log").read_text(encoding="utf-8")


def test_log_lies_in_the_users_log_folder(home: Path) -> None:
    log.start()
    logging.getLogger("madcat_studio.store").info("opened campaign in %d ms", 12)
    assert log.folder().is_relative_to(home)
    assert "madcat_studio.store: opened campaign in 12 ms" in _text()


def test_starting_twice_writes_each_line_once() -> None:
    log.start()
    log.start()
    logging.getLogger("madcat_studio.store").info("once")
    assert _text().count("once") == 1


def test_log_turns_over_and_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "BYTES_PER_FILE", 1000)
    log.start()
    for number in range(200):
        logging.getLogger("madcat_studio").info("line %d of many", number)
    files = sorted(log.folder().iterdir())
    assert len(files) == 1 + log.OLD_FILES
    assert all(file.stat().st_size <= 1000 for file in files)


def test_what_a_user_was_told_is_logged_without_the_documents_words() -> None:
    log.start()
    log.record_message(
        FormatError("tercom.bad-line", "the line 'secret words' has no id", where="/a/x.trn")
    )
    assert "tercom.bad-line (x.trn)" in _text()
    assert "secret" not in _text()


def test_a_home_that_cannot_be_written_only_costs_the_log(home: Path) -> None:
    (home / ".local").write_text("a file where a folder should be")
    log.start()
    logging.getLogger("madcat_studio").info("to nobody")


@pytest.mark.usefixtures("caplog")
def test_crash_report_says_what_a_developer_needs() -> None:
    log.start()
    try:
        {}["segment text"]
    except KeyError as error:
        report = log.report_crash(error)
    text = report.read_text(encoding="utf-8")
    assert report.parent == log.folder()
    for part in ("MADCAT Studio 0.", "Python 3.", "lxml ", "test_log.py", "KeyError"):
        assert part in text
    assert "segment text" not in _text()


@pytest.mark.usefixtures("caplog")
def test_crash_report_finds_another_place(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".local").write_text("a file where a folder should be")
    monkeypatch.setattr(log.tempfile, "gettempdir", lambda: str(tmp_path))
    assert log.report_crash(ValueError("x")).parent == tmp_path
