"""Run the stand-in by itself: python -m bot.playground.arbox_api --port 8301."""

import click

from bot.playground.arbox_api.server import ArboxServer, demo


@click.command()
@click.option("--port", type=int, required=True)
@click.option("--offset", type=float, default=0.0, help="Seconds to the demo's own day.")
def main(port: int, offset: float) -> None:
    server = ArboxServer(demo(offset), port)
    try:
        server.run()
    except KeyboardInterrupt:
        server.close()


if __name__ == "__main__":
    main()
