"""How often one person may ask: a bucket of tokens in Redis, shared by all processes."""

from dataclasses import dataclass
from datetime import datetime

import structlog
from redis import Redis
from redis.exceptions import RedisError

_log = structlog.get_logger()

# The bucket fills by itself: what it holds is reckoned from when it was last touched, by Redis's
# own clock, so that the clocks of the processes need not agree.
_TAKE = """
local rate, room = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local kept = redis.call('HMGET', KEYS[1], 'left', 'at')
local left = math.min(room, (tonumber(kept[1]) or room) + (now - (tonumber(kept[2]) or now)) * rate)
local wait = 0
if left >= 1 then left = left - 1 else wait = (1 - left) / rate end
redis.call('HSET', KEYS[1], 'left', tostring(left), 'at', tostring(now))
redis.call('EXPIRE', KEYS[1], math.ceil(room / rate) + 1)
return tostring(wait)
"""


@dataclass(frozen=True, slots=True)
class RedisLimiter:
    """A `Limiter` of the shell. While Redis is away everybody may: a limit is no outage."""

    redis: Redis
    per_second: float = 5.0
    burst: int = 60

    def wait(self, key: str, now: datetime) -> float:  # noqa: ARG002 - Redis's clock counts
        try:
            return float(self.redis.eval(_TAKE, 1, f"limit:{key}", self.per_second, self.burst))
        except RedisError as error:
            _log.warning("limit_unknown", error=type(error).__name__)
            return 0.0
