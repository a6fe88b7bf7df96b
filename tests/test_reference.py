"""The reference's pages: one for each public module, all of them led to, and none left over."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import reference


def test_each_public_module_has_a_page_that_its_package_leads_to() -> None:
    told = "\n".join(reference.package_pages().values())
    pages = {
        path.relative_to(reference.API).with_suffix("").as_posix(): text
        for path, text in reference.module_pages().items()
    }
    assert len(pages) > 150
    assert sorted(re.findall(r"^\S+ <(.+)>$", told, re.MULTILINE)) == sorted(pages)
    modules = [re.search(r"automodule:: (.+)", text)[1] for text in pages.values()]
    assert sorted(re.findall(r"\| \{py:mod\}`~(.+?)` \| \S", told)) == sorted(modules)
    for module in modules:
        assert importlib.util.find_spec(module) is not None


def test_a_page_is_written_once_and_goes_with_its_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference, "API", tmp_path)
    gone = tmp_path / "formats" / "gone.md"
    gone.parent.mkdir()
    gone.write_text("# of a module that is no more\n")
    kept = tmp_path / "formats.md"
    kept.write_text("# the package's own page, which stands in the project\n")
    reference.write_module_pages()
    assert not gone.exists()
    assert kept.exists()
    page = tmp_path / "formats" / "madcat.md"
    assert ".. automodule:: madcat_studio.formats.madcat\n" in page.read_text("utf-8")
    before = page.stat().st_mtime_ns
    (tmp_path / "formats" / "alto.md").write_text("changed")
    reference.write_module_pages()
    assert page.stat().st_mtime_ns == before
    assert "automodule" in (tmp_path / "formats" / "alto.md").read_text("utf-8")


@pytest.mark.parametrize("owned", [True, False])
def test_what_is_kept_of_a_page_knows_that_page_alone(owned: bool, tmp_path: Path) -> None:
    # The second shows that the first looks at the right thing.
    connect = 'app.connect("doctree-read", reference.own_all_nodes)' if owned else "pass"
    (tmp_path / "conf.py").write_text(
        f"import sys; sys.path.insert(0, {str(reference.ROOT)!r})\n"
        "from scripts import reference\n"
        "extensions = ['myst_parser', 'sphinx.ext.autodoc']\n"
        f"def setup(app): {connect}\n"
    )
    page = "# A module\n\n```{eval-rst}\n.. automodule:: scripts.showing\n   :members:\n```\n"
    (tmp_path / "index.md").write_text(page)
    build = [sys.executable, "-m", "sphinx", "--quiet", str(tmp_path), str(tmp_path / "built")]
    subprocess.run(build, check=True)
    [kept] = (tmp_path / "built").rglob("index.doctree")
    assert (b"BuildEnvironment" in kept.read_bytes()) is not owned
