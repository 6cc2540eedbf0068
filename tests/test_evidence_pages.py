"""The pages of evidence: labs, machines, facts, latency numbers, and the links between them."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote, urljoin

from perfnotes.checks import examine
from perfnotes.graph.address import Addresses
from perfnotes.site.stage import stage
from tests.evidence_pages import Seen, seen, shown, whole, words
from tests.example_evidence import EVIDENCE, FOLDER, LAB, LATENCY, PROGRAM
from tests.example_notes import read_site, write_notes

__all__ = ["shown"]  # the fixture

BASE = "https://example.org/some/path/"


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
            assert shown.staged.markdown[f"{each}index.md"].startswith(b"# ")
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


def test_results_with_the_same_words_have_names_of_their_own(tmp_path: Path) -> None:
    same = LAB.replace("what: The first cache against itself", "what: One load from memory")
    site = read_site(write_notes(tmp_path, {**EVIDENCE, f"{FOLDER}/lab.yml": same}))
    there = Seen(site, stage(site))
    regions = there.pages["caches/ladder/lab/"].css("[role=region]")
    names = [str(region.attributes["aria-label"]) for region in regions]
    assert "Results: One load from memory (far-time)" in names
    assert len(names) == len(set(names))


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


def test_code_in_the_words_of_a_claim_is_set_as_code(tmp_path: Path) -> None:
    claim = (
        "{en: A load from memory against one from the first cache, zh: 内存读取与一级缓存读取之比}"
    )
    lab = LAB.replace(claim, "'`far` against `near`'", 1)
    lab = lab.replace(
        "{en: Memory is off the chip., zh: 内存在芯片之外。}", "'`far` is off the chip.'"
    )
    assert "'`far` against" in lab
    home = "<!-- perfnotes:measured -->\n"
    files = {**EVIDENCE, f"{FOLDER}/lab.yml": lab, "../docs/index.md": home}
    site = read_site(write_notes(tmp_path, files))
    there = Seen(site, stage(site))
    for url in ("", "machines/", "help-wanted/"):
        assert "far against near" in whole(there.pages[url]), url
        assert "`far`" not in whole(there.pages[url]), url
    assert "`far` against `near`" in there.markdown("machines/")
    assert "Because: `far` is off the chip." in there.markdown("caches/ladder/lab/")


def test_a_load_that_rounds_to_nothing_is_not_named(tmp_path: Path) -> None:
    file = f"{FOLDER}/results/one-cpu.json"
    data = json.loads(str(EVIDENCE[file]))
    assert data["runs"]["time"]["load"] == 0.02
    data["runs"]["time"]["load"] = 0.005
    site = read_site(write_notes(tmp_path, {**EVIDENCE, file: json.dumps(data)}))
    text = whole(Seen(site, stage(site)).pages["caches/ladder/lab/"])
    assert "load of others 2 %" in text  # of the other machine
    assert "load of others 0 %" not in text


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
    (measured,) = (p for p in there.pages["latency-numbers/"].css("p") if "by machine" in p.text())
    assert words(measured).startswith("Rows measured by machine: one-cpu (2); ")
    assert measured.css("a")[0].attributes["href"] == "../machines/#one-cpu"
    found = [f for f in examine(there.site) if f.code == "PN914"]
    assert [f.line for f in found] == [7, 8]


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
    note = shown.markdown("caches/ladder/")
    assert "takes [80×](lab/index.md#far) as long" in note
    assert "[25.6 GB/s](../../facts/chips/index.md#chip--bandwidth)" in note
    assert "**[1.0×](lab/index.md#nothing)**" in note
    assert "quartiles" in note
    assert "- [one-cpu](one-cpu.json): 80×, holds" in shown.markdown("caches/ladder/lab/")
    assert "chip/bandwidth: 25.6 GB/s, rate \\* width" in shown.markdown("facts/chips/")
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
