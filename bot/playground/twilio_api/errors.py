"""Refusals of the REST API, shaped as Twilio shapes them."""

from typing import Any

_WORDS = {
    20001: "Invalid parameter",
    20003: "Authenticate",
    20404: "The requested resource was not found",
    20429: "Too many concurrent requests",
    20500: "An internal server error has occurred",
    21211: "The 'To' number is not a valid phone number",
    21266: "'To' and 'From' number cannot be the same",
    21603: "A 'From' phone number or a Messaging Service is required",
    21604: "A 'To' phone number is required",
    21606: "The 'From' number is not one of this account's SMS-capable numbers",
    21609: "The 'StatusCallback' URL is not a valid URL",
    21610: "Attempt to send to unsubscribed recipient",
    21617: "The concatenated message body exceeds the 1600 character limit",
    21619: "A text message body or media URLs must be specified",
    21655: "The ContentSid is invalid",
    21656: "The ContentVariables parameter is invalid",
    21910: "The 'From' and 'To' pair is not of the same channel",
    63007: "Could not find a Channel with the specified From address",
}
_STATUSES = {20003: 401, 20404: 404, 20429: 429, 20500: 500}


class ApiError(Exception):
    """One refused request: Twilio's code, the HTTP status, and words for the log."""

    def __init__(self, code: int, status: int | None = None) -> None:
        self.code = code
        self.status = status or _STATUSES.get(code, 400)
        super().__init__(code)

    def body(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "message": _WORDS.get(self.code, f"Error {self.code}"),
            "more_info": f"https://www.twilio.com/docs/errors/{self.code}",
            "status": self.status,
        }
