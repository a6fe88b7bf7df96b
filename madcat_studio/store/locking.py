"""Locking the bytes of a bundle with a passphrase: Scrypt for the key, AES-256-GCM for the rest.

    "MADCAT kit, locked 1\\n"   what it is, and how it is locked; another way is another number
    salt, 16 bytes              new for each passphrase that is set
    check, 16 bytes             tells a wrong passphrase from a damaged file
    nonce, 12 bytes             new each time the file is written
    the bytes, encrypted, with GCM's tag of 16 bytes, which covers all of the above

A file says nothing of the costs of the key: a made-up one cannot ask for more than ours.
"""

from __future__ import annotations

import hmac
import os
import unicodedata
from dataclasses import dataclass, field
from typing import Final

from madcat_studio.errors import UsageError

__all__ = [
    "LEAST_PASSPHRASE",
    "MARK",
    "Lock",
    "check_passphrase",
    "derive",
    "new_lock",
    "unlock",
]

MARK: Final = b"MADCAT kit, locked 1\n"

LEAST_PASSPHRASE = 8
"""Characters. Fewer are guessed within hours, whatever a guess costs."""

COST = 2**17
"""Scrypt's N with r = 8 and p = 1: 128 MiB and some 0.4 s for each guess (OWASP's first choice)."""

_SALT, _CHECK, _NONCE, _TAG = 16, 16, 12, 16
_HEAD = len(MARK) + _SALT + _CHECK


@dataclass(frozen=True, slots=True)
class Lock:
    """A passphrase, worked out: what a file is locked with each time it is written."""

    salt: bytes
    check: bytes
    key: bytes = field(repr=False)

    def lock(self, content: bytes) -> bytes:
        """The locked form of bytes, of which there must be less than 2 GiB."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        head = MARK + self.salt + self.check
        nonce = os.urandom(_NONCE)
        return head + nonce + AESGCM(self.key).encrypt(nonce, content, head)


def derive(passphrase: str, salt: bytes, length: int) -> bytes:
    """Bytes that nobody has without the passphrase, and that each guess pays for."""
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    # What looks the same is the same passphrase, from whatever keyboard it came.
    words = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    return Scrypt(salt=salt, length=length, n=COST, r=8, p=1).derive(words)


def _work_out(passphrase: str, salt: bytes) -> Lock:
    made = derive(passphrase, salt, 32 + _CHECK)
    return Lock(salt, made[32:], made[:32])


def check_passphrase(passphrase: str) -> None:
    """Refuse a new passphrase that is guessed soon.

    Raises:
        UsageError: ``bundle.short-passphrase``.
    """
    if len(passphrase) < LEAST_PASSPHRASE:
        raise UsageError(
            "bundle.short-passphrase",
            f"The passphrase has {len(passphrase)} characters",
            remedy=f"Use at least {LEAST_PASSPHRASE}; four unrelated words are good",
        )


def new_lock(passphrase: str) -> Lock:
    """A lock for a new file.

    Raises:
        UsageError: ``bundle.short-passphrase``.
    """
    check_passphrase(passphrase)
    return _work_out(passphrase, os.urandom(_SALT))


def unlock(locked: bytes, passphrase: str, *, where: str) -> tuple[bytes, Lock]:
    """The bytes that were locked, and the lock, with which to write the file again.

    Raises:
        UsageError: ``bundle.wrong-passphrase``.
        ValueError: damaged.
    """
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if not locked.startswith(MARK) or len(locked) < _HEAD + _NONCE + _TAG:
        raise ValueError("it is cut off")
    salt = locked[len(MARK) : len(MARK) + _SALT]
    check = locked[len(MARK) + _SALT : _HEAD]
    lock = _work_out(passphrase, salt)
    if not hmac.compare_digest(lock.check, check):
        raise UsageError(
            "bundle.wrong-passphrase",
            "The passphrase does not open the bundle",
            where=where,
            remedy="Type it again; if it is right, the file is damaged: ask for it again",
        )
    nonce, content = locked[_HEAD : _HEAD + _NONCE], locked[_HEAD + _NONCE :]
    try:
        return AESGCM(lock.key).decrypt(nonce, content, locked[:_HEAD]), lock
    except InvalidTag:
        raise ValueError("its bytes were changed, or some are missing") from None
