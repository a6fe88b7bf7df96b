"""Taking in a plan: teams, kits and who edits what, held to the rules of the evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from madcat_studio.errors import StudioError
from madcat_studio.formats.tables import Table, read_table
from madcat_studio.model.campaign import Assignment, DataSet, Editor, Kit, KitItem, Team
from madcat_studio.operations.checked import Checking, Outcome, counted, describe_added
from madcat_studio.operations.people.renaming import tell_other_names
from madcat_studio.operations.planning.scans import warn_of_scans
from madcat_studio.operations.user import who
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import Campaign, open_campaign

__all__ = ["import_plan", "read_teams", "store_teams"]

_PLANNABLE = (DataSet.EVALUATION, DataSet.PROGRESS, DataSet.CONTROL)
_FOR_PRACTICE = (DataSet.DEVELOPMENT, DataSet.TRAINING)


def import_plan(
    where: str,
    *,
    teams: Path | None = None,
    kits: Path | None = None,
    assignments: Path | None = None,
    practice: frozenset[str] = frozenset(),
    progress: Progress = SILENT,
) -> Outcome:
    """Take in teams, kits and assignments (``teams.tsv``, ``kits.tsv``, ``assignments.tsv``).

    Kits that nobody has claimed may be planned anew; claimed ones must be as they are.

    Args:
        where: the campaign.
        teams, kits, assignments: the tables; None: those that the campaign has.
        practice: names of kits that are edited for practice and never scored.
        progress: told after each kit.

    Raises:
        Refused: a rule is broken; all of it is listed and nothing was written.
        StudioError: a table or the database cannot be used.
    """
    checking = Checking(progress)
    done: list[str] = []
    with open_campaign(where) as campaign, campaign.transaction():
        if teams is not None:
            read = read_teams(teams, checking, there=len(campaign.plans.teams()))
            tell_other_names(read, campaign.plans.teams(), checking)
            done.append(store_teams(campaign, read))
        if kits is not None:
            done.append(_import_kits(campaign, kits, practice, checking))
        if assignments is not None:
            # Assignments of kits that were refused would only repeat what is wrong with them.
            checking.settle()
            done.append(_import_assignments(campaign, assignments, checking))
        checking.settle()
    return Outcome(tuple(done), tuple(checking.problems))


def read_teams(path: Path, checking: Checking, *, there: int = 0) -> tuple[Team, ...]:
    """The teams of ``teams.tsv``; what is wrong is told.

    Args:
        path: the table.
        checking: is told.
        there: how many teams the campaign has already.

    Raises:
        StudioError: the table cannot be read.
    """
    table = read_table(path, required=("team", "editor"), optional=("name",))
    checking.problems.extend(table.problems)
    found: dict[str, list[Editor]] = {}
    names: dict[str, str] = {}
    for row in table.rows:
        team, editor, name = row["team"], row["editor"], row.get("name")
        if not team or not editor:
            checking.error("teams.empty", table.where(row), "the team or the editor is empty")
            continue
        if names.setdefault(editor, name) != name:
            checking.error(
                "teams.two-names",
                table.where(row),
                f"editor {editor} has two names: {names[editor]} and {name}",
            )
        members = found.setdefault(team, [])
        if any(one.id == editor for one in members):
            checking.error(
                "teams.editor-twice", table.where(row), f"{editor} is in team {team} twice"
            )
            continue
        members.append(Editor(editor, name))
    for team, members in found.items():
        if len(members) < 2:
            checking.error(
                "teams.too-small",
                path,
                f"team {team} has one editor",
                "A team needs two: one for each pass",
            )
    if len(found) < 2 and there < 2:
        checking.error(
            "teams.too-few",
            path,
            "there are fewer than two teams",
            "Every kit goes to two teams: bring in another one",
        )
    return tuple(Team(team, tuple(members)) for team, members in found.items())


def store_teams(campaign: Campaign, teams: Sequence[Team]) -> str:
    """Put teams into a campaign, within the caller's transaction; what was done."""
    added = sum(campaign.plans.add_team(team) for team in teams)
    total = sum(len(team.editors) for team in teams)
    return describe_added(added, total - added, "editor", f"in {counted(len(teams), 'team')}")


def _import_kits(
    campaign: Campaign, path: Path, practice: frozenset[str], checking: Checking
) -> str:
    table = read_table(path, required=("kit", "system", "base"))
    checking.problems.extend(table.problems)
    found: dict[str, list[KitItem]] = {}
    first_rows: dict[str, str] = {}
    for row in table.rows:
        found.setdefault(row["kit"], []).append(KitItem(row["system"], row["base"]))
        first_rows.setdefault(row["kit"], table.where(row))
    _check_items(campaign, table, practice, checking)
    planned = [Kit(name, tuple(items), name in practice) for name, items in found.items()]
    claimed = campaign.plans.claimed()
    # An output may go from one kit to another: it is taken out of all before it is put in.
    campaign.plans.empty_kits([kit for kit in planned if kit.name not in claimed])
    added = 0
    for number, kit in enumerate(planned):
        name = kit.name
        checking.step(number, len(planned), f"kit {name}")
        try:
            added += campaign.plans.plan_kit(kit)
        except StudioError as error:
            place = f"{first_rows[name]}: {error.where}" if error.where else first_rows[name]
            checking.error(error.code, place, error.reason, error.remedy)
    warn_of_scans(campaign, planned, checking)
    if added:
        campaign.note("plan kits", str(path), who=who(), detail=counted(added, "kit"))
    return describe_added(added, len(found) - added, "kit")


def _check_items(
    campaign: Campaign, table: Table, practice: frozenset[str], checking: Checking
) -> None:
    """What a kit may hold, as far as it takes more than the kit itself to see it."""
    documents = {one.base: one for one in campaign.contents.documents()}
    systems = {one.name: one for one in campaign.contents.systems()}
    kit_of: dict[tuple[str, str], str] = {}
    for row in table.rows:
        document, system = documents.get(row["base"]), systems.get(row["system"])
        if document is None or system is None:
            continue
        where = table.where(row)
        if row["kit"] in practice and document.data_set in _FOR_PRACTICE:
            continue
        if document.data_set not in _PLANNABLE:
            checking.error(
                "plan.set",
                where,
                f"{document.base} is a {document.data_set} page",
                "Only evaluation, progress and control pages are edited",
            )
        elif (document.data_set is DataSet.CONTROL) != system.earlier:
            checking.warn(
                "plan.control",
                where,
                f"{document.base} is in the {document.data_set} set, and its output is "
                + ("an earlier phase's" if system.earlier else "not an earlier phase's"),
                remedy="The control set is old output edited again",
            )
        copy = (document.manuscript, system.name)
        if kit_of.setdefault(copy, row["kit"]) != row["kit"]:
            checking.error(
                "plan.manuscript-divided",
                where,
                f"manuscript {document.manuscript} of system {system.name} would be divided "
                f"between kits {kit_of[copy]} and {row['kit']}",
                "Put all its pages into one kit",
            )


def _import_assignments(campaign: Campaign, path: Path, checking: Checking) -> str:
    table = read_table(path, required=("kit", "team", "first", "reviewer"))
    checking.problems.extend(table.problems)
    found: dict[str, list[Assignment]] = {}
    first_rows: dict[str, str] = {}
    before = _editors_before(campaign)
    for row in table.rows:
        kit = row["kit"]
        first_rows.setdefault(kit, table.where(row))
        if any(one.team == row["team"] for one in found.get(kit, ())):
            checking.error(
                "plan.team-twice", table.where(row), f"kit {kit} goes to team {row['team']} twice"
            )
            continue
        one = Assignment(kit, row["team"], row["first"] or None, row["reviewer"] or None)
        for editor in sorted({row["first"], row["reviewer"]} & before.get(kit, set())):
            checking.error(
                "plan.same-editor",
                table.where(row),
                f"{editor} edited an output of kit {kit} in the earlier phase already",
                "The control set never goes to its first editors",
            )
        if before.get(kit) and not (one.first and one.reviewer):
            checking.error(
                "plan.open-control",
                table.where(row),
                f"kit {kit} holds the control set, and its editors are left open",
                "Name both, so that it does not go to those who edited it in the earlier phase",
            )
        found.setdefault(kit, []).append(one)
    added = 0
    for number, (kit, assignments) in enumerate(found.items()):
        checking.step(number, len(found), f"kit {kit}")
        try:
            added += campaign.plans.assign(kit, assignments)
        except StudioError as error:
            place = f"{first_rows[kit]}: {error.where}" if error.where else first_rows[kit]
            checking.error(error.code, place, error.reason, error.remedy)
        if len(assignments) != 2:
            checking.warn(
                "plan.teams",
                first_rows[kit],
                f"kit {kit} goes to {len(assignments)} team(s)",
                remedy="The two-team rule needs two",
            )
    return describe_added(added, len(found) - added, "assigned kit")


def _editors_before(campaign: Campaign) -> dict[str, set[str]]:
    """Kit -> who edited one of its outputs in the earlier phase."""
    editors: dict[KitItem, set[str]] = {}
    for text in campaign.earlier.texts():
        editors.setdefault(KitItem(text.system, text.segment.base), set()).update(
            name for name in (text.first_editor, text.reviewer) if name
        )
    if not editors:
        return {}
    return {
        kit.name: set().union(*(editors.get(item, set()) for item in kit.items))
        for kit in campaign.plans.kits()
    }
