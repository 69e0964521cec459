"""How the stand-in counts tokens: characters over 3.05, the ratio measured for this JSON."""

import math

CHARACTERS_PER_TOKEN = 3.05
THINKING_TOKENS = 48
"""What a thinking block costs, whatever the length of its signature."""

IMAGE_TOKENS = 1_600
"""What a picture costs that is made smaller first; smaller ones cost less."""


def tokens_of(characters: float) -> int:
    return math.ceil(characters / CHARACTERS_PER_TOKEN)


THINKING_CHARACTERS = THINKING_TOKENS * CHARACTERS_PER_TOKEN
IMAGE_CHARACTERS = IMAGE_TOKENS * CHARACTERS_PER_TOKEN
