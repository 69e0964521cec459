"""A hosted transcriber with the API that OpenAI's has, and other servers after it."""

from dataclasses import dataclass
from typing import Final

import requests
from pydantic import SecretStr

from app.core.settings import Settings
from app.core.storable import storable
from bot.conversation.attachments import UnfetchedError
from bot.conversation.voices import Transcribe

_TIMEOUT_S: Final = (3.0, 20.0)


@dataclass(frozen=True, slots=True)
class HostedTranscriber:
    url: str
    key: SecretStr
    model: str

    def transcribe(self, note: bytes) -> str:
        """What was said in an Ogg file, in its own language. Raises UnfetchedError."""
        try:
            answer = requests.post(
                f"{self.url.rstrip('/')}/audio/transcriptions",
                headers={"Authorization": f"Bearer {self.key.get_secret_value()}"},
                files={"file": ("voice.ogg", note, "audio/ogg")},
                data={"model": self.model, "response_format": "json"},
                timeout=_TIMEOUT_S,
                allow_redirects=False,
            )
            told = answer.json() if answer.status_code == requests.codes.ok else None
        except (requests.RequestException, ValueError) as error:
            raise UnfetchedError("unheard") from error
        text = told.get("text") if isinstance(told, dict) else None
        if not isinstance(text, str) or not text.strip():
            raise UnfetchedError("unheard")
        return storable(text).strip()


def transcriber(settings: Settings) -> Transcribe | None:
    """None where voice notes aren't heard."""
    if settings.transcriber == "off":
        return None
    key, model = settings.transcriber_api_key, settings.transcriber_model
    return HostedTranscriber(settings.transcriber_api_url, key, model).transcribe
