"""Reads front matter: the YAML between two ``---`` lines at the top of a note."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from perfnotes.model.note import Meta, without_mail_addresses
from perfnotes.model.symptom import symptoms_from
from perfnotes.source import yamlfile
from perfnotes.source.yamlfile import YamlDocument
from perfnotes.text.findings import Finding
from perfnotes.text.source import Source

_OPEN = re.compile(r"---[ \t]*\n")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_KEY = re.compile(r"^[\"']?[A-Za-z_][\w-]*[\"']?[ \t]*:(?:[ \t]|$)", re.MULTILINE)
_TOML = re.compile(r"\+\+\+\n(.*?)^\+\+\+[ \t]*$", re.MULTILINE | re.DOTALL)
_ADDRESS_END = re.compile(r"(?:/index)?(?:\.html?)?/?$")
# A note that was not written for perfnotes keeps at most so many tags.
_MOST_TAGS = 100
# Characters of front matter that are read: a value there costs far more time than a word of text.
_LONGEST = 50_000
# The keys in which other systems write a page's present or former addresses.
_ADDRESSES = ("permalink", "slug", "id", "url", "redirect_from")


def read(source: Source, schema: str, *, lenient: bool) -> tuple[Meta, int, list[Finding]]:
    """Return the front matter, the offset where the text begins, and findings.

    ``schema`` names the JSON Schema of the front matter. ``lenient`` is for notes that were not
    written for perfnotes: no key is required, unknown keys are allowed, and a value of an
    unexpected type is ignored.
    """
    opening = _OPEN.match(source.text)
    if lenient and source.text.startswith("+++\n"):
        return _toml(source)
    if not opening:
        findings = [] if lenient else [_missing(source)]
        return Meta(title=""), 0, findings
    closing = _CLOSE.search(source.text, opening.end())
    if not closing:
        return _unclosed(source, lenient=lenient)
    # In a foreign folder, `---` may also be a thematic break. What begins with a key is certainly
    # front matter. What has a key further down is front matter if it is valid YAML.
    is_certain = True
    if lenient:
        inside = source.text[opening.end() : closing.start()].lstrip()
        is_certain = not inside or _KEY.match(inside) is not None
        if not is_certain and not _KEY.search(inside):
            return Meta(title=""), 0, []
    start = min(closing.end() + 1, len(source.text))
    if closing.start() - opening.end() > _LONGEST:
        if not is_certain:
            return Meta(title=""), 0, []
        return Meta(title=""), start, [_too_long(source, closing.start() - opening.end())]
    document, findings = yamlfile.load(source, opening.end(), closing.start())
    if not is_certain and (document is None or not isinstance(document.value, dict)):
        return Meta(title=""), 0, []
    if document is None:
        return Meta(title=""), start, findings
    value = document.value if document.value is not None else {}
    if not isinstance(value, dict):
        message = "front matter must be 'key: value' lines"
        return Meta(title=""), start, [source.finding(opening.end(), "PN202", message)]
    if not lenient:
        if schema == "translation" and value.get("draft") is True:
            # A draft needs no hash yet, because the English text may be unfinished too.
            document = replace(document, value={"translates": "f" * 16, **value})
        findings = yamlfile.validate(source, document, schema, "PN202", "the front matter")
        findings += _repeated_symptoms(source, document, value.get("symptoms"))
    meta = _meta(value, document.places)
    if lenient:
        meta, more = _few_tags(source, _with_addresses(meta, value))
        findings += more
    return meta, start, findings


def extent(text: str) -> tuple[int, int] | None:
    """Return where the YAML of the front matter begins and ends, or None if there is none."""
    opening = _OPEN.match(text)
    closing = _CLOSE.search(text, opening.end()) if opening else None
    return (opening.end(), closing.start()) if opening and closing else None


def _missing(source: Source) -> Finding:
    if _OPEN.match(source.text.lstrip()):
        message = "the front matter does not begin in the first line"
        return source.finding(0, "PN201", message, "remove the empty space above '---'")
    return source.finding(
        0,
        "PN201",
        "the note has no front matter",
        "start it with '---', 'title: …', and the other keys, then '---'",
    )


def _unclosed(source: Source, *, lenient: bool) -> tuple[Meta, int, list[Finding]]:
    """Return what ``read`` does if no line closes the front matter that the first line opens."""
    if lenient:
        return Meta(title=""), 0, []  # the first line is a thematic break
    message, hint = "the front matter is never closed", "end it with a line that is only '---'"
    return Meta(title=""), len(source.text), [source.finding(0, "PN201", message, hint)]


def _too_long(source: Source, length: int) -> Finding:
    what = f"the front matter has {length:,} characters"
    message = f"{what}, more than the {_LONGEST:,} that are read"
    hint = "keep what describes the note, and leave out the rest"
    return source.finding(0, "PN202", message, hint)


def _repeated_symptoms(source: Source, document: YamlDocument, given: Any) -> Iterator[Finding]:
    seen: set[str] = set()
    for i, symptom in enumerate(symptoms_from(given)):
        if symptom.id in seen:
            message = f"the symptom {symptom.id!r} appears twice"
            at = document.place(("symptoms", i, "id"))
            yield source.finding(at, "PN204", message, "keep one of the two, or rename one")
        seen.add(symptom.id)


def _meta(value: dict[Any, Any], places: dict[tuple[Any, ...], int]) -> Meta:
    aliases = _strings(value.get("aliases"))
    return Meta(
        title=_line(value.get("title")),
        description=_line(value.get("description")),
        tags=_strings(value.get("tags")),
        level=_line(value.get("level")),
        requires=_strings(value.get("requires")),
        aliases=aliases,
        authors=without_mail_addresses(_strings(value.get("authors", value.get("author")))),
        date=_date(value.get("date")),
        updated=_date(value.get("updated")),
        draft=value.get("draft") is True,
        translates=_line(value.get("translates")),
        order=value["order"] if isinstance(value.get("order"), int) else 0,
        chosen=_strings(value.get("chosen")),
        waived=_pairs(value.get("waived")),
        symptoms=symptoms_from(value.get("symptoms")),
        asked=_strings(value.get("asked")),
        places={k: v for k, v in places.items() if k},
    )


def _toml(source: Source) -> tuple[Meta, int, list[Finding]]:
    """Read front matter of Hugo and Zola, which is TOML between two ``+++`` lines."""
    found = _TOML.match(source.text)
    if not found:
        return Meta(title=""), 0, []
    start = min(found.end() + 1, len(source.text))
    if len(found[1]) > _LONGEST:
        return Meta(title=""), start, [_too_long(source, len(found[1]))]
    import tomllib  # noqa: PLC0415 - few notes need it, and it takes long to load

    try:
        value = tomllib.loads(found[1])
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return Meta(title=""), start, [source.finding(0, "PN202", f"broken TOML: {error}")]
    value["date"] = str(value.get("date", ""))
    meta, findings = _few_tags(source, _with_addresses(_meta(value, {}), value))
    return meta, start, findings


def _few_tags(source: Source, meta: Meta) -> tuple[Meta, list[Finding]]:
    """Keep the first tags only. Each tag gets a page, so 30,000 of them would take minutes."""
    if len(meta.tags) <= _MOST_TAGS:
        return meta, []
    message = f"{len(meta.tags):,} tags, of which the first {_MOST_TAGS} are used"
    finding = source.finding(meta.places.get(("tags",), 0), "PN202", message)
    return replace(meta, tags=meta.tags[:_MOST_TAGS]), [finding]


def _with_addresses(meta: Meta, value: dict[Any, Any]) -> Meta:
    addresses = [a for key in _ADDRESSES for a in _strings(value.get(key))]
    found = (_ADDRESS_END.sub("", a.lstrip("/")) for a in (*meta.aliases, *addresses))
    return replace(meta, aliases=tuple(dict.fromkeys(filter(None, found))))


def _line(value: Any) -> str:
    return " ".join(str(value).split()) if isinstance(value, (str, int, float)) else ""


def _strings(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [part.strip() for part in value.split(",")]
    if not isinstance(value, list):
        return ()
    return tuple(line for v in value if (line := _line(v)))


def _pairs(value: Any) -> tuple[tuple[str, str], ...]:
    return tuple((_line(k), _line(v)) for k, v in value.items()) if isinstance(value, dict) else ()


def _date(value: Any) -> str:
    found = re.match(r"\d{4}-\d{2}-\d{2}", _line(value))
    return found[0] if found else ""
