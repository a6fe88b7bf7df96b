"""What a desktop knows of the program: its entry in the menu, its icon, and the files it opens.

The names follow freedesktop.org: Desktop Entry 1.4 (Debian 12 knows no later one), Shared
MIME-info 0.21, Icon Theme 0.13.
"""

from __future__ import annotations

__all__ = ["KIT", "PAGE", "desktop_entry", "icon", "mime_types"]

PAGE = "application/x-madcat-page+xml"
KIT = "application/x-madcat-kit"


def desktop_entry(program: str = "madcat-studio") -> str:
    """The entry in the menu; ``program`` is the command or its whole path."""
    return f"""\
[Desktop Entry]
Type=Application
Version=1.4
Name=MADCAT Studio
GenericName=Evaluation of document translation
Comment=Mark pages, correct kits, and report HTER, TER and WER
Exec={program} open %f
TryExec={program}
Icon=madcat-studio
Terminal=false
Categories=Science;
Keywords=translation;handwriting;Arabic;HTER;TER;WER;
MimeType={PAGE};{KIT};
StartupWMClass=madcat-studio
"""


def mime_types() -> str:
    """Pages and kits by the ends of their names, so that a double click opens them."""
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="{PAGE}">
    <comment>MADCAT page</comment>
    <sub-class-of type="application/xml"/>
    <generic-icon name="text-xml"/>
    <glob pattern="*.madcat.xml" weight="60"/>
  </mime-type>
  <mime-type type="{KIT}">
    <comment>MADCAT Studio kit</comment>
    <generic-icon name="package-x-generic"/>
    <glob pattern="*.madcat-kit"/>
  </mime-type>
</mime-info>
"""


def icon() -> str:
    """The program's icon: its sign as the window shows it, on a ground that shows everywhere."""
    from madcat_studio.paths import resources

    sign = (resources() / "icons" / "app.svg").read_text("utf-8")
    inner = sign[sign.index(">") + 1 : sign.rindex("</svg>")]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">'
        '<rect x="2" y="2" width="44" height="44" rx="9" fill="#1f5f8b"/>'
        '<g transform="translate(7.200 7.200) scale(1.400)" fill="none" stroke="#fff"'
        f' stroke-width="1.700" stroke-linecap="round" stroke-linejoin="round">{inner}</g></svg>\n'
    )
