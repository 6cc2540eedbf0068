"""The query language: words, ``"phrases"``, ``-word`` and filters such as ``tag:caches``."""

from __future__ import annotations

import re

from msgspec import Struct

from perfnotes.search.constants import BUNDLING, CJK, COMPILERS, LONGEST_QUERY

# In Chinese no space follows an option: in ``set -e就不管用了`` the word is ``-e``. A string in
# code, as in ``batch["d1"]``, is no phrase.
_PART = re.compile(
    r"(?P<minus>(?<!\S)-)?(?P<quote>[\"“”])(?P<phrase>[^\"“”]*)[\"“”]"
    r"|(?P<code>[\[({=][\"“”][^\"“”]*[\"“”])"
    r"|(?<!\S)(?P<name>tag|topic|lang|level|type)[:：](?P<value>[^\s\"“”]+)"
    rf"|(?<!\S)(?P<word>-(?:[!-~][^\s\"“”{CJK}\u3000-\u303f\uff00-\uff65]*|[^\s\"“”]+))"
)
# Words with a dash that exclude nothing: an arrow, and "-bash:", which begins a login shell's
# messages.
_NO_EXCLUSION = re.compile(r"-(?:\W|.*[:：]$)")
# A word such as -O3 or --help is an option of a program. It is searched for, not excluded. A word
# in small letters that begins with f, m or l is an option only if it is one of these options of
# compilers and linkers.
_OPTION = re.compile(
    r"--|-[A-Z]|-[A-Za-z]*[0-9]|-[A-Za-z]{1,2}$|-[^-]+[-=]"
    r"|-f(?:no)?(?:lto|pic|PIC|pie|PIE|openmp|inline|wrapv|builtin|plt|exceptions|rtti)$"
    r"|-m(?:no)?(?:avx|sse|fma|bmi|abm|popcnt|tune|arch|cpu|native)$"
    r"|-l(?:pthread|dl|rt|stdc|numa|gomp|profiler|tcmalloc|jemalloc|mimalloc|cuda|cublas|nccl)"
)
_BUNDLE = re.compile("-[a-z]{3,4}$")
_TRACEBACK = "Traceback (most recent call last)"
_ERROR = re.compile(r"\b[A-Za-z_]\w*(?:Error|Exception)\b")


class Query(Struct, frozen=True):
    """A parsed query.

    ``words`` is the text to look for, with the words of the phrases. A page has to contain all of
    ``phrases`` and none of ``excluded``. ``filters`` holds pairs of a filter's name and its value.
    """

    words: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: tuple[tuple[str, str], ...] = ()


def parse(text: str) -> Query:
    """Parse a query. Every text is one; quotation marks without a partner are ignored.

    Of a traceback of Python only the error counts, which stands at its end.
    """
    text = _without_frames(text)[:LONGEST_QUERY]
    words: list[str] = []
    phrases: list[str] = []
    excluded: list[str] = []
    filters: list[tuple[str, str]] = []
    at = 0
    for match in _PART.finditer(text):
        words.append(text[at : match.start()])
        at = match.end()
        phrase = (match["phrase"] or "").strip()
        if match["code"]:
            words.append(match["code"])
        elif match["name"]:
            filters.append((match["name"], match["value"].lower()))
        elif match["word"]:
            before = "".join(words).split()
            if (before or phrases) and _is_exclusion(match["word"], before):
                excluded.append(match["word"][1:])
            else:
                words.append(f" {match['word']} ")
        elif phrase and match["minus"]:
            excluded.append(phrase)
        elif phrase:
            phrases.append(phrase)
            words.append(f" {phrase} ")
    words.append(text[at:])
    plain = re.sub(r"[\"“”]", " ", "".join(words)).strip()
    return Query(plain, tuple(phrases), tuple(excluded), tuple(filters))


def _without_frames(text: str) -> str:
    """Return a text, of a traceback of Python only what stands before it and its last error."""
    before, _, traceback = text.partition(_TRACEBACK)
    errors = [found.start() for found in _ERROR.finditer(traceback)]
    return before + traceback[errors[-1] :] if errors else text


def _is_exclusion(word: str, before: list[str]) -> bool:
    return not (_NO_EXCLUSION.match(word) or _is_option(word, before))


def _is_option(word: str, before: list[str]) -> bool:
    """Return whether ``word`` is an option of a program; ``before`` are the words before it."""
    if _OPTION.match(word) or not COMPILERS.isdisjoint(each.lower() for each in before):
        return True
    return bool(before and before[-1].lower() in BUNDLING and _BUNDLE.match(word))
