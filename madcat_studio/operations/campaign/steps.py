"""What comes next in a campaign: each step done, possible now, or waiting and for what.

What can be read off the campaign is; what lies beside it (references, tables, reports) is looked
for in a folder of files, by name. Nothing is written.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from madcat_studio.model.campaign import DataSet, PassProgress, PassState
from madcat_studio.model.doors import Door
from madcat_studio.operations.checked import counted
from madcat_studio.operations.corpus.from_folders import Inputs, sort_out
from madcat_studio.operations.planning.draft import draft_of
from madcat_studio.operations.planning.units import unchosen_control
from madcat_studio.planning.units import KitRules
from madcat_studio.store import Campaign, campaign_there, open_campaign

__all__ = ["Step", "StepState", "Steps", "read_steps"]

_DUE_IN = timedelta(days=14)


class StepState(StrEnum):
    """How far a step is."""

    DONE = "done"
    NOW = "now"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Attributes:
        key: for programs; ``title``: for people.
        told: what was done, what can be done, or what it waits for: a sentence without its stop.
        command: the arguments of ``madcat-studio`` that do it; empty where there is nothing to run.
        door: where it is done in the window, if anywhere.
        optional: whether a campaign is whole without it.
        wanted: whether to do it next where it is possible: it is needed, or its files are at hand.
    """

    key: str
    title: str
    state: StepState
    told: str
    command: tuple[str, ...] = ()
    door: Door | None = None
    optional: bool = False
    wanted: bool = True

    @property
    def line(self) -> str:
        """The command as it is typed, or ""."""
        return shlex.join(("madcat-studio", *self.command)) if self.command else ""


@dataclass(frozen=True, slots=True)
class Steps:
    """All steps of a campaign, in order."""

    where: str
    name: str
    steps: tuple[Step, ...]

    @property
    def next(self) -> Step | None:
        """What to do next: the first that is possible and wanted, else what is waited for."""
        for state in (StepState.NOW, StepState.WAITING):
            for step in self.steps:
                if step.state is state and step.wanted:
                    return step
        return None


def read_steps(where: str, files: Path | None = None) -> Steps:
    """What is done, what is possible now, what waits.

    Args:
        where: the campaign, or where it is to be made.
        files: the folder in which references, tables and outputs lie, and where reports go; None:
            what lies there is not looked for.

    Raises:
        StudioError: there is a campaign that cannot be read.
    """
    found = _found(files, where)
    if not campaign_there(where):
        return Steps(where, "", tuple(_before(where, found)))
    with open_campaign(where, read_only=True) as campaign:
        return Steps(where, campaign.name, tuple(_Reading(campaign, where, found, files).steps()))


def _found(files: Path | None, where: str) -> Inputs:
    """What lies in the folder, the campaign itself left out."""
    if files is None:
        return Inputs()
    try:
        own = Path(where).resolve()
        inside = sorted(one for one in files.iterdir() if one.resolve() != own)
    except OSError:
        inside = []
    return sort_out(one for one in inside if one.name not in _MADE_HERE)


_REPORT, _EVIDENCE, _KITS, _BACK = "report", "evidence", "kits", "back"
_MADE_HERE = frozenset((_REPORT, _EVIDENCE, _KITS, _BACK))
"""Folders that the steps themselves name for what they write."""


_TITLES = {
    "references": "References",
    "systems": "Systems",
    "earlier": "Earlier phase",
    "sets": "Choose sets",
    "teams": "Teams",
    "practice": "Practice",
    "plan": "Plan",
    "due": "Due dates",
    "freeze": "Guidelines and options",
    "give-out": "Give out",
    "follow": "Follow",
    "score": "Score",
    "report": "Report",
    "evidence": "Evidence",
}


def _step(
    key: str,
    state: StepState,
    told: str,
    command: Iterable[str] = (),
    door: Door | None = None,
    *,
    optional: bool = False,
    wanted: bool = True,
) -> Step:
    return Step(key, _TITLES[key], state, told, tuple(command), door, optional, wanted)


def _before(where: str, found: Inputs) -> Iterator[Step]:
    """There is no campaign yet: it is made of the references, with whatever lies beside them."""
    command = ["campaign", "create", where]
    command += ["--documents", _named(found.references, "FOLDER")]
    named = ("images", "corpus", "standoff", "conditions", "sequestered", "training_scribes")
    for name in (*named, "guidelines", "teams"):
        path = getattr(found, name)
        if path is not None:
            command += [f"--{name.replace('_', '-')}", str(path)]
    for name, folder in found.outputs:
        command += ["--system", f"{name}={folder}"]
    if found.references is None:
        told = "name the folder of BASE.madcat.xml files"
    else:
        told = f"make the campaign of the references in {found.references}"
    yield _step("references", StepState.NOW, told, command, Door.NEW_CAMPAIGN)
    optional = {"earlier", "practice", "due", "freeze", "score"}
    for key in list(_TITLES)[1:]:
        waits = "there is no campaign yet"
        left_out = key in optional
        yield _step(key, StepState.WAITING, waits, optional=left_out, wanted=not left_out)


def _named(path: Path | None, else_: str) -> str:
    return else_ if path is None else str(path)


class _Reading:
    """One look at a campaign."""

    def __init__(self, campaign: Campaign, where: str, found: Inputs, files: Path | None) -> None:
        self._campaign, self._where, self._found = campaign, where, found
        self._files = files or Path()
        self._documents = campaign.contents.documents()
        self._systems = campaign.contents.systems()
        self._new = [one for one in self._systems if not one.earlier]
        self._teams = campaign.plans.teams()
        draft, self._left = draft_of(campaign, KitRules(), ())
        self._kits = draft.kits
        self._bare = [kit.name for kit in draft.kits if len(kit.parts) < 2]
        self._passes = [one for one in campaign.progress() if not one.practice]
        self._unchosen = unchosen_control(campaign)

    def steps(self) -> Iterator[Step]:
        yield from self._of_material()
        yield from self._of_planning()
        yield from self._of_editing()
        yield from self._of_results()

    # -- material -------------------------------------------------------------------------------

    def _of_material(self) -> Iterator[Step]:
        own = [one for one in self._documents if one.data_set is not DataSet.CONTROL]
        told = f"{counted(len(own), 'document')} imported"
        yield _step("references", StepState.DONE, told)
        yield self._add_systems()
        yield self._bring_earlier()
        yield self._choose_sets()
        yield self._bring_teams()

    def _add_systems(self) -> Step:
        there = {one.name for one in self._systems}
        more = [(name, folder) for name, folder in self._found.outputs if name not in there]
        if more or not self._new:
            name, folder = more[0] if more else ("NAME", Path("FOLDER"))
            told = f"add system {name}" if more else "add the first system's outputs"
            command = ("campaign", "add-system", self._where, name, str(folder))
            return _step("systems", StepState.NOW, told, command, Door.ADD_SYSTEM)
        names = ", ".join(one.name for one in self._new)
        return _step("systems", StepState.DONE, names)

    def _bring_earlier(self) -> Step:
        if any(one.earlier for one in self._systems):
            return _step("earlier", StepState.DONE, "brought in", optional=True)
        folder = self._found.earlier
        command = ("campaign", "add-earlier", self._where, _named(folder, "FOLDER"))
        return _step(
            "earlier",
            StepState.NOW,
            "output from an earlier phase, to follow drift and progress",
            command,
            Door.ADD_EARLIER,
            optional=True,
            wanted=folder is not None,
        )

    def _choose_sets(self) -> Step:
        if not any(one.earlier for one in self._systems):
            told = "there is nothing to choose without an earlier phase"
            return _step("sets", StepState.DONE, told, optional=True)
        if self._unchosen:
            told = (
                f"choose the control set: none of its {counted(self._unchosen, 'passage')} is "
                "planned until then"
            )
            command = ("campaign", "select", self._where, "control")
            # A plan that is there was made without one, and may stay so.
            wanted = not self._kits
            return _step(
                "sets", StepState.NOW, told, command, Door.SELECT, optional=not wanted,
                wanted=wanted,
            )  # fmt: skip
        return _step("sets", StepState.DONE, "the control set is chosen")

    def _bring_teams(self) -> Step:
        if len(self._teams) >= 2:
            return _step("teams", StepState.DONE, counted(len(self._teams), "team"))
        table = self._found.teams
        told = "bring in two teams or more" if not self._teams else "at least one more team"
        command = ("campaign", "plan", self._where, "--teams", _named(table, "teams.tsv"))
        return _step("teams", StepState.NOW, told, command, Door.PLAN)

    # -- planning -------------------------------------------------------------------------------

    def _of_planning(self) -> Iterator[Step]:
        yield self._practise()
        yield self._plan()
        yield self._set_due()
        yield self._freeze()

    def _practise(self) -> Step:
        if any(kit.practice for kit in self._campaign.plans.kits()):
            return _step("practice", StepState.DONE, "there is a practice kit", optional=True)
        sets = (DataSet.DEVELOPMENT, DataSet.TRAINING)
        if not any(one.data_set in sets for one in self._documents):
            told = "there are no development or training pages to practise on"
            return _step("practice", StepState.DONE, told, optional=True)
        if not (self._teams and self._new):
            told = "teams and a system's outputs are needed first"
            return _step("practice", StepState.WAITING, told, optional=True, wanted=False)
        command = ("campaign", "practice", self._where)
        told = "a practice kit, never scored"
        return _step(
            "practice", StepState.NOW, told, command, Door.PLAN, optional=True, wanted=False
        )

    def _plan(self) -> Step:
        missing = []
        if not self._new:
            missing.append("a system's outputs")
        if len(self._teams) < 2:
            missing.append("two teams")
        if self._unchosen and not self._kits:
            missing.append("the choice of the control set")
        if missing:
            return _step("plan", StepState.WAITING, f"for {' and '.join(missing)}")
        command = ("campaign", "propose-plan", self._where, "--write", *self._target())
        if self._left or not self._kits:
            told = f"{counted(len(self._left), 'manuscript')} in no kit yet"
            return _step("plan", StepState.NOW, told, command, Door.PROPOSE)
        if self._bare:
            told = f"kits without two teams: {', '.join(self._bare[:5])}"
            return _step("plan", StepState.NOW, told, (*command, "--anew"), Door.PROPOSE)
        return _step("plan", StepState.DONE, counted(len(self._kits), "kit"))

    def _target(self) -> tuple[str, ...]:
        """The length of kits, where all passages together are shorter than a usual kit."""
        longest: dict[str, int] = {}
        for unit in self._left:
            longest[unit.passage] = max(longest.get(unit.passage, 0), unit.words)
        most = sum(longest.values())
        return ("--kit-words", str(most)) if 0 < most < KitRules().target else ()

    def _set_due(self) -> Step:
        if not self._kits:
            told = "for the plan"
            return _step("due", StepState.WAITING, told, optional=True, wanted=False)
        if self._campaign.schedule.due():
            return _step("due", StepState.DONE, "passes have due dates", optional=True)
        day = f"{datetime.now(UTC) + _DUE_IN:%Y-%m-%d}"
        command = ("campaign", "due", self._where, day)
        told = "say when passes should be handed over"
        return _step("due", StepState.NOW, told, command, Door.PLAN, optional=True, wanted=False)

    def _freeze(self) -> Step:
        version, _ = self._campaign.guidelines()
        if self._campaign.frozen:
            told = "editing has begun: guidelines and options are frozen"
            return _step("freeze", StepState.DONE, told, optional=True)
        if version:
            told = f"guidelines are there (version {version}); they are frozen by the first claim"
            return _step("freeze", StepState.DONE, told, optional=True)
        text = self._found.guidelines
        command = ("campaign", "guidelines", self._where, "--new-file", _named(text, "FILE"))
        return _step(
            "freeze",
            StepState.NOW,
            "give editors guidelines and set options, before the first claim freezes them",
            command,
            Door.PLAN,
            optional=True,
            wanted=text is not None,
        )

    # -- editing --------------------------------------------------------------------------------

    def _of_editing(self) -> Iterator[Step]:
        if not self._passes:
            for key in ("give-out", "follow"):
                yield _step(key, StepState.WAITING, "for the plan")
            return
        open_ = self._in(PassState.OPEN)
        held = self._in(PassState.CLAIMED)
        later = self._in(PassState.WAITING)
        done = self._in(PassState.HANDED_OVER)
        editor = self._next_editor()
        if open_ and editor:
            told = (
                f"{counted(len(open_), 'pass', 'passes')} nobody has begun: editors open the "
                "campaign, or get a kit as a file"
            )
            command = ("kit", "export", self._where, editor, f"{self._place(_KITS)}/")
            yield _step("give-out", StepState.NOW, told, command, Door.GIVE_OUT)
        elif open_:
            told = f"{counted(len(open_), 'pass', 'passes')} for editors who have a kit already"
            yield _step("give-out", StepState.WAITING, told, wanted=not held)
        elif later:
            told = f"{counted(len(later), 'review')} for the first pass"
            # Who works at it now is what is waited for.
            yield _step("give-out", StepState.WAITING, told, wanted=not held)
        else:
            yield _step("give-out", StepState.DONE, "every pass is claimed")
        if len(done) == len(self._passes):
            yield _step("follow", StepState.DONE, "every pass is handed over")
            return
        names = sorted({f"{one.editor} ({one.kit})" for one in held})
        told = (
            f"{len(done)} of {counted(len(self._passes), 'pass', 'passes')} handed over"
            + (f"; with {', '.join(names[:5])}" if names else "")
            + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        )
        back = self._came_back()
        if back:
            taking = ("kit", "import", self._where, *map(str, back))
            told += f"; {counted(len(back), 'file')} came back"
            yield _step("follow", StepState.NOW, told, taking, Door.TAKE_IN)
        else:
            looking = ("campaign", "status", self._where)
            yield _step("follow", StepState.WAITING, told, looking, Door.LOOK_AGAIN)

    def _in(self, state: PassState) -> list[PassProgress]:
        return [one for one in self._passes if one.state is state]

    def _next_editor(self) -> str:
        """Somebody who may claim a pass now and holds none, or ""."""
        for team in self._teams:
            for editor in team.editors:
                offers = self._campaign.claims.available(editor.id)
                if offers and not any(offer.held for offer in offers):
                    return editor.id
        return ""

    def _came_back(self) -> list[Path]:
        """Files in the folder for them that are of passes which are still out."""
        out = {(one.kit, one.pass_.value) for one in self._in(PassState.CLAIMED)}
        try:
            files = sorted(self._place(_BACK).glob("*.madcat-kit"))
        except OSError:
            return []
        # KIT.PASS.EDITOR.madcat-kit, as they are given out and returned.
        return [one for one in files if tuple(one.name.split(".")[:2]) in out]

    # -- results --------------------------------------------------------------------------------

    def _of_results(self) -> Iterator[Step]:
        finals = self._in(PassState.HANDED_OVER)
        whole = bool(finals) and len(finals) == len(self._passes)
        if not finals:
            for key in ("score", "report", "evidence"):
                left_out = key == "score"
                waits = "for a first pass to be handed over"
                yield _step(key, StepState.WAITING, waits, optional=left_out, wanted=not left_out)
            return
        shown = ("campaign", "score", self._where)
        told = "see how the systems stand" if whole else "see how the systems stand so far"
        yield _step("score", StepState.NOW, told, shown, Door.SCORE, optional=True, wanted=False)
        latest = max((one.since for one in finals if one.since), default=None)
        for key, folder, file, door in (
            ("report", _REPORT, "hter.html", Door.EXPORT),
            ("evidence", _EVIDENCE, "expected.tsv", Door.EVIDENCE),
        ):
            place = self._place(folder)
            command = ("campaign", key, self._where, "--out", str(place))
            if _written_since(place / file, latest):
                yield _step(key, StepState.DONE, f"in {place}")
            elif whole:
                yield _step(key, StepState.NOW, "everything is final", command, door)
            else:
                told = "it is preliminary until everything is handed over"
                yield _step(key, StepState.WAITING, told, command, door, wanted=False)

    def _place(self, folder: str) -> Path:
        return self._files / folder


def _written_since(file: Path, latest: datetime | None) -> bool:
    try:
        written = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    except OSError:
        return False
    return latest is None or written >= latest
