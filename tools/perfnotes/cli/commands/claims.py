"""List the sentences of a note that state a fact, each with its evidence.

A second reader works through this list. How to confirm a symptom is on it too, as one sentence,
placed at `confirm` in the front matter. Each sentence comes with its place, with what it rests on
(numbers bound to a lab or fact, citations, formulas, recorded output beside it), and with signs
that a kind of fault is worth a second look: (a) a pattern that counts, (b) a tool, (c) flags and
variables, (d) universal words, (e) a source, (f) a version or vendor, (g) a comparison, (h) a
title, heading or caption. A sign is no error. `perfnotes reviewed` records what was read.

--count counts the quantities with evidence: numbers with a unit, ratios and counts in prose,
tables and figures that are bound to a lab or fact, or whose sentence or row cites a place in a
source. It is a number and no share, so deleting numbers does not raise it.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from perfnotes.cli.commands._ask import show
from perfnotes.cli.commands._options import add_notes
from perfnotes.cli.commands._site import linked_site
from perfnotes.cli.commands._texts import Text, text_named, texts
from perfnotes.source.project import UsageError, notes_folder

if TYPE_CHECKING:
    from perfnotes.graph.claims import Claim
    from perfnotes.graph.site import Site

EXAMPLE = "perfnotes claims caches/false-sharing --lang zh"
_LANGUAGES = ("en", "zh")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "note",
        nargs="*",
        metavar="NOTE",
        help="a note's id (topic/slug), its slug, or a path of a text",
    )
    parser.add_argument("--lang", choices=_LANGUAGES, help="which text of the note; default: en")
    parser.add_argument(
        "--unread", action="store_true", help="only sentences that no review has, as they are now"
    )
    parser.add_argument(
        "--count",
        action="store_true",
        help="count quantities with evidence, without NOTE those of all notes",
    )
    parser.add_argument("--json", action="store_true", help="write JSON")
    add_notes(parser)


def run(options: argparse.Namespace) -> int:
    if not options.note and not options.count:
        raise UsageError("name a note, or ask for --count")
    site = linked_site(notes_folder(options.notes))
    lang = options.lang or site.library.main_language
    chosen = [text_named(site, name, lang) for name in dict.fromkeys(options.note)]
    if options.count:
        _count(chosen or texts(site), options.json)
        return 0
    found = [(text, _claims(site, text, unread=options.unread)) for text in chosen]
    if options.json:
        sys.stdout.write(_as_json([_text_data(text, claims) for text, claims in found]))
    else:
        for text, claims in found:
            show(_as_text(text, claims))
    return 0


def _claims(site: Site, text: Text, *, unread: bool) -> list[Claim]:
    from perfnotes.graph.claims import claims

    found = list(claims(text.links, text.meta, text.coverage))
    review = site.library.reviews.get(text.of.file)
    read = review.digests if unread and review else frozenset()
    return [claim for claim in found if claim.sentence.digest not in read]


def _as_text(text: Text, claims: list[Claim]) -> str:
    lines = []
    for claim in claims:
        lines.append(f"{text.path}:{claim.line}:{claim.column}: {claim.words}\n")
        lines += [f"    {each.kind}: {each.words}\n" for each in claim.evidence]
        if not claim.evidence:
            lines.append("    no evidence here\n")
        if claim.without_evidence:
            lines.append(f"    without evidence: {', '.join(claim.without_evidence)}\n")
        if claim.signs:
            found = "; ".join(f"({sign.letter}) {sign.words}" for sign in claim.signs)
            lines.append(f"    look: {found}\n")
    evident = sum(1 for claim in claims if claim.evidence)
    said = "1 sentence states" if len(claims) == 1 else f"{len(claims)} sentences state"
    have = "has" if evident == 1 else "have"
    lines.append(f"{text.path}: {said} a fact, {evident} {have} evidence\n")
    return "".join(lines)


def _text_data(text: Text, claims: list[Claim]) -> dict[str, Any]:
    return {
        "path": text.path,
        "note": text.of.id,
        "language": text.of.lang,
        "claims": [
            {
                "line": claim.line,
                "column": claim.column,
                "kind": claim.sentence.kind,
                "digest": claim.sentence.digest,
                "text": claim.words,
                "evidence": [{"kind": e.kind, "words": e.words} for e in claim.evidence],
                "without_evidence": list(claim.without_evidence),
                "signs": {sign.letter: sign.words for sign in claim.signs},
            }
            for claim in claims
        ],
    }


def _count(chosen: list[Text], as_json: bool) -> None:
    from perfnotes.graph.coverage import Share, share

    shares = [(text, share(text.coverage.judged if text.coverage else ())) for text in chosen]
    total = sum((found for _, found in shares), Share(0, 0))
    if as_json:
        rows = [
            {"path": text.path, "with_evidence": found.evident, "quantities": found.total}
            for text, found in shares
        ]
        everything = {"with_evidence": total.evident, "quantities": total.total, "texts": rows}
        sys.stdout.write(_as_json(everything))
        return
    width = len(str(total.evident))
    lines = [f"{s.evident:{width}} of {s.total:{width}}  {text.path}\n" for text, s in shares]
    lines.append(f"{total.evident} of {total.total} quantities have evidence\n")
    show("".join(lines))


def _as_json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
