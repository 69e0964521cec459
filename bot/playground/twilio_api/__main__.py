"""Run the stand-in by itself: python -m bot.playground.twilio_api --port 8001 --webhook URL."""

import click

from bot.playground.twilio_api.config import TwilioConfig
from bot.playground.twilio_api.server import TwilioServer


@click.command()
@click.option("--port", type=int, required=True)
@click.option("--account-sid", envvar="TWILIO_ACCOUNT_SID", required=True)
@click.option("--auth-token", envvar="TWILIO_AUTH_TOKEN", required=True)
@click.option("--webhook", required=True, help="Inbound URL, with overrides in its fragment.")
@click.option("--fallback", default="")
@click.option("--whatsapp-number", multiple=True, default=("+14155238886",))
@click.option("--sms-number", multiple=True, default=("+972552764100",))
@click.option("--page-origin", default="", help="Origin of the page that drives the phones.")
@click.option("--read-receipts/--no-read-receipts", default=True)
@click.option("--window/--no-window", default=True, help="WhatsApp's 24 hours for free words.")
def main(  # noqa: PLR0917  # click passes options by name
    port: int,
    account_sid: str,
    auth_token: str,
    webhook: str,
    fallback: str,
    whatsapp_number: tuple[str, ...],
    sms_number: tuple[str, ...],
    page_origin: str,
    *,
    read_receipts: bool,
    window: bool,
) -> None:
    config = TwilioConfig(
        account_sid=account_sid,
        auth_token=auth_token,
        webhook_url=webhook,
        fallback_url=fallback,
        whatsapp_numbers=whatsapp_number,
        sms_numbers=sms_number,
        page_origin=page_origin,
        read_receipts=read_receipts,
        enforce_window=window,
    )
    server = TwilioServer(config, port)
    try:
        server.run()
    except KeyboardInterrupt:
        server.close()


if __name__ == "__main__":
    main()
