"""What is put around the bundled program, and what may be in it; building it is a long test."""

from __future__ import annotations

import configparser
import gzip
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from madcat_studio.cli.app import commands
from madcat_studio.gui.views import LocationKind, kind_of
from scripts.bundle import freezing, packing
from scripts.bundle.__main__ import COMPLETIONS, furnish
from scripts.bundle.desktop import KIT, PAGE, desktop_entry, icon, mime_types
from scripts.bundle.licences import licence_files
from scripts.bundle.manpages import man_pages


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle") / "share"
    furnish(folder)
    return folder


def test_the_menu_opens_pages_and_kits() -> None:
    read = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read_string(desktop_entry("/opt/x/madcat-studio"))
    entry = dict(read["Desktop Entry"])
    assert entry["Exec"] == "/opt/x/madcat-studio open %f"
    assert entry["MimeType"].split(";") == [PAGE, KIT, ""]
    # What the specification demands of an application, and lists that end with their separator.
    assert entry["Type"] == "Application"
    assert {"Name", "Icon", "Terminal", "TryExec"} <= set(entry)
    assert all(entry[key].endswith(";") for key in ("Categories", "Keywords", "MimeType"))
    if checker := shutil.which("desktop-file-validate"):
        subprocess.run([checker, "-"], input=desktop_entry(), text=True, check=True)


def test_what_a_double_click_opens_the_window_knows(tmp_path: Path) -> None:
    types = etree.fromstring(mime_types().encode())
    name = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    globs = {
        one.get("type"): one.find("m:glob", name).get("pattern")
        for one in types.findall("m:mime-type", name)
    }
    assert globs == {PAGE: "*.madcat.xml", KIT: "*.madcat-kit"}
    for kind, wanted in ((PAGE, LocationKind.PAGE), (KIT, LocationKind.KIT)):
        file = tmp_path / globs[kind].replace("*", "x")
        file.write_bytes(b"")
        assert kind_of(str(file)) is wanted


def test_the_icon_is_a_picture_of_the_window_sign() -> None:
    root = etree.fromstring(icon().encode())
    paths = root.findall(".//{*}path")
    assert len(paths) == 3
    assert root.get("viewBox") == "0 0 48 48"


def named(command: Any, way: str = "madcat-studio") -> dict[str, Any]:
    found = {way: command}
    for name, sub in getattr(command, "commands", {}).items():
        found |= named(sub, f"{way}-{name}")
    return found


def test_every_command_has_a_man_page_with_all_its_options() -> None:
    pages = man_pages()
    tree = named(commands())
    assert set(pages) == {f"{name}.1" for name in tree}
    for name, command in tree.items():
        page = pages[f"{name}.1"]
        assert page.startswith(f'.TH "{name.upper()}" "1"')
        plain = page.replace(r"\-", "-")
        for one in command.params:
            for option in one.opts if one.param_type_name == "option" else []:
                assert option in plain, (name, option)
        # Nothing of a text is taken for a command of troff.
        requests = {line.split()[0] for line in page.splitlines() if line[:1] in ".'"}
        assert requests <= {".TH", ".SH", ".PP", ".TP"}, name
        for section in (".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH EXIT STATUS"):
            assert section in page, name
    assert "Example" not in pages["madcat-studio-check.1"]
    assert ".SH EXAMPLES\nmadcat\\-studio check" in pages["madcat-studio-check.1"]


@pytest.mark.skipif(shutil.which("man") is None, reason="no man here to read them")
def test_man_reads_them_without_a_warning(share: Path) -> None:
    for name in ("madcat-studio", "madcat-studio-check"):
        page = share / "man" / "man1" / f"{name}.1.gz"
        read = subprocess.run(
            ["man", "--warnings=w", "-l", str(page)],
            capture_output=True,
            text=True,
            env={"PATH": "/usr/bin:/bin", "MANWIDTH": "100", "LC_ALL": "C.UTF-8"},
        )
        assert (read.returncode, read.stderr) == (0, "")
        assert "SYNOPSIS" in read.stdout


def test_everything_lies_where_desktops_and_shells_look(share: Path) -> None:
    there = {str(path.relative_to(share)) for path in share.rglob("*") if path.is_file()}
    assert there >= {
        "applications/madcat-studio.desktop",
        "mime/packages/madcat-studio.xml",
        "icons/hicolor/scalable/apps/madcat-studio.svg",
        "man/man1/madcat-studio.1.gz",
        *COMPLETIONS.values(),
    }
    page = gzip.decompress((share / "man/man1/madcat-studio-campaign-status.1.gz").read_bytes())
    assert b".TH" in page


def test_pyinstaller_is_told_what_is_found_by_name_and_what_stays_out(tmp_path: Path) -> None:
    told = freezing.options(tmp_path)
    pairs = set(pairwise(told))
    for name in freezing.EXTRAS:
        assert ("--exclude-module", name) in pairs
    for name in ("madcat_studio", "madcat_ter"):
        assert ("--collect-submodules", name) in pairs
    assert ("--collect-data", "madcat_studio") in pairs
    [data] = [value for word, value in pairs if word == "--add-data"]
    source, _, target = data.partition(":")
    assert (source, target) == (f"{tmp_path}/{target}", "madcat_studio/store/migrations")


def test_an_extra_in_the_bundle_is_found() -> None:
    assert freezing.unwanted({"numpy", "cv2", "madcat_studio", "pyarrow"}) == {"cv2", "pyarrow"}
    assert freezing.unwanted({"numpy", "madcat_studio"}) == set()


def test_a_file_that_is_not_taken_along_is_found(tmp_path: Path) -> None:
    package, bundled = tmp_path / "package", tmp_path / "bundled"
    for name in ("a.py", "resources/icons/home.svg", "resources/b.tsv", "__pycache__/a.pyc"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text("")
    (bundled / "resources").mkdir(parents=True)
    (bundled / "resources" / "b.tsv").write_text("")
    assert freezing.absent(package, bundled) == ["resources/icons/home.svg"]


def test_a_bundle_without_the_texts_of_qt_is_refused(tmp_path: Path) -> None:
    (tmp_path / "qtbase_ar.qm").write_text("")
    (tmp_path / "qtbase_de.qm").write_text("")
    assert freezing.untold(tmp_path) == ["qtbase_es.qm", "qtbase_fr.qm"]


def test_the_package_needs_the_c_library_that_its_files_ask_for(tmp_path: Path) -> None:
    (tmp_path / "a.so").write_bytes(b"\0GLIBC_2.4\0GLIBC_2.17\0")
    (tmp_path / "b.so.1").write_bytes(b"\0GLIBC_2.34\0")
    (tmp_path / "text").write_bytes(b"GLIBC_2.99")
    assert packing.newest_libc(tmp_path) == "2.34"
    told = packing.control("1.2.3", "2.34", 77)
    fields = dict(re.findall(r"^(\S+): (.*)$", told, re.M))
    assert fields["Version"] == "1.2.3"
    assert fields["Depends"].startswith("libc6 (>= 2.34), ")
    assert fields["Installed-Size"] == "77"


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="no dpkg-deb here")
def test_the_package_has_the_program_on_the_path_and_in_the_menu(
    share: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "madcat-studio-9"
    shutil.copytree(share, folder / "share")
    (folder / "licences").mkdir()
    (folder / "licences" / "LICENSE").write_text("free")
    (folder / "madcat-studio").write_bytes(b"GLIBC_2.36")
    (folder / "madcat-studio").chmod(0o755)
    deb = packing.pack_deb(folder, "9", tmp_path, tmp_path / "made.deb")
    listed = subprocess.run(["dpkg-deb", "-c", deb], check=True, capture_output=True, text=True)
    lines = [line.split() for line in listed.stdout.splitlines()]
    names = {line[5]: line for line in lines}
    assert names["./usr/bin/madcat-studio"][7] == "../lib/madcat-studio/madcat-studio"
    assert {line[1] for line in lines} == {"root/root"}
    for name in ("applications/madcat-studio.desktop", "doc/madcat-studio/copyright"):
        assert f"./usr/share/{name}" in names
    assert "./usr/share/zsh/vendor-completions/_madcat-studio" in names
    depends = subprocess.run(["dpkg-deb", "-f", deb, "Depends"], capture_output=True, text=True)
    assert "libc6 (>= 2.36)" in depends.stdout


def test_licences_are_found_by_their_usual_names(tmp_path: Path) -> None:
    for name in ("LICENSE", "licenses/COPYING.txt", "licenses/all/BSD.txt", "METADATA", "RECORD"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    found = {str(path.relative_to(tmp_path)) for path in licence_files(tmp_path)}
    assert found == {"LICENSE", "licenses/COPYING.txt", "licenses/all/BSD.txt"}
