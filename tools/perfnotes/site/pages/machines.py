"""The page of all machines with recorded results: what each ran, and which claims fail on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from perfnotes.graph.address import relative, to_place
from perfnotes.graph.site import Site
from perfnotes.model.machine import Machine
from perfnotes.model.quantity.amount import amount, memory
from perfnotes.model.result import Result
from perfnotes.model.verdict import is_stale
from perfnotes.site.page import Page, block
from perfnotes.site.pages._lab_parts import definitions, table
from perfnotes.site.pages._results import Failing, doubts, failing, safe, without_hidden
from perfnotes.site.pages._section import Section
from perfnotes.site.render.markup import escape, escape_markdown, escape_staged
from perfnotes.site.render.sentence import sentence_html, sentence_markdown
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

WORDS = {
    "cache_lines": ("lines of {n} B", "缓存行 {n} B"),
    "cache_ways": ("{n} ways", "{n} 路"),
    "cpu": ("Processor", "处理器"),
    "help_wanted": ("Help wanted", "求助"),
    "help_wanted_lead": (
        "Claims that fail on a machine: a wrong claim, a wrong measurement, or something to learn.",
        "在某台机器上不成立的论断：可能论断有误、测量有误，也可能有新东西可学。",
    ),
    "help_wanted_none": (
        "Every claim holds on every machine that ran it.",
        "所有论断在运行过它的每台机器上都成立。",
    ),
    "labs": ("Labs", "实验"),
    "machines_lead": (
        "Every machine that a recorded result comes from. Send yours: "
        "perfnotes reproduce LAB --save runs a lab and writes the file to send.",
        "记录在案的结果所来自的每台机器。欢迎提供你的："
        "perfnotes reproduce LAB --save 运行一个实验，并写出要提交的文件。",
    ),
    "probably_fit": ("no objection", "无异议"),
    "threads": ("{cores} cores, {threads} threads", "{cores} 核 {threads} 线程"),
    "wanted_rest": ("Whatever else is wanted", "其他需要帮助的事"),
}
add_words(WORDS)

SECTION = Section(
    "machines",
    ("Machines", "机器"),
    exists=lambda site: any(site.library.results.values()),
    place=70,
    llms=30,
    lead="machines_lead",
    names=(("test machines", "reference machines"), ("测试机器", "参考机器")),
)


SHOWS = frozenset({"lab", "note"})


def pages(site: Site, lang: str) -> Iterator[Page]:
    machines = results_by_machine(site)
    if not machines:
        return
    url = SECTION.url(site, lang)
    title, lead = SECTION.title_in(lang), string("machines_lead", lang)
    parts, markdown = [f"{lead}\n"], [f"# {title}\n\n{lead}\n"]
    for id, results in machines.items():
        newest = results[0].machine
        rows = _fingerprint(newest, lang)
        html = ['<div class="pn-machine">', definitions(rows), _labs(site, results, url, lang)]
        parts.append(f"## {escape_staged(id)} {{#{id}}}\n{block([*html, '</div>'])}")
        markdown.append(_markdown(site, id, results, url, lang))
    wanted = site.derived(failing)
    parts.append(f"## {string('help_wanted', lang)} {{#help--wanted}}\n")
    parts.append(_help(site, wanted, url, lang))
    rest = escape(relative(url, site.addresses.section("help-wanted", lang)))
    parts.append(block(f'<p><a href="{rest}">{string("wanted_rest", lang)}</a></p>'))
    markdown.append(_help_markdown(site, wanted, url, lang))
    yield Page(
        url=url,
        lang=lang,
        title=title,
        title_id="machines--top",
        description=lead,
        body="\n".join(parts),
        markdown="\n".join(markdown),
        kind="machines",
        section=SECTION.name,
        alternates=SECTION.alternates(site),
        styles=("evidence", "lab"),
    )


def results_by_machine(site: Site) -> dict[str, list[Result]]:
    """Return the results of each machine, the newest first; the machines are sorted by id."""
    found: dict[str, list[Result]] = {}
    for results in site.library.results.values():
        for id, result in results.items():
            found.setdefault(id, []).append(result)
    order = {id: sorted(r, key=lambda x: (x.date, x.lab), reverse=True) for id, r in found.items()}
    return dict(sorted(order.items()))


def _fingerprint(machine: Machine, lang: str) -> list[tuple[str, str]]:
    """Return rows that describe the hardware and the system of a machine."""
    comma = joins(lang).comma
    chip = [safe(machine.cpu), safe(machine.arch)]
    if machine.family:
        chip += [f"family {machine.family}", f"model {machine.model}"]
        chip.append(f"stepping {machine.stepping}")
    if machine.cores or machine.threads:
        counts = string("threads", lang, cores=machine.cores, threads=machine.threads)
        chip.append(counts)
    if machine.microcode:
        chip.append(f"microcode {safe(machine.microcode)}")
    rows = [(string("cpu", lang), comma.join(x for x in chip if x))]
    caches = [_cache(name, each, lang) for name, each in machine.caches.items()]
    system = comma.join(safe(x) for x in (machine.system, machine.kernel) if x)
    more = [
        ("caches", "<br>".join(caches)),
        ("memory", escape(memory(machine.memory)) if machine.memory else ""),
        ("gpus", "<br>".join(safe(gpu) for gpu in machine.gpus)),
        ("system", system),
        ("governor", safe(machine.governor)),
        ("hypervisor", safe(machine.hypervisor)),
    ]
    return rows + [(string(key, lang), value) for key, value in more if value]


def _cache(name: str, numbers: Mapping[str, int], lang: str) -> str:
    parts = [memory(numbers["size"])] if numbers.get("size") else []
    if numbers.get("ways"):
        parts.append(string("cache_ways", lang, n=numbers["ways"]))
    if numbers.get("line"):
        parts.append(string("cache_lines", lang, n=numbers["line"]))
    return f"{safe(name)}{joins(lang).colon}{escape(joins(lang).item.join(parts))}"


def _labs(site: Site, results: list[Result], url: str, lang: str) -> str:
    rows, signs = [], joins(lang)
    for result in sorted(results, key=lambda r: r.lab):
        lab = site.library.labs[result.lab]
        verdicts = site.graph.evidence.verdicts(lab, result.machine.id)
        states = [verdicts[id].state for id in lab.claims]
        href = escape(relative(url, site.addresses.lab(lab.id, lang)))
        counted = [
            f"{string(state, lang)}{signs.colon}{states.count(state)}"
            for state in ("holds", "fails", "not run", "broken")
            if state in states
        ]
        if is_stale(lab, result):
            counted.append(string("stale", lang))
        fit = "<br>".join(doubts(result, lang)) or string("probably_fit", lang)
        cells = (
            f'<time datetime="{result.date}">{result.date}</time>',
            signs.comma.join(counted),
            fit,
        )
        rows.append(
            f'<tr><th scope="row"><a href="{href}">{escape(lab.title[lang])}</a></th>'
            + "".join(f"<td>{c}</td>" for c in cells)
            + "</tr>"
        )
    heads = [string(k, lang) for k in ("lab", "date", "claims", "unfit")]
    return table(heads, rows, f"{string('labs', lang)}{signs.colon}{results[0].machine.id}")


def _help(site: Site, wanted: list[Failing], url: str, lang: str) -> str:
    if not wanted:
        return f"{string('help_wanted_none', lang)}\n"
    items = []
    for each in wanted:
        href = escape(to_place(url, f"{site.addresses.lab(each.lab.id, lang)}#{each.claim.id}"))
        items.append(
            f'<li><a href="{href}">{escape(each.lab.title[lang])}{joins(lang).colon}'
            f"{sentence_html(each.claim.what[lang])}</a> <span>{_failure(each, lang)}</span></li>"
        )
    return f"{string('help_wanted_lead', lang)}\n" + block(["<ul>", *items, "</ul>"])


def _failure(each: Failing, lang: str) -> str:
    value = escape(amount(each.verdict.number, each.claim.unit))
    expected = escape(each.claim.expect.shown(lang))
    expects = f"{string('expected_range', lang)} {expected}"
    signs = joins(lang)
    return f"{escape(each.result.machine.id)}{signs.colon}{value}{signs.comma}{expects}"


def _markdown(site: Site, id: str, results: list[Result], url: str, lang: str) -> str:
    lines = [f"\n## {id}\n\n{escape_markdown(without_hidden(results[0].machine.cpu))}\n\n"]
    for result in sorted(results, key=lambda r: r.lab):
        lab = site.library.labs[result.lab]
        href = to_place(url, f"{site.addresses.lab(lab.id, lang)}#lab--m-{id}", markdown=True)
        lines.append(
            f"- [{escape_markdown(lab.title[lang])}]({href}){joins(lang).comma}{result.date}\n"
        )
    return "".join(lines)


def _help_markdown(site: Site, wanted: list[Failing], url: str, lang: str) -> str:
    lines = [f"\n## {string('help_wanted', lang)}\n\n"]
    signs = joins(lang)
    for each in wanted:
        place = f"{site.addresses.lab(each.lab.id, lang)}#{each.claim.id}"
        title = escape_markdown(each.lab.title[lang])
        name = f"{title}{signs.colon}{sentence_markdown(each.claim.what[lang])}"
        href = to_place(url, place, markdown=True)
        lines.append(f"- [{name}]({href}){signs.comma}{each.result.machine.id}\n")
    return "".join(lines) if wanted else f"{lines[0]}{string('help_wanted_none', lang)}\n"
