"""Ask a judge model at any endpoint that speaks OpenAI's chat completions.

One request a sample; every reply is handed to a ledger before anything is made of it; a request
that was paid is never sent again. The key travels in one header and is cut out of whatever the
server sends back: it stands in no log, report, ledger or error.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Protocol
from urllib.parse import urlsplit

from madcat_studio.errors import UsageError
from madcat_studio.progress import SILENT, Progress

__all__ = [
    "FINAL",
    "TRIES",
    "Answer",
    "Endpoint",
    "Judge",
    "Ledger",
    "Limits",
    "Question",
    "Record",
    "Reply",
]

TRIES = 3
"""Attempts in all, for what may pass."""

FINAL = frozenset({"refused", "http_400", "http_401", "http_403", "http_404"})
"""Kinds of failure that another attempt cannot mend."""

MAX_REPLY = 4 << 20
"""Bytes of a reply that are read; a longer one is not believed."""

_HIDDEN = "[key]"


@dataclass(frozen=True)
class Endpoint:
    """Where the judge is.

    Attributes:
        base: such as ``https://host/v1``; ``/chat/completions`` is added.
        model: its name there.
        key: sent as a bearer token; None: no header. Never shown.
        timeout: seconds for one request, from the first byte to the last.
        seed: sent along for determinism.
        most_tokens: of a reply.
        most_bytes: of a reply that are read.

    Raises:
        UsageError: ``scorecards.endpoint``: no http or https address, or a key over plain http to
            another machine.
    """

    base: str
    model: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 120.0
    seed: int = 42
    most_tokens: int = 512
    most_bytes: int = MAX_REPLY

    def __post_init__(self) -> None:
        parts = urlsplit(self.base)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(
                "scorecards.endpoint",
                "the judge's address is not a web address",
                remedy="Give it as https://host/v1",
            )
        if parts.username or parts.password or parts.query:
            raise UsageError(
                "scorecards.endpoint",
                "the judge's address has a password or a query in it",
                remedy="Give the key through the environment instead",
            )
        if self.key is not None and (not self.key.isascii() or not self.key.isprintable()):
            raise UsageError(
                "scorecards.endpoint",
                "the key has characters that a key cannot have",
                remedy="Check the variable or file that it comes from",
            )
        if (
            self.key
            and parts.scheme == "http"
            and parts.hostname not in ("localhost", "127.0.0.1", "::1")
        ):
            raise UsageError(
                "scorecards.endpoint",
                "the key would be sent unencrypted to another machine",
                remedy="Use an https address",
            )


@dataclass(frozen=True, slots=True)
class Question:
    """What the judge is asked about one sample.

    Attributes:
        id: the sample's.
        prompt: the first text.
        images: PNG files as bytes.
        closing: the last text, such as the translation that the system gave.
    """

    id: str
    prompt: str
    images: tuple[bytes, ...]
    closing: str


@dataclass(frozen=True, slots=True)
class Reply:
    """How one attempt ended.

    Attributes:
        error: None, or ``transport``, ``http_NNN``, ``bad_envelope``, ``refused``, ``truncated``.
        content: the judge's text; None with an error, but for a truncated one.
        raw: everything the server sent, the key cut out.
        prompt_tokens, completion_tokens: as the server counts them; 0 if it does not say.
        retry_after: seconds that the server asks to wait.
    """

    error: str | None
    content: str | None
    raw: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    retry_after: float | None = None

    @property
    def paid(self) -> bool:
        """Whether the server did its work: it answered 200 or broke off while answering."""
        return self.error in (None, "refused", "truncated", "bad_envelope")


@dataclass(frozen=True, slots=True)
class Record:
    """A line of the ledger. ``reply`` is None for "is about to be asked"."""

    fingerprint: str
    sample: str
    attempt: int
    reply: Reply | None


class Ledger(Protocol):
    """Keeps every attempt, durably, before the next step."""

    def records(self) -> Iterable[Record]:
        """What was kept by earlier runs."""

    def add(self, record: Record) -> None:
        """Keep one more; when it returns, the record survives a kill."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use.

    Attributes:
        per_minute: requests; None: no limit.
        cost: in dollars; None: no limit. Needs the prices.
        prompt_price, completion_price: dollars for 1,000 tokens.
        parallel: requests at the same time.
    """

    per_minute: float | None = None
    cost: float | None = None
    prompt_price: float = 0.0
    completion_price: float = 0.0
    parallel: int = 1

    def __post_init__(self) -> None:
        if (
            self.parallel < 1
            or (self.per_minute is not None and self.per_minute <= 0)
            or (self.cost is not None and self.cost < 0)
            or min(self.prompt_price, self.completion_price) < 0
        ):
            raise UsageError(
                "scorecards.limits",
                "a limit or a price is out of range",
                remedy="Limits must be positive numbers, prices at least 0",
            )
        if self.cost is not None and not (self.prompt_price or self.completion_price):
            raise UsageError(
                "scorecards.limits",
                "a cost limit needs the prices of the judge's tokens",
                remedy="Give the price of 1,000 prompt and completion tokens",
            )

    def price(self, reply: Reply) -> float:
        """What one reply cost."""
        return (
            reply.prompt_tokens * self.prompt_price
            + reply.completion_tokens * self.completion_price
        ) / 1000


@dataclass(frozen=True, slots=True)
class Answer:
    """How the asking about one sample ended.

    Attributes:
        error: None, a kind of :class:`Reply`, ``in_doubt`` (asked by a run that was killed before
            the reply came: perhaps paid), ``cost_limit`` or ``stopped`` (not asked).
    """

    sample: str
    content: str | None
    error: str | None


class Judge:
    """Asks about samples, with a memory.

    Args:
        endpoint: where the judge is.
        ledger: what was asked before, and what will be.
        limits: what may be used.
        ask_doubtful: ask again about samples whose earlier run was killed while waiting.
        sleep, clock: for tests.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        ledger: Ledger,
        limits: Limits = Limits(),
        *,
        ask_doubtful: bool = False,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.endpoint = endpoint
        self.limits = limits
        self.spent = 0.0
        """Dollars, with those of earlier runs of the same ledger."""
        self.requests = 0
        """Requests of this run."""
        self._ledger = ledger
        self._sleep = sleep
        self._clock = clock
        self._lock = threading.Lock()
        self._next_slot = 0.0
        self._known: dict[str, list[Record]] = {}
        for record in ledger.records():
            self._known.setdefault(record.fingerprint, []).append(record)
            if record.reply is not None:
                self.spent += limits.price(record.reply)
        self._ask_doubtful = ask_doubtful

    def ask_all(
        self, questions: Sequence[Question], *, progress: Progress = SILENT
    ) -> Iterator[Answer]:
        """One answer for each question, in their order; what is known is not asked again.

        After the user stopped it, or the cost limit is reached, the rest is answered ``stopped``
        or ``cost_limit``.
        """
        stopped = threading.Event()

        def one(question: Question) -> Answer:
            if progress.cancelled():
                stopped.set()
            return self._ask(question, stopped)

        with ThreadPoolExecutor(self.limits.parallel) as pool:
            try:
                for done, answer in enumerate(pool.map(one, questions), 1):
                    progress.advance(done, len(questions), "asking the judge")
                    yield answer
            finally:
                stopped.set()

    def _ask(self, question: Question, stopped: threading.Event) -> Answer:
        body = self._body(question)
        fingerprint = hashlib.sha256(self.endpoint.base.encode() + b"\0" + body).hexdigest()
        known = self._known.get(fingerprint, [])
        last = _last_paid(known)
        if last is not None and last.error is None:
            return Answer(question.id, last.content, None)
        if last is not None and (last.error in FINAL or _paid_attempts(known) >= TRIES):
            return Answer(question.id, None, last.error)
        if not self._ask_doubtful and _in_doubt(known):
            return Answer(question.id, None, "in_doubt")
        attempt = _paid_attempts(known)
        while True:
            if stopped.is_set():
                return Answer(question.id, None, "stopped")
            with self._lock:
                if self.limits.cost is not None and self.spent >= self.limits.cost:
                    return Answer(question.id, None, "cost_limit")
            self._wait_for_slot()
            attempt += 1
            self._keep(Record(fingerprint, question.id, attempt, None))
            reply = self._send(body, fingerprint)
            self._keep(Record(fingerprint, question.id, attempt, reply))
            if reply.error is None:
                return Answer(question.id, reply.content, None)
            if reply.error in FINAL or attempt >= TRIES:
                return Answer(question.id, None, reply.error)
            pause = float(2 ** (attempt - 1))
            if reply.retry_after is not None:
                pause = max(pause, min(reply.retry_after, 60.0))
            self._sleep(pause)

    def _keep(self, record: Record) -> None:
        with self._lock:
            self._ledger.add(record)
            if record.reply is None:
                self.requests += 1
            else:
                self.spent += self.limits.price(record.reply)

    def _wait_for_slot(self) -> None:
        if self.limits.per_minute is None:
            return
        with self._lock:
            now = self._clock()
            start = max(now, self._next_slot)
            self._next_slot = start + 60.0 / self.limits.per_minute
        if start > now:
            self._sleep(start - now)

    def _body(self, question: Question) -> bytes:
        content: list[dict[str, Any]] = [{"type": "text", "text": question.prompt}]
        for image in question.images:
            address = "data:image/png;base64," + base64.b64encode(image).decode("ascii")
            content.append({"type": "image_url", "image_url": {"url": address}})
        content.append({"type": "text", "text": question.closing})
        body = {
            "model": self.endpoint.model,
            "messages": [{"role": "user", "content": content}],
            "temperature": 0,
            "top_p": 1,
            "seed": self.endpoint.seed,
            "max_tokens": self.endpoint.most_tokens,
            "n": 1,
            "stream": False,
        }
        return json.dumps(body, ensure_ascii=False, sort_keys=True).encode("utf-8")

    def _send(self, body: bytes, fingerprint: str) -> Reply:
        try:
            status, headers, data = self._exchange(body, fingerprint)
        except (OSError, http.client.HTTPException, ValueError) as error:
            # An exception's text may quote headers; its kind says enough.
            return Reply("transport", None, f"[{type(error).__name__}]")
        raw = data.decode("utf-8", errors="replace")
        if self.endpoint.key:
            raw = raw.replace(self.endpoint.key, _HIDDEN)
        if status != 200:
            return Reply(f"http_{status}", None, raw, retry_after=_seconds(headers))
        reply = _read_envelope(raw)
        if self.endpoint.key and reply.content and self.endpoint.key in reply.content:
            # It was echoed with escapes: the raw reply still holds it in that form.
            content = reply.content.replace(self.endpoint.key, _HIDDEN)
            return replace(reply, content=content, raw="[a reply that echoed the key]")
        return reply

    def _exchange(self, body: bytes, fingerprint: str) -> tuple[int, Mapping[str, str], bytes]:
        """One request within the time limit. Redirections are not followed: they are answers."""
        parts = urlsplit(self.endpoint.base)
        host = parts.hostname or ""
        connection: http.client.HTTPConnection
        if parts.scheme == "https":
            connection = http.client.HTTPSConnection(
                host, parts.port, timeout=self.endpoint.timeout, context=_tls()
            )
        else:
            connection = http.client.HTTPConnection(host, parts.port, timeout=self.endpoint.timeout)
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            # Servers that know it answer a repeated request once.
            "Idempotency-Key": fingerprint,
        }
        if self.endpoint.key:
            headers["Authorization"] = f"Bearer {self.endpoint.key}"
        watchdog: threading.Timer | None = None
        try:
            connection.connect()
            # A time limit on a socket is one for each read: a server that drips its bytes would
            # never reach it. This one ends the whole exchange.
            watchdog = threading.Timer(self.endpoint.timeout, _hang_up, [connection])
            watchdog.daemon = True
            watchdog.start()
            path = parts.path.rstrip("/") + "/chat/completions"
            connection.request("POST", path, body=body, headers=headers)
            response = connection.getresponse()
            data = response.read(self.endpoint.most_bytes)
            if response.length:
                # It announced more than it sent, or than is read.
                raise http.client.IncompleteRead(data, response.length)
            found = {name.lower(): value for name, value in response.getheaders()}
            return response.status, found, data
        finally:
            if watchdog is not None:
                watchdog.cancel()
            connection.close()


def _hang_up(connection: http.client.HTTPConnection) -> None:
    with contextlib.suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)


def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _last_paid(records: Sequence[Record]) -> Reply | None:
    replies = [one.reply for one in records if one.reply is not None and one.reply.paid]
    return next((one for one in replies if one.error is None), replies[-1] if replies else None)


def _paid_attempts(records: Sequence[Record]) -> int:
    return sum(one.reply is not None and one.reply.paid for one in records)


def _in_doubt(records: Sequence[Record]) -> bool:
    """Whether the last attempt has no end: the program was killed while it waited."""
    return bool(records) and records[-1].reply is None


def _seconds(headers: Mapping[str, str]) -> float | None:
    text = headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdigit() and len(text) < 8 else None


def _read_envelope(raw: str) -> Reply:
    """Take the content out of a reply; whatever is not as it should be is a bad envelope."""
    try:
        envelope = json.loads(raw)
        choice = envelope["choices"][0]
        message = choice["message"]
        usage = envelope.get("usage") or {}
        tokens = [_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
        finish = choice.get("finish_reason")
        refusal = message.get("refusal")
        content = message.get("content")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return Reply("bad_envelope", None, raw)
    if refusal or finish == "content_filter":
        return Reply("refused", None, raw, *tokens)
    if isinstance(content, list):
        parts = [
            part["text"]
            for part in content
            if isinstance(part, dict) and isinstance(part.get("text"), str)
        ]
        content = "".join(parts) if parts or not content else None
    if not isinstance(content, str):
        return Reply("bad_envelope", None, raw, *tokens)
    # Half characters can be sent escaped, and stand in no file.
    content = content.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if finish == "length":
        return Reply("truncated", content, raw, *tokens)
    return Reply(None, content, raw, *tokens)


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
