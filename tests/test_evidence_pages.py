"""Evidence on the site: numbers with their rows, labs, machines, facts, latency numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser, LexborNode

from perfnotes.checks import examine
from perfnotes.checks._rule import Files
from perfnotes.graph.address import Addresses
from perfnotes.graph.site import Site
from perfnotes.model.quantity.amount import amount, exact, memory, seconds, span
from perfnotes.model.quantity.expectation import parse as expectation
from perfnotes.model.quantity.units import unit
from perfnotes.model.quantity.vector import Spread
from perfnotes.plots.dots import Track, tracks
from perfnotes.plots.shapes import WIDTH
from perfnotes.site.pages.latency import human
from perfnotes.site.render.plots import svg
from perfnotes.site.safety import judge
from perfnotes.site.stage import Stage, stage
from tests.engine_of import engine_of
from tests.example_evidence import EVIDENCE, FOLDER, LAB, LATENCY, ONE, PROGRAM, result
from tests.example_notes import read_site, write_notes

BASE = "https://example.org/some/path/"
ATTACK = (
    "</code></pre></div><script>alert(1)</script> \" onclick='x' `a` ``` <b> {{x}} &lt; [x](j:y)"
)


@dataclass(frozen=True)
class Seen:
    """A staged site and its pages as a browser parses them."""

    site: Site
    staged: Stage

    @cached_property
    def pages(self) -> dict[str, LexborHTMLParser]:
        engine = engine_of()
        found = {}
        for path in self.staged.pages:
            if not path.startswith("checks/"):
                text = self.staged.files[path].decode().split("\n---\n", 1)[1]
                html = engine.convert(text).content
                assert judge(html) == [], path
                found[path.removesuffix("index.md")] = LexborHTMLParser(html)
        return found

    def twin(self, url: str) -> str:
        return self.staged.twins[f"{url}index.md"].decode()

    def one(self, url: str, selector: str) -> LexborNode:
        found = self.pages[url].css(selector)
        assert len(found) == 1, (url, selector, len(found))
        return found[0]


def seen(folder: Path, files: Files) -> Seen:
    site = read_site(write_notes(folder, files))
    assert [str(f) for f in site.library.findings] == []
    return Seen(site, stage(site))


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    return seen(tmp_path_factory.mktemp("evidence"), EVIDENCE)


def words(node: LexborNode) -> str:
    text = " ".join(node.text(separator=" ").replace("\u00a0", " ").split())
    return re.sub(r" ([,;.:)])|(\() ", r"\1\2", text)


def whole(page: LexborHTMLParser) -> str:
    assert page.body
    return words(page.body)


def test_the_example_is_right_in_everything(shown: Seen) -> None:
    found = examine(shown.site, shown.staged.findings)
    wrong = [str(f) for f in found if f.severity.value == "error"]
    assert len(wrong) == 0, wrong


def test_every_page_of_evidence_is_there_in_both_languages(shown: Seen) -> None:
    urls = ["caches/ladder/lab/", "caches/steps/lab/", "facts/", "machines/", "latency-numbers/"]
    for url in urls:
        for each, lang in ((url, "en"), (f"zh/{url}", "zh")):
            page = shown.staged.pages[f"{each}index.md"]
            assert page.lang == lang
            assert page.alternates == {"en": url, "zh": f"zh/{url}"}
            assert shown.staged.twins[f"{each}index.md"].startswith(b"# ")
            assert page.title


def test_every_link_leads_to_a_page_a_place_or_a_file(shown: Seen) -> None:
    anchors = {
        url: {str(n.attributes["id"]) for n in page.css("[id]")}
        for url, page in shown.pages.items()
    }
    followed = 0
    for url, page in shown.pages.items():
        for link in page.css("a[href]"):
            href = str(link.attributes["href"])
            assert not href.startswith("/"), (url, href)
            target = urljoin(BASE + url, href)
            if not target.startswith(BASE):
                assert link.attributes.get("rel") == "external", (url, href)
                continue
            path, _, anchor = unquote(target.removeprefix(BASE)).partition("#")
            followed += 1
            if path.endswith("/") or not path:
                assert path in shown.pages, (url, href)
                assert not anchor or anchor in anchors[path], (url, href)
            else:
                assert path in shown.staged.files, (url, href)
    assert followed > 250


def test_links_stay_in_their_language(shown: Seen) -> None:
    for url, page in shown.pages.items():
        for link in page.css(".pn-n, .pn-numbers a, .pn-claim a, .pn-machine a, .pn-latency a"):
            target = urljoin(BASE + url, str(link.attributes["href"])).removeprefix(BASE)
            if not target.endswith(".json"):
                assert target.startswith("zh/") == url.startswith("zh/"), (url, target)


def test_a_number_leads_to_its_evidence_and_to_its_row(shown: Seen) -> None:
    links = shown.pages["caches/ladder/"].css("a.pn-n")
    found = {words(link): str(link.attributes["href"]) for link in links}
    assert found == {
        "80×": "lab/#far",
        "80 ns": "lab/#far-time",
        "1.00 ns": "lab/#near",
        "0.97 ns": "lab/#near",
        "1.03 ns": "lab/#near",
        "15×": "lab/#far",
        "64 B": "../../facts/chips/#chip--cache-line",
        "25.6 GB/s": "../../facts/chips/#chip--bandwidth",
        "1.0×": "lab/#nothing",
        "3.2 GT/s": "../../facts/chips/#chip--rate",
    }
    assert [link.attributes["data-n"] for link in links] == [str(n) for n in range(1, 11)]
    for link in links:
        row = shown.one("caches/ladder/", f"#pn-n{link.attributes['data-n']}")
        head = row.css_first("th")
        assert head is not None
        assert words(head) == words(link)
    bold = shown.pages["caches/ladder/"].css("strong > a.pn-n")
    assert [words(b) for b in bold] == ["1.0×"]


def test_the_row_of_a_measured_number_says_all(shown: Seen) -> None:
    row = words(shown.one("caches/ladder/", "#pn-n2"))
    assert row == (
        "80 ns One load from memory median of 15 measurements 0 75 ns recorded as 80 ns; "
        "quartiles 78.6–81.0 ns; range 77.6–82.4 ns; other machines: Two CPU 15 ns"
    )
    assert "the lab requires > 20; other machines: Two CPU 15× (fails)" in words(
        shown.one("caches/ladder/", "#pn-n1")
    )
    assert "smallest of 15 measurements" in words(shown.one("caches/ladder/", "#pn-n4"))
    origin = words(shown.pages["caches/ladder/"].css(".pn-origin")[0])
    for each in (
        "A ladder of loads", "One CPU at 3.0 GHz (family 25, model 17), one core, virtual machine",
        "2026-02-01", "gcc (Debian",
        "glibc 2.36", "perfnotes reproduce caches/ladder", "Sources", "Raw data",
    ):  # fmt: skip
        assert each in origin
    assert "阴性结果" not in origin
    chinese = words(shown.one("zh/caches/ladder/", ".pn-numbers"))
    assert "内存读取与一级缓存读取之比" in chinese
    assert "四分位" in chinese or "中位数" in chinese


def test_the_row_of_a_derived_number_has_the_formula_and_its_inputs(shown: Seen) -> None:
    row = shown.one("caches/ladder/", "#pn-n8")
    assert words(row).startswith(
        "25.6 GB/s A chip: bandwidth computed from facts 25.6 GB/s: rate × width"
    )
    assert words(row).endswith("rate 3.2 GT/s; width 64 bit/T")
    sourced = words(shown.one("caches/ladder/", "#pn-n7"))
    assert sourced == ("64 B A chip: cache line stated in a source 64 B: Drepper 2007, sec. 3")


def test_one_address_has_one_row(tmp_path: Path) -> None:
    text = (
        "It is [16×](lab:misses), truly [16×](lab:caches/steps#misses), [16 倍](lab:steps#misses)."
    )
    there = seen(tmp_path, {"caches/steps/index.md": f"{text}\n"})
    links = there.pages["caches/steps/"].css("a.pn-n")
    assert [link.attributes["data-n"] for link in links] == ["1", "1", "1"]
    assert len(there.pages["caches/steps/"].css(".pn-set tbody tr")) == 1


def test_what_the_evidence_does_not_give_stays_plain_text(tmp_path: Path) -> None:
    text = (
        "Wrong [17×](lab:misses), unknown [1](lab:none), not run [2×](lab:on-a-gpu), no number "
        "[many](lab:misses), a picture ![3](lab:misses), and [by label][x].\n\n[x]: lab:nobody\n"
    )
    there = Seen(site := read_site(write_notes(tmp_path, {"caches/rows.md": text})), stage(site))
    page = there.pages["caches/rows/"]
    assert page.css("a.pn-n") == []
    assert page.css("#pn-numbers") == []
    assert "Wrong 17×, unknown 1, not run 2×, no number many" in whole(page)
    assert "17×, unknown 1" in there.twin("caches/rows/")


def test_a_stale_number_is_plain_and_its_lab_says_so(tmp_path: Path) -> None:
    there = Seen(
        site := read_site(
            write_notes(tmp_path, {**EVIDENCE, f"{FOLDER}/ladder.c": f"{PROGRAM}\n/* new */\n"})
        ),
        stage(site),
    )
    marked = there.pages["caches/ladder/"].css("a.pn-n")
    assert {words(m) for m in marked} == {"64 B", "25.6 GB/s", "3.2 GT/s"}
    assert there.pages["caches/ladder/lab/"].css(".pn-stale")
    rows = there.pages["latency-numbers/"].css(".pn-latency tbody tr")
    assert len(rows) == 1


def test_results_with_the_same_words_have_names_of_their_own(tmp_path: Path) -> None:
    same = LAB.replace("what: The first cache against itself", "what: One load from memory")
    site = read_site(write_notes(tmp_path, {**EVIDENCE, f"{FOLDER}/lab.yml": same}))
    there = Seen(site, stage(site))
    regions = there.pages["caches/ladder/lab/"].css("[role=region]")
    names = [str(region.attributes["aria-label"]) for region in regions]
    assert "Results: One load from memory (far-time)" in names
    assert len(names) == len(set(names))


def test_recorded_output_says_where_it_was_recorded(tmp_path: Path) -> None:
    shown_output = '```console lab=count\n$ python3 steps.py\n{"rows": 16, "columns": 256}\n```\n'
    wrong = shown_output.replace("256", "255")
    text = f"So:\n\n{shown_output}\nand:\n\n{wrong}\n- In a list:\n\n    {shown_output}"
    there = seen(tmp_path, {"caches/steps/index.md": text})
    lines = there.pages["caches/steps/"].css(".pn-recorded")
    assert [words(line) for line in lines] == ["Recorded: run count on example-cpu"]
    href = str(lines[0].css("a")[0].attributes["href"])
    assert href == "lab/#lab--m-example-cpu"
    assert "lab=" not in whole(there.pages["caches/steps/"])
    assert len(there.pages["caches/steps/"].css("pre code")) >= 3


def test_try_it_says_what_the_lab_needs(shown: Seen) -> None:
    box = words(shown.one("caches/ladder/", ".pn-try"))
    for each in ("perfnotes reproduce caches/ladder", "gcc, python3", "gcc libc6-dev", "avx2",
                 "Cores 2", "GPU NVIDIA", "torch", "Takes about 20 s"):  # fmt: skip
        assert each in box, each
    assert shown.pages["caches/rows/"].css(".pn-try") == []
    assert "```sh\nperfnotes reproduce caches/ladder\n```" in shown.twin("caches/ladder/")


def test_a_lab_page_has_every_claim_with_its_verdicts(shown: Seen) -> None:
    page = shown.pages["caches/ladder/lab/"]
    for id in ("far", "nothing", "near", "far-time"):
        assert len(page.css(f"h3#{id}")) == 1, id
    text = whole(page)
    for each in ("Expected > 20", "Because Memory is off the chip.", "time.far / time.near",
                 "time.again / time.near", "Fails on two-cpu", "null result", "gcc -O2 -g",
                 "other load took 30 % of the time", "load of others 2 %"):  # fmt: skip
        assert each in text, each
    rows = [words(row) for row in page.css(".pn-claim")[0].css("tbody tr")]
    assert rows == ["one-cpu holds 80× 80× 80× 1×", "two-cpu fails 15× 15× 15× 1×"]
    code = page.css("pre code")[-1]
    assert code.text() == PROGRAM


def test_the_raw_result_is_served_as_it_was_recorded(shown: Seen) -> None:
    for machine in ("one-cpu", "two-cpu"):
        data = shown.staged.files[f"caches/ladder/lab/{machine}.json"]
        assert data == str(EVIDENCE[f"{FOLDER}/results/{machine}.json"]).encode()
        assert json.loads(data)["machine"]["id"] == machine
    assert not any(p.startswith("zh/") and p.endswith("cpu.json") for p in shown.staged.files)


def test_a_plot_has_a_name_and_shows_what_the_table_says(shown: Seen) -> None:
    plots = shown.pages["caches/ladder/lab/"].css(".pn-claim svg.pn-c")
    assert len(plots) == 4
    ids = [str(n.attributes["id"]) for plot in plots for n in plot.css("title, desc")]
    assert len(ids) == len(set(ids)) == 8
    for plot in plots:
        assert plot.attributes["role"] == "img"
        assert plot.attributes["aria-labelledby"] in {
            " ".join(ids[i : i + 2]) for i in (0, 2, 4, 6)
        }
    assert "one-cpu: median 80×" in plots[0].css("desc")[0].text().replace("\u00a0", " ")
    assert sum(str(d.attributes["d"]).count("h0") for d in plots[0].css(".pn-c-dots")) == 30
    assert len(plots[0].css(".pn-c-expected")) == 2
    assert len(plots[2].css(".pn-c-expected")) == 0


def test_no_words_of_a_drawing_lie_on_the_expected_range(shown: Seen) -> None:
    drawn = shown.pages["caches/ladder/lab/"].css(".pn-claim svg.pn-c")[0]
    bands = [(float(str(b.attributes["y"])), float(str(b.attributes["height"])))
             for b in drawn.css(".pn-c-expected")]  # fmt: skip
    for text in drawn.css("text"):
        base = float(str(text.attributes["y"]))
        assert not any(top < base - 1 and base - 11 < top + high for top, high in bands), words(
            text
        )


def test_machines_are_listed_with_what_they_ran_and_what_fails(shown: Seen) -> None:
    page = shown.pages["machines/"]
    for id in ("one-cpu", "two-cpu", "example-cpu"):
        assert len(page.css(f"h2#{id}")) == 1
    text = whole(page)
    for each in ("family 25, model 17", "L1d: 32 KiB, 8 ways, lines of 64 B", "8 GiB", "KVM",
                 "Debian GNU/Linux 12, Linux 6.1.0", "holds: 1, fails: 1",
                 "two-cpu: 15×, the lab requires > 20"):  # fmt: skip
        assert each in text, each
    assert shown.pages["machines/"].css("a[href='../caches/ladder/lab/#far']")


def test_facts_have_their_places(shown: Seen) -> None:
    page = shown.pages["facts/chips/"]
    for id in ("chip", "chip--bandwidth"):
        assert len(page.css(f"#{id}")) == 1, id
    assert words(shown.one("facts/clocks/", "#clock--cycle")) == (
        "cycle one cycle 0.4 ns at base clock Drepper 2007, sec. 3"
    )
    assert "一个周期" in words(shown.one("zh/facts/clocks/", "#clock--cycle"))
    bandwidth = words(shown.one("facts/chips/", "#chip--bandwidth"))
    assert bandwidth.endswith("25.6 GB/s rate × width")


def test_old_addresses_of_facts_lead_to_the_new_ones(shown: Seen) -> None:
    """An address such as facts/#chip--rate leads to the link to the page of the family."""
    page = shown.pages["facts/"]
    for id in ("chip", "chip--bandwidth", "clock", "clock--cycle"):
        found = page.css_first(f"#{id}")
        assert found is not None, id
        entry = found if found.tag == "li" else found.parent
        assert entry is not None
        link = entry.css_first("a")
        assert link is not None
        entity = id.partition("--")[0]
        assert link.attributes["href"] == f"{entity}s/#{entity}"


def test_latency_numbers_are_sorted_and_missing_ones_left_out(tmp_path: Path) -> None:
    lost = '- {label: Lost, address: "lab:ladder#none", group: cpu}\n'
    ratio = '- {label: Ratio, address: "lab:ladder#far", group: cpu}\n'
    files = {**EVIDENCE, "latency.yml": LATENCY + lost + ratio}
    there = seen(tmp_path, files)
    rows = there.pages["latency-numbers/"].css(".pn-latency tbody tr")
    assert [words(row) for row in rows] == [
        "A clock Processor 0.4 ns 0.4 s A clock",
        "A load from the first cache Processor 1 ns 1 s A ladder of loads",
        "A load from memory Processor 80 ns 80 s A ladder of loads",
    ]
    widths = [float(str(row.css("rect")[0].attributes["width"])) for row in rows]
    assert widths == sorted(widths)
    assert len(there.pages["latency-numbers/"].css("a.pn-n")) == 3
    found = [f for f in examine(there.site) if f.code == "PN914"]
    assert [f.line for f in found] == [7, 8]


def test_a_time_has_a_human_size() -> None:
    sizes = {1e-9: "1 s", 0.4e-9: "0.4 s", 119e-9: "120 s", 120e-9: "2 min", 1e-6: "17 min",
             1e-5: "2.8 h", 1e-3: "12 days", 1.0: "32 years", 40.0: "1,300 years"}  # fmt: skip
    assert {seconds: human(seconds, "en") for seconds in sizes} == sizes
    assert human(2.5e-9, "zh") == "2.5 秒"


def test_a_reference_lists_the_facts_that_come_from_it(shown: Seen, tmp_path: Path) -> None:
    text = words(shown.one("references/drepper2007memory/", ".pn-from"))
    assert "A chip: cache line: 64 B sec. 3" in text
    bib = "@misc{doe2020clock,\n  author = {Doe, Jane},\n  title = {Clocks},\n  year = {2020}\n}\n"
    facts = str(EVIDENCE["facts/clocks.yml"]).replace("drepper2007memory", "doe2020clock")
    there = seen(tmp_path, {"references.bib": bib, "facts/clocks.yml": facts})
    assert [f for f in examine(there.site) if f.code == "PN407"] == []
    page = there.pages["references/doe2020clock/"]
    assert "No note cites it yet" not in whole(page)
    uses = there.pages["references/"].css("tbody tr td:last-child")
    assert sorted(words(use) for use in uses) == ["1", "4"]


def test_twins_and_lists_lead_to_evidence(shown: Seen) -> None:
    note = shown.twin("caches/ladder/")
    assert "takes [80×](lab/index.md#far) as long" in note
    assert "[25.6 GB/s](../../facts/chips/index.md#chip--bandwidth)" in note
    assert "**[1.0×](lab/index.md#nothing)**" in note
    assert "quartiles" in note
    assert "- [one-cpu](one-cpu.json): 80×, holds" in shown.twin("caches/ladder/lab/")
    assert "chip/bandwidth: 25.6 GB/s, rate \\* width" in shown.twin("facts/chips/")
    llms = shown.staged.files["llms.txt"].decode()
    for each in ("caches/ladder/lab/index.md", "facts/index.md", "machines/index.md",
                 "latency-numbers/index.md"):  # fmt: skip
        assert each in llms
    places = dict(json.loads(shown.staged.files["search/addresses.json"])).keys()
    assert {"caches/ladder/lab/", "facts/", "zh/machines/", "latency-numbers/"} <= places


def test_navigation_leads_to_the_sections(shown: Seen) -> None:
    nav = shown.staged.files["caches/rows/index.md"].decode()
    for section in ("facts/", "machines/", "latency-numbers/"):
        assert f'href=\\"../../{section}\\"' in nav
    lab = shown.staged.files["caches/ladder/lab/index.md"].decode()
    assert '<a href=\\"../\\" class=\\"md-path__link\\">' in lab


def test_a_site_without_evidence_has_no_such_pages(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "facts").mkdir()
    (root / "facts/a.md").write_text("# A\n\n[3×](lab:x)\n", "utf-8")
    staged = stage(read_site(tmp_path))
    assert "facts/a/index.md" in staged.pages
    assert not any(p.kind in ("lab", "facts", "machines", "latency") for p in staged.pages.values())
    addresses = Addresses(read_site(tmp_path).library)
    assert addresses.section("facts", "en") == "facts-index/"


def hostile(folder: Path) -> Seen:
    """Attacks in every text that a lab, its results and facts bring."""
    quoted = json.dumps(ATTACK)
    lab = (
        LAB.replace("{en: A ladder of loads, zh: 访存阶梯}", quoted)
        .replace("what: One load from memory", f"what: {quoted}")
        .replace("because: Both read the same lines.", f"because: {quoted}")
        .replace("gcc -O2 -g -o ladder ladder.c", f"gcc {json.dumps(ATTACK)[1:-1]}")
        .replace("- gcc", "- >-\n  gcc")
    )
    lab = lab.replace(
        "{en: How long does a load take from each level?, zh: 从每一级读取一次要多久？}", quoted
    ).replace("command: ./ladder {n}", f"command: {quoted}")
    machine = replace(ONE, cpu=ATTACK, kernel=ATTACK, gpus=(ATTACK,), caches={ATTACK: {"size": 1}})
    recorded = result(machine, 80.0, (ATTACK, "a\n\n<script>\x02wzxhzdk:0\x03"), lab=lab)
    data = json.loads(recorded)
    assert data["machine"]["cpu"] == ATTACK
    facts = str(EVIDENCE["facts/clocks.yml"])
    for each in ("How fast things tick.", "{en: at base clock, zh: 基准频率}",
                 "{en: one cycle, zh: 一个周期}", "{en: Clocks, zh: 时钟}"):  # fmt: skip
        facts = facts.replace(each, quoted)
    files: dict[str, object] = {
        **EVIDENCE,
        f"{FOLDER}/lab.yml": lab,
        f"{FOLDER}/results/one-cpu.json": recorded,
        "facts/clocks.yml": facts,
        "latency.yml": str(EVIDENCE["latency.yml"]).replace(
            "{en: A clock, zh: 一个时钟周期}", quoted
        ),
    }
    return Seen(site := read_site(write_notes(folder, files)), stage(site))  # type: ignore[arg-type]


def test_a_strangers_lab_is_text_and_nothing_else(tmp_path: Path) -> None:
    there = hostile(tmp_path)
    assert "caches/ladder" in there.site.library.labs
    assert there.site.library.results["caches/ladder"]["one-cpu"].machine.cpu == ATTACK
    urls = [u for u, p in there.staged.pages.items() if p.kind in ("lab", "facts", "machines",
            "latency", "note", "reference")]  # fmt: skip
    assert len(urls) > 10
    for url in urls:
        page = there.pages[url.removesuffix("index.md")]
        assert page.css("script, b, iframe") == [], url
        for node in page.css("*"):
            assert not any(name.startswith("on") for name in node.attributes), url
    lab = there.pages["caches/ladder/lab/"]
    assert lab.css("h1")[0].text() == ATTACK
    assert lab.css("pre code")[-1].text() == PROGRAM
    assert "<script>alert(1)</script>" in lab.css("pre code")[-2].text()


@pytest.mark.parametrize(
    "text",
    [
        "```\n</code></pre><script>x</script>\n```\n",
        "~~~~\n````\n~~~~\n`````` ends\n",
        '--8<-- "/etc/passwd"\n\n{{ x }}\n\n///Footnotes Go Here///\n\n<!-- a -->\n',
        "\x02wzxhzdk:0\x03 \x0b \x85 \u2028 ```\n",
        "\n\n  indented first\n\ttab\n",
    ],
)
def test_no_source_leaves_its_code_block(tmp_path: Path, text: str) -> None:
    files = {"caches/steps/lab/evil.md": text.encode(), "caches/steps/lab/more.bin": b"\xff\x00"}
    there = Seen(site := read_site(write_notes(tmp_path, files)), stage(site))
    page = there.pages["caches/steps/lab/"]
    blocks = [code.text().strip("\n") for code in page.css("pre code")]
    clean = text
    for char in "\x02\x03\x0b\x85\u2028":
        clean = clean.replace(char, "\ufffd")
    assert clean.strip("\n") in blocks
    assert page.css("script") == []
    assert "Not a text: 2 bytes." in whole(page)


def test_pictures_hold_shapes_and_words_only() -> None:
    good = '<svg viewBox="0 0 1 1" role="img"><title id="t">x &lt; y</title><rect x="1"/></svg>'
    assert judge(f"<p>{good}</p>") == []
    for bad in (
        "<svg><title><b>x</b></title></svg>", "<svg><desc><img></desc></svg>",
        "<svg><style>*{}</style></svg>", "<svg><script>x</script></svg>", "<title>x</title>",
        "<desc>x</desc>", "<svg><use href='#x'/></svg>", "<svg onload='x'></svg>",
        "<svg><rect style='x'/></svg>", "<svg><rect fill='url(x)'/></svg>",
        "<svg><a href='javascript:x'><rect/></a></svg>", "<svg><foreignObject/></svg>",
        "<svg><title id='__x'>a</title></svg>", "<svg><animate/></svg>",
    ):  # fmt: skip
        assert judge(f"<p>{bad}</p>"), bad


@pytest.mark.parametrize(
    ("value", "of", "shown_as"),
    [
        (9.41234, "×", "9.412×"),
        (16.0, "×", "16×"),
        (262145.0, "", "262,145"),
        (12.5, "%", "12.50 %"),
        (3.2e-9, "s", "3.200 ns"),
        (0.0, "s", "0 s"),
        (898.048, "GB/s", "898.0 GB/s"),
        (1.5e-7, "×", "1.500 × 10⁻⁷×"),
        (-2.5, "ns", "-2.500 ns"),
        (12345.678, "ns", "12,346 ns"),
    ],
)
def test_amounts(value: float, of: str, shown_as: str) -> None:
    assert amount(value, of).replace("\u00a0", " ") == shown_as


def test_spans_and_sizes() -> None:
    assert span(9.21, 9.614, "×") == "9.21–9.61×"
    assert span(1, 1, "") == "1"
    assert span(7.86e-8, 8.1e-8, "s") == "78.6–81.0\u00a0ns"
    assert span(14.9996, 15.0001, "×") == "15.0×"
    assert span(0, 250_000, "") == "0–250,000"
    assert exact(0.1) == "0.1"
    assert exact(898.048) == "898.048"
    assert memory(32768) == "32\u00a0KiB"
    assert memory(16_623_747_072) == "15.48\u00a0GiB"
    assert seconds(20, "en") == "20 s"
    assert seconds(300, "zh") == "5 分钟"


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("> 4", 4.0, float("inf")),
        ("<= 2", float("-inf"), 2.0),
        ("== 16", 16.0, 16.0),
        ("within 25 % of 8", 6.0, 10.0),
        ("between 3 and 8 and < 5", 3.0, 5.0),
    ],
)
def test_expectations_are_ranges(text: str, low: float, high: float) -> None:
    def lookup(name: str) -> object:
        raise AssertionError(name)

    assert expectation(text).range(unit("×"), lookup) == (low, high)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "samples", [[1.0], [0.0, 0.0], [-3.0, 5.0], [1e-12, 1e12], [5e-9, 6e-9, 7e-9], [1.0] * 500]
)
def test_a_plot_stays_inside_its_frame(samples: list[float]) -> None:
    s = sorted(samples)
    mid = s[len(s) // 2]
    spread = Spread(mid, s[0], s[-1], s[0], s[-1], len(s))
    drawing = tracks([Track("m", samples, spread, 1.0)], 1.0, "s", (0.5, float("inf")))
    html = svg("p", "a < b", "c", drawing)
    assert judge(f"<div>{html}</div>") == []
    tree = LexborHTMLParser(html)
    limits: Mapping[str, float] = {"x": WIDTH, "x1": WIDTH, "x2": WIDTH}
    for node in tree.css("svg *"):
        for name, most in limits.items():
            if name in node.attributes:
                assert 0 <= float(str(node.attributes[name])) <= most
    dots = str(tree.css(".pn-c-dots")[0].attributes["d"])
    assert dots.count("h0") == min(60, len(samples))
    x = 0
    for step in re.findall(r"[Mm](-?\d+) ", dots):
        x += int(step)
        assert 0 <= x <= WIDTH
    assert 2 <= len(tree.css("text")) <= 12


def test_the_command_leads_to_what_says_where_it_comes_from(tmp_path: Path) -> None:
    text = "---\ntitle: Labs\ndescription: How to run one.\n---\n\n## Run one {#reproduce}\n\nSo.\n"
    page = seen(tmp_path, {**EVIDENCE, "../docs/labs.md": text}).pages["caches/ladder/"]
    [link, *_] = page.css(".pn-again a")
    assert link.attributes["href"] == "../../labs/#reproduce"


def test_the_drawing_of_a_card_says_what_its_dots_are(shown: Seen) -> None:
    drawn = {
        words(row.css(".pn-how")[0]): row.css(".pn-dots")[0].attributes["class"]
        for row in shown.pages["caches/ladder/"].css("tr[id^=pn-n]")
        if row.css(".pn-dots")
    }
    assert drawn == {
        "median of 15 measurements": "pn-c pn-dots",
        "smallest of 15 measurements": "pn-c pn-dots pn-dots-made",
        "largest of 15 measurements": "pn-c pn-dots pn-dots-made",
        "median of 15 ratios of two measurements each": "pn-c pn-dots pn-dots-made",
    }
