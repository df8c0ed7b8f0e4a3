"""Routes of the parcel service."""

import logging
import time

from src import settings, tokens

log = logging.getLogger(__name__)


def parcels(request, store):
    """The parcels of the account that the bearer token names."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    try:
        account = tokens.verify(token, settings.TOKEN_KEY, now=int(time.time()))
    except tokens.BadToken as error:
        log.warning("refused %s: %s", token, error)
        raise PermissionError("sign in again") from error
    return store.parcels_of(account)


def set_language(request, store):
    """Remember the language of the account, as the settings page does."""
    store.set_language(request.session["account"], request.form["language"])
