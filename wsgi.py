"""The web process, nothing else."""

from app.core.settings import Settings
from bot.operations.serving import create_web
from bot.wiring import Wiring

app = create_web(Wiring(Settings()))
