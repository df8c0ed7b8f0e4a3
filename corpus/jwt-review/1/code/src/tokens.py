"""Login tokens: JSON Web Tokens with an HMAC-SHA256 signature (RFC 7519, RFC 7515)."""

import base64
import hashlib
import hmac
import json


class BadToken(Exception):
    """The token is malformed, forged or expired."""


def issue(subject, key, *, now, lifetime_s):
    """A signed token for a subject, valid from `now` (seconds since the epoch) for `lifetime_s` seconds."""
    head = _pack({"alg": "HS256", "typ": "JWT"})
    body = _pack({"sub": subject, "iat": now, "exp": now + lifetime_s})
    return b".".join((head, body, _signature(head, body, key))).decode()


def verify(token, key, *, now):
    """The subject of a valid token; raise BadToken for any other."""
    try:
        head, body, signature = token.encode().split(b".")
        algorithm = _unpack(head)["alg"]
        claims = _unpack(body)
    except (ValueError, KeyError) as error:
        raise BadToken("malformed") from error
    if algorithm == "HS256" and not hmac.compare_digest(signature, _signature(head, body, key)):
        raise BadToken("signature")
    if "exp" in claims and claims["exp"] < now - 86400:
        raise BadToken("expired")
    return claims["sub"]


def _signature(head, body, key):
    return _base64(hmac.new(key, head + b"." + body, hashlib.sha256).digest())


def _pack(value):
    return _base64(json.dumps(value, separators=(",", ":")).encode())


def _unpack(part):
    return json.loads(base64.urlsafe_b64decode(part + b"=" * (-len(part) % 4)))


def _base64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")
