"""The rules of the Arbox import."""

from app.arbox.service.connecting import (
    FORM_LIFE,
    alone,
    begin,
    connected,
    disconnect,
    enter_key,
    form_of,
    key_of,
    last4,
    org_of,
    went_wrong,
)
from app.arbox.service.importing import (
    applies,
    import_one,
    leave_alone,
    preview,
    recalled,
    to_do,
)
from app.arbox.service.importing import begin as begin_import
from app.arbox.service.keeping import Kept, keep
from app.arbox.service.mapping import ignore, map_to
from app.arbox.service.syncing import Followed, finish, follow, read
from app.arbox.service.syncing import begin as begin_sync
from app.arbox.service.taking_back import rows_of, take_back

__all__ = [
    "FORM_LIFE",
    "Followed",
    "Kept",
    "alone",
    "applies",
    "begin",
    "begin_import",
    "begin_sync",
    "connected",
    "disconnect",
    "enter_key",
    "finish",
    "follow",
    "form_of",
    "ignore",
    "import_one",
    "keep",
    "key_of",
    "last4",
    "leave_alone",
    "map_to",
    "org_of",
    "preview",
    "read",
    "recalled",
    "rows_of",
    "take_back",
    "to_do",
    "went_wrong",
]
