"""An application behind an OpenAI-compatible chat endpoint: one request a turn, each on a connection of its own.

The client keeps the conversation and sends it whole, so a session begins clean by construction, and what is read from a
request's own connection cannot be another's answer. The key is read from a variable that the user names; it travels
in one header and is taken out of everything that is kept or said.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assay.contract.jobs import Limits
from assay.contract.steps import Answered, Ask, FailureOwner, ObservationStatus, Sample
from assay.engine.exchange import Endpoint, Failed, Response, Trouble, post
from assay.engine.messages import Malformed, read_object
from assay.errors import InputError
from assay.record.canonical import Json

OFFERS = ("session", "reset", "request_identity", "concurrency")
SHORTEST_KEY = 8
_HELD_BACK = "[key]"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_PATH = "/chat/completions"
_OF_TROUBLE: Mapping[Trouble, tuple[ObservationStatus, FailureOwner, str]] = {
    "not_reached": ("error", "harness", "not reached"),
    "cut_off": ("error", "model", "cut off"),
    "too_late": ("timed_out", "model", "silence"),
    "too_large": ("limit", "model", "long answer"),
}


@dataclass
class ChatTarget:
    """A model or application that answers `POST <url>/chat/completions`.

    `parameters` are decoding parameters as text or whole numbers; those that are None are not sent.
    """

    url: str
    model: str
    system: str | None = None
    api_key_env: str | None = None
    parameters: Mapping[str, str | int | None] = field(default_factory=dict)
    name: str | None = None
    revision: str | None = None
    _key: str | None = field(init=False, repr=False, default=None)

    def __post_init__(self) -> None:
        self._endpoint = Endpoint.of(self.url)
        self._key = _key_in(self.api_key_env, self._endpoint)

    def identity(self) -> Mapping[str, Json]:
        """Where it is and how it is asked; of the key nothing but the name of the variable."""
        stated: dict[str, Json] = {key: value for key, value in self.parameters.items() if value is not None}
        return {
            "name": self.name or self.model,
            "revision": self.revision,
            "kind": "http",
            "config": {
                "api": "openai-chat",
                "url": str(self._endpoint),
                "model": self.model,
                "system": self.system,
                "parameters": stated,
                "api_key_env": self.api_key_env,
                "capabilities": list(OFFERS),
            },
            "capabilities": list(OFFERS),
        }

    def ask(self, sample: Sample, ask: Ask, *, limits: Limits) -> Answered:
        """Send the conversation so far with this turn's text. Never raises for what the endpoint does."""
        request = ask.request_id or f"{sample.id}.{ask.turn}"
        try:
            response = post(
                self._endpoint, _PATH, self._headers(request), self._body(ask), timeout_ms=limits.timeout_ms
            )
        except Failed as failed:
            status, owner, word = _OF_TROUBLE[failed.trouble]
            answered = Answered(ask.turn, status, detail=f"{word}: {failed}", failure_owner=owner)
        else:
            answered = _answered(ask, request, response)
        return self._without_key(answered)

    def close(self) -> None:
        return

    def _headers(self, request: str) -> dict[str, str]:
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "assay",
            "X-Request-Id": request,
            "Idempotency-Key": request,
        }
        return {**headers, "Authorization": f"Bearer {self._key}"} if self._key else headers

    def _body(self, ask: Ask) -> bytes:
        messages = [{"role": "system", "content": self.system}] if self.system else []
        messages += _messages(ask.input)
        stated = {key: value for key, value in self.parameters.items() if value is not None}
        numbers = {key: value if isinstance(value, int) else float(value) for key, value in stated.items()}
        return json.dumps({"model": self.model, "messages": messages, "stream": False, **numbers}).encode("ascii")

    def _without_key(self, answered: Answered) -> Answered:
        """An endpoint may repeat the key in an error, and an application in its answer."""
        if self._key is None:
            return answered
        told = ("output", "detail", "usage", "served")
        return replace(answered, **{name: _held_back(getattr(answered, name), self._key) for name in told})


def _messages(asked: Mapping[str, Any]) -> list[dict[str, str]]:
    """What is sent: messages as a suite spells them out, or the conversation so far and this turn's text."""
    if "messages" in asked:
        return [{"role": one["role"], "content": one["content"]} for one in asked["messages"]]
    said = [{"role": one["role"], "content": one["text"]} for one in asked.get("history") or ()]
    return [*said, {"role": "user", "content": str(asked["text"])}]


def _key_in(variable: str | None, endpoint: Endpoint) -> str | None:
    if variable is None:
        return None
    if not _VARIABLE.fullmatch(variable):
        raise InputError("api_key_env: expected the name of a variable, not a key", hint="api_key_env: CHAT_API_KEY")
    key = os.environ.get(variable)
    if not key:
        raise InputError(f"api_key_env: {variable} is not set", hint=f"export {variable}=…   (it is never recorded)")
    if len(key) < SHORTEST_KEY or not all("!" <= letter <= "~" for letter in key):
        raise InputError(
            f"api_key_env: what {variable} holds is no key",
            hint=f"expected at least {SHORTEST_KEY} printable characters; leave the setting out where no key is asked",
        )
    if not endpoint.is_private:
        raise InputError(f"{endpoint}: a key would travel for everybody to read", hint="give an https:// address")
    return key


def _answered(ask: Ask, request: str, response: Response) -> Answered:
    """What a response amounts to."""
    answered = Answered(ask.turn, "error", failure_owner="model", served=_served({}, response) or None)
    if response.status != 200:
        return _refused(answered, response)
    if response.headers.get("content-encoding", "identity") != "identity":
        return replace(answered, detail="garbage: a compressed answer, which was not asked for")
    try:
        document = read_object(response.body, "an answer")
        if document.get("error"):
            return replace(answered, detail=f"an error instead of an answer: {_error_of(response)}"[:2000])
        message, reason = _message(document)
    except Malformed as error:
        return replace(answered, detail=f"garbage: {error}")
    answered = replace(answered, served=_served(document, response) or None, usage=_usage(document.get("usage")))
    if reason == "content_filter" or message.get("refusal"):
        said = message.get("refusal") or "the endpoint's filter held the answer back"
        return replace(answered, status="refused", detail=f"refused: {said}"[:2000])
    text = _text(message.get("content"))
    if text is None:
        return replace(answered, detail="garbage: an answer without text")
    return replace(
        answered,
        status="completed",
        failure_owner=None,
        output=text,
        detail="the answer was cut off at max_tokens" if reason == "length" else None,
        evidence={"capture": "unknown"},
        request_id=request,
        session=_session(ask),
    )


def _session(ask: Ask) -> dict[str, Json] | None:
    """The session that a turn belongs to, in which the endpoint was shown exactly what this client sent."""
    if ask.session is None:
        return None
    return {"id": ask.session, "clean_start": True, "turns": ask.input.get("history", [])}


def _refused(answered: Answered, response: Response) -> Answered:
    """A status other than 200: whose doing it is follows from the status."""
    status: ObservationStatus = "error"
    owner: FailureOwner = "model" if response.status >= 500 else "harness"
    said = _error_of(response)
    if response.status in (408, 504):
        status, owner = "timed_out", "model"
    elif response.status == 429:
        status = "limit"
        said += f"; retry after {after}" if (after := response.headers.get("retry-after")) else ""
    elif response.status in (400, 413) and "context_length" in said:
        status, owner = "limit", "model"
    elif 300 <= response.status < 400:
        said = f"a redirect to {response.headers.get('location', 'nowhere')[:200]}, which is not followed"
    return replace(answered, status=status, failure_owner=owner, detail=f"status {response.status}: {said}"[:2000])


def _error_of(response: Response) -> str:
    try:
        error = read_object(response.body, "an error").get("error")
    except Malformed:
        return response.body[:300].decode("utf-8", "replace")
    if not isinstance(error, dict):
        return str(error)[:300]
    code = error.get("code") or error.get("type")
    return f"{code}: {error.get('message')}"[:1000] if code else str(error.get("message"))[:1000]


def _message(document: Mapping[str, Any]) -> tuple[Mapping[str, Any], str | None]:
    choices = document.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict) or not isinstance(first.get("message"), dict):
        raise Malformed("an answer without choices[0].message")
    return first["message"], first.get("finish_reason")


def _text(content: Any) -> str | None:
    """The text of a message: given whole, or in parts of which those that are text count."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        return "".join(part for part in parts if isinstance(part, str)) or None
    return content if isinstance(content, str) else None


def _served(document: Mapping[str, Any], response: Response) -> dict[str, Json]:
    """Who answered, as the endpoint says: its model, the fingerprint of its system, its own names for the exchange."""
    choices = document.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    told = {
        "model": document.get("model"),
        "system_fingerprint": document.get("system_fingerprint"),
        "response_id": document.get("id"),
        "finish_reason": first.get("finish_reason") if isinstance(first, dict) else None,
        "server_request_id": response.headers.get("x-request-id"),
    }
    return {key: value[:200] for key, value in told.items() if isinstance(value, str)}


def _usage(said: Any) -> dict[str, Json] | None:
    if not isinstance(said, dict):
        return None
    counts: dict[str, Json] = {str(key): value for key, value in said.items() if type(value) is int}
    return counts or None


def _held_back(value: Any, key: str) -> Any:
    if isinstance(value, str):
        return value.replace(key, _HELD_BACK)
    if isinstance(value, Mapping):
        return {_held_back(name, key): _held_back(member, key) for name, member in value.items()}
    return [_held_back(member, key) for member in value] if isinstance(value, list) else value
