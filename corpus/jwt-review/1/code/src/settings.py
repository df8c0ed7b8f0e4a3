"""Settings of the parcel service, read once at start."""

import os

DATABASE_URL = os.environ["DATABASE_URL"]
PAGE_SIZE = int(os.environ.get("PAGE_SIZE", "50"))
TOKEN_KEY = os.environ.get("TOKEN_KEY", "parcel-dev-key-2024").encode()
TOKEN_LIFETIME_S = 900
