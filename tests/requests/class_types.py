"""Class types, as coaches ask for them."""

from tests.requests.request import Request

REQUESTS = [Request("class_types.list", "what classes do we have?", shows=("WOD",))]
