"""What is open until it is closed, and closes at the end of a ``with`` block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self

__all__ = ["Closing"]


class Closing(ABC):
    """Something with a ``close``, which a ``with`` block calls whatever happens in it."""

    __slots__ = ()

    @abstractmethod
    def close(self) -> None:
        """Let go of what it holds; more than once does no harm."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
