"""Mends what Material's frame of a page has that no standard allows."""

from __future__ import annotations

import re

# Material gives its two checkboxes an attribute that checkboxes may not have. It keeps Firefox from
# opening the drawer after a reload, which ``site.js`` does here.
_CHECKBOX = re.compile(r'(<input class="md-toggle"[^>]*?) autocomplete="off"(?=[^>]*>)')
_BOXES = 2


def valid_frame(html: str) -> str:
    """Return a page with valid checkboxes: the first two matches, before the text of any note."""
    return _CHECKBOX.sub(r"\1", html, count=_BOXES)
