"""What a Chinese keyboard writes in place of ASCII signs is named at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfnotes.checks import full_width_sign
from perfnotes.search.analysis import analyse
from perfnotes.source import yamlfile
from perfnotes.text.inline import scan
from perfnotes.text.line_joints import line_joints
from perfnotes.text.source import Source
from tests.engine_of import findings_as_built
from tests.example_notes import made_pages, read_site, write_notes

WRONG = [
    ("见［行］（rows.md）。", ["（"]),
    ("见[行]（../caches/rows.md#size）。", ["（"]),
    ("见[行](rows.md）。", ["）"]),
    ("用时是[9.4 倍]（lab:steps）。", ["（"]),
    ("见[站点]（https：//example.com）。", ["（"]),
    ("见[@drepper2007memory，sec. 3]。", ["，"]),
    ("见[@drepper2007memory；@smith1982cache]。", ["；"]),
    ("见［@drepper2007memory］和[＠drepper2007memory]。", ["［", "＠"]),
    ("见[[lines｜缓存行]]和［［lines］］。", ["｜", "［［"]),
    ("＃＃ 标题", ["＃"]),
    ("##\u3000标题", ["\u3000"]),
    ("## 标题 ｛#title｝", ["｛"]),
    ("｜甲｜乙｜\n｜---｜---｜", ["｜", "｜"]),
    ("| 甲 | 乙 |\n|———|---|\n| 一 ｜ 二 |", ["—", "｜"]),
    ("＞ 引文", ["＞"]),
    ("> 【!NOTE】\n> 字\n\n> [！NOTE]\n> 字", ["【", "！"]),
    ("｀｀｀console\n$ ls\n｀｀｀", ["｀｀｀", "｀｀｀"]),
    ("···bash\nls", ["···"]),
    ("\u3000\u3000```bash\nls\n\u3000\u3000```", ["\u3000"]),
    ("用 ｀ls｀ 和＊＊粗体＊＊。", ["｀", "＊＊"]),
    ("！[图](lines.svg)", ["！"]),
    ("１. 一\n２. 二", ["１", "２"]),
    ("－ 一", ["－"]),
    ("看［^1］。", ["［"]),
]
RIGHT = [
    "见[行](rows.md)（英文）。另见[行]（第三列），【重要】［注］，以及 a［1］。",
    "`[行]（rows.md）`\n\n```text\n＃＃ 标题\n｜甲｜乙｜\n```",
    "| 甲 | 一｜二、三 |\n|---|---|\n| （1） | —— |",
    "一、二；三：四！五？（六）“七”《八》——九……十·十一。\n\n——完",
    "**粗体。**后，见[@drepper2007memory, sec. 3]，又见[行](rows.md)。",
    "\u3000\u3000段首空两格。",
    "$\\text{甲，乙｜丙}$",
]


def _signs(folder: Path, text: str) -> list[str]:
    """Return the signs that the check finds in a Chinese text, as its messages name them."""
    site = read_site(write_notes(folder, {"caches/lines.zh.md": f"{text}\n"}))
    links = site.graph.links["notes/caches/lines.zh.md"]
    found = list(full_width_sign.find_in_text(site, links))
    assert all(each.hint.startswith("write ") for each in found)
    return [each.message.partition(" is no sign")[0].strip("'") for each in found]


@pytest.mark.parametrize(("text", "signs"), WRONG)
def test_a_sign_that_looks_like_markdown_is_named(
    tmp_path: Path, text: str, signs: list[str]
) -> None:
    shown = ["a full-width space" if sign == "\u3000" else sign for sign in signs]
    assert _signs(tmp_path, text) == shown


def test_chinese_punctuation_and_code_are_left_alone(tmp_path: Path) -> None:
    assert not _signs(tmp_path, "\n\n".join(RIGHT))


def test_openings_without_an_end_are_no_signs(tmp_path: Path) -> None:
    heads = ("[@a, ", "](a/", "[[a", "## a", "|a", "\uff01[")
    assert not _signs(tmp_path, "\n\n".join(f"{head * 2000}\u3000\u3010" for head in heads))


MENDED = [
    ("1、甲\n2、乙", "1. 甲\n2. 乙"),
    ("步骤如下：\n1、甲\n2、乙", "步骤如下：\n1. 甲\n2. 乙"),
    ("> １、甲\n>\n> 2）乙", "> 1. 甲\n>\n> 2. 乙"),
    ("甲\n\n3．\u3000乙", "甲\n\n3. 乙"),
    ("x＝3，周期数＝2，a ＝ b，`a`＝`b`，x＝$y$", "x=3，周期数=2，a = b，`a`=`b`，x=$y$"),
]


@pytest.mark.parametrize(("text", "right"), MENDED)
def test_marks_of_lists_and_the_sign_of_equality_can_be_mended(text: str, right: str) -> None:
    mended = text
    for each in sorted(full_width_sign.mendable(scan(text, 0)), reverse=True):
        mended = mended[: each.start] + each.new + mended[each.end :]
    assert mended == right
    assert not list(full_width_sign.mendable(scan(right, 0)))


@pytest.mark.parametrize(
    "text",
    [
        "有 1、2、4 路\n1、2 和 3",
        "有三级：\n1、2、3 级",
        "一段文字到\n1、二级缓存",
        "见表（图\n1）。",
        "1．5 倍",
        "一、甲\n二、乙",
        "```text\n1、甲\n```\n\n`x＝1` $a＝b$",
        "甲＝乙，＝＝＝",
    ],
)
def test_numbers_within_a_sentence_are_no_list(text: str) -> None:
    assert not list(full_width_sign.mendable(scan(text, 0)))


def test_a_mark_of_a_list_is_told_once(tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path, {"caches/lines.zh.md": "１． 甲\n\nx＝1\n"}))
    links = site.graph.links["notes/caches/lines.zh.md"]
    found = [each.message for each in full_width_sign.find_in_text(site, links)]
    assert found == [
        "'１．' begins no list in Markdown, and the lines run together",
        "'＝' is a full-width sign beside a number or a name",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("第一行\n第二行，\n第三行", "第一行第二行，第三行"),
        ("- 第一行\n  第二行\n- 又一项", "- 第一行第二行\n- 又一项"),
        ("- 第一行\n- 第二行", None),
        ("第一段\n\n第二段", None),
        ("## 标题\n第一段", None),
        ("标题\n---\n第一段", None),
        ("第一行\nsecond line\n第三行", None),
        ("한국어\n문장", None),
        ("甲 | 乙\n---|---\n一 `a` | 二\n三 | 四", None),
        ("```text\n第一行\n第二行\n```", None),
        ("> 第一行\n> 第二行", None),
    ],
)
def test_a_wrapped_chinese_paragraph_is_put_together_without_spaces(
    text: str, shown: str | None
) -> None:
    joined = text
    for start, end in reversed(list(line_joints(scan(text, 0)))):
        joined = joined[:start] + joined[end:]
    assert joined == (shown or text)


def test_a_page_shows_wrapped_lines_without_a_gap(tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path, {"caches/lines.zh.md": "缓存行是\n六十四字节。\n"}))
    bodies = [page.body for page in made_pages(site)]
    assert any("缓存行是六十四字节。" in body for body in bodies)


FRONT = "title: 缓存行\ndescription: 单位\nsymptoms:\n- id: slow\n  see: 慢\n"


@pytest.mark.parametrize(
    ("right", "wrong", "place", "says"),
    [
        ("title: ", "title：", (1, 6), "a full-width colon"),
        ("description: ", "description：", (2, 12), "a full-width colon"),
        ("  see: ", "  see：", (5, 6), "a full-width colon"),
        ("- id: ", "- id：", (4, 5), "a full-width colon"),
        ("- id", "－ id", (4, 1), "a full-width dash"),
        ("  see", "\u3000\u3000see", (5, 1), "a full-width space"),
        ("title: ", "title:\u3000", (1, 6), "a full-width space after a colon"),
        ("title: ", "title:", (1, 6), "no space after a colon"),
    ],
)
def test_yaml_that_a_mistyped_sign_breaks_is_told_at_the_sign(
    right: str, wrong: str, place: tuple[int, int], says: str
) -> None:
    text = FRONT.replace(right, wrong) + "  confirm: 看\n"
    document, (finding,) = yamlfile.load(Source("notes/tags.yml", text))
    assert document is None
    assert (finding.code, finding.line, finding.column) == ("PN104", *place)
    assert says in finding.message


def test_a_broken_line_keeps_its_own_message_if_no_sign_is_mistyped() -> None:
    _, (finding,) = yamlfile.load(Source("notes/tags.yml", "a: 见：b\nc: d: e\n"))
    assert "mapping values" in finding.message


def test_traditional_characters_find_what_simplified_ones_do() -> None:
    assert analyse("為什麼偽共享這麼慢") == analyse("为什么伪共享这么慢")
    assert analyse("鎖頁記憶體 ＧＰＵ").key == analyse("锁页记忆体 GPU").key


def test_a_chinese_comma_does_not_part_two_synonyms(tmp_path: Path) -> None:
    found = findings_as_built(
        tmp_path, {"caches/lines.zh.md": "---\naliases: [缓存线，快取行]\n---\n"}
    )
    assert [(f.code, f.line, f.column) for f in found] == [("PN202", 2, 11)]
    assert "a plain comma" in found[0].hint
