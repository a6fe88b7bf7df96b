"""The program with its Python and all libraries in one folder, by PyInstaller.

It is made from the wheels in an environment of its own: what tests and extras need is not there,
and cannot get in.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

__all__ = ["EXTRAS", "absent", "environment", "freeze", "held", "options", "untold", "unwanted"]

HERE = Path(__file__).resolve().parents[2]
EXTRAS = ("cv2", "dask", "distributed", "ortools", "pandas", "pyarrow", "statsmodels", "torch")
"""Extras of hundreds of megabytes: who wants them installs the program with pip."""

TOOLS = ("pip", "pkg_resources", "pycparser", "setuptools", "test", "tkinter")
"""Only building needs them; the first lines of pkg_resources alone take as long as the program."""

PLUGINS = ("egldeviceintegrations", "platformthemes/libqgtk3.so", "platforms/libqvnc.so")
"""Of Qt: for machines without a desktop, and one that would bring all of GTK along."""


def environment(wheels: Path, folder: Path) -> Path:
    """A fresh environment with the wheels, the window, and PyInstaller; its Python."""
    python = folder / "bin" / "python"
    _run([sys.executable, "-m", "venv", str(folder)])
    version = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    own = [_wheel(wheels, name, version) for name in ("madcat_ter", "madcat_studio")]
    project = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-compile"]
    pip += ["--constraint", str(HERE / "constraints.txt")]
    _run([*pip, str(own[0]), f"{own[1]}[window]", *project["optional-dependencies"]["bundle"]])
    [plugins] = folder.glob("lib/python*/site-packages/PySide6/Qt/plugins")
    for name in PLUGINS:
        for file in [*plugins.glob(name), *plugins.glob(f"{name}/*")]:
            if file.is_file():
                file.unlink()
    return python


def _wheel(wheels: Path, name: str, version: str) -> Path:
    found = [
        path
        for path in sorted(wheels.glob(f"{name}-*.whl"))
        if version in path.name or "abi3" in path.name
    ]
    if not found:
        raise SystemExit(f"There is no wheel of {name} for this Python in {wheels}")
    return found[0]


def options(packages: Path) -> list[str]:
    """What PyInstaller is told; ``packages`` is the environment's folder of them."""
    migrations = "madcat_studio/store/migrations"
    compiled = sorted(packages.glob("madcat_*/**/*.so"))

    def folder_in(path: Path) -> Path:
        return path.parent.relative_to(packages)

    return [
        *("--onedir", "--name", "madcat-studio", "--noconfirm", "--log-level", "ERROR"),
        # Views and operations are imported by their names, which no analysis sees.
        *("--collect-submodules", "madcat_studio", "--collect-submodules", "madcat_ter"),
        *("--collect-data", "madcat_studio", "--collect-data", "spylls"),
        *("--copy-metadata", "madcat-studio", "--copy-metadata", "madcat-ter"),
        # matplotlib loads what writes a kind of file when it is asked for.
        *("--hidden-import", "matplotlib.backends.backend_svg"),
        # So does sacrebleu with a way to split words.
        *("--collect-submodules", "sacrebleu"),
        # Alembic reads its steps as files.
        *("--add-data", f"{packages / migrations}:{migrations}"),
        # What is imported by "from package import module" inside a function is not always found.
        *(word for path in compiled for word in ("--add-binary", f"{path}:{folder_in(path)}")),
        *(word for name in (*EXTRAS, *TOOLS) for word in ("--exclude-module", name)),
    ]


def freeze(python: Path, work: Path) -> Path:
    """Make the folder within ``work``, and look at what is in it.

    Raises:
        SystemExit: it could not be made, lacks a file, or holds an extra.
    """
    [packages] = python.parents[1].glob("lib/python*/site-packages")
    places = [
        word for name in ("dist", "work", "spec") for word in (f"--{name}path", str(work / name))
    ]
    start = Path(__file__).with_name("start.py")
    # -P: the environment's packages, not a checkout in which this is started.
    _run([str(python), "-P", "-m", "PyInstaller", *options(packages), *places, str(start)])
    made = work / "dist" / "madcat-studio"
    if lost := absent(packages / "madcat_studio", made / "_internal" / "madcat_studio"):
        raise SystemExit(f"Not in the bundle, and read as files: {', '.join(lost)}")
    if missing := untold(made / "_internal" / "PySide6" / "Qt" / "translations"):
        raise SystemExit(f"Qt's own texts are not in the bundle: {', '.join(missing)}")
    if too_much := unwanted(held(made, python)):
        raise SystemExit(f"In the bundle, and should not be: {', '.join(sorted(too_much))}")
    return made


def absent(package: Path, bundled: Path) -> list[str]:
    """What a package holds besides its modules, and a bundle of it does not."""
    files = (path.relative_to(package) for path in package.rglob("*") if path.is_file())
    read = (path for path in files if path.suffix not in {".py", ".pyc", ".pyi"})
    return sorted(str(path) for path in read if not (bundled / path).exists())


def untold(translations: Path) -> list[str]:
    """Qt's own texts in the window's languages that a folder lacks: the buttons of dialogs."""
    ours = sorted((HERE / "resources" / "translations").glob("madcat_studio_*.qm"))
    names = [path.name.replace("madcat_studio", "qtbase") for path in ours]
    return [name for name in names if not (translations / name).is_file()]


def held(folder: Path, python: Path) -> set[str]:
    """The names of the top packages in a bundle: those in its archive, and those beside it."""
    viewer = python.with_name("pyi-archive_viewer")
    listed = _run([str(viewer), "--list", "--recursive", "--brief", str(folder / "madcat-studio")])
    inside = {line.strip().split(".")[0] for line in listed.splitlines() if line.startswith(" ")}
    return inside | {path.name.split(".")[0] for path in (folder / "_internal").iterdir()}


def unwanted(names: set[str]) -> set[str]:
    """Which of some names are no part of the bundle."""
    return names & {*EXTRAS, "pip", "pkg_resources", "tkinter"}


def _run(command: list[str]) -> str:
    done = subprocess.run(
        command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout[-4000:]}")
    return done.stdout
