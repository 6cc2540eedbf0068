"""Which HTML a page may hold: each rule of the allow-list, with what it lets through."""

from __future__ import annotations

import pytest

from perfnotes.site.safety import judge, url_problem

# A browser drops a cell that is in no table.
_CELL = '<table><tbody><tr><td style="{}">a</td></tr></tbody></table>'
REFUSED = {
    "an element that is not listed": "<iframe></iframe>",
    "an attribute that is not listed": '<p onclick="x">a</p>',
    "an attribute of another element": '<p href="a/">a</p>',
    "the theme's switch": '<input type="checkbox" id="__drawer">',
    "the theme's settings": '<p id="pn-config">a</p>',
    "a name that the theme uses": '<input type="checkbox" name="__palette">',
    "a label of the theme's switch": '<label for="__search">a</label>',
    "a class of the theme": '<p class="md-header">a</p>',
    "a class that a script looks up": '<p class="js-copy">a</p>',
    "the second of two classes": '<p class="wide js-copy">a</p>',
    "a class that loads a library": '<pre class="mermaid">a</pre>',
    "another one": '<a class="glightbox" href="a.png">a</a>',
    "a form": '<input type="image" src="a.png">',
    "a button": '<input type="submit">',
    "a style": _CELL.format("color: red"),
    "a style after the one that is allowed": _CELL.format("text-align: left; color: red"),
    "a picture's name with elements": "<svg><title><b>a</b></title></svg>",
    "a page's name": "<div><title>a</title></div>",
    "a class of the theme on a picture's name": '<svg><title class="js-copy">a</title></svg>',
    "a description with elements": "<svg><title>a</title><desc><b>a</b></desc></svg>",
    "a picture of another host": '<img src="https://example.org/a.png">',
    "the same, without encryption": '<img src="http://example.org/a.png">',
}
ALLOWED = {
    "tabs": '<input type="radio" id="__tabbed_1_1" name="__tabbed_1"><label for="__tabbed_1_1">a'
    "</label>",
    "a task": '<ul><li><input type="checkbox" checked disabled>a</li></ul>',
    "classes that only begin alike": '<p class="mermaids mdx json jsx">a</p>',
    "an id that only begins alike": '<h2 id="pn-configuration">a</h2>',
    "the place of a cell": _CELL.format("text-align: right;"),
    "a picture's name": '<svg viewBox="0 0 1 1"><title>a</title><desc>b</desc></svg>',
    "a picture's name behind a shape": "<svg><rect></rect><title>a</title></svg>",
    "names and numbers of a picture's parts": '<svg><title id="t">a</title><desc id="d">b</desc>'
    '<line x1="0" x2="1"></line></svg>',
    "a picture beside the note": '<img src="a.png" alt="a">',
    "another host": '<a href="https://example.org/">a</a>',
}
_NO_SCHEME = "an address without its scheme"
ADDRESSES = {
    "javascript:x": "an address with javascript:",
    "JavaScript:x": "an address with javascript:",
    " java\tscript:x": "an address with javascript:",
    "data:text/html,x": "an address with data:",
    "//example.org/": _NO_SCHEME,
    "\\\\example.org/": _NO_SCHEME,
    "/\\example.org/": _NO_SCHEME,
    "https://example.org/": "",
    "HTTP://example.org/": "",
    "../caches/": "",
    "#part": "",
    "": "",
}


@pytest.mark.parametrize("html", REFUSED.values(), ids=REFUSED)
def test_what_is_not_listed_is_refused(html: str) -> None:
    assert judge(html), html


@pytest.mark.parametrize("html", ALLOWED.values(), ids=ALLOWED)
def test_what_is_listed_may_be_published(html: str) -> None:
    assert judge(html) == []


@pytest.mark.parametrize("html", ['<p class="js-copy">a</p>', '<p id="pn-config">a</p>'])
def test_a_page_that_stays_safe_in_part_is_judged_whole(html: str) -> None:
    assert judge(f"<p>a</p>{html}<p>b</p>")


@pytest.mark.parametrize(("url", "problem"), ADDRESSES.items())
def test_an_address_is_judged_as_a_browser_reads_it(url: str, problem: str) -> None:
    assert url_problem(url) == problem


def test_a_danger_names_the_class_that_is_reserved() -> None:
    [danger] = judge('<p class="wide js-copy">a</p>')
    assert (danger.message, danger.needle) == (
        "the class 'js-copy', which the theme uses", "js-copy"
    )  # fmt: skip


def test_a_picture_comes_from_the_site() -> None:
    assert url_problem("a.png", picture=True) == ""
    for url in ("https://example.org/a.png", "HTTP://example.org/a.png"):
        assert url_problem(url, picture=True) == "a picture from another host"
