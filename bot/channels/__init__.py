"""Channels: parse what comes in, send what goes out."""
