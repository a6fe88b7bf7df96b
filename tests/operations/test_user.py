"""Who is written into the trail, on machines that do not know it."""

from __future__ import annotations

import getpass

import pytest

from madcat_studio.operations.pages.page_queue import me
from madcat_studio.operations.user import who


@pytest.mark.parametrize("error", [OSError("no such user"), KeyError("uid not found: 4711")])
def test_a_user_without_a_name_has_a_part(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def unknown() -> str:
        raise error

    monkeypatch.setattr(getpass, "getuser", unknown)
    assert who() == "coordinator"
    assert me() == "annotator"


def test_a_user_is_called_as_the_machine_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "amira")
    assert (who(), me()) == ("amira", "amira")
