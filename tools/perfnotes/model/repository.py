"""A Repository: where a reader changes or reports something, as addresses at the code host.

Each is made from ``repo_url`` alone and empty while that is: nothing leads nowhere. A form is
``.github/ISSUE_TEMPLATE/<form>.yml``, and the address fills in its fields by their ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

# Code hosts refuse an address of more than about 8 KB.
LONGEST = 7_000
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


@dataclass(frozen=True)
class Repository:
    """``url`` has no slash at its end; it is empty while nobody has decided it."""

    url: str = ""
    branch: str = "main"

    def edit(self, file: str, line: int = 0) -> str:
        """The editor of the code host, at a line of the file."""
        at = f"#L{line}" if line else ""
        return f"{self.url}/edit/{quote(self.branch)}/{quote(file)}{at}" if self.url else ""

    def new(self, file: str, text: str) -> str:
        """The editor with a file that is still to be saved; empty where the text is too long."""
        query = urlencode({"filename": file, "value": text}, quote_via=quote)
        address = f"{self.url}/new/{quote(self.branch)}?{query}"
        return address if self.url and len(address) <= LONGEST else ""

    def report(self, form: str, title: str, **fields: str) -> str:
        """A new issue with what the page knows already."""
        if not self.url:
            return ""
        unknown = fields.keys() - set(FORMS[form])
        assert not unknown, f"the form {form} has no {unknown}"
        query = {"template": f"{form}.yml"}
        said = {"title": _shortened(title, _LONGEST_TITLE)}
        said |= {name: _shortened(text, _LONGEST_FIELD) for name, text in fields.items()}
        query |= {name: text for name, text in said.items() if text}
        return f"{self.url}/issues/new?{urlencode(query, quote_via=quote)}"


def _shortened(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"
