"""The least a webhook can be: Flask, the vendor's signature check, an empty answer.

What ours is held against.
"""

from flask import Flask, Response, request
from twilio.request_validator import RequestValidator

from app.core.settings import Settings


def bare() -> Flask:
    """A WSGI application for gunicorn: `bot.cli.bench_bare:bare()`."""
    settings = Settings()
    app = Flask("bare")
    validator = RequestValidator(settings.twilio_auth_token.get_secret_value())

    @app.post("/hooks/twilio/inbound")
    def inbound() -> Response:
        url = settings.public_base_url + request.path
        signature = request.headers.get("X-Twilio-Signature", "")
        if not validator.validate(url, request.form, signature):
            return Response(status=403)
        return Response("<Response/>", mimetype="text/xml")

    return app
