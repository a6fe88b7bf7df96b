"""Fetch pip from a package index with the standard library alone.

Debian parts ``ensurepip`` off Python, and who may not install Debian's packages has no other way
to pip. One version is fetched, known by its hash; any index may serve it, so the user's own is
asked: what pip's environment and configuration files name, else PyPI.
"""

from __future__ import annotations

import base64
import configparser
import hashlib
import http.client
import os
import ssl
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

__all__ = ["SHA256", "WHEEL", "FetchError", "Index", "configured_index", "fetch_pip"]

WHEEL = "pip-26.3-py3-none-any.whl"
SHA256 = "f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13"

_SECONDS = 30
_LARGEST = 32 * 2**20
"""The wheel has 2 MB; an answer without end is not to fill the memory."""


class FetchError(Exception):
    """pip could not be fetched; the text says from where and why."""


class Index(NamedTuple):
    """Where to ask, as pip's options of these names say it."""

    url: str = "https://pypi.org/simple"
    cert: str | None = None
    proxy: str | None = None


def configured_index(
    environment: Mapping[str, str] = os.environ, etc: Path = Path("/etc")
) -> Index:
    """The index that pip would ask: defaults, then configuration files, then the environment."""
    sections: dict[str, dict[str, str]] = {"global": {}, "install": {}}
    for file in _configuration_files(environment, etc):
        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read(file, encoding="utf-8")
        except (OSError, UnicodeDecodeError, configparser.Error):
            continue  # pip itself will say so, at its first start
        for section, told in sections.items():
            if parser.has_section(section):
                told.update((key.replace("_", "-"), text) for key, text in parser.items(section))
    told = sections["global"] | sections["install"]
    for name, value in environment.items():
        if name.startswith("PIP_") and value:
            told[name.removeprefix("PIP_").lower().replace("_", "-")] = value
    return Index(
        told.get("index-url", Index().url).strip(),
        told.get("cert", "").strip() or None,
        told.get("proxy", "").strip() or None,
    )


def _configuration_files(environment: Mapping[str, str], etc: Path) -> list[Path]:
    """pip's configuration files on POSIX, the more important later."""
    own = environment.get("PIP_CONFIG_FILE")
    if own == os.devnull:  # pip's way to say: none
        return []
    system = environment.get("XDG_CONFIG_DIRS") or str(etc / "xdg")
    files = [Path(folder) / "pip" / "pip.conf" for folder in reversed(system.split(":")) if folder]
    files.append(etc / "pip.conf")
    home = environment.get("HOME")
    if home:
        files.append(Path(home) / ".pip" / "pip.conf")
        config = environment.get("XDG_CONFIG_HOME") or str(Path(home) / ".config")
        files.append(Path(config) / "pip" / "pip.conf")
    if own:
        files.append(Path(own))
    return files


def fetch_pip(folder: Path, index: Index, *, sha256: str = SHA256) -> Path:
    """Put pip's wheel into a folder; one whose bytes are not the expected ones never gets there."""
    page = f"{index.url.rstrip('/')}/pip/"
    try:
        opener = _opener(index)
        listed, address = _get(opener, page)
        links = _Links()
        links.feed(listed.decode("utf-8", "replace"))
        link = next((link for link in links.found if _file_name(link) == WHEEL), None)
        if link is None:
            raise FetchError(f"{_plain(page)} does not offer {WHEEL}")
        content, address = _get(opener, urllib.parse.urljoin(address, link))
    # ValueError: an address that is none; HTTPException: an answer that is none.
    except (OSError, ValueError, http.client.HTTPException) as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()  # it holds the connection
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        said = " ".join(str(reason).split())
        raise FetchError(f"{_plain(page)} gives no answer that can be used: {said}") from error
    if hashlib.sha256(content).hexdigest() != sha256:
        raise FetchError(f"{_plain(address)} is not the file it should be (wrong SHA-256)")
    wheel = folder / WHEEL
    wheel.write_bytes(content)
    return wheel


def _opener(index: Index) -> urllib.request.OpenerDirector:
    # Without an argument, ProxyHandler takes http_proxy, https_proxy and no_proxy.
    proxies = {"http": index.proxy, "https": index.proxy} if index.proxy else None
    context = ssl.create_default_context(cafile=index.cert)
    return urllib.request.build_opener(
        urllib.request.ProxyHandler(proxies), urllib.request.HTTPSHandler(context=context)
    )


def _get(opener: urllib.request.OpenerDirector, address: str) -> tuple[bytes, str]:
    """What an address holds, and the address that gave it after redirections."""
    address = urllib.parse.urldefrag(address).url  # urllib would send it to a proxy
    parts = urllib.parse.urlsplit(address)
    if parts.scheme not in {"http", "https", "file"}:
        raise ValueError(f"not an address of the web: {_plain(address)}")
    request = urllib.request.Request(_plain(address), headers={"Accept": "text/html, */*;q=0.1"})
    if parts.username is not None:
        name, word = (urllib.parse.unquote(text or "") for text in (parts.username, parts.password))
        login = base64.b64encode(f"{name}:{word}".encode()).decode("ascii")
        # Not sent on to wherever the index sends us.
        request.add_unredirected_header("Authorization", f"Basic {login}")
    with opener.open(request, timeout=_SECONDS) as answer:
        content: bytes = answer.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise ValueError("the answer has no end")
        # The login belongs to the links as well, where they lead to the same host.
        found = urllib.parse.urlsplit(answer.url)
        if found.hostname == parts.hostname and parts.username is not None:
            found = found._replace(netloc=parts.netloc)
    return content, found.geturl()


def _plain(address: str) -> str:
    """An address without the name and password it may carry."""
    try:
        parts = urllib.parse.urlsplit(address)
    except ValueError:
        return "the index"
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _file_name(link: str) -> str:
    return urllib.parse.unquote(urllib.parse.urlsplit(link).path.rpartition("/")[2])


class _Links(HTMLParser):
    """The links of an index's page (the simple repository interface)."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep where an anchor leads."""
        self.found += [value for name, value in attrs if (tag, name) == ("a", "href") and value]
