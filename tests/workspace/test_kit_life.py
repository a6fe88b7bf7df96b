"""The life of a kit as a state machine: whatever happens, texts, states, effort and scores agree.

The model keeps what each pass shows, what was done in each segment since its last revision, and
which texts an editor wrote under a claim that was released meanwhile. All else is read from the
revisions in the campaign.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from madcat_studio.errors import ConflictError, InputError
from madcat_studio.model.campaign import (
    Assignment,
    CampaignDocument,
    CampaignSegment,
    DataSet,
    Editor,
    Flag,
    Kit,
    KitItem,
    Pass,
    SegmentState,
    System,
    Team,
)
from madcat_studio.model.characters import clean_line
from madcat_studio.model.visits import EventKind
from madcat_studio.store import Campaign, create_campaign, open_campaign
from madcat_studio.workspace.kit import KitWorkspace
from madcat_studio.workspace.visits import Activity
from madcat_ter.hter import score_segment
from madcat_ter.ter import ter

OUTPUTS: dict[str, str | None] = {"s1": "the cat sat", "s2": None, "s3": "quietly"}
TO_EDIT = (0, 2)


def make(folder: Path) -> None:
    with create_campaign(folder, "Test") as campaign, campaign.transaction():
        campaign.contents.add_document(
            CampaignDocument(
                base="B",
                source_document="d",
                passage="p",
                manuscript="m",
                page="1",
                scribe="s",
                exposure="exposed",
                data_set=DataSet.EVALUATION,
                track="",
                genre="web",
                sha256="",
            ),
            b"<madcat/>",
            [CampaignSegment(name, "1", "نص", "it sat", 1, 2) for name in OUTPUTS],
        )
        campaign.contents.add_system(System("Alpha", "X1"))
        campaign.contents.add_output("Alpha", "B", b"<out/>", OUTPUTS)
        campaign.plans.add_team(Team("red", tuple(Editor(f"red{n}") for n in "1234")))
        campaign.plans.add_team(Team("blue", (Editor("blue1"), Editor("blue2"))))
        campaign.plans.plan_kit(Kit("K", (KitItem("Alpha", "B"),)))
        campaign.plans.assign(
            "K", [Assignment("K", "red", "red1", "red2"), Assignment("K", "blue", None, None)]
        )


class KitLife(RuleBasedStateMachine):
    """One kit of one team; the model keeps what each pass should show."""

    prepared: Path

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="kit-life"))
        self.campaign: Campaign | None = None
        self.kit: KitWorkspace | None = None
        self.pass_ = Pass.FIRST
        self.editor = {Pass.FIRST: "red1", Pass.REVIEW: "red2"}
        self.spare = ["red3", "red4"]
        self.texts: dict[Pass, list[str]] = {}
        self.states: dict[Pass, list[SegmentState]] = {}
        self.finals: dict[Pass, list[str]] = {}
        self.flags: dict[Pass, list[dict[Flag, str]]] = {}
        self.clock = 1000.0
        # What each editor did in each segment of a pass.
        self.keys: Counter[tuple[Pass, str, int]] = Counter()
        self.seconds: Counter[tuple[Pass, str, int]] = Counter()
        self.seen: set[str] = set()
        # The claim of the kit that is open was released; these segments were saved aside since.
        self.released = False
        self.aside: set[int] = set()

    @initialize()
    def begin(self) -> None:
        shutil.copytree(self.prepared, self.folder / "campaign")
        self.campaign = open_campaign(self.folder / "campaign")
        self.start_pass(["the cat sat", "", "quietly"])

    def start_pass(self, texts: list[str]) -> None:
        self.texts[self.pass_] = list(texts)
        self.states[self.pass_] = [SegmentState.UNTOUCHED] * 3
        self.flags[self.pass_] = [{}, {}, {}]

    def teardown(self) -> None:
        if self.kit is not None:
            self.kit.close()
        if self.campaign is not None:
            self.campaign.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def store(self) -> Campaign:
        assert self.campaign is not None
        return self.campaign

    def opened(self) -> KitWorkspace:
        """The kit of the pass that is going on, opened if it is not."""
        if self.kit is None:
            claim = self.store().claims.claim(
                "K", "red", self.pass_, self.editor[self.pass_], "here"
            )
            self.kit = KitWorkspace(
                self.store(), claim, folder=self.folder / "spools", clock=lambda: self.clock
            )
        return self.kit

    def work(self, seconds: int = 3) -> None:
        """The editor strikes a key, some seconds after the last one."""
        kit = self.opened()
        self.clock += seconds
        kit.note(Activity.CHARACTER)
        self.keys[self.here()] += 1
        self.seconds[self.here()] += seconds

    def here(self) -> tuple[Pass, str, int]:
        return self.pass_, self.editor[self.pass_], self.opened().current

    def the_log_is_whole(self) -> None:
        """All that the editor did in this pass is in it, by segment; text or no text."""
        editor = self.editor[self.pass_]
        visits = self.store().visits.of_pass("K", "red", self.pass_, editor)
        for index, name in enumerate(OUTPUTS):
            own = [one for one in visits if one.segment.segment == name]
            kinds = [event.kind for one in own for event in one.events]
            assert kinds.count(EventKind.KEY) == self.keys[self.pass_, editor, index]
            active = sum(one.active_ms(60_000) for one in own)
            assert active == 1000 * self.seconds[self.pass_, editor, index]

    def learn_revisions(self) -> None:
        history = self.store().revisions.history("K", "red", self.pass_)
        assert len({one.id for one in history}) == len(history)
        for revision in history:
            if revision.id in self.seen:
                continue
            self.seen.add(revision.id)
            index = list(OUTPUTS).index(revision.segment.segment)
            assert revision.side or not self.released
            if self.released:
                self.aside.add(index)

    def learn(self, kit: KitWorkspace, index: int) -> None:
        self.texts[self.pass_][index] = kit.own(index).text
        self.states[self.pass_][index] = kit.own(index).state
        self.flags[self.pass_][index] = dict(kit.own(index).flags)

    def learn_from_campaign(self, indices: Iterable[int]) -> None:
        """These segments show what the campaign has, whatever was on the screen."""
        latest = self.store().revisions.latest("K", "red", self.pass_)
        start = self.finals.get(Pass.FIRST) if self.pass_ is Pass.REVIEW else None
        for index in indices:
            name, output = list(OUTPUTS.items())[index]
            found = [one for key, one in latest.items() if key.segment == name]
            self.texts[self.pass_][index] = (
                found[0].text if found else (start[index] if start else output or "")
            )
            self.states[self.pass_][index] = found[0].state if found else SegmentState.UNTOUCHED
            self.flags[self.pass_][index] = dict(found[0].flags) if found else {}

    # -- editing ------------------------------------------------------------------------------

    @precondition(lambda self: len(self.finals) < 2)
    @rule(index=st.sampled_from(TO_EDIT), text=st.text(max_size=8))
    def write(self, index: int, text: str) -> None:
        kit = self.opened()
        kit.go_to(index)
        self.work()
        changed = clean_line(text)[0] != self.texts[self.pass_][index]
        kit.set_text(text, len(text))
        assert kit.own(index).text == clean_line(text)[0]
        if changed:
            assert kit.own(index).state is SegmentState.DRAFT
        self.learn(kit, index)

    @precondition(lambda self: len(self.finals) < 2)
    @rule(index=st.sampled_from(TO_EDIT), letters=st.text("ab ", min_size=1, max_size=6))
    def type_at_the_end(self, index: int, letters: str) -> None:
        kit = self.opened()
        kit.go_to(index)
        for letter in letters:
            self.work(1)
            text = kit.own(index).text + letter
            kit.set_text(text, len(text))
        assert kit.own(index).text == self.texts[self.pass_][index] + letters
        self.learn(kit, index)

    @precondition(lambda self: len(self.finals) < 2)
    @rule(index=st.sampled_from(TO_EDIT))
    def confirm(self, index: int) -> None:
        kit = self.opened()
        kit.go_to(index)
        self.work(5)
        if not kit.own(index).text.strip():
            with pytest.raises(InputError):
                kit.confirm()
            kit.confirm("nothing to say")
        else:
            kit.confirm()
        assert kit.own(index).text == self.texts[self.pass_][index]
        self.learn(kit, index)
        if not self.released:
            latest = self.store().revisions.latest("K", "red", self.pass_)
            revision = latest[kit.segments[index].name]
            assert (revision.text, revision.state) == (kit.own(index).text, SegmentState.CONFIRMED)

    @precondition(lambda self: len(self.finals) < 2)
    @rule(
        index=st.sampled_from(TO_EDIT),
        flag=st.sampled_from(Flag),
        words=st.sampled_from(["a", None]),
    )
    def flag(self, index: int, flag: Flag, words: str | None) -> None:
        if flag is Flag.RETURNED and self.pass_ is Pass.FIRST:
            return  # the window offers it to reviewers, and the campaign takes it of nobody else
        kit = self.opened()
        kit.go_to(index)
        self.work()
        kit.flag(flag, words)
        assert (flag in kit.own(index).flags) == (words is not None)
        assert kit.own(index).text == self.texts[self.pass_][index]
        self.learn(kit, index)

    @precondition(lambda self: self.kit is not None)
    @rule(seconds=st.sampled_from([61, 4000]), paused=st.booleans())
    def rest(self, seconds: int, paused: bool) -> None:
        """A rest that is too long, or a pause: neither is counted."""
        kit = self.opened()
        if paused:
            kit.pause()
        self.clock += seconds
        kit.note(Activity.CHARACTER)
        self.keys[self.here()] += 1

    @precondition(lambda self: self.kit is not None and len(self.finals) < 2)
    @rule(back=st.integers(1, 4), forth=st.integers(0, 4))
    def undo_and_redo(self, back: int, forth: int) -> None:
        kit = self.opened()
        before = [kit.own(index) for index in range(3)]
        done = 0
        for _ in range(back):
            done += bool(kit.undo().texts)
        for _ in range(done):
            kit.redo()
        # What was undone and done again is as it was: text, caret, selection, state.
        assert [kit.own(index) for index in range(3)] == before
        for _ in range(back):
            kit.undo()
        for _ in range(min(forth, done)):
            kit.redo()
        for index in range(3):
            self.learn(kit, index)

    # -- coming and going ---------------------------------------------------------------------

    @precondition(lambda self: self.kit is not None)
    @rule()
    def kill(self) -> None:
        kit = self.opened()
        kit.visits.beat()  # as the window does twice a second
        kit.texts._spool._soon.close()  # a program that is gone syncs nothing
        os.close(kit.texts._spool._file)
        self.kit = None
        self.come_back()

    @precondition(lambda self: self.kit is not None)
    @rule()
    def leave(self) -> None:
        self.opened().close()
        self.learn_revisions()
        self.the_log_is_whole()
        self.kit = None
        latest = self.store().revisions.latest("K", "red", self.pass_)
        for name, revision in latest.items():
            index = list(OUTPUTS).index(name.segment)
            if index not in self.aside:
                assert revision.text == self.texts[self.pass_][index]
                assert dict(revision.flags) == self.flags[self.pass_][index]
        self.come_back()

    def come_back(self) -> None:
        """What was saved aside stays aside: the campaign's texts count from now on."""
        self.learn_from_campaign(self.aside)
        self.released, self.aside = False, set()

    @precondition(lambda self: self.kit is not None and not self.released and len(self.finals) < 2)
    @rule()
    def release_under_the_editor(self) -> None:
        self.store().claims.release("K", "red", self.pass_, by="coordinator")
        self.released = True

    @precondition(lambda self: self.kit is None and len(self.finals) < 2 and self.held())
    @rule()
    def release(self) -> None:
        self.store().claims.release("K", "red", self.pass_, by="coordinator")

    def held(self) -> bool:
        return self.store().claims.current("K", "red", self.pass_) is not None

    @precondition(lambda self: self.kit is None and len(self.finals) < 2 and bool(self.spare))
    @rule()
    def replace_the_editor(self) -> None:
        # What was only in the spool of the one before does not go over to the next.
        self.learn_from_campaign(range(3))
        self.editor[self.pass_] = self.spare.pop()
        self.store().claims.replace_editor(
            "K", "red", self.pass_, self.editor[self.pass_], by="coordinator"
        )

    @precondition(lambda self: self.kit is not None and len(self.finals) < 2)
    @rule()
    def hand_over(self) -> None:
        kit = self.opened()
        if kit.check():
            with pytest.raises(InputError):
                kit.hand_over()
            return
        if self.released:
            with pytest.raises(ConflictError):
                kit.hand_over()
            return
        kit.hand_over()
        self.learn_revisions()
        self.the_log_is_whole()
        self.kit = None
        self.finals[self.pass_] = list(self.texts[self.pass_])
        if self.pass_ is Pass.FIRST:
            self.pass_ = Pass.REVIEW
            self.start_pass(self.finals[Pass.FIRST])

    @precondition(lambda self: self.kit is None and bool(self.finals))
    @rule()
    def take_back(self) -> None:
        pass_ = Pass.REVIEW if Pass.REVIEW in self.finals else Pass.FIRST
        if pass_ is Pass.REVIEW or self.begun(Pass.REVIEW):
            with pytest.raises(ConflictError):
                self.store().claims.take_back("K", "red", pass_, editor=self.editor[pass_])
            return
        self.store().claims.take_back("K", "red", pass_, editor=self.editor[pass_])
        del self.finals[pass_]
        self.pass_ = pass_

    def begun(self, pass_: Pass) -> bool:
        return any(
            entry.action == "claim" and entry.subject.endswith(f"team red, {pass_} pass")
            for entry in self.store().audit_trail()
        )

    # -- what always holds --------------------------------------------------------------------

    @invariant()
    def the_screen_shows_the_model(self) -> None:
        if self.kit is None or len(self.finals) == 2:
            return
        for index in TO_EDIT:
            own = self.kit.own(index)
            assert own.text == self.texts[self.pass_][index]
            if self.states[self.pass_][index] is SegmentState.UNTOUCHED and own.flags:
                # Flagged and left: what is saved is a draft.
                self.states[self.pass_][index] = own.state
            assert own.state == self.states[self.pass_][index]
            assert dict(own.flags) == self.flags[self.pass_][index]
        self.learn_revisions()
        spent = sum(
            seconds
            for (pass_, editor, _), seconds in self.seconds.items()
            if (pass_, editor) == (self.pass_, self.editor[self.pass_])
        )
        assert self.kit.seconds() == pytest.approx(spent)

    @precondition(lambda self: len(self.finals) == 2)
    @invariant()
    def scores_are_those_of_the_texts(self) -> None:
        for index, record in enumerate(self.store().segment_records()):
            if index not in TO_EDIT:
                continue
            score = score_segment(record.output, record.reference, record.teams)
            for pass_, counts in (
                (Pass.FIRST, score.teams[0].first),
                (Pass.REVIEW, score.teams[0].final),
            ):
                assert counts is not None
                result = ter(record.output, [self.finals[pass_][index]])
                assert (counts.edits, counts.words) == (result.edits, result.words)

    @invariant()
    def records_hold_finished_passes_only(self) -> None:
        if self.campaign is None:
            return
        for index, record in enumerate(self.campaign.segment_records()):
            red, blue = record.teams
            for pass_, text in ((Pass.FIRST, red.first), (Pass.REVIEW, red.final)):
                if pass_ not in self.finals:
                    assert text is None
                elif index in TO_EDIT:
                    assert text == self.finals[pass_][index]
                else:
                    assert text == record.reference
            assert (blue.first, blue.final) == (None, None)


@pytest.fixture(autouse=True, scope="module")
def prepared_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    KitLife.prepared = tmp_path_factory.mktemp("life") / "campaign"
    make(KitLife.prepared)


TestKitLife = pytest.mark.long(KitLife.TestCase)
TestKitLife.settings = settings(
    max_examples=400 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 5,
    stateful_step_count=30,
    deadline=None,
)
