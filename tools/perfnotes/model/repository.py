"""A Repository: the addresses at the code host where a reader edits or reports something.

All addresses are made from ``repo_url``. Without a ``repo_url`` they are empty. A form is
``.github/ISSUE_TEMPLATE/<form>.yml``, and an address can fill in its fields by their ids.
"""

from __future__ import annotations

from urllib.parse import quote, urlencode

from msgspec import Struct

# Code hosts refuse an address of more than about 8 KB.
LONGEST_ADDRESS = 7_000
_LONGEST_FIELD = 300
_LONGEST_TITLE = 120

# The forms, and those of their fields that an address may fill in.
FORMS = {
    "wrong-number": ("page", "number", "binding", "recorded", "machine"),
    "wrong-fact": ("page",),
    "dead-link": ("page",),
    "missing-topic": ("subject", "questions"),
    "translation": ("page",),
}


class Repository(Struct, frozen=True):
    """``url`` has no slash at its end. It is empty if the project has no repository yet."""

    url: str = ""
    branch: str = "main"

    def edit(self, file: str, line: int = 0) -> str:
        """Return the address at which the code host edits a file, at line ``line`` if given."""
        at = f"#L{line}" if line else ""
        return f"{self.url}/edit/{quote(self.branch)}/{quote(file)}{at}" if self.url else ""

    def at(self, commit: str, file: str) -> str:
        """Return the address of a file at a commit; empty if either is unknown."""
        return f"{self.url}/blob/{commit}/{quote(file)}" if self.url and commit else ""

    def new(self, file: str, text: str) -> str:
        """Return the address of the code host's editor with a new file that holds ``text``.

        It is empty if the text is too long for an address.
        """
        query = urlencode({"filename": file, "value": text}, quote_via=quote)
        address = f"{self.url}/new/{quote(self.branch)}?{query}"
        return address if self.url and len(address) <= LONGEST_ADDRESS else ""

    def report(self, form: str, title: str, **fields: str) -> str:
        """Return the address of a new issue with the title and fields of ``form`` filled in."""
        if not self.url:
            return ""
        unknown = fields.keys() - set(FORMS[form])
        assert not unknown, f"the form {form} has no {unknown}"
        query = {"template": f"{form}.yml"}
        filled = {"title": _shortened(title, _LONGEST_TITLE)}
        filled |= {name: _shortened(text, _LONGEST_FIELD) for name, text in fields.items()}
        query |= {name: text for name, text in filled.items() if text}
        return f"{self.url}/issues/new?{urlencode(query, quote_via=quote)}"


def _shortened(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"
