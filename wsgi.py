"""The web process, nothing else."""

from app.core.settings import Settings
from bot.operations.logs import log_to_stderr
from bot.operations.serving import create_web
from bot.operations.watching import watchers
from bot.wiring import Wiring

settings = Settings()
log_to_stderr(as_json=settings.log_json, watchers=watchers(settings))
app = create_web(Wiring(settings))
