"""Pages that look written by hand, of many kinds, with the truth of every drop of ink.

Each word is drawn by itself with a face that the demo does not use, at a size, a turn and a place
of its own, and numbered in a map of the page's ink, so that what is proposed for it can be compared
with its ink and not with a frame around it. A kind is what hand and paper do: one entry of
:data:`KINDS`. The same kind, seed and hand give the same page.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFilter, ImageFont

__all__ = ["ARABIC_HANDS", "KINDS", "LATIN_HANDS", "Kind", "MadePage", "MadeWord", "make", "save"]

Labels = npt.NDArray[np.int32]
Grey = npt.NDArray[np.float32]

ARABIC_HANDS = ("fontpkg_tajawal:Tajawal-Regular.ttf", "fontpkg_cairo:Cairo[slnt,wght].ttf")
LATIN_HANDS = (
    "fontpkg_caveat:Caveat[wght].ttf",
    "fontpkg_kalam:Kalam-Light.ttf",
    "fontpkg_indie_flower:IndieFlower-Regular.ttf",
)
INK, PAPER = 38.0, 236.0
_NOT_SAID = -1
"""In the map of ink: writing that the transcript does not have."""

_ARABIC = """
ذهبت ليلى مع أختها الصغيرة إلى مزرعة جدها قرب النهر في بداية الصيف وحملت معها سلة من القش لتجمع
فيها التين والعنب وكانت السماء صافية والنسيم عليلا فجلستا تحت شجرة الجوز تسمعان صوت الماء وهو يجري
بين الصخور ثم جاء الحارس يحمل إبريق شاي وخبزا ساخنا وقال لهما إن القطار القادم من الشمال سيصل بعد
ساعتين وإن خالهما سوف ينزل منه ومعه هدايا كثيرة للعائلة ضحكت ليلى وقالت نريد أن نستقبله عند المحطة
فوافق الجد وأعد العربة وركب الجميع وغنى الأطفال طوال الطريق أغنية قديمة عن البحر والسفن والمسافرين
حتى بلغوا الجسر الخشبي حيث توقف الحصان ليشرب قليلا ورأى أحمد غزالا يقفز فوق السور ويختفي بين الأشجار
وصلوا قبل الغروب بدقائق وكان الرصيف مزدحما بالناس والحقائب وباعة الحلوى والصحف وظهر الدخان من بعيد
ثم ظهرت القاطرة السوداء وهي تصفر فأسرع الصغار نحو العربات يبحثون عن وجه خالهم بين النوافذ المفتوحة
"""
_LATIN = """
Last summer my grandmother showed me a small wooden box that she kept behind the kitchen door and
inside it were letters tied with blue string which her brother wrote from the coast during the year
when he built boats for the harbour company He told her about gulls and fog and how every evening
the men sang while they mended nets under a yellow lamp Some pages were torn and others smelled of
salt but we could still read nearly all of them so we copied each word into a new notebook and drew
little maps beside the names of places that nobody visits any more In September we took the train
to see whether his workshop was there and found only a wall with two windows and a green gate Yet
the old keeper remembered him quite well and gave us a brass key that fits no lock we know today
"""


@dataclass(frozen=True)
class MadeWord:
    """A word on the page: its text, its line from 0, its number in the map of ink."""

    text: str
    line: int
    label: int


@dataclass
class MadePage:
    """A page and its truth.

    Attributes:
        image: the scan.
        words: those of the transcript, in its order.
        labels: (height, width) the word of each point; 0: no ink, -1: ink of no word that is said.
        dpi: of the scan.
    """

    kind: str
    image: Image.Image
    words: list[MadeWord]
    labels: Labels
    dpi: int

    @property
    def texts(self) -> list[str]:
        """The transcript."""
        return [word.text for word in self.words]


Bend = Callable[[float, int], float]
"""How far a line's base lies below level, in inches, at an inch of the page, for a line."""


@dataclass(frozen=True)
class Kind:
    """What hand and paper do. Lengths are in inches where nothing else is said.

    Attributes:
        size: of the face.
        pitch: from line to line.
        gap: between words, in sizes: from, to.
        columns: how many.
        latin: which script it is written in; None for lines and words of both.
        bend: the shape of lines.
        paper: what is done to the finished grey page.
    """

    size: float = 0.30
    pitch: float = 0.52
    gap: tuple[float, float] = (0.22, 0.42)
    columns: int = 1
    lines: int = 12
    latin: bool | None = False
    bend: Bend | None = None
    paper: tuple[str, ...] = ()
    turn: int = 0
    lean: float = 0.0
    crossed: float = 0.0
    inserted: float = 0.0
    margins: tuple[float, float] = (0.7, 0.7)
    jitter: float = 0.02


def _fan(x: float, line: int) -> float:
    return (x - 4.2) * (-0.045 + 0.0085 * line)


def _curve(x: float, line: int) -> float:
    return 0.16 * float(np.sin(x / 8.5 * np.pi * 1.3 + 0.06 * line))


KINDS: dict[str, Kind] = {
    "clean": Kind(),
    "tight": Kind(gap=(0.12, 0.2)),
    "dense": Kind(size=0.24, pitch=0.34, lines=22),
    "ruled": Kind(paper=("ruled",)),
    "shadow": Kind(paper=("shadow",)),
    "noise": Kind(paper=("noise",)),
    "bleed": Kind(paper=("bleed",)),
    "border": Kind(paper=("border",), margins=(0.9, 0.9)),
    "columns": Kind(columns=2, size=0.26),
    "latin": Kind(latin=True, size=0.36),
    "slant": Kind(bend=lambda x, _: (x - 4.2) * float(np.tan(np.radians(10))), lines=9),
    "squared": Kind(paper=("squared",)),
    "stains": Kind(paper=("stains",)),
    "fanned": Kind(bend=_fan),
    "touching": Kind(gap=(-0.05, 0.01), lines=14),
    "turned": Kind(turn=1),
    "curved": Kind(bend=_curve),
    "scripts": Kind(latin=None),
    "crossed": Kind(crossed=0.07),
    "inserted": Kind(inserted=0.05, pitch=0.58),
}
"""The kinds by name; the order is that of the table."""


def face(name: str, size: int) -> ImageFont.FreeTypeFont:
    """A face by the package that brings it and its file's name, or a file by its path."""
    package, colon, file = name.partition(":")
    if colon:
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None:
            raise SystemExit(f"{package} is not installed: pip install {package.replace('_', '-')}")
        name = str(Path(spec.origin).parent / "files" / file)
    return ImageFont.truetype(name, size, layout_engine=ImageFont.Layout.RAQM)


class _Sheet:
    """A page that words are put on."""

    def __init__(self, kind: Kind, dpi: int, rng: np.random.Generator, high: float) -> None:
        self.kind, self.dpi, self.rng = kind, dpi, rng
        self.width, self.height = round(8.5 * dpi), round(high * dpi)
        self.dark: Grey = np.zeros((self.height, self.width), dtype=np.float32)
        self.labels: Labels = np.zeros((self.height, self.width), dtype=np.int32)

    def drawn(self, text: str, font: ImageFont.FreeTypeFont, angle: float) -> tuple[Grey, int, int]:
        """A word's ink; the column and row in it where its base line begins."""
        left, top, right, bottom = font.getbbox(text, anchor="ls")
        pad = round(0.1 * self.dpi)
        size = (int(right - left) + 2 * pad, int(bottom - top) + 2 * pad)
        image = Image.new("L", size, 0)
        ImageDraw.Draw(image).text((pad - left, pad - top), text, font=font, fill=255, anchor="ls")
        base = pad - int(top)
        lean = self.kind.lean
        if lean:
            shear = (1, lean, -lean * base, 0, 1, 0)
            image = image.transform(size, Image.Transform.AFFINE, shear, Image.Resampling.BILINEAR)
        image = image.rotate(
            -np.degrees(angle), Image.Resampling.BILINEAR, center=(size[0] / 2, base)
        )
        return np.asarray(image, dtype=np.float32) / 255, pad, base

    def put(self, ink: Grey, left: int, top: int, label: int, strength: float = 1.0) -> None:
        """Lay ink on the page."""
        y0, x0 = max(top, 0), max(left, 0)
        y1, x1 = min(top + ink.shape[0], self.height), min(left + ink.shape[1], self.width)
        if y1 <= y0 or x1 <= x0:
            return
        ink = ink[y0 - top : y1 - top, x0 - left : x1 - left]
        place = np.s_[y0:y1, x0:x1]
        self.dark[place] = np.maximum(self.dark[place], ink * strength)
        if label != 0:
            self.labels[place][ink > 0.5] = label


def make(
    name: str, seed: int = 0, *, hand: str | None = None, dpi: int = 300, lines: int | None = None
) -> MadePage:
    """Make a page of a kind.

    Args:
        name: one of :data:`KINDS`.
        seed: another one is another page.
        hand: a face; None for one of the seed's choice. Pages of two scripts have one of each.
        dpi: of the scan.
        lines: of a column, on a page that is as high as they need; None for a whole page.
    """
    kind = KINDS[name] if lines is None else replace(KINDS[name], lines=lines)
    rng = np.random.default_rng([seed, *name.encode()])
    arabic = hand or ARABIC_HANDS[seed % len(ARABIC_HANDS)]
    latin = hand or LATIN_HANDS[seed % len(LATIN_HANDS)]
    if kind.latin is None:
        arabic, latin = ARABIC_HANDS[seed % len(ARABIC_HANDS)], LATIN_HANDS[seed % len(LATIN_HANDS)]
    sheet = _Sheet(kind, dpi, rng, 11.0 if lines is None else 2.0 + lines * kind.pitch)
    words = _write(sheet, arabic, latin)
    grey = _paper(sheet)
    labels = sheet.labels
    turn = kind.turn * (1 if seed % 2 == 0 else 3)
    if turn:
        grey, labels = np.rot90(grey, turn), np.rot90(labels, turn)
    image = Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8))
    image.info["dpi"] = (dpi, dpi)
    return MadePage(name, image, words, np.ascontiguousarray(labels), dpi)


def _texts(rng: np.random.Generator, text: str) -> list[str]:
    words = text.split()
    start = int(rng.integers(len(words)))
    return (words[start:] + words[:start]) * 4


def _write(sheet: _Sheet, arabic: str, latin: str) -> list[MadeWord]:
    kind, rng, dpi = sheet.kind, sheet.rng, sheet.dpi
    size = kind.size * (1 + 0.06 * rng.standard_normal())
    fonts = {False: face(arabic, round(size * dpi)), True: face(latin, round(1.1 * size * dpi))}
    small = {
        False: face(arabic, round(0.7 * size * dpi)),
        True: face(latin, round(0.75 * size * dpi)),
    }
    texts = {False: _texts(rng, _ARABIC), True: _texts(rng, _LATIN)}
    words: list[MadeWord] = []
    line = 0
    left, right = kind.margins[0], 8.5 - kind.margins[1]
    gutter = 0.45
    width = (right - left - gutter * (kind.columns - 1)) / kind.columns
    for column in range(kind.columns):
        place = column if kind.latin else kind.columns - 1 - column
        begin = left + place * (width + gutter)
        for row in range(kind.lines):
            ltr = kind.latin if kind.latin is not None else row % 4 == 3
            _write_line(
                sheet, fonts, small, texts, words, line, begin, begin + width,
                1.1 + row * kind.pitch, ltr=bool(ltr), row=row,
            )  # fmt: skip
            line += 1
    return words


def _write_line(
    sheet: _Sheet,
    fonts: dict[bool, ImageFont.FreeTypeFont],
    small: dict[bool, ImageFont.FreeTypeFont],
    texts: dict[bool, list[str]],
    words: list[MadeWord],
    line: int,
    left: float,
    right: float,
    base: float,
    *,
    ltr: bool,
    row: int,
) -> None:
    kind, rng, dpi = sheet.kind, sheet.rng, sheet.dpi
    size = fonts[False].size / dpi
    at = (left if ltr else right) + float(rng.uniform(-0.06, 0.06))
    end = right if ltr else left
    if rng.random() < 0.12:
        end += (-1 if ltr else 1) * 0.35 * (right - left)

    def place(texts_here: list[str], script: bool, *, labelled: bool = True) -> bool:
        """Words that stand together, the first where reading begins; False where no room is."""
        nonlocal at
        boxes = [_width(fonts[script], one) / dpi for one in texts_here]
        gaps = [float(rng.uniform(*kind.gap)) * size for _ in texts_here]
        need = sum(boxes) + sum(gaps)
        if (at + need > end) if ltr else (at - need < end):
            return False
        # Words of the other direction stand in their own order within the line.
        order = range(len(texts_here)) if script == ltr else range(len(texts_here))[::-1]
        labels = {}
        for number in order:
            x = at if ltr else at - boxes[number]
            label = len(words) + number + 1 if labelled else _NOT_SAID
            _put_word(sheet, texts_here[number], fonts[script], x, base, row, label)
            labels[number] = label
            at += (boxes[number] + gaps[number]) * (1 if ltr else -1)
        if labelled:
            words.extend(
                MadeWord(text, line, labels[number]) for number, text in enumerate(texts_here)
            )
        return True

    script = ltr
    while True:
        # Two stretches of the other direction side by side would be one, and stand as one.
        may_turn = kind.latin is None and not ltr and script == ltr
        script = ltr
        many = 1
        if may_turn and rng.random() < 0.1:
            script, many = True, int(rng.integers(1, 4))
        here, texts[script] = texts[script][:many], texts[script][many:]
        if kind.crossed and rng.random() < kind.crossed:
            before = at
            if not place([texts[script][5]], script, labelled=False):
                return
            _cross_out(sheet, min(before, at), max(before, at), base, size, row)
        if not place(here, script):
            texts[script] = here + texts[script]
            return
        if kind.inserted and rng.random() < kind.inserted:
            text, texts[script] = texts[script][0], texts[script][1:]
            width = _width(small[script], text) / dpi
            label = len(words) + 1
            gap = 0.12 * size * (1 if ltr else -1)
            x = at - gap - width / 2
            _put_word(sheet, text, small[script], x, base - 0.66 * size * 1.35, row, label)
            words.append(MadeWord(text, line, label))


def _width(font: ImageFont.FreeTypeFont, text: str) -> float:
    left, _, right, _ = font.getbbox(text, anchor="ls")
    return float(right - left)


def _put_word(
    sheet: _Sheet,
    text: str,
    font: ImageFont.FreeTypeFont,
    x: float,
    base: float,
    row: int,
    label: int,
) -> None:
    """``x``: where its ink begins at the left, in inches."""
    kind, rng, dpi = sheet.kind, sheet.rng, sheet.dpi
    width = _width(font, text) / dpi
    middle = x + width / 2
    bend = kind.bend
    down = bend(middle, row) if bend else 0.0
    slope = (bend(middle + 0.05, row) - bend(middle - 0.05, row)) / 0.1 if bend else 0.0
    angle = float(np.arctan(slope)) + float(rng.normal(0, kind.jitter))
    ink, pad, origin = sheet.drawn(text, font, angle)
    top = base + down + float(rng.normal(0, 0.03)) * font.size / dpi
    sheet.put(ink, round(x * dpi) - pad, round(top * dpi) - origin, label, rng.uniform(0.9, 1.0))


def _cross_out(
    sheet: _Sheet, left: float, right: float, base: float, size: float, row: int
) -> None:
    dpi, rng, bend = sheet.dpi, sheet.rng, sheet.kind.bend
    image = Image.new("L", (sheet.width, sheet.height), 0)
    draw = ImageDraw.Draw(image)
    for _ in range(2):
        xs = np.linspace(left, right, 12)
        ys = [
            base - 0.18 * size + (bend(float(x), row) if bend else 0) + rng.normal(0, 0.05 * size)
            for x in xs
        ]
        points = [(float(x) * dpi, float(y) * dpi) for x, y in zip(xs, ys, strict=True)]
        draw.line(points, fill=255, width=max(2, round(0.012 * dpi)))
    sheet.put(np.asarray(image, dtype=np.float32) / 255, 0, 0, _NOT_SAID)


# What paper and scanner do


def _paper(sheet: _Sheet) -> Grey:
    rng, dpi = sheet.rng, sheet.dpi
    height, width = sheet.dark.shape
    ground = np.full((height, width), PAPER, dtype=np.float32)
    grain = rng.normal(0, 2.0, (height // 4 + 1, width // 4 + 1)).astype(np.float32)
    ground += np.kron(grain, np.ones((4, 4), np.float32))[:height, :width]
    marks = Image.new("L", (width, height), 0)
    draw = ImageDraw.Draw(marks)
    kinds = sheet.kind.paper
    if "ruled" in kinds:
        for row in range(26):
            y = (1.13 + row * sheet.kind.pitch) * dpi
            lean = rng.normal(0, 0.002) * width
            draw.line([(0, y), (width, y + lean)], fill=95, width=max(2, round(0.008 * dpi)))
        draw.line([(7.9 * dpi, 0), (7.9 * dpi, height)], fill=80, width=max(2, round(0.008 * dpi)))
    if "squared" in kinds:
        step = dpi * 5 / 25.4
        lean = float(rng.normal(0, 0.003))
        for number in range(-4, int(height / step) + 4):
            y = number * step
            draw.line([(0, y), (width, y + lean * width)], fill=85, width=max(2, round(dpi / 150)))
        for number in range(-4, int(width / step) + 4):
            x = number * step
            draw.line(
                [(x, 0), (x - lean * height, height)], fill=85, width=max(2, round(dpi / 150))
            )
    ground *= 1 - np.asarray(marks, dtype=np.float32) / 255
    if "stains" in kinds:
        ground *= 1 - _stains(sheet)
    if "bleed" in kinds:
        behind = Image.fromarray((sheet.dark[:, ::-1] * 255).astype(np.uint8))
        behind = behind.filter(ImageFilter.GaussianBlur(dpi / 120))
        moved = np.roll(np.asarray(behind, dtype=np.float32) / 255, round(0.21 * dpi), axis=0)
        ground *= 1 - 0.22 * moved
    if "shadow" in kinds:
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        side = 1 / (1 + np.exp(-(xs / width - 0.2 - 0.1 * ys / height) * 14))
        ground *= 0.5 + 0.5 * side
    page = ground * (1 - sheet.dark) + np.minimum(INK, ground * 0.3) * sheet.dark
    if "noise" in kinds:
        page += rng.normal(0, 22, page.shape).astype(np.float32)
        dots = rng.random(page.shape)
        page[dots < 0.002] = 30
        page[dots > 0.998] = 255
    if "border" in kinds:
        edge = round(0.22 * dpi)
        page[: edge // 2], page[-edge:] = 12, 12
        page[:, :edge], page[:, -edge // 2 :] = 12, 12
    return page


def _stains(sheet: _Sheet) -> Grey:
    rng, dpi = sheet.rng, sheet.dpi
    height, width = sheet.dark.shape
    ys, xs = np.mgrid[0:height:2, 0:width:2].astype(np.float32)
    total = np.zeros(ys.shape, dtype=np.float32)
    for number in range(7):
        radius = float(rng.uniform(0.3, 0.9)) * dpi
        x, y = rng.uniform(0.8, 7.7) * dpi, rng.uniform(0.9, 0.7 * height / dpi) * dpi
        away = np.arctan2(ys - y, xs - x)
        rough = radius * (1 + 0.05 * np.sin(3 * away + number) + 0.03 * np.sin(7 * away))
        apart = np.hypot(xs - x, ys - y) - rough
        inside = 1 / (1 + np.exp(np.clip(apart / (0.006 * dpi), -50, 50)))
        depth = float(rng.uniform(0.12, 0.34))
        rim = np.exp(-((apart / (0.022 * dpi)) ** 2)) * float(rng.uniform(0.05, 0.3))
        total = 1 - (1 - total) * (1 - depth * inside) * (1 - rim)
    whole = np.repeat(np.repeat(total, 2, axis=0), 2, axis=1)
    return whole[:height, :width]


def polygons(page: MadePage) -> dict[int, list[tuple[int, int]]]:
    """The convex hull of each word's ink."""
    from scipy.ndimage import find_objects
    from scipy.spatial import ConvexHull

    found = {}
    for label, place in enumerate(find_objects(page.labels), 1):
        if place is None:
            continue
        ys, xs = np.nonzero(page.labels[place] == label)
        points = np.stack([xs + place[1].start, ys + place[0].start], axis=1)
        corners = np.concatenate([points, points + 1])
        hull = corners[ConvexHull(corners).vertices]
        found[label] = [(int(x), int(y)) for x, y in hull]
    return found


def save(page: MadePage, folder: Path, name: str) -> None:
    """Write image, truth and transcript, as the benchmark reads them again."""
    page.image.save(folder / f"{name}.tif", compression="tiff_lzw", dpi=(page.dpi, page.dpi))
    outlines = polygons(page)
    truth = [
        {"id": word.label, "word": word.text, "line": word.line, "poly": outlines[word.label]}
        for word in page.words
        if word.label in outlines
    ]
    width, height = page.image.size
    said = {"truth": truth, "lines": len({w.line for w in page.words}), "W": width, "H": height}
    (folder / f"{name}.json").write_text(json.dumps(said), encoding="utf-8")
    (folder / f"{name}.txt").write_text(" ".join(page.texts) + "\n", encoding="utf-8")
