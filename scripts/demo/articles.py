"""Articles of the Universal Declaration of Human Rights as passages."""

from __future__ import annotations

import tomllib

from scripts.demo.plan import Passage, Text, texts_folder

__all__ = ["article_passages"]

_FIRST_DAY = 20470100


def article_passages() -> dict[int, Passage]:
    """A passage of one segment for each article in texts/articles.toml, by its number."""
    with (texts_folder() / "articles.toml").open("rb") as file:
        entries = tomllib.load(file)["article"]
    return {
        entry["number"]: Passage(
            key=f"A{entry['number']}",
            name=f"article-{entry['number']}",
            source_document=f"DEMO_ARB_{_FIRST_DAY + entry['number']}.{entry['number']:04d}",
            genre=entry["genre"],
            segments=(
                Text(tuple(entry["arabic"].split()), entry["english"], {"larch": entry["larch"]}),
            ),
        )
        for entry in entries
    }
