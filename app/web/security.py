"""What every response forbids: foreign scripts, frames, guessed types, large bodies."""

from datetime import timedelta

from flask import Flask, Response

from app.core.settings import Settings

BODY_LIMIT = 1_000_000
SESSION_LIFE = timedelta(days=14)


def install(app: Flask, settings: Settings) -> None:
    app.config.update(
        MAX_CONTENT_LENGTH=BODY_LIMIT,
        PERMANENT_SESSION_LIFETIME=SESSION_LIFE,
        SECRET_KEY=settings.secret_key.get_secret_value(),
        SESSION_COOKIE_NAME="spotter",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.public_base_url.startswith("https:"),
    )
    headers = _headers(settings)

    def forbid(response: Response) -> Response:
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        return response

    app.after_request(forbid)


def _headers(settings: Settings) -> dict[str, str]:
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self'",
        "font-src": "'self'",
        "connect-src": "'self'",
        "frame-src": "'self'",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": settings.frame_ancestors,
    }
    fixed = {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Cross-Origin-Opener-Policy": "same-origin",
    }
    if settings.public_base_url.startswith("https:"):
        fixed["Strict-Transport-Security"] = "max-age=31536000"
    return fixed
