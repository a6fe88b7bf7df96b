"""The command line's root: it joins the commands of each topic and turns errors into messages.

Modules of this room import only Typer and the errors at the top, and everything else inside the
command that needs it: ``--help`` must not pay for databases, statistics or XML.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli import (
    backup,
    campaign,
    campaign_calendar,
    campaign_follow,
    campaign_lead,
    campaign_people,
    campaign_plan,
    campaign_selection,
    convert,
    demo,
    effort,
    evaluation,
    kit,
    new_page,
    page_groups,
    pages,
    render,
    report,
    scorecard,
    server,
    settle,
    ter_wer,
    tercom_command,
    terminal,
    trust,
    window,
)
from madcat_studio.cli.ending import STATUSES, guarded
from madcat_studio.cli.tree import asked_for, completion, show_help, tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typer.core import TyperGroup

    from madcat_studio.cli.window import Window

__all__ = ["app", "commands", "main"]

app = typer.Typer(
    name="madcat-studio",
    help="Evaluate the translation of document images: pages, kits, HTER, TER and WER.",
    epilog=STATUSES,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# Each topic's module is joined here, one line each and in the order of the help page:
#     app.add_typer(page.app, name="page")        a group of commands
#     app.command("demo")(demo.demo)              a single command
app.command("open")(window.open_window)
app.command("new")(new_page.new)
app.command("show")(pages.show)
app.command("check")(pages.check)
app.command("convert")(convert.convert)
app.command("compare")(pages.compare)
app.command("agreement")(settle.agreement)
app.command("settle")(settle.settle)
app.command("lines")(pages.lines)
app.command("derive")(pages.derive)
app.command("images")(pages.images)
for _name, _group in page_groups.GROUPS:
    app.add_typer(_group, name=_name)
app.command("render")(render.render)
campaign.app.command("propose-plan")(campaign_plan.propose_plan)
campaign.app.add_typer(campaign_plan.change, name="change")
for _name, _command in (
    *campaign_selection.COMMANDS,
    *campaign_plan.COMMANDS,
    *campaign_people.COMMANDS,
    *campaign_lead.COMMANDS,
    *campaign_follow.COMMANDS,
    *effort.COMMANDS,
):
    campaign.app.command(_name)(_command)
campaign.app.command("calendar")(campaign_calendar.calendar)
campaign.app.command("score")(report.score)
campaign.app.command("report")(report.report)
campaign.app.command("evidence")(report.evidence)
campaign.app.command("trust")(trust.trust)
campaign.app.command("hands")(trust.hands)
for _app in (campaign.app, server.app):
    _app.command("backup")(backup.backup)
    _app.command("restore")(backup.restore)
app.command("ter")(ter_wer.ter)
app.command("wer")(ter_wer.wer)
app.command("tercom", context_settings=tercom_command.SETTINGS)(tercom_command.tercom)
app.command("evaluate")(evaluation.evaluate)
app.add_typer(campaign_selection.CORPUS, name="corpus")
app.add_typer(campaign.app, name="campaign")
app.add_typer(kit.app, name="kit")
app.add_typer(server.app, name="server")
app.add_typer(scorecard.app, name="scorecard")
app.command("demo")(demo.demo)
app.command("doctor")(window.doctor)
app.command("completion")(completion)


def _print_version(wanted: bool) -> None:
    if wanted:
        from madcat_studio import __version__

        print(f"madcat-studio {__version__}")
        raise typer.Exit


@app.callback()
def _every_command(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="Hide progress and warnings."),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Also write the log to the error stream.")
    ] = False,
) -> None:
    import logging

    from madcat_studio import __version__, log

    log.start()
    context.call_on_close(terminal.be_quiet() if quiet else terminal.tell_warnings())
    if verbose:
        context.call_on_close(terminal.tell_log())
    logging.getLogger(__name__).info("%s of version %s", context.invoked_subcommand, __version__)


@cache
def commands(words: tuple[str, ...] | None = None) -> TyperGroup:
    """All commands, made of what is declared; with ``words`` the others without their options."""
    return tree(app, words)


def main(
    arguments: Sequence[str] | None = None,
    *,
    window: Window | None = None,
) -> int:
    """Run one command and return its exit status. Nothing escapes but a message.

    Args:
        arguments: None for those of the process.
        window: what the window's libraries do for commands; None where there are none.
    """
    given = sys.argv[1:] if arguments is None else [*arguments]
    words = asked_for(app, given)
    asked = commands(words)
    if words and given in ([*words, "--help"], [*words, "-h"]):
        return guarded(lambda: show_help(asked, words))
    return guarded(lambda: asked(given, prog_name="madcat-studio", obj=window))
