"""Man pages, one for each command and group, made from the commands themselves."""

from __future__ import annotations

import inspect
from typing import Any

from madcat_studio import __version__
from madcat_studio.cli.app import commands
from madcat_studio.cli.ending import STATUSES

__all__ = ["man_pages"]

PROGRAM = "madcat-studio"


def man_pages() -> dict[str, str]:
    """The pages by the names of their files."""
    return dict(_pages(commands(), (PROGRAM,)))


def _pages(command: Any, way: tuple[str, ...]) -> list[tuple[str, str]]:
    subs = getattr(command, "commands", {})
    pages = [(f"{'-'.join(way)}.1", _page(command, way, subs))]
    for name, sub in subs.items():
        if not sub.hidden:
            pages += _pages(sub, (*way, name))
    return pages


def _page(command: Any, way: tuple[str, ...], subs: dict[str, Any]) -> str:
    context = command.make_context(" ".join(way), [], resilient_parsing=True)
    pieces = [one.replace("\n", " ") for one in inspect.cleandoc(command.help or "").split("\n\n")]
    usage = " ".join(command.get_usage(context).removeprefix("Usage:").split())
    lines = [
        f'.TH "{"-".join(way).upper()}" "1" "" "MADCAT Studio {__version__}" "User Commands"',
        ".SH NAME",
        rf"{_safe('-'.join(way))} \- {_safe(pieces[0].rstrip('.'))}",
        ".SH SYNOPSIS",
        rf"\fB{_safe(' '.join(way))}\fR{_safe(usage.removeprefix(' '.join(way)))}",
        ".SH DESCRIPTION",
    ]
    for piece in pieces:
        lines += [".PP", _safe(piece)]
    if subs:
        lines.append(".SH COMMANDS")
        for name, sub in subs.items():
            if not sub.hidden:
                first = inspect.cleandoc(sub.help or "").partition("\n\n")[0].replace("\n", " ")
                page = "-".join((*way, name))
                lines += [".TP", rf"\fB{_safe(page)}\fR(1)", _safe(first)]
    for title, kind in (("ARGUMENTS", "argument"), ("OPTIONS", "option")):
        told = [
            record
            for one in command.get_params(context)
            if one.param_type_name == kind and (record := one.get_help_record(context)) is not None
        ]
        if told:
            lines.append(f".SH {title}")
        for names, help_ in told:
            lines += [".TP", rf"\fB{_safe(names)}\fR", _safe(" ".join(help_.split())) or r"\&"]
    if command.epilog and len(way) > 1:
        lines += [".SH EXAMPLES", _safe(command.epilog.removeprefix("Example: "))]
    lines += [".SH EXIT STATUS", _safe(STATUSES.removeprefix("Exit status: "))]
    if len(way) > 1:
        lines += [".SH SEE ALSO", rf"\fB{_safe('-'.join(way[:-1]))}\fR(1)"]
    return "\n".join(lines) + "\n"


def _safe(text: str) -> str:
    """Text as it is: no command of troff in it, and hyphens that can be copied."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{text}" if text.startswith((".", "'")) else text
