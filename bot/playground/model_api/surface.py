"""What each model accepts: the table that decides which requests the stand-in refuses."""

from dataclasses import dataclass, replace

ALL_EFFORTS = ("low", "medium", "high", "xhigh", "max")


@dataclass(frozen=True, slots=True)
class Surface:
    """One model's limits and request surface; sizes are in tokens."""

    model: str
    thinking: frozenset[str]
    context: int = 1_000_000
    max_output: int = 128_000
    min_cached: int = 512
    thinks_by_default: bool = True
    shows_thinking: bool = False
    forced_choice: bool = True
    prefill: bool = False
    binds_thinking: bool = True
    system_messages: bool = True
    efforts: tuple[str, ...] = ALL_EFFORTS
    default_effort: str = "medium"
    overflow_is_refused: bool = False
    """Input plus max_tokens over the context is a 400; newer models stop in the middle instead."""


_SONNET_5_5 = Surface(
    model="claude-sonnet-5-5",
    thinking=frozenset({"adaptive", "between_tools"}),
    forced_choice=False,
    default_effort="high",
)
_OPUS_5_5 = Surface(model="claude-opus-5-5", thinking=frozenset({"adaptive"}), forced_choice=False)
# Whether Haiku 5.5 takes role "system" between messages isn't confirmed in print: refused here.
_HAIKU_5_5 = Surface(
    model="claude-haiku-5-5",
    thinking=frozenset({"adaptive", "disabled"}),
    system_messages=False,
)
_SONNET_5 = Surface(
    model="claude-sonnet-5",
    thinking=frozenset({"adaptive", "disabled"}),
    min_cached=1024,
    shows_thinking=True,
    binds_thinking=False,
    system_messages=False,
    default_effort="high",
)
_OPUS_5 = replace(_SONNET_5, model="claude-opus-5", min_cached=512, system_messages=True)
_HAIKU_4_5 = Surface(
    model="claude-haiku-4-5",
    thinking=frozenset({"enabled", "disabled"}),
    context=200_000,
    max_output=64_000,
    min_cached=4096,
    thinks_by_default=False,
    shows_thinking=True,
    prefill=True,
    binds_thinking=False,
    system_messages=False,
    efforts=(),
    overflow_is_refused=True,
)

SURFACES = {
    surface.model: surface
    for surface in (
        _SONNET_5_5,
        _OPUS_5_5,
        _HAIKU_5_5,
        replace(_OPUS_5_5, model="claude-fable-5-1"),
        _SONNET_5,
        _OPUS_5,
        _HAIKU_4_5,
        replace(_HAIKU_4_5, model="claude-haiku-4-5-20251001"),
    )
}
