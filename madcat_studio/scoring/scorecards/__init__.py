"""Three scorecards for systems that translate document images.

``ltb`` (layout, text and reading order of pages), ``rosetta`` (run cards of text translation) and
``imtbench`` (translation inside images). docs/scorecards.md has the formulas and every choice.
Import the modules themselves; this room's front door stays free of their imports.
"""

__all__ = [
    "compliance",
    "filter_reply",
    "gate",
    "imtbench",
    "intervals",
    "judge",
    "layout",
    "lpips",
    "ltb",
    "ltb_board",
    "rosetta",
    "rosetta_text",
]
