"""Numbers that changed: bound ones with another text or recorded value, and unbound ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from msgspec import Struct

from perfnotes.graph.binding import Binding, Found, describe
from perfnotes.graph.coverage import BOUND, JudgedQuantity
from perfnotes.graph.site import Site
from perfnotes.review.entry import Line, ReportEntry, ReportPart, line, listed
from perfnotes.review.pair import PageText, Pair, links_of

PLACE = 30
_NONE = "none"
_ORDER = ("wrong now", "moved", "value recorded", "new", "gone", "not bound")


class _Shown(Struct, frozen=True):
    """A bound number as a page shows it (``text``), and as its evidence has it (``value``)."""

    text: str
    value: str
    is_wrong: bool


def compare(pair: Pair) -> ReportPart:
    moves: dict[tuple[str, str, _Shown | None, _Shown | None], list[str]] = defaultdict(list)
    for page, old, new in pair.both:
        for address, was, now in _moves(pair, old, new):
            moves[_kind(was, now), address, was, now].append(page.name)
    found = [
        ReportEntry(kind, _line(kind, address, was, now), (line("in {}", listed(set(pages))),))
        for (kind, address, was, now), pages in moves.items()
    ]
    found += [*_whole_pages(pair), *_unbound(pair)]
    found.sort(key=lambda e: _ORDER.index(e.kind))
    return ReportPart("numbers", "Numbers", tuple(found))


def _moves(
    pair: Pair, old: PageText, new: PageText
) -> Iterator[tuple[str, _Shown | None, _Shown | None]]:
    """Yield, for each address, the numbers that changed, as pairs of old and new.

    The old and the new numbers of an address are paired in the order of the text. If one side has
    more of them, its last ones are paired with None.
    """
    before = _by_address(links_of(pair.old, old).bindings, pair.moved)
    after = _by_address(links_of(pair.new, new).bindings, {})
    for address in [*after, *(a for a in before if a not in after)]:
        was, now = before.get(address, []), after.get(address, [])
        same = Counter(was) & Counter(now)
        left, right = _without(was, same), _without(now, same)
        for i in range(max(len(left), len(right))):
            a = left[i] if i < len(left) else None
            b = right[i] if i < len(right) else None
            yield address, a, b


def _kind(was: _Shown | None, now: _Shown | None) -> str:
    if now and now.is_wrong and not (was and was.is_wrong):
        return "wrong now"
    if was and now:
        return "value recorded" if was.value == _NONE != now.value else "moved"
    return "new" if now else "gone"


def _line(kind: str, address: str, was: _Shown | None, now: _Shown | None) -> Line:
    if was and now:
        texts = line("{}", now.text)
        if was.text != now.text:
            texts = line("{} → {}", was.text, now.text)
        values = line("its value is {}", now.value)
        if was.value == _NONE != now.value:
            values = line("its value is recorded now: {}", now.value)
        elif was.value != now.value:
            values = line("its value moved: {} → {}", was.value, now.value)
        end = "; the text shows another one" if kind == "wrong now" else ""
        words = f"{texts.words}, bound to {{}}; {values.words}{end}"
        return Line(words, (*texts.values, address, *values.values))
    shown = now or was
    assert shown
    return line("{}, bound to {}, whose value is {}", shown.text, address, shown.value)


def _by_address(bindings: list[Binding], moved: dict[str, str]) -> dict[str, list[_Shown]]:
    found: dict[str, list[_Shown]] = {}
    for each in bindings:
        value = describe(each.found) if each.found.number is not None else _NONE
        shown = _Shown(each.shown, value, each.problem is not None)
        found.setdefault(address_of(each.found, each.address, moved), []).append(shown)
    return found


def address_of(found: Found, written: str, moved: dict[str, str]) -> str:
    """Return a number's full address ``lab:NOTE#NAME``, with the new id of a renamed note.

    ``written`` is the address in the text, which may be shorter; it is returned if it is no lab's.
    """
    if found.lab is None or found.value is None:
        return written
    stat = f".{found.stat}" if found.stat else ""
    machine = f"@{found.machine}" if found.machine != found.lab.reference else ""
    return f"lab:{moved.get(found.lab.id, found.lab.id)}#{found.value.id}{stat}{machine}"


def _without(shown: list[_Shown], same: Counter[_Shown]) -> list[_Shown]:
    """Return ``shown`` in its order, less as many of each as ``same`` counts, the first ones."""
    left = Counter(same)
    out = []
    for each in shown:
        if left[each] > 0:
            left[each] -= 1
        else:
            out.append(each)
    return out


def _whole_pages(pair: Pair) -> Iterator[ReportEntry]:
    """Yield how many bound numbers each added or removed page has."""
    for page in pair.pages:
        if bool(page.old) is bool(page.new):
            continue
        site, one = (pair.new, page.new) if page.new else (pair.old, page.old)
        assert one
        count = len(links_of(site, one).bindings)
        if count:
            kind = "new" if page.new else "gone"
            yield ReportEntry(
                kind, line("bound numbers of {}: {}", page.name, count), (), page.path
            )


def _unbound(pair: Pair) -> Iterator[ReportEntry]:
    """Yield the changed numbers of each page that are cited, waived or without evidence."""
    for page, old, new in pair.both:
        was, now = _quantities(pair.old, old), _quantities(pair.new, new)
        gone, come = list((was - now).elements()), list((now - was).elements())
        if gone or come:
            details = [line("new: {}", listed(come))] if come else []
            details += [line("gone: {}", listed(gone))] if gone else []
            yield ReportEntry("not bound", line("in {}", page.name), tuple(details), page.path)


def _quantities(site: Site, page: PageText) -> Counter[str]:
    coverage = site.coverages.get(page.path)
    judged = coverage.judged if coverage else []
    return Counter(_described(j) for j in judged if j.state != BOUND)


def _described(judged: JudgedQuantity) -> str:
    words = {"cited": "cited", "waived": "waived", "without": "without evidence"}
    return f"{judged.quantity.text} ({words[judged.state]})"
