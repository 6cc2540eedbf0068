"""The time that ``SOURCE_DATE_EPOCH`` gives the files of a site."""

from __future__ import annotations

import os
import re

from perfnotes.source.project import UsageError


def check_timestamp() -> None:
    """Raise ``UsageError`` if ``SOURCE_DATE_EPOCH`` is no time that an archive can hold."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is not None and not (re.fullmatch("[0-9]{1,10}", given) and int(given) < 1 << 32):
        raise UsageError(
            f"SOURCE_DATE_EPOCH is {given!r}: write seconds since 1970, from 0 to 4294967295, "
            "or unset it"
        )
