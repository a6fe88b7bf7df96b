"""What editors see of a kit does not tell control pages from the rest.

A classifier gets all that an editor's login, window and file show but what is written on the pages.
It has to find the earlier leak, or it would prove nothing.
"""

from __future__ import annotations

import json
import random
import secrets
import uuid
import zipfile
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
import sqlalchemy as sa

from madcat_studio.errors import InputError
from madcat_studio.model.campaign import (
    Assignment,
    DataSet,
    Editor,
    Kit,
    KitItem,
    Pass,
    SegmentName,
    System,
    Team,
)
from madcat_studio.model.outlines import spell_lines
from madcat_studio.planning.kits import plan_kits
from madcat_studio.planning.units import Unit
from madcat_studio.store import Campaign, covers, give_out, open_campaign, rights, schema
from madcat_studio.store.covered import Covers
from madcat_studio.store.covers import SHOWN_ID, cover_name
from madcat_studio.store.rights import RIGHTS, TableRights
from madcat_studio.workspace.desk import Desk
from tests.store.conftest import LINES
from tests.store.telling import Seen, features, merged, tell

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

TEAM, WORDS = (
    "red",
    [
        "the",
        "quick",
        "brown",
        "fox",
        "jumps",
        "over",
        "a",
        "lazy",
        "dog",
        "while",
        "nobody",
        "looks",
    ],
)

CONTENT = {
    "blobs.sha256", "blobs.content", "documents.image_sha256", "segments.reference",
    "segments.transcription", "outputs.text", "outlines.lines", "revisions.text",
}  # fmt: skip
"""What is written on a page, and its picture."""


# -- the drawing of covers ----------------------------------------------------------------------


def test_manuscripts_are_drawn_and_their_pages_stay_in_order() -> None:
    manuscripts = ["a", "a", "b", "c", "c", "c", "a"]
    seen: dict[tuple[int, int], int] = defaultdict(int)
    for _ in range(300):
        places = covers.draw_order(manuscripts)
        assert sorted(places) == list(range(7))
        assert places[1] == places[0] + 1
        assert [one - places[3] for one in places[3:6]] == [0, 1, 2]
        for number, place in enumerate(places):
            seen[number, place] += 1
    # Each of the four groups comes first about as often as the others.
    first = [seen[number, 0] for number in (0, 2, 3, 6)]
    assert sum(first) == 300
    assert min(first) > 40


def test_a_cover_is_of_one_kit(campaign: Campaign) -> None:
    one, other = campaign.covers.of("K1"), campaign.covers.of("K2")
    assert [f"{real} {shown}" for real, shown in one.items()] == [
        "A.x_1_S1/s1 K1.01/1",
        "A.x_1_S1/s2 K1.01/2",
        "B.x_1_S1/s1 K1.02/1",
        "B.x_1_S1/s2 K1.02/2",
    ]
    assert not set(one.values()) & set(other.values())
    assert campaign.covers.behind("K1") == {shown: real for real, shown in one.items()}


def test_the_desk_shows_a_page_under_its_cover(campaign: Campaign, tmp_path: Path) -> None:
    document = campaign.contents.document("B.x_1_S1")
    assert document is not None
    content = campaign.contents.blob(document.sha256)
    campaign.contents.add_document(document, content, (), b"scan of B")
    shown = Desk(campaign).lines("K1", "K1.02")
    assert shown.scan is not None
    assert shown.scan.read_bytes() == b"scan of B"
    assert {name: spell_lines(lines) for name, lines in shown.segments.items()} == {"1": LINES}
    with pytest.raises(InputError, match=r"campaign\.no-document"):
        Desk(campaign).lines("K1", "K2.02")


def test_a_page_that_is_called_like_a_cover_is_refused(campaign: Campaign) -> None:
    contents = campaign.contents
    document = contents.document("A.x_1_S1")
    assert document is not None
    contents.add_document(
        replace(document, base="K7.02", passage="C", manuscript="C1"), b"other", ()
    )
    contents.add_output("Alpha", "K7.02", b"other", {})
    items = tuple(KitItem("Alpha", base) for base in ("A.x_1_S2", "K7.02"))
    with pytest.raises(InputError) as told:
        campaign.plans.plan_kit(Kit("K7", items))
    assert told.value.code == "store.cover-taken"
    assert campaign.plans.plan_kit(Kit("K8", items))


# -- a plan in which control pages could be told --------------------------------------------------


def made_plan(
    where: str, chance: random.Random, new_id: Callable[[], str], pages: int, old: int
) -> None:
    """Two new systems on most pages, two old ones on a tenth, as two phases would bring them."""
    with open_campaign(where) as campaign, campaign.transaction():
        units = _fill(campaign, chance, new_id, pages, old)
        kits = plan_kits(units, seed=chance.randrange(1000), steps=20_000)
        campaign.plans.add_team(Team("white", (Editor("white1"), Editor("white2"))))
        for number, kit in enumerate(kits, 1):
            items = [KitItem(one.system, base) for one in kit.units for base in one.documents]
            campaign.plans.plan_kit(Kit(f"P{number}", tuple(items)))
            campaign.plans.assign(
                f"P{number}",
                [
                    Assignment(f"P{number}", TEAM, "red1", "red2"),
                    Assignment(f"P{number}", "white", "white1", "white2"),
                ],
            )
        campaign.set_options({"editing.show_page": True})


def _fill(
    campaign: Campaign,
    chance: random.Random,
    new_id: Callable[[], str],
    pages: int,
    control: int,
) -> list[Unit]:
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    # The earlier phase is brought in after the new outputs, with codes of the same series.
    systems = {}
    for number, (name, old) in enumerate(
        [("maple", False), ("willow", False), ("BASE", True), ("oak", True)], 11
    ):
        campaign.contents.add_system(System(name, f"X{number}", earlier=old))
        with campaign._database.reading() as connection:
            systems[name] = connection.scalar(
                sa.select(schema.systems.c.id).where(schema.systems.c.name == name)
            )
    units = []
    for number in range(pages):
        old = number >= pages - control
        base = f"OLD_ARB_2008{number:04}.0007_1_LDC1" if old else f"NEW_ARB_2026{number:04}_1_LDC2"
        key, words = new_id(), []
        scan = f"scan {uuid.UUID(int=chance.getrandbits(128))}".encode()
        blobs = [f"{scan!r} {what}" for what in ("page", "scan")]
        for one in blobs:
            rows["blobs"].append(
                {"sha256": f"{chance.getrandbits(256):064x}", "size": 40, "content": one.encode()}
            )
        rows["documents"].append(
            {
                **dict.fromkeys(("exposure", "track", "conditions"), ""),
                "id": key,
                "base": base,
                "source_document": base[:12],
                "passage": f"p{number}",
                "manuscript": f"m{number}",
                "page": "1",
                "scribe": base[-4:],
                "genre": "web",
                "data_set": (DataSet.CONTROL if old else DataSet.EVALUATION).value,
                "sequestered": False,
                "sha256": rows["blobs"][-2]["sha256"],
                "image_name": f"{base}.tif",
                "image_sha256": rows["blobs"][-1]["sha256"],
            }
        )
        own = [name for name in systems if (name in ("BASE", "oak")) == old]
        for name in own:
            rows["output_files"].append(
                {"system_id": systems[name], "document_id": key, "sha256": "0" * 64}
            )
        for place in range(chance.randrange(3, 6)):
            text = " ".join(chance.choices(WORDS, k=chance.randrange(10, 30)))
            words.append(len(text.split()))
            segment = new_id()
            rows["segments"].append(
                {
                    "id": segment,
                    "document_id": key,
                    "position": place,
                    "name": f"seg-{place:03}" if old else f"s{place + 1}",
                    "page": "p1" if old else "1",
                    "transcription": text,
                    "reference": text,
                    "transcription_words": words[-1],
                    "reference_words": words[-1],
                    "scribe_error": False,
                }
            )
            rows["outlines"].append({"segment_id": segment, "lines": LINES})
            for name in own:
                gave = chance.random() > 0.03
                rows["outputs"].append(
                    {
                        "segment_id": segment,
                        "system_id": systems[name],
                        # An earlier phase never wrote down what a system did not give.
                        "text": text if gave else "",
                        "missing": not (gave or old),
                    }
                )
        units += [
            Unit(f"m{number}", f"p{number}", "web", name, (base,), sum(words)) for name in own
        ]
    with campaign._database.writing() as connection:
        for table in ("blobs", "documents", "segments", "outlines", "output_files", "outputs"):
            connection.execute(schema.metadata.tables[table].insert(), rows[table])
    return units


# -- what an editor sees ---------------------------------------------------------------------------

Pages = dict[tuple[str, str], Seen]
"""By kit and BASE."""


class Truth:
    """What the owner knows: which page an editor's name or key of it means."""

    def __init__(self, where: str, covered: bool) -> None:
        segment = SHOWN_ID.format(i="i", s="s") if covered else "s.id"
        self.page: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self.control: dict[tuple[str, str], bool] = {}
        with psycopg.connect(where) as owner:
            for kit, base, control, cover, document, shown, key in owner.execute(
                "SELECT k.name, d.base, d.data_set = 'control', i.cover, d.id, i.shown,"
                f" {segment} FROM kit_items i JOIN kits k ON k.id = i.kit_id"  # type: ignore[arg-type]
                " JOIN documents d ON d.id = i.document_id"
                " JOIN segments s ON s.document_id = d.id WHERE k.name LIKE 'P%'"
            ):
                page = (kit, base)
                self.control[page] = control
                names = {key, cover if covered else document}
                names.add(cover_name(kit, shown) if covered else base)
                for name in names:
                    if page not in self.page[str(name)]:
                        self.page[str(name)].append(page)

    def pages(self) -> Pages:
        return {key: Seen(key[0], control) for key, control in self.control.items()}


def seen_by_login(guarded: Guarded, truth: Truth) -> Pages:
    """All rows of all relations that the login of the editor reads, as they come."""
    pages = truth.pages()
    with guarded.connect("red1") as login:
        for table, one in RIGHTS.items():
            if not one.by_function:
                continue
            rows = login.execute(f"SELECT * FROM studio_read_{table}()")  # type: ignore[arg-type]
            names = [column.name for column in rows.description or ()]
            found = rows.fetchall()
            for place, row in enumerate(found):
                # A row belongs to the pages that one of its values means.
                own = {page for value in row for page in truth.page.get(str(value), ())}
                kit = [
                    str(value) for name, value in zip(names, row, strict=True) if name == "kit_id"
                ]
                own = {page for page in own if not kit or _kit_is(login, kit[0], page[0])}
                for page in own:
                    pages[page].places.setdefault(table, place / len(found))
                    for name, value in zip(names, row, strict=True):
                        if f"{table}.{name}" not in CONTENT:
                            pages[page].values[f"{table}.{name}"].append(_plain(value))
    return pages


_KITS: dict[str, str] = {}


def _kit_is(login: psycopg.Connection[tuple[object, ...]], key: str, name: str) -> bool:
    if key not in _KITS:
        for found, known in login.execute("SELECT id, name FROM studio_read_kits()"):
            _KITS[str(found)] = str(known)
    return _KITS.get(key) == name


def _plain(value: object) -> object:
    return value if isinstance(value, int | float) else str(value)


def seen_in_window(campaign: Campaign, truth: Truth, spools: Path) -> Pages:
    """What a kit holds that is open on the desk."""
    pages, desk = truth.pages(), Desk(campaign)
    for kit in desk.kits("red1"):
        if not kit.kit.startswith("P"):
            continue
        source = campaign.for_editors()
        found = source.revisions.kit_segments(kit.kit, kit.team, kit.pass_)
        for place, one in enumerate(found):
            page = next(page for page in truth.page[one.name.base] if page[0] == kit.kit)
            pages[page].places.setdefault("segments", place / len(found))
            pages[page].values["base"].append(one.name.base)
            pages[page].values["segment"].append(one.name.segment)
            pages[page].values["kit"].append(kit.words)
            pages[page].values["given"].append(bool(one.output))
    return pages


def seen_in_files(campaign: Campaign, truth: Truth, folder: Path) -> Pages:
    """What the file of each kit holds, as JSON and as a ZIP."""
    pages = truth.pages()
    for kit in sorted({kit for kit, _ in pages}):
        path = folder / f"{kit}.kit"
        give_out(campaign, kit, "white", Pass.FIRST, "white1", path)
        with zipfile.ZipFile(path) as file:
            issued = json.loads(file.read("bundle.json"))
            members = [one.filename for one in file.infolist()]
        path.unlink()
        own = {page[1]: page for page in pages if page[0] == kit}
        names = {name: page for name in truth.page for page in truth.page[name] if page[0] == kit}
        assert own
        for place, one in enumerate(issued["segments"]):
            base, _, segment = one["in"].partition("/")
            page = names[base]
            pages[page].places.setdefault("segments", place / len(issued["segments"]))
            pages[page].values["in"].append(one["in"])
            pages[page].values["segment"].append(segment)
            for name in set(one) - {"in", "reference", "output", "transcription"}:
                pages[page].values[name].append(_plain(one[name]))
        for place, (base, sha256) in enumerate(issued["images"].items()):
            pages[names[base]].places["images"] = place / len(own)
            pages[names[base]].places["member"] = members.index(f"images/{sha256}") / len(members)
        for place, name in enumerate(issued["lines"]):
            base = name.partition("/")[0]
            pages[names[base]].places.setdefault("lines", place / len(issued["lines"]))
    return pages


VIEWS = ("login", "window", "file")


class Looked:
    """One plan, seen with covers, and where that is wanted without them."""

    def __init__(
        self, guarded: Guarded, folder: Path, seed: int, pages: int, *, uncovered: bool
    ) -> None:
        self.without: dict[str, Pages] = {}
        self.guarded, self.folder = guarded, folder
        chance = random.Random(seed)
        folder.mkdir()
        with pytest.MonkeyPatch.context() as patch:
            # The same plan, keys and order at each run.
            made = lambda: str(uuid.UUID(int=chance.getrandbits(128), version=4))  # noqa: E731
            patch.setattr("madcat_studio.store.plans.new_id", made)
            patch.setattr(secrets, "SystemRandom", lambda: chance)
            patch.setattr("madcat_studio.store.plans.draw_order", covers.draw_order)
            made_plan(guarded.url, chance, made, pages, 30)
        with psycopg.connect(guarded.url) as owner:
            # As if the editor had claimed every kit, one by one.
            who = (
                "FROM kits k, teams t, editors e WHERE k.name LIKE 'P%' AND t.name = 'red'"
                " AND e.name = 'red1'"
            )
            owner.execute(
                "INSERT INTO participations (kit_id, team_id, editor_id, pass_)"
                f" SELECT k.id, t.id, e.id, 'first' {who}"
            )
            owner.execute(
                "INSERT INTO claims (kit_id, team_id, editor_id, pass_, turn, machine, at)"
                f" SELECT k.id, t.id, e.id, 'first', 1, 'desk', now() {who}"
            )
        self.with_covers = self._look(covered=True)
        if not uncovered:
            return
        with pytest.MonkeyPatch.context() as patch:
            for table, one in EARLIER.items():
                patch.setitem(RIGHTS, table, one)
            patch.setattr(Campaign, "for_editors", lambda campaign: campaign)
            patch.setattr(Covers, "of", _as_they_are)
            patch.setattr(rights, "editor_group", lambda _: "guarded_editor")
            with open_campaign(guarded.url) as campaign, campaign._database.writing() as owner:
                rights.apply_rights(owner)
            self.without = self._look(covered=False)

    def _look(self, *, covered: bool) -> dict[str, Pages]:
        truth = Truth(self.guarded.url, covered)
        _KITS.clear()
        found = {"login": seen_by_login(self.guarded, truth)}
        with open_campaign(self.guarded.url) as campaign:
            found["window"] = seen_in_window(campaign, truth, self.folder)
            found["file"] = seen_in_files(campaign, truth, self.folder)
        return found


_OF = Covers.of


def _as_they_are(own: Covers, kit: str) -> dict[SegmentName, SegmentName]:
    return {name: name for name in _OF(own, kit)}


_OPENED = "(SELECT document_id FROM kit_items WHERE kit_id IN (SELECT studio_opened()))"

EARLIER = {
    "documents": TableRights("id base image_sha256", f"id IN {_OPENED}"),
    "segments": TableRights(
        "id document_id position name page reference reference_words", f"document_id IN {_OPENED}"
    ),
    "outlines": TableRights(
        "segment_id lines",
        f"segment_id IN (SELECT id FROM segments WHERE document_id IN {_OPENED})",
    ),
    "systems": TableRights(
        "id code",
        "id IN (SELECT system_id FROM kit_items WHERE kit_id IN (SELECT studio_opened()))",
    ),
    "outputs": TableRights(
        "segment_id system_id text missing",
        "(segment_id, system_id) IN (SELECT s.id, i.system_id FROM kit_items i"
        " JOIN segments s USING (document_id) WHERE i.kit_id IN (SELECT studio_opened()))",
    ),
    "kit_items": TableRights(
        "kit_id document_id system_id position", "kit_id IN (SELECT studio_opened())"
    ),
}
"""What logins read before there were covers."""


def areas(looked: list[Looked], which: str) -> dict[str, float]:
    found = {}
    for names in (*((view,) for view in VIEWS), VIEWS):
        plans = []
        for one in looked:
            pages = merged({view: getattr(one, which)[view] for view in names})
            seen = list(pages.values())
            plans.append((features(seen), [page.control for page in seen]))
        found["+".join(names)] = tell(plans)
    return found


def look(
    guarded: Guarded, folder: Path, plans: int, pages: int
) -> tuple[dict[str, float], dict[str, float]]:
    looked = []
    for seed in range(plans):
        copied = guarded.copy()
        try:
            # The leak is seen in a few.
            one = Looked(copied, folder / str(seed), seed, pages, uncovered=seed < 3)
            looked.append(one)
        finally:
            copied.drop()
    return areas(looked, "with_covers"), areas(looked[:3], "without")


@pytest.mark.long
@pytest.mark.postgresql
def test_nothing_that_an_editor_sees_tells_control_pages(guarded: Guarded, tmp_path: Path) -> None:
    now, before = look(guarded, tmp_path, 2, 70)
    # By chance it may be this much with so few pages; the long test is stricter.
    assert max(now.values()) <= 0.6, now
    assert min(before.values()) >= 0.9, "the test would not see the leak either"


@pytest.mark.postgresql
@pytest.mark.soak
def test_nothing_tells_control_pages_in_twenty_plans(guarded: Guarded, tmp_path: Path) -> None:
    now, before = look(guarded, tmp_path, 20, 300)
    print("with covers", now, "without", before)
    assert max(now.values()) <= 0.55, now
    assert min(before.values()) >= 0.9
