"""Files out of what a user names: files, folders, patterns."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable
from pathlib import Path

from madcat_studio.errors import InputError

__all__ = ["gather"]


def gather(
    paths: Iterable[str | Path],
    suffix: str | tuple[str, ...] = ".madcat.xml",
    wanted: Callable[[Path], bool] = lambda _: True,
) -> list[Path]:
    """All files named, in order and each once.

    A folder stands for every file in it, and in folders below, whose name ends in ``suffix`` (or
    one of several) and that is ``wanted``; a name with ``*``, ``?`` or ``[`` that is no file stands
    for what it matches.

    Raises:
        InputError: ``file.not-found``, ``file.nothing-matches``.
    """
    found: dict[Path, None] = {}
    for named in paths:
        path = Path(named)
        if path.is_dir():
            named_so = sorted(p for p in path.rglob("*") if p.name.lower().endswith(suffix))
            inside = list(filter(wanted, named_so))
            if not inside:
                endings = suffix if isinstance(suffix, str) else ", ".join(suffix)
                raise InputError(
                    "file.nothing-matches",
                    f"the folder has no page: no file name ends in {endings}"
                    if not named_so
                    else f"the folder has no page: {len(named_so)} files are something else",
                    where=path,
                    remedy="Name another folder, or the files themselves",
                )
            found.update(dict.fromkeys(inside))
        elif path.exists() or not any(mark in str(named) for mark in "*?["):
            found[path] = None  # one that is not there is told when it is read
        else:
            matches = sorted(Path(name) for name in glob.glob(str(named), recursive=True))  # noqa: PTH207 - patterns may be absolute
            if not matches:
                raise InputError(
                    "file.nothing-matches",
                    "no file matches this pattern",
                    where=path,
                    remedy="Check the folder and the pattern",
                )
            found.update(dict.fromkeys(gather(matches, suffix, wanted)))
    return list(found)
