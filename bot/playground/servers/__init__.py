"""PostgreSQL and a Redis-compatible server from wheels, for a machine that has neither."""

from bot.playground.servers.place import servers_folder
from bot.playground.servers.private import PrivateServers, private_servers
from bot.playground.servers.shared import Servers, ServersError, shared_servers

__all__ = [
    "PrivateServers",
    "Servers",
    "ServersError",
    "private_servers",
    "servers_folder",
    "shared_servers",
]
