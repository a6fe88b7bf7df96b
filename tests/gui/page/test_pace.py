"""Pages an hour beside the queue."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from madcat_studio.gui.page.queue.pace import PaceDialog
from madcat_studio.operations.pages.page_queue import claim, finish
from tests.gui.helpers import NORMAL, copy_sample, run


@pytest.mark.long
def test_it_is_told_by_person_and_by_kind(user: Any, tmp_path: Path) -> None:
    page = copy_sample(NORMAL, tmp_path, image=False)
    claim(page, "ana")
    finish(page, "ana")
    someone = user(page)
    run(someone.view, "page.queue-pace")
    someone.wait(lambda: bool(someone.view.findChildren(PaceDialog)))
    dialog = someone.view.findChildren(PaceDialog)[0]
    people, kinds = dialog.people.model(), dialog.kinds.model()
    cells = [people.index(0, column).data() for column in range(3)]
    assert cells == ["ana", "work", "1"]
    assert kinds.index(0, 0).data() == "newswire"
    assert dialog.people.accessibleName() == "By person"
    dialog.reject()
    someone.wait(lambda: not someone.view.findChildren(PaceDialog))
