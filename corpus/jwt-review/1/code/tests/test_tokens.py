"""Tokens: issued, verified, refused."""

import pytest

from src import tokens

KEY = b"only for tests"


def test_a_fresh_token_names_its_subject():
    token = tokens.issue("account-7", KEY, now=1000, lifetime_s=900)

    assert tokens.verify(token, KEY, now=1500) == "account-7"


def test_a_token_signed_by_another_key_is_refused():
    token = tokens.issue("account-7", b"another key", now=1000, lifetime_s=900)

    with pytest.raises(tokens.BadToken, match="signature"):
        tokens.verify(token, KEY, now=1500)


def test_an_old_token_is_refused():
    token = tokens.issue("account-7", KEY, now=1000, lifetime_s=900)

    with pytest.raises(tokens.BadToken, match="expired"):
        tokens.verify(token, KEY, now=1_000_000)
