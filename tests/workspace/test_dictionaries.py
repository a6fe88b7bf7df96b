"""Which dictionary is found, and what is said where there is none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from madcat_studio.errors import InputError
from madcat_studio.paths import resources
from madcat_studio.workspace import dictionaries
from madcat_studio.workspace.dictionaries import find_dictionary, own_folder
from madcat_studio.workspace.spelling import Speller


@pytest.fixture(autouse=True)
def nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which nobody has installed a dictionary."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home" / "share"))
    monkeypatch.setenv("XDG_DATA_DIRS", f"{tmp_path}/local/share:{tmp_path}/usr/share")
    monkeypatch.delenv("DICPATH", raising=False)
    monkeypatch.setattr(dictionaries, "_offices", lambda: iter([tmp_path / "office"]))
    return tmp_path


def put(folder: Path, *names: str, aff: bool = True) -> Path:
    """A dictionary that knows one word: where it lies."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"{name}.dic").write_text(f"1\n{folder.name}\n", encoding="utf-8")
        if aff:
            (folder / f"{name}.aff").write_text("SET UTF-8\n", encoding="utf-8")
    return folder / f"{names[0]}.dic"


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("en_US", "color honor center analyze traveled gray", "colour honour centre travelled"),
        ("en_GB", "colour honour centre analyse travelled grey", "color honor center traveled"),
    ],
)
def test_american_and_british_english_come_along(name: str, right: str, wrong: str) -> None:
    speller = Speller(name)
    assert speller.misspelled(f"{right} The minister's well-known speech") == ()
    found = [wrong[start:end] for start, end in speller.misspelled(wrong)]
    assert found == wrong.split()
    assert "colour" in Speller("en_GB").suggestions("coulour")


def test_what_comes_along_comes_with_its_licence() -> None:
    folder = resources() / "dictionaries"
    for file in folder.glob("*.dic"):
        assert file.with_suffix(".aff").is_file()
        licence = (folder / f"{file.stem}.LICENSE.txt").read_text(encoding="utf-8")
        assert "Permission to use, copy, modify, distribute" in licence
        notice = (resources().parent / "NOTICE").read_text(encoding="utf-8")
        assert f"resources/dictionaries/{file.stem}" in notice


PLACES = (
    "home/share/hunspell",
    "home/share/myspell",
    "local/share/hunspell",
    "usr/share/hunspell",
    "usr/share/myspell",
    "usr/share/myspell/dicts",
    "office/share/extensions/dict-xx",
)


@pytest.mark.parametrize("place", PLACES)
def test_a_dictionary_is_found_where_systems_put_it(tmp_path: Path, place: str) -> None:
    file = put(tmp_path / place, "xx_YY")
    assert find_dictionary("xx_YY") == file
    assert Speller("xx_YY").misspelled(f"{file.parent.name} nothing")[-1] == (
        len(file.parent.name) + 1,
        len(file.parent.name) + 8,
    )


def test_the_users_own_comes_before_the_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is put in and then found before those that were there."""
    places = [tmp_path / place for place in reversed(PLACES[:-1])]
    for folder in (*places, tmp_path / "hunspell variable"):
        if folder.name == "hunspell variable":
            monkeypatch.setenv("DICPATH", f"{tmp_path}/nowhere:{folder}")
        file = put(folder, "xx")
        assert find_dictionary("xx") == file
    file = put(own_folder(), "xx")
    assert find_dictionary("xx") == file
    chosen = put(tmp_path / "chosen", "xx")
    assert find_dictionary("xx", own=chosen) == chosen
    assert find_dictionary("xx", own=put(tmp_path / "chosen", "zz")) == own_folder() / "xx.dic"


@pytest.mark.long
def test_a_name_is_matched_as_packages_write_it(tmp_path: Path) -> None:
    folder = tmp_path / "usr/share/hunspell"
    put(folder, "de_DE_frami", "de_CH", "de-AT", "den", "fr")
    assert find_dictionary("de_DE") == folder / "de_DE_frami.dic"
    assert find_dictionary("de_AT") == folder / "de-AT.dic"
    assert find_dictionary("de") == folder / "de-AT.dic"  # the shortest, then the first
    assert find_dictionary("fr") == folder / "fr.dic"
    put(folder, "it_IT", aff=False)  # half a dictionary is none
    for absent in ("it_IT", "d", "de_LI", "frr"):
        with pytest.raises(InputError) as refused:
            find_dictionary(absent)
        assert refused.value.code == "spelling.missing"


@pytest.mark.long
def test_a_python_package_may_have_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = put(tmp_path / "site" / "some_words" / "data", "xx_YY")
    info = tmp_path / "site" / "some_words-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: some-words\nVersion: 1.0\n", encoding="utf-8")
    (info / "RECORD").write_text(
        "some_words/data/xx_YY.aff,,\nsome_words/data/xx_YY.dic,,\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert find_dictionary("xx_YY") == file


@pytest.mark.long
def test_where_there_is_none_it_is_said_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for platform, package in (("linux", ", such as hunspell-de-de"), ("win32", "")):
        monkeypatch.setattr(sys, "platform", platform)
        with pytest.raises(InputError) as refused:
            Speller("de_DE").misspelled("ein Wort")
        assert refused.value.code == "spelling.missing"
        assert refused.value.reason == "The dictionary de_DE is not on this machine"
        assert refused.value.remedy == (
            f"Install it{package}, or put de_DE.dic and de_DE.aff into {own_folder()}"
        )
