"""One thin function for each thing a user can ask for; joins the rooms below."""

__all__ = [
    "campaign",
    "checked",
    "corpus",
    "demo",
    "gather",
    "many",
    "nearby",
    "pages",
    "people",
    "planning",
    "scorecards",
    "scores",
    "server",
    "submission",
    "user",
]
