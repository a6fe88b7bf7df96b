"""What the user can set, declared once; the dialog, the checks and the file come from it.

The file is a small TOML text in the user's configuration folder that holds only what differs
from the defaults. A value that makes no sense is left out with a message, and a key that this
version does not know is kept. Where the window was and what it showed last lies in QSettings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar, cast

from PySide6.QtCore import QObject, QSettings, QStandardPaths, Signal

from madcat_studio.gui.tomlfile import TomlFile
from madcat_studio.gui.translation import mark, tr

__all__ = [
    "ARABIC_FONT",
    "ARABIC_SIZE",
    "AUTOSAVE",
    "BRUSH",
    "COACH",
    "DICTIONARY",
    "DOUBTFUL_ONLY",
    "ENGLISH_FONT",
    "ENGLISH_SIZE",
    "FOLDS",
    "FOLD_ALL",
    "FOLD_FILES",
    "FOLD_SIDE",
    "FOLD_TOOLS",
    "GROUPS",
    "LABEL_SIZE",
    "LANGUAGE",
    "OUTLINE_COLOURS",
    "OUTLINE_WIDTH",
    "QUEUE_NAME",
    "REVIEW_PAIR",
    "SEEING",
    "SEE_BRIGHTNESS",
    "SEE_COLOURS",
    "SEE_CONTRAST",
    "SEE_FILL",
    "SEE_GAMMA",
    "SEE_LABELS",
    "SEE_LINES",
    "SEE_LOUPE",
    "SEE_MINIMAP",
    "SEE_OPACITY",
    "SEE_ORDER",
    "SEE_REGIONS",
    "SEE_SCAN",
    "SEE_THUMBNAILS",
    "SEE_WORDS",
    "SETTINGS",
    "SIDE_BY_SIDE",
    "SNAP",
    "SPELLING",
    "STATUS_EXTRA",
    "STATUS_MISSING",
    "STATUS_MISSPELT",
    "THEME",
    "WHEEL",
    "Setting",
    "Settings",
    "kept_number",
    "settings_file",
    "user_folder",
    "whole_number",
    "window_state",
]

T = TypeVar("T")


class Setting(NamedTuple, Generic[T]):
    """One thing that can be set.

    Attributes:
        key: ``group.name``, as in the file.
        default: also says the type.
        title: what it is, for the dialog.
        help: one sentence more.
        choices: value and text, for a text with a fixed set of values.
        least, most: limits of a number.
        unit: shown behind a number.
        font: whether the text is the name of a font.
        file: the text is the path of a file; this stands there when it is empty.
    """

    key: str
    default: T
    title: str
    help: str
    choices: tuple[tuple[str, str], ...] = ()
    least: int = 0
    most: int = 0
    unit: str = ""
    font: bool = False
    file: str = ""

    @property
    def group(self) -> str:
        """The part of the key before the dot."""
        return self.key.partition(".")[0]

    def accepts(self, value: object) -> bool:
        """Whether a value from a file makes sense."""
        if type(value) is not type(self.default):
            return False
        if self.choices:
            return value in [choice for choice, _ in self.choices]
        return (
            not isinstance(value, int)
            or isinstance(value, bool)
            or (self.least <= value <= self.most)
        )


THEME = Setting(
    "appearance.theme",
    "system",
    mark("Theme"),
    mark("Light or dark; “Follow the system” also changes while the program runs."),
    choices=(
        ("system", mark("Follow the system")),
        ("light", mark("Light")),
        ("dark", mark("Dark")),
    ),
)
LANGUAGE = Setting(
    "appearance.language",
    "system",
    mark("Language"),
    mark(
        "Used from the next start. The translations are first drafts; whatever is not "
        "translated stays in English."
    ),
    choices=(
        ("system", mark("Follow the system")),
        ("en", mark("English")),
        ("ar", mark("العربية (مسودة)")),
        ("es", mark("Español (borrador)")),
        ("fr", mark("Français (brouillon)")),
    ),
)
ARABIC_FONT = Setting(
    "text.arabic-font",
    "",
    mark("Arabic font"),
    mark("If empty, the best installed font is used."),
    font=True,
)
ARABIC_SIZE = Setting(
    "text.arabic-size", 19, mark("Arabic size"), "", least=10, most=48, unit=mark(" px")
)
ENGLISH_FONT = Setting(
    "text.english-font",
    "",
    mark("English font"),
    mark("If empty, the system's font is used."),
    font=True,
)
ENGLISH_SIZE = Setting(
    "text.english-size", 14, mark("English size"), "", least=9, most=40, unit=mark(" px")
)
SPELLING = Setting(
    "text.spelling",
    True,
    mark("Mark spelling in kits"),
    mark("Words of the reference always count as correct. Nothing is changed automatically."),
)
DICTIONARY = Setting(
    "text.dictionary",
    "",
    mark("Dictionary"),
    mark(
        "Used if the campaign has none of its own: a Hunspell dictionary, which is a .dic file "
        "with its .aff file beside it."
    ),
    file=mark("American English, included with the program"),
)
COACH = Setting(
    "text.coach",
    True,
    mark("Coach for fewer edits in kits"),
    mark(
        "If the campaign allows it: shows which changes could be spared. Nothing is changed "
        "automatically."
    ),
)
SIDE_BY_SIDE = Setting(
    "text.side-by-side",
    "long",
    mark("Reference and text side by side in kits"),
    mark(
        "Each scrolls separately, and the words where you type are highlighted in reference and "
        "output."
    ),
    choices=(
        ("long", mark("Long segments")),
        ("always", mark("Always")),
        ("never", mark("Never")),
    ),
)
REVIEW_PAIR = Setting(
    "kit.review-pair", "first", "", "", choices=(("first", ""), ("output", ""), ("pass", ""))
)
"""Which two texts a reviewer saw compared last; it has keys, so no row in the dialog."""
WHEEL = Setting(
    "page.wheel",
    "zoom",
    mark("Mouse wheel on a page"),
    mark("Hold Ctrl for the other one; two fingers always move the page."),
    choices=(("zoom", mark("Zooms")), ("move", mark("Moves the page"))),
)
AUTOSAVE = Setting(
    "page.autosave",
    0,
    mark("Save pages automatically"),
    mark("Seconds after an edit; with 0, only you save. Unsaved edits survive a crash either way."),
    least=0,
    most=600,
    unit=mark(" s"),
)


def _switch(key: str, *, on: bool) -> Setting[bool]:
    """Something of the page view that is remembered and has an action, so no row in the dialog."""
    return Setting(f"see.{key}", on, "", "")


def _amount(key: str, default: int, least: int, most: int) -> Setting[int]:
    return Setting(f"see.{key}", default, "", "", least=least, most=most)


SEE_SCAN = _switch("scan", on=True)
SEE_LINES = _switch("lines", on=True)
SEE_WORDS = _switch("words", on=True)
SEE_LABELS = _switch("labels", on=False)
SEE_FILL = _switch("fill", on=False)
SEE_ORDER = _switch("order", on=False)
SEE_REGIONS = _switch("regions", on=True)
SEE_LOUPE = _switch("loupe", on=False)
SEE_MINIMAP = _switch("minimap", on=False)
SEE_THUMBNAILS = _switch("thumbnails", on=True)
SEE_COLOURS = Setting(
    "see.colours",
    "layer",
    "",
    "",
    choices=(
        ("layer", mark("Lines and words")),
        ("line", mark("Each line")),
        ("status", mark("Status")),
        ("problem", mark("Problems")),
    ),
)
SEE_OPACITY = _amount("opacity", 100, 10, 100)
SEE_BRIGHTNESS = _amount("brightness", 0, -100, 100)
SEE_CONTRAST = _amount("contrast", 0, -100, 100)
SEE_GAMMA = _amount("gamma", 100, 20, 500)

SEEING: tuple[Setting[Any], ...] = (
    SEE_SCAN,
    SEE_LINES,
    SEE_WORDS,
    SEE_LABELS,
    SEE_FILL,
    SEE_ORDER,
    SEE_REGIONS,
    SEE_LOUPE,
    SEE_MINIMAP,
    SEE_THUMBNAILS,
    SEE_COLOURS,
    SEE_OPACITY,
    SEE_BRIGHTNESS,
    SEE_CONTRAST,
    SEE_GAMMA,
)
"""How pages are shown, as it was last."""


def _panel(name: str, default: str) -> Setting[str]:
    """A panel beside the page; ``auto``: where the window is wide enough."""
    values = ("auto", "shown", "folded")
    return Setting(f"panels.{name}", default, "", "", choices=tuple((each, "") for each in values))


FOLD_ALL = Setting("panels.all-folded", False, "", "")
FOLD_FILES = _panel("documents", "auto")
FOLD_TOOLS = _panel("tools", "shown")
FOLD_SIDE = _panel("side", "shown")
FOLDS: tuple[Setting[Any], ...] = (FOLD_ALL, FOLD_FILES, FOLD_TOOLS, FOLD_SIDE)
"""Which panels stand beside the page; they have actions, so no row in the dialog."""

QUEUE_NAME = Setting(
    "page.queue-name",
    "",
    mark("Your name in the queue"),
    mark("You claim pages under this name; if empty, under your login."),
)
STATUS_MISSING = Setting(
    "page.status-missing",
    "missing",
    mark("Status of a missing word"),
    mark("The status of a token whose word the scribe left out."),
)
STATUS_EXTRA = Setting(
    "page.status-extra",
    "extra",
    mark("Status of an extra word"),
    mark("If the scribe wrote a word that is not in the text."),
)
STATUS_MISSPELT = Setting(
    "page.status-misspelt",
    "typo",
    mark("Status of a misspelt word"),
    mark("If the scribe wrote something other than the text."),
)

OUTLINE_COLOURS = Setting(
    "page.outline-colours",
    "standard",
    mark("Colours of outlines"),
    mark("For colour-blind eyes, and for pale scans."),
    choices=(
        ("standard", mark("Standard")),
        ("red-green", mark("Red and green look alike")),
        ("blue-yellow", mark("Blue and yellow look alike")),
        ("strong", mark("Strong")),
    ),
)
OUTLINE_WIDTH = Setting(
    "page.outline-width", 1, mark("Width of outlines"), "", least=1, most=5, unit=mark(" px")
)
LABEL_SIZE = Setting(
    "page.label-size",
    16,
    mark("Size of words on the page"),
    mark("Of the Arabic text shown over words, and of the numbers of the reading order."),
    least=8,
    most=40,
    unit=mark(" px"),
)

SNAP = Setting(
    "page.snap",
    False,
    mark("Points of outlines snap to others"),
    mark("A vertex that you draw or move snaps to vertices and edges nearby."),
)

DOUBTFUL_ONLY = Setting(
    "page.doubtful-only",
    False,
    mark("Marking goes from one doubtful word to the next"),
    mark("Words with a sure proposal are skipped; A takes all of them at once."),
)

BRUSH = Setting(
    "page.brush",
    16,
    mark("Width of the brush"),
    mark("The brush makes outlines larger or smaller; with 0 you go round whole areas."),
    least=0,
    most=128,
    unit=mark(" px"),
)

SETTINGS: tuple[Setting[Any], ...] = (
    THEME,
    LANGUAGE,
    ARABIC_FONT,
    ARABIC_SIZE,
    ENGLISH_FONT,
    ENGLISH_SIZE,
    SPELLING,
    DICTIONARY,
    COACH,
    SIDE_BY_SIDE,
    REVIEW_PAIR,
    OUTLINE_COLOURS,
    OUTLINE_WIDTH,
    LABEL_SIZE,
    SNAP,
    DOUBTFUL_ONLY,
    BRUSH,
    WHEEL,
    AUTOSAVE,
    QUEUE_NAME,
    STATUS_MISSING,
    STATUS_EXTRA,
    STATUS_MISSPELT,
    *SEEING,
    *FOLDS,
)

GROUPS: dict[str, str] = {
    "appearance": mark("Appearance"),
    "text": mark("Text"),
    "page": mark("Pages"),
}


def settings_file() -> Path:
    """Where the settings are; the file need not exist."""
    return user_folder(QStandardPaths.StandardLocation.GenericConfigLocation) / "settings.toml"


def user_folder(kind: QStandardPaths.StandardLocation) -> Path:
    """Our folder of a kind; the one that platformdirs names too, without importing it at start."""
    return Path(QStandardPaths.writableLocation(kind)) / "madcat-studio"


def kept_number(key: str, default: int) -> int:
    """A number of :func:`window_state`; the default where something else was written there."""
    return whole_number(window_state().value(key, default), default)


def whole_number(value: object, default: int) -> int:
    """What was kept, as a number; the default where it is none."""
    try:
        return int(str(value))
    except ValueError:
        return default


def window_state() -> QSettings:
    """Where geometry and what was shown last are kept."""
    return QSettings(
        QSettings.Format.IniFormat, QSettings.Scope.UserScope, "madcat-studio", "window"
    )


class Settings(QObject):
    """The values that are set now. ``changed`` carries the setting."""

    changed = Signal(object)

    def __init__(
        self,
        path: Path | None = None,
        *,
        complain: Callable[[str], None] = lambda _: None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._file = TomlFile(
            path if path is not None else settings_file(),
            tr("settings"),
            tr("the defaults"),
            complain,
        )
        self._values: dict[str, Any] = {}
        self._load(complain)

    def get(self, setting: Setting[T]) -> T:
        """The value of a setting."""
        return cast(T, self._values.get(setting.key, setting.default))

    def set(self, setting: Setting[T], value: T) -> None:
        """Set and save."""
        if not setting.accepts(value):
            raise ValueError(f"{setting.key} cannot be {value!r}")
        if value == self.get(setting):
            return
        if value == setting.default:
            self._values.pop(setting.key, None)
        else:
            self._values[setting.key] = value
        self._save([setting.key])
        self.changed.emit(setting)

    def reset(self) -> None:
        """Back to the defaults; how pages are shown stays."""
        before = self._values
        kept = {setting.key for setting in (*SEEING, *FOLDS)}
        self._values = {key: value for key, value in before.items() if key in kept}
        self._save([setting.key for setting in SETTINGS if setting.key not in kept])
        for setting in SETTINGS:
            if setting.key in before and setting.key not in kept:
                self.changed.emit(setting)

    def _save(self, keys: Iterable[str]) -> None:
        self._file.change({tuple(key.split(".", 1)): self._values.get(key) for key in keys})

    def _load(self, complain: Callable[[str], None]) -> None:
        known = {setting.key: setting for setting in SETTINGS}
        for group, values in self._file.read().items():
            for name, value in values.items() if isinstance(values, dict) else ():
                key = f"{group}.{name}"
                if key not in known:
                    continue  # of another version, which goes on reading it
                if known[key].accepts(value):
                    self._values[key] = value
                else:
                    complain(
                        tr(
                            "{file}: {key} cannot be {value}; the default is used instead",
                            file=self._file.path,
                            key=key,
                            value=repr(value),
                        )
                    )
