"""Takes a picture of every view, light and dark: ``python -m scripts.screenshots [NAME ...]``.

A shot is declared: its name, and what a user does until there is something to show. All of them
are taken in one program at 1400 x 900, and those marked ``sharp`` once more on a screen of two
pixels for one. The program works in a home of its own, with a copy of the demo.

To look at views on another screen: ``--size 1024x768``, with QT_SCALE_FACTOR in the environment for
one with more pixels, ``--right-to-left`` as in a window whose language is read so, and ``--language
ar`` in another language.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from madcat_studio.paths import resources
from scripts.screenshots import (
    annotating,
    campaign,
    card,
    corpus,
    drifting,
    kit,
    layout,
    plan,
    seeing,
    submission,
    tool,
    translated,
    window,
)
from scripts.screenshots.browser import photograph
from scripts.screenshots.studio import Shot, Studio

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

SIZE = (1400, 900)
SHARP_SIZE = (1100, 700)
MOST_BYTES = 250_000
TARGET = Path("docs") / "screenshots"


SHOTS: tuple[Shot, ...] = (
    Shot("welcome", window.welcome),
    Shot("doors", window.doors),
    Shot("palette", window.palette),
    Shot("manual", window.manual),
    Shot("page", window.page, sharp=True),
    Shot("word", window.word),
    Shot("problems", window.problems),
    Shot("see-order", seeing.order),
    Shot("see-colours", seeing.seeing),
    Shot("see-turned", seeing.turned),
    Shot("history", seeing.history),
    Shot("tool-choose", tool.choose),
    Shot("tool-edit", tool.edit),
    Shot("tool-draw", tool.draw),
    Shot("tool-cut", tool.cut),
    Shot("tool-cut-several", tool.cut_several),
    Shot("tool-brush", tool.brush),
    Shot("tool-order", tool.order_tool),
    Shot("order-list", tool.order_list),
    Shot("tool-lock", tool.lock),
    Shot("tool-link", tool.link),
    Shot("offer-order", tool.sort),
    Shot("offer-lines", tool.derive),
    Shot("layout-table", layout.table),
    Shot("layout-margin", layout.margin),
    Shot("layout-newspaper", layout.newspaper),
    Shot("marking", annotating.marking),
    Shot("flow", annotating.flow),
    Shot("tokens", annotating.tokens),
    Shot("compare", annotating.compare),
    Shot("settle", annotating.settle),
    Shot("queue", annotating.queue),
    Shot("desk", campaign.desk),
    Shot("kit", campaign.kit),
    Shot("review", campaign.review),
    Shot("changes", kit.changes),
    Shot("pairs", kit.pairs),
    Shot("past", kit.past),
    Shot("coach", kit.coach),
    Shot("find", kit.find),
    Shot("flag", kit.flag),
    Shot("hand-over", campaign.hand_over),
    Shot("advice", kit.advice),
    Shot("corpus", corpus.quotas),
    Shot("corpus-scribes", corpus.scribes),
    Shot("corpus-overlap", corpus.overlap),
    Shot("corpus-choose", corpus.choose),
    Shot("corpus-page", corpus.page),
    Shot("set-up", plan.set_up),
    Shot("set-up-findings", plan.set_up_findings),
    Shot("set-up-summary", plan.set_up_summary),
    Shot("plan", plan.plan),
    Shot("plan-difference", plan.plan_difference),
    Shot("plan-effect", plan.plan_effect),
    Shot("people", plan.people),
    Shot("guidelines", plan.guidelines),
    Shot("board", campaign.board),
    Shot("board-alarm", drifting.alarm),
    Shot("next-steps", plan.next_steps),
    Shot("overlap", plan.overlap),
    Shot("agreement", plan.agreement),
    Shot("audit-trail", plan.audit_trail),
    Shot("calendar", plan.calendar),
    Shot("select", plan.select),
    Shot("give-out", campaign.give_out),
    Shot("report", campaign.report),
    Shot("report-page", campaign.report_page),
    Shot("segments", campaign.segments),
    Shot("report-pictures", campaign.report_pictures),
    Shot("trust", campaign.trust),
    Shot("trust-page", campaign.trust_page),
    Shot("submission", submission.hand_in),
    Shot("submission-received", submission.received),
    Shot("segment", campaign.segment),
    Shot("replay", campaign.replay),
    Shot("long-segment", kit.long_segment),  # of a campaign of its own: the last of those
    Shot("scorecard", card.scorecard),
    Shot("card-regions", card.card_regions),
    Shot("card-boxes", card.card_boxes),
    Shot("new-card", card.new_card),
    Shot("evaluation", card.evaluation),
    Shot("new-evaluation", card.new_evaluation),
    Shot("translated", translated.translated),
    Shot("translated-arabic", translated.translated_arabic),
    Shot("translated-columns", translated.translated_columns),
    Shot("settings", window.settings),
    Shot("shortcuts", window.shortcuts),
    Shot("keys", seeing.keys),
    Shot("crash", window.crash),
)


def main(arguments: Sequence[str] = ()) -> int:
    """Take the pictures with these names, all without any; the exit status."""
    parser = argparse.ArgumentParser(description="Take a picture of every view.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="which; all without any")
    parser.add_argument("--to", type=Path, default=TARGET, metavar="FOLDER")
    parser.add_argument(
        "--campaign", type=Path, metavar="FOLDER", help="the demo's, where it is made already"
    )
    parser.add_argument("--plain", action="store_true", help="one of each: light, and not sharp")
    parser.add_argument("--sharp", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--size", type=_size, metavar="WxH", help="of the window, 1400x900")
    parser.add_argument("--right-to-left", action="store_true", help="as in such a language")
    parser.add_argument("--language", default="en", metavar="CODE", help="of the window, en")
    options = parser.parse_args(list(arguments))
    names: list[str] = options.names
    unknown = set(names) - {shot.name for shot in SHOTS}
    if unknown:
        print(f"there is no picture called {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    sharp = [shot.name for shot in SHOTS if shot.sharp and (not names or shot.name in names)]
    if sharp and not options.sharp and not options.plain and options.size is None:
        environment = {**os.environ, "QT_SCALE_FACTOR": "2", "QT_QPA_PLATFORM": "offscreen"}
        command = [
            sys.executable,
            "-m",
            "scripts.screenshots",
            "--sharp",
            "--to",
            str(options.to),
            *sharp,
        ]
        status = subprocess.run(command, env=environment, check=False).returncode
        if status:
            return status
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="madcat-studio-") as home:
        size = options.size or (SHARP_SIZE if options.sharp else SIZE)
        mark = "@2x" if options.sharp else ""
        if options.size is not None:
            mark = f"-{size[0]}x{size[1]}"
            scale = os.environ.get("QT_SCALE_FACTOR", "1")
            mark += f"@{scale}x" if scale != "1" else ""
        mark += "-rtl" if options.right_to_left else ""
        mark += f"-{options.language}" if options.language != "en" else ""
        studio = studio_at(Path(home), size, options.language)
        if options.campaign is not None:
            shutil.copytree(options.campaign, studio.campaign_folder)
        if options.right_to_left:
            studio.read_from_the_right()
        themes = ("light",) if options.plain else ("light", "dark")
        try:
            return _take(studio, names, options.to, mark, themes)
        finally:
            studio.end()


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


def studio_at(home: Path, size: tuple[int, int] = SIZE, language: str = "en") -> Studio:
    """The program in a home of its own, with a copy of the demo's pages."""
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        os.environ.pop(variable, None)
    os.environ["HOME"] = str(home)
    from PySide6.QtCore import qInstallMessageHandler

    from madcat_studio.gui.app import make_application, make_window
    from madcat_studio.gui.translation import speak

    shutil.copytree(resources() / "demo" / "reference", home / "pages")
    application = make_application()
    qInstallMessageHandler(_heard)
    speak(application, language)
    main_window = make_window(application)
    main_window.resize(*size)
    return Studio(main_window, home, application)


def _heard(_kind: object, _context: object, said: str) -> None:
    """Qt's own messages; a screen that is none cannot keep a window's least size, which is fine."""
    if "propagateSizeHints" not in said:
        print(said, file=sys.stderr)


def _take(
    studio: Studio, wanted: Sequence[str], target: Path, mark: str, themes: Sequence[str]
) -> int:
    from madcat_studio.gui.settings import THEME

    main_window = studio.window
    target.mkdir(parents=True, exist_ok=True)
    status = 0
    for shot in SHOTS:
        if wanted and shot.name not in wanted:
            continue
        for theme in themes:
            main_window.settings.set(THEME, theme)
            dialog = shot.prepare(studio)
            name = f"{shot.name}-{theme}{mark}.png"
            if isinstance(dialog, Path):
                size = (main_window.width(), main_window.height())
                picture = photograph(dialog, size, dark=theme == "dark")
                if picture is None:
                    print(f"{target / name}: left out, since there is no Chromium here")
                else:
                    status |= _save(picture, target / name)
                continue
            main_window.message_bar.dismiss()
            shown = dialog if dialog is not None else main_window
            shown.show()
            studio.settle()
            status |= _save(_png(shown), target / name)
            if dialog is not None:
                dialog.close()
                dialog.deleteLater()
    return status


def _png(widget: QWidget) -> bytes:
    from PySide6.QtCore import QBuffer, QIODevice

    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    widget.grab().save(buffer, "PNG")
    return bytes(buffer.data().data())


def _save(png: bytes, path: Path) -> bool:
    """Write a picture in few colours; whether it is too large all the same."""
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.save(path, optimize=True)
    for colours in (256, 128, 64, 32, 20):
        if path.stat().st_size <= MOST_BYTES:
            break
        few = picture.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
    size = path.stat().st_size
    print(f"{path}: {size / 1000:.0f} KB", flush=True)
    return size > MOST_BYTES


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
