"""Telling what a command did: sentences on the output, problems on the error stream."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from madcat_studio.cli.forms import Form, put

if TYPE_CHECKING:
    from madcat_studio.operations.checked import Outcome

__all__ = ["tell"]


def tell(outcome: Outcome, form: Form = Form.TEXT) -> bool:
    """Print an outcome. Returns whether nothing in it is an error."""
    if form is Form.JSON:
        put(outcome)
        return all(problem.severity != "error" for problem in outcome.problems)
    good = True
    for problem in outcome.problems:
        done = f"; {problem.done}" if problem.done else ""
        remedy = f". {problem.remedy}" if problem.remedy else ""
        told = f"{problem.where}: {problem.what}{done}{remedy}. [{problem.code}]"
        print(f"{problem.severity}: {told}", file=sys.stderr)
        good = good and problem.severity != "error"
    for line in outcome.done:
        print(line)
    return good
