"""Takes the elements around the spaces of code out of an article's HTML."""

from __future__ import annotations

_SPACES = (" ", "    ")


def without_space_elements(html: str) -> str:
    """Return the HTML with plain spaces where Pygments has put one or four into an element.

    No style sheet has a rule for these elements, and a long program has hundreds of them.
    """
    for spaces in _SPACES:
        html = html.replace(f'<span class="w">{spaces}</span>', spaces)
    return html
