"""A campaign that is open here is not spoilt by being looked at here and written elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from madcat_studio.store import create_campaign, open_campaign
from madcat_studio.store.watch import Watch

_WRITE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("UPDATE campaign SET name = ?", (sys.argv[2],))
connection.close()
"""


def test_looking_at_an_open_campaign_keeps_the_locks_on_it(tmp_path: Path) -> None:
    # Opened and closed as a plain file, the database would lose this process's locks, and the
    # other program would take the log away under the connection of the watch.
    folder = tmp_path / "campaign"
    create_campaign(folder, "0").close()
    with Watch(folder) as watch:
        for number in range(3):
            with open_campaign(folder, read_only=True) as campaign:
                assert campaign.name == str(number)
            file = folder / "campaign.sqlite"
            subprocess.run([sys.executable, "-c", _WRITE, file, str(number + 1)], check=True)
            assert watch.changed()
            assert not watch.changed()
