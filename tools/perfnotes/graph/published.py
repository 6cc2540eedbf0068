"""Which files beside a note are published with it, by the endings of their names."""

from __future__ import annotations

# Files that may lie beside a note and be published with it. None of them runs in a browser.
PUBLISHED = (
    "svg png jpg jpeg gif webp avif ico pdf txt csv tsv json yml yaml toml bib log diff patch "
    "c h cc cpp hpp cu cuh py sh bash rs go java s asm ll ptx cmake mk tex zip gz xz "
    "apng bmp mp3 mp4 ogg wav webm cs dart hs ipynb jl jsx kt lua mdx r rb scala swift ts tsx"
).split()

# The published types that an image may show.
PICTURES = (".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".apng", ".bmp", ".ico")

# Every server knows these endings. If a server does not know the last ending, it may go by the one
# before it, or unpack the file on the way, so ``page.html.gz`` can arrive as a web page.
_KNOWN = frozenset(
    "svg png jpg jpeg gif webp avif ico pdf txt csv json zip apng bmp mp3 mp4 ogg wav webm".split()
)
_ACTIVE = frozenset(
    "html htm shtml xhtml xht xml xsl xslt svg svgz mht mhtml js mjs hta htc swf php".split()
)


def unpublished(path: str) -> str:
    """Return the ending that keeps a file from being published; "" if it may be published."""
    *inner, last = path.rpartition("/")[2].lower().split(".")
    if last not in PUBLISHED:
        return last
    return "" if last in _KNOWN else next((each for each in inner[1:] if each in _ACTIVE), "")
