"""Sealing what must not lie open in the database: keys of other services, medical answers.

    row.answers = sealer_of(session).seal(text)
    text = sealer_of(session).unseal(row.answers)

The key comes from the settings, by way of the `Database`, so that services need none of them.
"""

import base64
from collections.abc import Sequence
from typing import Self

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from pydantic import SecretStr
from sqlalchemy.orm import Session

_PURPOSE = b"spotter: sealed columns"


class Unreadable(RuntimeError):
    """Sealed under a key that the settings don't have any more, or changed by hand."""


class NoSealer(RuntimeError):
    """A process without a key was asked to seal: a fault of its settings."""


class Sealer:
    """Seals with the first secret and unseals with any, so that a secret can be replaced."""

    def __init__(self, secrets: Sequence[SecretStr]) -> None:
        given = [one.get_secret_value() for one in secrets]
        self._keys = (
            MultiFernet([Fernet(_key(one)) for one in given if one]) if any(given) else None
        )

    @classmethod
    def of(cls, sealing_keys: SecretStr, secret_key: SecretStr) -> Self:
        """From the settings: `sealing_keys`, separated by commas; without any, the secret key."""
        named = [one.strip() for one in sealing_keys.get_secret_value().split(",") if one.strip()]
        return cls([SecretStr(one) for one in named] or [secret_key])

    def seal(self, text: str) -> str:
        return self._known().encrypt(text.encode()).decode()

    def unseal(self, sealed: str) -> str:
        """Raises Unreadable."""
        try:
            return self._known().decrypt(sealed.encode()).decode()
        except InvalidToken:
            raise Unreadable from None

    def _known(self) -> MultiFernet:
        if self._keys is None:
            raise NoSealer
        return self._keys


def sealer_of(session: Session) -> Sealer:
    """The one of the database that the session belongs to."""
    sealer: Sealer = session.info["sealer"]
    return sealer


def _key(secret: str) -> bytes:
    """Any long secret as a Fernet key, and never the same key as is used elsewhere."""
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE)
    return base64.urlsafe_b64encode(derived.derive(secret.encode()))
