"""Some Qt bindings give away a reference to None at each call that returns it (PySide6 6.12.0 on
Python 3.11), and a long session dies of it."""

from __future__ import annotations

import gc
import sys

import pytest
from PySide6.QtWidgets import QGraphicsRectItem, QGraphicsScene


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_references_to_none_do_not_fall(qapp: object) -> None:
    scene = QGraphicsScene()
    # What other tests left behind holds None as well: it must go before the count, not during it.
    gc.collect()
    gc.disable()
    try:
        before = sys.getrefcount(None)
        for number in range(2000):
            item = QGraphicsRectItem(0, 0, 10, 10)
            scene.addItem(item)
            item.setPos(number, number)
            item.setSelected(True)
            item.setZValue(1)
            scene.update()
        after = sys.getrefcount(None)
    finally:
        gc.enable()
    assert after > before - 200
