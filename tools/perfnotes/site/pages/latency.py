"""The page "Latency numbers": how long operations take, on a logarithmic scale, with evidence."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from perfnotes.graph.address import to_place
from perfnotes.graph.binding import Binding
from perfnotes.graph.latency import TimedRow
from perfnotes.graph.site import Site
from perfnotes.model.quantity.amount import amount, exact, scale_of, with_unit
from perfnotes.site.page import Page, PageAddress, block
from perfnotes.site.pages._lab_parts import table
from perfnotes.site.pages._numbers import NumbersSection, number_styles
from perfnotes.site.pages._parts import FILTER
from perfnotes.site.pages._section import Section
from perfnotes.site.render.markup import escape, escape_markdown
from perfnotes.site.render.numbers import Numbers, evidence_address
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins
from perfnotes.text.tokens import Link

WORDS = {
    "latency_axis": (
        "The bars are logarithmic: from one line to the next is a factor of ten. Each time is also "
        "given as it would be if one nanosecond took a second.",
        "条形按对数刻度：相邻两条刻度线相差十倍。每个时间还按“一纳秒当作一秒”换算了一遍。",
    ),
    "latency_measured": (
        "Rows measured by machine: {machines}; the others are published or computed.",
        "各机器实测的行数：{machines}；其余来自发表的数字或计算。",
    ),
    "latency_human": ("If 1\u00a0ns were 1\u00a0s", "若 1 ns 为 1 秒"),
    "latency_seconds": ("{n} s", "{n} 秒"),
    "latency_minutes": ("{n} min", "{n} 分钟"),
    "latency_hours": ("{n} h", "{n} 小时"),
    "latency_days": ("{n} days", "{n} 天"),
    "latency_years": ("{n} years", "{n} 年"),
    "latency_lead": (
        "How long things take, from recorded measurements and sourced constants alone.",
        "各种操作要花多久，全部来自记录在案的测量和有出处的常数。",
    ),
    "source_of": ("Source", "来源"),
    "value": ("Value", "值"),
}
add_words(WORDS)

SECTION = Section(
    "latency-numbers",
    ("Latency numbers", "延迟数字"),
    exists=lambda site: any(not time.why for time in site.latency),
    place=20,
    llms=20,
    lead="latency_lead",
    names=(
        (
            "latency numbers every programmer should know",
            "numbers everyone should know",
            "latency table",
            "how long things take",
        ),
        ("每个程序员都应知道的延迟数字", "延迟表", "延迟数据", "各种操作要花多久"),
    ),
)

_NOWHERE = Link("inline", 0, 0, 0, 0, "", 0, 0)  # a binding needs a link, but no text has one here


SHOWS = frozenset({"table latency", "lab", "fact", "reference", "note"})


def pages(site: Site, lang: str) -> Iterator[Page]:
    times = sorted((t for t in site.latency if not t.why), key=lambda t: t.seconds)
    if not times:
        return
    url = SECTION.url(site, lang)
    title, lead = SECTION.title_in(lang), string("latency_lead", lang)
    numbers = Numbers(site.graph.evidence, site.addresses, lang, url)
    low = math.floor(math.log10(times[0].seconds))
    high = max(low + 1, math.ceil(math.log10(times[-1].seconds)))
    rows = [_row(site, time, numbers, (low, high), url, lang) for time in times]
    heads = [string(key, lang) for key in ("name", "value", "latency_human")]
    heads += [_axis(low, high), string("source_of", lang)]
    section = NumbersSection(site, url, lang, lang).staged(numbers.shown)
    lines = "".join(_line(site, time, url, lang) for time in times)
    yield Page(
        url=url,
        lang=lang,
        title=title,
        title_id="latency--top",
        description=lead,
        body=f"{lead}{joins(lang).gap}{string('latency_axis', lang)}\n\n"
        + _machines(site, times, url, lang, markdown=False)
        + block(FILTER)
        + block(table(heads, rows, title, "pn-table pn-latency"))
        + section,
        markdown=f"# {title}\n\n{lead}\n\n"
        + _machines(site, times, url, lang, markdown=True)
        + lines,
        kind="latency",
        section=SECTION.name,
        alternates=SECTION.alternates(site),
        edit=site.edit_table("latency", "latency.yml"),
        source=site.library.shown("latency.yml"),
        styles=(*number_styles(section), "lab"),
        scripts=("filter",),
    )


def _machines(site: Site, times: list[TimedRow], url: str, lang: str, *, markdown: bool) -> str:
    """Return a paragraph that counts the measured rows of each machine, most rows first.

    Without it, a reader would take all rows for measurements of one machine.
    """
    rows = Counter(time.found.machine for time in times if time.found.lab)
    if not rows:
        return ""
    listed = (
        f"[{escape_markdown(machine)}]"
        f"({to_place(url, site.addresses.machine(machine, lang), markdown=markdown)})"
        f"{joins(lang).bracketed(str(n))}"
        for machine, n in rows.most_common()
    )
    return string("latency_measured", lang, machines=joins(lang).item.join(listed)) + "\n\n"


def listed(site: Site, lang: str) -> Iterator[str]:
    """Yield what takes each of the times; the search finds the page by these words."""
    yield from (time.row.label[lang] for time in site.latency if not time.why)


def addresses(site: Site, lang: str) -> Iterator[PageAddress]:
    if SECTION.exists(site):
        source = site.library.shown("latency.yml")
        yield PageAddress(SECTION.url(site, lang), source)


def _shown(time: TimedRow) -> str:
    """Return a time as text: a fact with up to four digits, a measured time with three."""
    by, of = scale_of(time.seconds, "s")
    if time.found.fact:
        return with_unit(exact(time.seconds * by, 4), of)
    return amount(time.seconds, "s", 3)


def _tick(exponent: int) -> str:
    by, of = scale_of(10.0**exponent, "s")
    return escape(with_unit(exact(by * 10.0**exponent), of))


def _axis(low: int, high: int) -> str:
    """Return the head of the bars: a tick for each power of ten, with a label at every third."""
    places = (_tick(at) if at % 3 == 0 else "" for at in range(low, high + 1))
    return f'<span class="pn-axis">{"".join(f"<span>{each}</span>" for each in places)}</span>'


_HUMAN_UNITS = (
    ("latency_years", 365.25 * 86400),
    ("latency_days", 86400),
    ("latency_hours", 3600),
    ("latency_minutes", 60),
)


def at_human_scale(seconds: float, lang: str) -> str:
    """Return a time as if each nanosecond took a second, in words such as ``3 days``."""
    long = seconds * 1e9
    # The largest unit of which there are two. 1.999, because a product may be a little too small.
    fitting = ((key, size) for key, size in _HUMAN_UNITS if long >= 1.999 * size)
    key, by = next(fitting, ("latency_seconds", 1.0))
    value = float(f"{long / by:.2g}")
    return string(key, lang, n=f"{value:,.0f}" if value >= 10 else f"{value:g}")


def _row(
    site: Site, time: TimedRow, numbers: Numbers, ends: tuple[int, int], url: str, lang: str
) -> str:
    shown = _shown(time)
    found = numbers.link(Binding(_NOWHERE, time.row.address, shown, time.found))
    number = f"{found[0]}{escape(shown)}</a>" if found else escape(shown)
    low, high = ends
    width = (math.log10(time.seconds) - low) / (high - low) * 100
    grid = "".join(
        f'<line x1="{100 * i / (high - low):.2f}" y1="0" x2="{100 * i / (high - low):.2f}" y2="8"/>'
        for i in range(high - low + 1)
    )
    bar = (
        '<svg class="pn-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'{grid}<rect x="0" y="1.5" width="{max(width, 0.6):.2f}" height="5"/></svg>'
    )
    group = escape(site.library.latency.groups[time.row.group][lang])
    name = f"{escape(time.row.label[lang])} <small>{group}</small>"
    return (
        f'<tr class="pn-row"><th scope="row">{name}</th>'
        f"<td>{number}</td><td>{escape(at_human_scale(time.seconds, lang))}</td>"
        f"<td>{bar}</td><td>{_origin(site, time, url, lang)}</td></tr>"
    )


def _origin(site: Site, time: TimedRow, url: str, lang: str) -> str:
    """Return a link to the evidence, named after the lab or after the entity of the fact."""
    href = escape(to_place(url, evidence_address(site.addresses, time.found, lang)))
    if time.found.lab:
        name = time.found.lab.title[lang]
    else:
        assert time.found.fact
        name = site.library.facts.entities[time.found.fact.entity].name[lang]
    return f'<a href="{href}">{escape(name)}</a>'


def _line(site: Site, time: TimedRow, url: str, lang: str) -> str:
    href = to_place(url, evidence_address(site.addresses, time.found, lang), markdown=True)
    name = escape_markdown(time.row.label[lang])
    scaled = joins(lang).bracketed(at_human_scale(time.seconds, lang))
    return f"- {name}{joins(lang).colon}[{_shown(time)}]({href}){scaled}\n"
