"""The front door: ``madcat-studio`` and ``python -m madcat_studio``."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from madcat_studio.errors import WorldError
    from madcat_studio.pages.lettering import Fit

__all__ = ["main", "show_window", "text_setter"]

_OBJECTS = 100_000
"""That a command makes before Python looks for garbage."""

_STOPPED = 130
"""The exit status after Ctrl+C."""


def main() -> None:
    """Run the command line, or without any argument the window.

    Qt is imported only where a window is wanted, and the command line's libraries only where a
    command is.
    """
    _tell_of_no_home()
    if "_MADCAT_STUDIO_COMPLETE" in os.environ:  # a shell asks what could be typed next
        from madcat_studio.cli.app import main as run

        _leave(run([]))
    if len(sys.argv) == 1 and _can_show():
        from madcat_studio import log

        log.start()
        sys.exit(_guarded())
    # Python looks for garbage after every 700 new objects: loading a command makes many times
    # that, none of it garbage, and a tenth of its time went there.
    gc.set_threshold(_OBJECTS, *gc.get_threshold()[1:])
    if sys.argv[1:2] in (["ter"], ["wer"], ["tercom"]):
        status = _quick(sys.argv[1:])
        if status is not None:
            _leave(status)
    from madcat_studio.cli.app import main as run

    if len(sys.argv) > 1:
        from madcat_studio.cli.window import Window

        _leave(run(window=Window(show_window, text_setter)))
    run(["--help"])
    print("There is no display here, so the window was not opened.", file=sys.stderr)
    sys.exit(2)


def _leave(status: int) -> NoReturn:
    """End the program.

    After Ctrl+C at once: Python takes itself apart for up to a second where much was loaded, when
    all is told and tidied up.
    """
    if status == _STOPPED:
        import atexit
        import contextlib

        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):  # nobody reads it any more
                stream.flush()
        os._exit(status)
    if "PySide6" not in sys.modules:  # a window's objects are taken apart in their order
        # What is left goes with the program. Python would look for garbage in all of it, twice.
        gc.freeze()
    sys.exit(status)


def _tell_of_no_home() -> None:
    from madcat_studio.paths import ensure_home

    folder = ensure_home()
    if folder is not None:
        print(
            f"madcat-studio: this user has no home folder; settings, unsaved edits and crash "
            f"reports are kept in {folder}",
            file=sys.stderr,
        )


def _quick(arguments: list[str]) -> int | None:
    """The scoring commands without Typer and Rich; None where these are needed after all."""
    try:
        from madcat_studio.cli.quick import run
    except KeyboardInterrupt:
        return _STOPPED
    return run(arguments)


def show_window(location: str | None, demo: bool = False) -> int:
    """Open the window and return its exit status once it is closed.

    Args:
        location: what to open in it; None for the first page.
        demo: it is a demo campaign; ask what to try in it.

    Raises:
        WorldError: there is no display, or Qt is not installed.
    """
    from madcat_studio.errors import WorldError

    if not _can_show():
        raise WorldError(
            "window.no-display",
            "there is no display here",
            remedy="Start it in a desktop session, or use the commands; see madcat-studio --help",
        )
    try:
        from madcat_studio.gui.app import run
    except ImportError as error:
        raise _not_installed(error) from error
    return run(location, demo=demo)


def text_setter() -> Fit:
    """What lays texts out on pages; it needs Qt and no display.

    Raises:
        WorldError: Qt is not installed.
    """
    try:
        from madcat_studio.gui.rendering.alone import fit_alone
    except ImportError as error:
        raise _not_installed(error) from error
    return fit_alone()


def _not_installed(error: ImportError) -> WorldError:
    from madcat_studio.errors import WorldError

    return WorldError(
        "window.not-installed",
        f"the window's libraries are incomplete ({error})",
        remedy="Install madcat-studio[window], and the system libraries that README.md names",
    )


def _guarded() -> int:
    """The window without a command line around it; a failure to start is one message."""
    from madcat_studio.errors import StudioError

    try:
        return show_window(None)
    except StudioError as error:
        print(f"madcat-studio: {error}", file=sys.stderr)
        return 2


def _can_show() -> bool:
    """Whether a window can be shown here; asked before Qt is imported."""
    if os.environ.get("QT_QPA_PLATFORM") or sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


if __name__ == "__main__":
    main()
