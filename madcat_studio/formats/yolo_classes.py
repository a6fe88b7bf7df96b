"""The names of YOLO's classes: in ``classes.txt``, or in the ``data.yaml`` of a data set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from madcat_studio.errors import StudioError
from madcat_studio.formats.files import read_file

__all__ = ["LIST", "SET", "classes_beside", "written_classes"]

LIST = "classes.txt"
SET = "data.yaml"
_ABOVE = 3
"""So many folders are looked at: ``SET/labels/train`` is what programs for training ask for."""


def classes_beside(path: Path) -> dict[int, str] | None:
    """The names of classes by their numbers, from the nearest file that tells them.

    A file that cannot be read, or that names no classes, is passed by.
    """
    for folder in (path.parent, *path.resolve().parent.parents)[:_ABOVE]:
        for name, names_in in ((LIST, _of_list), (SET, _of_set)):
            try:
                data = read_file(folder / name)
            except StudioError:
                continue
            found = names_in(data.decode("utf-8-sig", "replace"))
            if found:
                return found
    return None


def _of_list(text: str) -> dict[int, str]:
    return dict(enumerate(line.strip() for line in text.splitlines() if line.strip()))


def _of_set(text: str) -> dict[int, str]:
    try:
        value: Any = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    names = value.get("names") if isinstance(value, dict) else None
    if isinstance(names, list):
        names = dict(enumerate(names))
    if not isinstance(names, dict):
        return {}
    return {
        number: str(name).strip()
        for number, name in names.items()
        if isinstance(number, int) and isinstance(name, str | int) and str(name).strip()
    }


def written_classes(names: Sequence[str]) -> dict[str, bytes]:
    """Both files for classes that are numbered from 0; who trains says where the images are."""
    values = {"path": ".", "train": ".", "val": ".", "names": dict(enumerate(names))}
    return {
        LIST: "".join(f"{name}\n" for name in names).encode(),
        SET: yaml.safe_dump(values, sort_keys=False, allow_unicode=True).encode(),
    }
