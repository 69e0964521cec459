"""Media come from Twilio's own hosts, with our key at the first one only, and never for long."""

import threading
from collections.abc import Iterator
from socket import AF_INET, SOCK_STREAM, socket
from typing import Any, Self

import pytest
from pydantic import SecretStr

from app.core.settings import Settings
from bot.channels.twilio.fetching import Fetcher, PublicPool
from bot.conversation.attachments import UnfetchedError
from bot.playground.twilio_api.config import TwilioConfig
from bot.playground.twilio_api.phone import PhoneMedia, PhoneSend
from bot.playground.twilio_api.server import TwilioServer, serve
from tests.photos import medium, photo

ACCOUNT = "AC" + "7" * 32
TOKEN = "a token of the playground"
API = f"https://api.twilio.com/2010-04-01/Accounts/{ACCOUNT}/Messages/MM1/Media/ME1"
MOST = 200_000


@pytest.fixture
def twilio() -> Iterator[TwilioServer]:
    with serve(0, TwilioConfig(account_sid=ACCOUNT, auth_token=TOKEN)) as server:
        yield server


def fetcher(address: str | None = None, limit_s: float = 5.0) -> Fetcher:
    return Fetcher(ACCOUNT, SecretStr(TOKEN), address, limit_s)


def sent(twilio: TwilioServer, **more: Any) -> str:  # noqa: ANN401 - as PhoneMedia
    """The address that a webhook would tell of a photo."""
    one = PhoneMedia.model_validate(medium(photo((300, 200)), **more))
    send = PhoneSend.model_validate(
        {"channel": "whatsapp", "from": "+972541234567", "media": [one]}
    )
    told = twilio.service.phone_sends(send)
    (sid,) = twilio.service.store.message(told["sid"]).media
    return f"{API.rpartition('/Messages/')[0]}/Messages/{told['sid']}/Media/{sid}"


def why(fetch: Fetcher, url: str) -> str:
    with pytest.raises(UnfetchedError) as caught:
        fetch.fetch(url, MOST)
    return caught.value.why


def test_it_is_fetched_over_the_redirect(twilio: TwilioServer) -> None:
    """The stand-in wants the key at the first host and refuses whoever brings it to the second."""
    assert fetcher(twilio.url).fetch(sent(twilio), MOST) == photo((300, 200))
    settings = Settings.of({"TWILIO_API_URL": twilio.url, "TWILIO_ACCOUNT_SID": ACCOUNT})
    assert why(Fetcher.of(settings), sent(twilio)) == "away"  # 401 without the token


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://api.twilio.com" + API.removeprefix("https://api.twilio.com"),
        API.replace("api.twilio.com", "api.twilio.com.evil.example"),
        API.replace("api.twilio.com", "evil.example"),
        API.replace("api.twilio.com", "api.twilio.com:8443"),
        API.replace("api.twilio.com", "me:you@api.twilio.com"),
        API.replace("api.twilio.com", "api.twilio.com@evil.example"),
        API.replace("api.twilio.com", "169.254.169.254"),
        API.replace("api.twilio.com", "mms.twiliocdn.com"),
        API.replace(ACCOUNT, "AC" + "8" * 32),
        API + "?x=1",
        API + "/../../../Keys.json",
        API.rpartition("/Messages")[0] + "/Keys.json",
        "file:///etc/passwd",
        "https://[::1",
    ],
)
@pytest.mark.parametrize("stands_in", [True, False])
def test_our_key_goes_to_no_other_address(url: str, *, stands_in: bool) -> None:
    with Listening() as elsewhere:
        assert why(fetcher(elsewhere.url if stands_in else None), url) in {"gone", "away"}
        assert elsewhere.heard == []


@pytest.mark.parametrize(
    "leads_to",
    [
        "http://169.254.169.254/latest/meta-data",
        "https://127.0.0.1/x",
        "https://localhost/x",
        "https://evil.example/x",
        "https://twiliocdn.com.evil.example/x",
        "http://mms.twiliocdn.com/x",
        "https://mms.twiliocdn.com:8443/x",
        "file:///etc/passwd",
    ],
)
def test_a_redirect_anywhere_else_is_not_followed(twilio: TwilioServer, leads_to: str) -> None:
    assert why(fetcher(twilio.url), sent(twilio, leads_to=leads_to)) == "gone"


def test_a_redirect_to_a_neighbour_is_not_followed(twilio: TwilioServer) -> None:
    with Listening() as private:
        assert why(fetcher(twilio.url), sent(twilio, leads_to=f"{private.url}/x")) == "gone"
        assert private.heard == []


def test_a_circle_of_redirects_ends(twilio: TwilioServer) -> None:
    url = sent(twilio)
    there = url.replace("https://api.twilio.com", twilio.url)
    again = sent(twilio, leads_to=there)
    assert why(fetcher(twilio.url), again) == "away"  # 401: the key goes to the first host alone


def test_a_name_of_a_private_address_hears_nothing() -> None:
    with Listening() as private:
        pool = PublicPool("127.0.0.1", private.port, retries=False)
        with pytest.raises(UnfetchedError):
            pool.request("GET", "/x")
        assert private.heard == []


def test_a_hundred_megabytes_are_not_read(twilio: TwilioServer) -> None:
    assert why(fetcher(twilio.url), sent(twilio, size=100_000_000)) == "too_large"


def test_one_that_is_told_to_be_too_large_is_not_begun(twilio: TwilioServer) -> None:
    with pytest.raises(UnfetchedError) as caught:
        fetcher(twilio.url).fetch(sent(twilio), 100)
    assert caught.value.why == "too_large"


def test_one_that_is_gone_and_one_that_comes_a_byte_at_a_time(twilio: TwilioServer) -> None:
    assert why(fetcher(twilio.url), sent(twilio, missing=True)) == "gone"
    assert why(fetcher(twilio.url, 0.3), sent(twilio, drip=0.05)) == "away"


def test_nobody_there_is_away() -> None:
    with Listening() as listening:
        url = listening.url
    assert why(fetcher(url), API) == "away"


class Listening:
    """A neighbour that notes what it is sent, and answers nothing."""

    def __init__(self) -> None:
        self._socket = socket(AF_INET, SOCK_STREAM)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen()
        self._socket.settimeout(0.1)
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.heard: list[bytes] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._socket.close()

    def _listen(self) -> None:
        while not self._over.is_set():
            try:
                one, _ = self._socket.accept()
            except TimeoutError:
                continue
            with one:
                one.settimeout(0.2)
                try:
                    told = one.recv(4_096)
                except TimeoutError:
                    told = b""
                if told:
                    self.heard.append(told)
