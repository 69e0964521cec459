"""Tokens checked against keys that the operator's product publishes."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import SecretStr

from app.core.settings import Settings
from app.web.tokens import BadToken, read_token
from tests.app.web.conftest import COACH

KEY = ec.generate_private_key(ec.SECP256R1())
STRANGER = ec.generate_private_key(ec.SECP256R1())


class Published(BaseHTTPRequestHandler):
    """The key set, as any identity provider serves it."""

    def do_GET(self) -> None:
        public: dict[str, Any] = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(KEY.public_key()))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"keys": [{**public, "kid": "one", "use": "sig"}]}).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def settings() -> Iterator[Settings]:
    with HTTPServer(("127.0.0.1", 0), Published) as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/keys"
        yield Settings(secret_key=SecretStr("k" * 40), jwks_url=url)
        server.shutdown()


def token(key: ec.EllipticCurvePrivateKey) -> str:
    who = {"org": str(COACH.org_id), "sub": str(COACH.user_id), "role": "coach", "aud": "spotter"}
    exp = datetime.now(UTC) + timedelta(minutes=5)
    return jwt.encode({**who, "exp": exp}, key, algorithm="ES256", headers={"kid": "one"})


def test_a_token_of_the_published_key_counts(settings: Settings) -> None:
    assert read_token(settings, token(KEY)).sub == COACH.user_id


def test_a_token_of_another_key_does_not(settings: Settings) -> None:
    with pytest.raises(BadToken):
        read_token(settings, token(STRANGER))


def test_without_an_address_of_keys_only_the_shared_key_counts() -> None:
    with pytest.raises(BadToken):
        read_token(Settings(secret_key=SecretStr("k" * 40)), token(KEY))
