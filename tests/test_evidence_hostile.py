"""What strangers put into labs, results and facts is text on the pages and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from perfnotes.site.safety import judge
from perfnotes.site.stage import stage
from tests.evidence_pages import Seen, whole
from tests.example_evidence import EVIDENCE, FOLDER, LAB, ONE, PROGRAM, result
from tests.example_notes import read_site, write_notes

ATTACK = (
    "</code></pre></div><script>alert(1)</script> \" onclick='x' `a` ``` <b> {{x}} &lt; [x](j:y)"
)
HIDDEN = "\x1b[2J\u202e\u200b\u2028"  # what a terminal obeys, or what nobody sees


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
    machine = replace(
        ONE,
        cpu=ATTACK,
        arch=HIDDEN,
        kernel=ATTACK + HIDDEN,
        gpus=(ATTACK,),
        caches={ATTACK: {"size": 1}},
    )
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
        assert not set(HIDDEN[:1] + HIDDEN[4:]) & set(whole(page)), url
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
