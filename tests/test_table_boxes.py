"""The boxes in which tables scroll stand in the HTML, so that no script has to move a table."""

from __future__ import annotations

import pytest
from jinja2 import Environment, FileSystemLoader
from selectolax.lexbor import LexborHTMLParser

from perfnotes.site.safety import judge
from perfnotes.site.theme_files import THEME

_TABLE = (
    "<table>\n<thead>\n<tr>\n<th></th>\n<th>a</th>\n</tr>\n</thead>\n"
    "<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>"
)


def _page(content: str) -> str:
    """Return the article that the template makes of a page's HTML."""
    template = Environment(loader=FileSystemLoader(THEME)).get_template("partials/content.html")
    article = template.render(page={"content": content, "meta": {}})
    return f"<main><article>{article}</article><p>below</p></main>"


@pytest.mark.parametrize("around", ["{}", "<ul>\n<li>{}</li>\n</ul>", "<details>{}</details>"])
def test_each_table_of_markdown_stands_in_a_box(around: str) -> None:
    whole = around.format(_TABLE)
    html = LexborHTMLParser(_page(f"<p>before</p>\n{whole}\n<p>between</p>\n{whole}\n<p>after</p>"))
    assert len(html.css(".pn-wide > table")) == 2
    assert [each.text() for each in html.css("article > p")] == ["before", "between", "after"]
    assert len(html.css("thead tr > td:empty")) == 2


_OPEN, _END = "<table>\n<thead>\n<tr>\n", "</tbody>\n</table>"
# HTML of a note that was not written for us, which only looks like a table of Markdown.
_STRANGE = {
    "never closed": "<table>\n<thead>\n<tr>\n<td>a",
    "closed twice": f"{_TABLE}\n</tbody>\n</table>",
    "closed alone": "a\n</tbody>\n</table>",
    "in a cell": f"<table>\n<thead>\n<tr><td>{_TABLE}</td></tr></thead>\n</table>",
    "in a table with a class": f'<table class="x"><tbody><tr><td>{_TABLE}</td></tr>{_END}',
    "in an attribute": f'<p title="{_OPEN}\'><img src=x>{_END}">a</p>',
    "in the other quotes": f"<p title='{_OPEN}\"><img src=x>{_END}'>a</p>",
    "in a comment": "<!-- <table>\n<thead>\n<tr>\n --> a <!-- </tbody>\n</table> -->",
    "in code": "<pre><code>&lt;table&gt;\n&lt;thead&gt;\n&lt;tr&gt;\n</code></pre>",
}


@pytest.mark.parametrize("name", _STRANGE)
def test_a_page_that_only_looks_like_it_stays_whole(name: str) -> None:
    content = f"{_STRANGE[name]}\n</td></tr></thead></table><p>after</p>"
    before = LexborHTMLParser(f"<main><article>{content}</article><p>below</p></main>")
    after = LexborHTMLParser(_page(content))
    for selector in ("article > p", "main > p", "img", "table", "[title]"):
        assert len(after.css(selector)) == len(before.css(selector)), selector
    assert judge(_page(content)) == judge(_page("")) + judge(content)


def test_a_page_without_tables_is_what_markdown_made() -> None:
    content = "<p>a</p>\n<pre><code>\n  b\n</code></pre>"
    assert _page(content) == f"<main><article>{content}\n</article><p>below</p></main>"
