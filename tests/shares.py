"""What each worker of a parallel run did, told at its end: where one idles, the run is too long.

A pytest plugin. A worker's tests, how long they took, how long it stood at its last one before the
run was over, and the processor time of its own and of the programs that it started.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import pytest


class Shares:
    """Collects on the controller what the workers' reports say."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.tests: dict[str, int] = {}
        self.busy: dict[str, float] = {}
        self.last: dict[str, float] = {}
        self.modules: dict[str, float] = {}
        self.quick: dict[str, float] = {}
        self.processor: dict[str, tuple[float, float]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        worker = getattr(report, "worker_id", "")
        if not worker:
            return
        self.tests[worker] = self.tests.get(worker, 0) + (report.when == "call")
        self.busy[worker] = self.busy.get(worker, 0.0) + report.duration
        self.last[worker] = time.monotonic()
        module = report.nodeid.partition("::")[0]
        self.modules[module] = self.modules.get(module, 0.0) + report.duration
        if "long" not in report.keywords:
            self.quick[report.nodeid] = self.quick.get(report.nodeid, 0.0) + report.duration

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        spent = getattr(node, "workeroutput", {}).get("processor")
        if spent is not None:
            self.processor[node.gateway.id] = spent

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if not self.tests:
            return
        end = time.monotonic()
        terminalreporter.section("shares of the workers")
        for worker in sorted(self.tests):
            own, others = self.processor.get(worker, (0.0, 0.0))
            terminalreporter.line(
                f"{worker}: {self.tests[worker]} tests, busy {self.busy[worker]:.0f} s of "
                f"{end - self.started:.0f} s, idle at the end {end - self.last[worker]:.0f} s; "
                f"processor {own:.0f} s, of programs that it started {others:.0f} s"
            )
        terminalreporter.line(f"longest modules: {_longest(self.modules)}")
        if self.quick:
            told = _longest(self.quick)
            terminalreporter.line(f"longest tests that are not marked long: {told}")


def _longest(durations: dict[str, float]) -> str:
    longest = sorted(durations.items(), key=lambda each: -each[1])[:8]
    return ", ".join(f"{what} {seconds:.1f} s" for what, seconds in longest)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Shares())


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    yield
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        spent = os.times()
        output["processor"] = (
            spent.user + spent.system,
            spent.children_user + spent.children_system,
        )
