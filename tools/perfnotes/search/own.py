"""What can be found of our own notes besides the notes: all that has a page or a place on one."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks import rules
from perfnotes.library import SitePage
from perfnotes.quantity.shown import shown
from perfnotes.reference import Reference
from perfnotes.search.document import Block, Document
from perfnotes.site import Site
from perfnotes.tag import Tag
from perfnotes.term import Term
