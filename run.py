#!/usr/bin/env python3
"""Install MADCAT Studio into .venv and run it: ``python3 run.py WORD [arguments]``.

Needs Python 3.11 and nothing else: standard library alone, no pip, no compiler, no rights. What
is missing is installed where that is allowed and named, with the command to run, where it is not.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from scripts.bring_pip import FetchError, configured_index, fetch_pip
from scripts.showing import Line, reason, watch

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "installed.txt"
LOG = VENV / "install.log"
LOCK = HERE / "constraints.txt"
ENGINE = HERE / "engine"
COMPILED = [ENGINE / "madcat_ter" / "kernel", HERE / "madcat_studio/scoring/scorecards/kernel"]

# What words of this script need of pyproject.toml's extras: few make the demo a thing of a minute.
FEW: tuple[str, ...] = ("window",)
ALL: tuple[str, ...] = ("window", "peers", "dev", "docs")

# Debian's names for what pip cannot bring, by what is lost without it.
_VERSION = f"python{sys.version_info[0]}.{sys.version_info[1]}"
_FOR_TESTS = {
    "the tests on PostgreSQL": ["postgresql"],
    "the tests that draw handwriting": ["libfribidi0"],
}
_COMPILER = "the compiled kernel (scoring is slower without)"
DEBIAN = {
    "the window and pictures of it": [
        "libgl1",
        "libegl1",
        "libxkbcommon0",
        "libglib2.0-0",
        "libfontconfig1",
        "libdbus-1-3",
        "libxcb-cursor0",
        "libxcb-icccm4",
        "libxcb-keysyms1",
        "libxcb-shape0",
        "libxcb-xkb1",
        "libxkbcommon-x11-0",
        "fonts-noto-core",
    ],
    **_FOR_TESTS,
}


# ------------------------------------------------------------------------------- installing


def install(extras: tuple[str, ...] = ALL) -> dict[str, list[str]]:
    """Make .venv what pyproject.toml and the lock say; does nothing where it is so already.

    What Debian's packages could not be installed is returned.
    """
    absent = missing_packages(extras)
    there, _, names = STAMP.read_text().partition("\n") if STAMP.is_file() else ("", "", "")
    installed = set(names.split())
    if there == stamp(absent) and installed.issuperset(extras) and works():
        return absent
    wanted = [extra for extra in ALL if extra in {*extras, *installed}]
    place = VENV if VENV.is_dir() else HERE
    if not os.access(place, os.W_OK):
        stop(f"Nothing may be written into {place}: clone MADCAT Studio to where you may.")
    print(f"Installing what is needed here into {VENV.name}; once, in minutes.", flush=True)
    if absent and apt_install(absent):
        absent = missing_packages(extras)
    make_venv()
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    # Python compiles what is used when it is used: all of it would take time and 100 MB.
    pip += ["--no-compile", "--progress-bar=off"]
    # Side by side: pip unpacks on one processor while compilers have another.
    step(
        "MADCAT Studio and the Python packages",
        [*pip, "--constraint", str(LOCK), *requirements(wanted)],
        *([*pip, "--no-deps", "--editable", str(project)] for project in (ENGINE, HERE)),
    )
    if quiet([str(PYTHON), "-c", "import madcat_ter.kernel._ter"]):
        print("The kernel is compiled.", flush=True)
    else:
        print(f"The kernel is not compiled: scoring is slower. {LOG} says why.", flush=True)
    STAMP.write_text(f"{stamp(absent)}\n{' '.join(wanted)}\n")
    return absent


def requirements(extras: Sequence[str]) -> list[str]:
    """What pip would learn from our own two packages, if it waited until they are built."""
    import tomllib  # here, since an older Python does start this file

    files = (HERE / "pyproject.toml", ENGINE / "pyproject.toml")
    ours, engine = (tomllib.loads(file.read_text("utf-8"))["project"] for file in files)
    wanted = [*engine["dependencies"], *ours["dependencies"]]
    for extra in extras:
        wanted += ours["optional-dependencies"][extra]
    return [one for one in dict.fromkeys(wanted) if not one.startswith(engine["name"])]


def stamp(absent: dict[str, list[str]]) -> str:
    """What the installation depends on, as one line; a change of it means to install again."""
    files = [HERE / "pyproject.toml", ENGINE / "pyproject.toml", LOCK]
    for folder in COMPILED:
        files += sorted(
            path for path in folder.glob("*.*") if path.suffix not in {".py", ".pyi", ".so"}
        )
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.read_bytes())
    # An editable installation keeps a list of the modules: one that moved is not found.
    packages = (HERE / "madcat_studio", ENGINE / "madcat_ter")
    modules = sorted(str(path.relative_to(HERE)) for top in packages for path in top.rglob("*.py"))
    digest.update("\n".join(modules).encode())
    strict = os.environ.get("MADCAT_TER_REQUIRE_KERNEL", "")
    compiler = sorted(absent.get(_COMPILER, []))
    return f"{digest.hexdigest()} {HERE} {strict} {compiler}"


def works() -> bool:
    """Whether .venv holds a Python that still runs (its base may have been upgraded away)."""
    try:
        return subprocess.run([PYTHON, "-c", ""], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def make_venv() -> None:
    """A virtual environment with pip, also from a Python that comes without ensurepip."""
    if not works():
        shutil.rmtree(VENV, ignore_errors=True)
        step(
            "virtual environment .venv", [sys.executable, "-m", "venv", "--without-pip", str(VENV)]
        )
    if quiet([str(PYTHON), "-c", "import pip"]):
        return
    with tempfile.TemporaryDirectory() as folder:
        wheel = bring_pip(Path(folder))
        if wheel is None:
            step("pip", [str(PYTHON), "-m", "ensurepip", "--default-pip"])
            return
        # A wheel is a zip, and Python runs a package within one.
        command = [str(PYTHON), f"{wheel}/pip", "install", "-q", "--no-index", "--no-deps"]
        step("pip", [*command, "--no-compile", str(wheel)])


def bring_pip(folder: Path) -> Path | None:
    """Fetch a pip that is twice as fast as those that come with Python 3.11.

    Where that fails, Python's own is as good; Debian parts it off, which is then said.
    """
    try:
        return fetch_pip(folder, configured_index())
    except FetchError as error:
        if importlib.util.find_spec("ensurepip"):
            return None
        stop(
            f"pip is missing and could not be fetched: {error}.\n"
            f"Connect to the network, set PIP_INDEX_URL to an index that you can reach, or"
            f" install pip by:\n  sudo apt-get install {_VERSION}-venv"
        )


def missing_packages(extras: tuple[str, ...] = ALL) -> dict[str, list[str]]:
    """Debian's packages that are not installed here, by what is lost without them."""
    if shutil.which("dpkg-query") is None:
        return {}
    wanted = {
        what: names for what, names in DEBIAN.items() if what not in _FOR_TESTS or "dev" in extras
    }
    kernel = [] if shutil.which("c++") else ["g++"]
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        kernel.append(f"{_VERSION}-dev")
    wanted[_COMPILER] = kernel
    form = "${db:Status-Abbrev}\t${Package}\t${Provides}\n"
    answer = subprocess.run(["dpkg-query", "-Wf", form], check=True, capture_output=True, text=True)
    present: set[str] = set()
    for line in answer.stdout.splitlines():
        status, package, provides = line.split("\t")
        if status.startswith("ii"):
            present |= {package, *(name.split()[0] for name in provides.split(",") if name.strip())}
    absent = {what: [n for n in names if n not in present] for what, names in wanted.items()}
    return {what: names for what, names in absent.items() if names}


def apt_install(absent: dict[str, list[str]]) -> bool:
    """Install Debian packages where that needs no password; say whether it was tried."""
    if shutil.which("apt-get") is None:
        return False
    if os.geteuid() == 0:
        sudo = []
    elif shutil.which("sudo") and quiet(["sudo", "-n", "true"]):
        sudo = ["sudo", "-n"]
    else:
        return False
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"]
    step("list of system packages", [*apt, "update"], needed=False)
    for what, names in absent.items():
        packages = ["install", "--no-install-recommends", *names]
        step(f"system packages for {what}", [*apt, *packages], needed=False)
    return True


def name_missing(absent: dict[str, list[str]]) -> None:
    """Say what is not there, what is lost by it, and how to get it."""
    if not absent:
        return
    for what, names in absent.items():
        print(f"Missing for {what}: {' '.join(names)}")
    names = sorted({name for names in absent.values() for name in names})
    print(f"To install:  sudo apt-get install {' '.join(names)}", flush=True)


def step(what: str, *commands: list[str], needed: bool = True) -> None:
    """Run a step of the installation, its commands side by side: one line, all in the log."""
    line = Line(f"Installing: {what}")
    environment = surroundings()
    packages = next(VENV.glob("lib/python*/site-packages"), None)
    ended = watch(commands, line.show, cwd=HERE, environment=environment, packages=packages)
    failed = [said for status, said in ended if status != 0]
    line.end("FAILED" if failed else "done")
    if VENV.is_dir():
        with LOG.open("a", encoding="utf-8") as log:
            for command, (_, said) in zip(commands, ended, strict=True):
                log.write(f"$ {' '.join(command)}\n{said}\n")
    if not failed:
        return
    why = next(filter(None, map(reason, failed)), None)
    print(why or failed[0][-4000:], file=sys.stderr)
    if needed:
        stop(
            f"The installation stopped at: {what}. Everything it said is in {LOG}."
            " The same command goes on from there."
        )


def surroundings() -> dict[str, str]:
    """What pip is to see; without a home for its cache it would not even start."""
    seen = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    try:
        Path.home()
    except RuntimeError:
        seen |= {"HOME": str(VENV), "PIP_NO_CACHE_DIR": "1"}
    return seen


def stop(message: str) -> NoReturn:
    """End with a message instead of a traceback."""
    print(message, file=sys.stderr)
    raise SystemExit(1)


def quiet(command: list[str]) -> bool:
    """Whether a command succeeds."""
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


# ---------------------------------------------------------------------------------- the words


LIGHT = {"demo", "screenshots"}
"""These need no tests, peers and tools."""

VIEWS = ("page", "marking", "kit", "plan", "board", "report", "scorecard")
"""Those that a demo without a display shows; the word ``screenshots`` takes all there are."""


def demo(arguments: list[str]) -> int:
    """Make and score the demo campaign in demo-campaign/ and offer it, or take pictures of it."""
    folder = arguments or ["demo-campaign"]
    status = ours("-m", "madcat_studio", "demo", *folder)
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if status == 0 and display and has_qt():
        return ours("-m", "madcat_studio", "open", "--demo", *folder)
    pictures = Path(folder[0]) / "pictures"
    if status == 0 and not has_qt():
        print("\nThe window does not open here; what it needs is named below as missing.")
    elif status == 0 and not pictures.is_dir():
        print(
            "\nThere is no display here; pictures of the window's views are taken instead:",
            flush=True,
        )
        made = ["--campaign", folder[0], "--to", str(pictures), "--plain"]
        screenshots([*made, *VIEWS])
    return status


def test(arguments: list[str]) -> int:
    """Run the quick tests, or the `--long` ones, or what pytest's own arguments say."""
    if arguments not in ([], ["--long"]):
        return pytest(arguments)
    # Neighbours stay together, so that what a module's tests share is made once. The order is
    # another one each time, and is told: --random-order-seed=N brings it again.
    # One more than two processors: many tests wait for windows, programs and servers.
    spread = ["-n", "3", "--dist", "worksteal", "--random-order"]
    return pytest([*spread, "-m", "long" if arguments else "not long and not soak"])


def coverage(arguments: list[str]) -> int:
    """Measure which branches the core rooms' own tests reach; too few are an error."""
    rooms = [
        f"tests/{room}"
        for room in ("checks", "coach", "edits", "model", "pages", "planning", "ter")
    ]
    scoring = sorted((HERE / "tests" / "scoring").glob("test_*.py"))
    # The kernel is compared with its twin in Python, which takes long under measurement.
    rooms += [str(path) for path in scoring if path.stem != "test_kernel"]
    # What is of use only to rooms above is tested there, through them.
    above = ["operations/test_convert", "operations/test_mending", "operations/test_page_queue"]
    above += ["operations/test_steps", "store/test_visits", "workspace/test_visits"]
    above += [f"operations/test_{name}" for name in ("inklines", "calendar", "corpus_plan", "many")]
    above.append("operations/test_submission")
    rooms += [f"tests/{name}.py" for name in above]
    return pytest(["-q", *(arguments or rooms), "--cov"])


def mutants(arguments: list[str]) -> int:
    """Break the code on purpose and see that tests fail (or that of one room: `mutants edits`)."""
    bring("mutants", "cosmic_ray")
    return ours("tests/soak/mutants.py", *arguments)


def wheels(arguments: list[str]) -> int:
    """Build and try what is released, into dist/ (--all: nothing may be left out)."""
    if shutil.which("debootstrap") is None and os.geteuid() == 0 and shutil.which("apt-get"):
        apt = ["apt-get", "-q", "-y", "install", "--no-install-recommends", "debootstrap"]
        step("debootstrap, for a later Python", apt, needed=False)
    bring("wheels", "auditwheel, build, twine, ziglang")
    return ours("-m", "scripts.wheels", *arguments)


def bundle(arguments: list[str]) -> int:
    """Build the program as a folder that needs no Python, and as a .deb, into dist/."""
    if "--wheels" not in arguments:
        bring("wheels", "auditwheel, ziglang")
    return ours("-m", "scripts.bundle", *arguments)


def bring(extra: str, modules: str) -> None:
    """Install what only one word of this script needs."""
    if quiet([str(PYTHON), "-c", f"import {modules}"]):
        return
    import tomllib  # here, since an older Python does start this file

    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    wanted = ["-q", "--constraint", str(LOCK), *project["optional-dependencies"][extra]]
    step(f"{modules}, for {extra}", [*pip, *wanted])


def soak(arguments: list[str]) -> int:
    """Run the long tests with new random examples; docs/results/soak.json keeps what they gave."""
    long = ["-m", "soak", "--keep-results"]
    status = pytest([*long, *arguments], HYPOTHESIS_PROFILE="soak")
    if not arguments:
        status |= mutants([])
    return status | ours("docs/generate.py")


def pytest(arguments: list[str], **environment: str) -> int:
    """Run pytest; without its part for windows where Qt or a library of it is missing."""
    if not has_qt():
        arguments = ["-p", "no:pytest-qt", *arguments]
    environment |= {"QT_QPA_PLATFORM": "offscreen"}
    return ours("-m", "pytest", *arguments, **environment)


def has_qt() -> bool:
    """Whether Qt is there with all the system libraries that it needs."""
    return quiet([str(PYTHON), "-c", "import PySide6.QtWidgets"])


def lint(arguments: list[str]) -> int:
    """Check style, format and the walls between the rooms."""
    return (
        ours("-m", "ruff", "check", *arguments)
        | ours("-m", "ruff", "format", "--check", *arguments)
        | ours("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")
    )


def types(arguments: list[str]) -> int:
    """Check the types."""
    return ours("-m", "mypy", *arguments)


def bench(arguments: list[str]) -> int:
    """Run the benchmarks (or the named ones); they print ratios against a peer."""
    status = 0
    for script in sorted((HERE / "benchmarks").glob("bench_*.py")):
        if not arguments or script.stem.removeprefix("bench_") in arguments:
            print(f"-- {script.relative_to(HERE)}", flush=True)
            status |= ours(str(script))
    return status


def screenshots(arguments: list[str]) -> int:
    """Take the pictures of the window that the documentation shows."""
    return ours("-m", "scripts.screenshots", *arguments, QT_QPA_PLATFORM="offscreen")


def texts(arguments: list[str]) -> int:
    """Collect the window's texts for translators, in resources/translations."""
    return ours("-m", "scripts.texts", *arguments)


def docs(arguments: list[str]) -> int:
    """Draw and list what docs/ takes from the code, and build docs/_build/index.html."""
    status = ours("docs/generate.py", *arguments)
    status |= ours("docs/format_tables.py", *arguments)
    return status | ours(
        *("-m", "sphinx", "--fail-on-warning", "--keep-going", "--nitpicky", "--quiet"),
        # What Sphinx keeps for the next time is nothing for readers.
        *("--doctree-dir", str(VENV / "manual"), "docs", "docs/_build"),
    )


def lock(arguments: list[str]) -> int:
    """Write the versions of everything that is installed now to constraints.txt."""
    freeze = [str(PYTHON), "-m", "pip", "list", "--format=freeze"]
    freeze += ["--exclude=madcat-studio", "--exclude=madcat-ter"]
    listed = subprocess.run(freeze, check=True, capture_output=True, text=True).stdout
    ours_not = ("pip==", "setuptools==", "wheel==")
    pinned = [line for line in listed.splitlines() if not line.startswith(ours_not)]
    head = "# The versions that were seen to work together. Written by: python3 run.py lock\n"
    LOCK.write_text(head + "\n".join(sorted(pinned, key=str.lower)) + "\n", encoding="utf-8")
    return 0


WORDS = {
    word.__name__: word
    for word in (
        demo,
        test,
        coverage,
        lint,
        types,
        bench,
        docs,
        screenshots,
        texts,
        soak,
        mutants,
        wheels,
        bundle,
        lock,
    )
}


def ours(*command: str, **environment: str) -> int:
    """Run the Python of .venv here; its exit status."""
    seen = {**os.environ, **environment}
    # Many containers ask that no bytecode be written. None of it goes beside the sources then, but
    # it is kept: without, each start would compile what it loads, and take twice as long.
    if seen.pop("PYTHONDONTWRITEBYTECODE", ""):
        seen.setdefault("PYTHONPYCACHEPREFIX", str(VENV / "bytecode"))
    return subprocess.run([str(PYTHON), *command], cwd=HERE, env=seen, check=False).returncode


def main() -> int:
    """Do the word that the user gave, after making sure that everything is installed."""
    if sys.version_info < (3, 11):  # noqa: UP036 - older ones do start this file
        stop(f"MADCAT Studio needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    word, arguments = (sys.argv[1:2] or [""])[0], sys.argv[2:]
    if word not in WORDS:
        print("python3 run.py WORD [arguments]\n")
        for name, function in WORDS.items():
            print(f"  {name:<13}{(function.__doc__ or '').strip()}")
        return 0 if word in {"", "-h", "--help", "help"} else 2
    absent = install(FEW if word in LIGHT else ALL)
    if word in LIGHT:  # what was left out stands at the end, where it is seen
        status = WORDS[word](arguments)
        name_missing(absent)
        return status
    name_missing(absent)
    return WORDS[word](arguments)


def guarded() -> int:
    """As :func:`main`; what the machine refuses, a full disk above all, ends with a sentence."""
    try:
        return main()
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        why = reason(str(error)) or f"This machine does not let it go on: {error}."
        stop(f"{why} The same command goes on from there.")


if __name__ == "__main__":
    sys.exit(guarded())
