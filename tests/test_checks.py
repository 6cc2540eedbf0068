"""Every check does what its page says: the wrong example gives the code, the right one does not."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from perfnotes.checks import modules, rules
from perfnotes.checks._rule import Files, Rule, Symlink
from perfnotes.text.findings import Finding, Severity
from tests.engine_of import findings_as_built

ROOT = Path(__file__).parent.parent
# Where the wrong examples are wrong, as findings say it.
PLACES = {
    "PN101": ["caches/rows.md:5:3"],
    "PN102": ["caches/rows.md:1:1"],
    "PN103": ["glossary.yml:1:1"],
    "PN104": ["caches/rows.md:2:12"],
    "PN105": [r"caches/row\x0amajor.md:1:1"],
    "PN106": ["caches/rows.md:1:1"],
    "PN107": ["caches/rows.md:10:12"],
    "PN108": ["caches/rows.md:10:15"],
    "PN109": ["caches/rows.md:10:1", "caches/rows.md:14:1"],
    "PN110": ["caches/HEAD:1:1"],
    "PN201": ["caches/rows.md:1:1"],
    "PN202": ["caches/rows.md:2:1", "caches/rows.md:3:1"],
    "PN203": ["glossary.yml:1:3", "glossary.yml:3:3"],
    "PN204": ["tags.yml:5:3"],
    "PN205": ["caches/rows.md:2:8"],
    "PN206": ["caches/lines.md:2:1", "caches/rows.md:2:1"],
    "PN207": ["caches/rows.md:2:12"],
    "PN208": ["caches/lines.md:2:12", "caches/rows.md:2:12"],
    "PN209": ["topics.yml:4:11"],
    "PN210": ["caches/lines.md:2:11", "caches/rows.md:2:11"],
    "PN211": ["caches/rows.md:1:1", "wanted.yml:2:3"],
    "PN212": ["caches/rows.md:6:3"],
    "PN213": ["caches/rows.md:7:3"],
    "PN214": ["caches/rows.md:4:3"],
    "PN215": ["caches/rows.md:4:3"],
    "PN216": ["caches/columns.md:4:3", "caches/rows.md:4:3"],
    "PN217": ["symptoms.yml:5:3"],
    "PN218": ["tools.yml:3:3"],
    "PN219": ["tools.yml:3:3"],
    "PN220": ["tags.yml:1:3", "tags.yml:4:3"],
    "PN221": ["caches/rows.md:2:1"],
    "PN301": ["caches/rows.md:10:30"],
    "PN302": ["caches/columns.md:9:17"],
    "PN303": ["caches/rows.md:10:10"],
    "PN304": ["caches/rows.md:10:37"],
    "PN305": ["caches/rows.md:10:27"],
    "PN306": ["caches/rows.md:10:29"],
    "PN307": ["caches/rows.md:10:15"],
    "PN401": ["references.bib:3:3"],
    "PN402": ["references.bib:7:1"],
    "PN403": ["references.bib:4:3", "references.bib:5:3"],
    "PN404": ["references/drepper2007.md:1:1"],
    "PN405": ["caches/rows.md:10:29"],
    "PN406": ["caches/rows.md:10:39"],
    "PN407": ["references.bib:1:1"],
    "PN408": ["caches/rows.md:10:21"],
    "PN409": ["references.bib:1:1"],
    "PN410": ["caches/rows.md:10:36"],
    "PN411": ["references.bib:1:1", "references.bib:8:1"],
    "PN501": ["caches/rows.md:10:1"],
    "PN502": ["caches/rows.md:14:1"],
    "PN503": ["caches/rows.md:12:1"],
    "PN504": ["caches/rows.md:12:1"],
    "PN505": ["caches/rows.md:10:1"],
    "PN506": ["caches/rows.md:10:14"],
    "PN507": ["caches/rows.md:1:1", "gpu/rows.md:1:1"],
    "PN508": ["caches/rows.md:11:1"],
    "PN509": ["caches/rows.md:12:1"],
    "PN510": ["caches/rows.md:12:6", "caches/rows.md:14:14"],
    "PN511": ["caches/rows.md:12:1"],
    "PN512": ["caches/rows.md:10:5"],
    "PN513": ["caches/rows.md:10:23", "caches/rows.md:12:1"],
    "PN514": ["caches/rows.md:12:4"],
    "PN515": ["caches/rows.zh.md:7:18"],
    "PN516": ["caches/rows.md:10:1"],
    "PN517": ["caches/rows.md:10:10"],
    "PN518": ["caches/rows.md:14:1"],
    "PN601": ["caches/rows.md:10:27"],
    "PN602": ["caches/rows.md:10:18"],
    "PN603": ["caches/row.svg:3:1"],
    "PN604": ["caches/rows.md:10:9", "caches/rows.md:10:30"],
    "PN605": ["caches/row.svg:3:40"],
    "PN606": ["caches/rows.md:10:44"],
    "PN701": ["caches/row.zh.md:1:1"],
    "PN702": ["caches/rows.zh.md:4:1"],
    "PN703": ["caches/rows.md:14:1", "caches/rows.zh.md:9:20"],
    "PN704": ["caches/rows.zh.md:1:1"],
    "PN705": ["caches/steps/lab/lab.yml:2:1"],
    "PN801": ["caches/Row Major.md:1:1"],
    "PN802": ["caches/rows.md:1:1", "caches/rows/index.md:1:1"],
    "PN803": ["topics.yml:1:3"],
    "PN804": ["caches/columns.md:1:1"],
    "PN805": ["caches/rows.md:10:1"],
    "PN901": ["caches/steps/lab/lab.yml:11:3"],
    "PN902": ["facts/buses.yml:9:7"],
    "PN903": ["facts/buses.yml:7:37"],
    "PN904": ["caches/steps/lab/results/other.json:1:1"],
    "PN905": ["caches/steps/lab/results/example-cpu.json:52:2"],
    "PN906": ["caches/steps/index.md:10:37", "caches/steps/lab/lab.yml:1:1"],
    "PN907": ["caches/steps/lab/lab.yml:11:3"],
    "PN908": ["caches/steps/calc.yml:5:3", "caches/steps/index.md:10:4"],
    "PN909": ["caches/steps/lab/lab.yml:26:14"],
    "PN910": ["caches/rows.md:10:31"],
    "PN911": ["caches/rows.md:10:26"],
    "PN912": ["caches/rows.md:10:13", "caches/rows.md:11:19"],
    "PN913": ["caches/rows.md:10:22"],
    "PN914": ["latency.yml:3:38"],
    "PN915": ["caches/rows.md:12:4"],
    "PN920": ["caches/rows.md:10:14"],
    "PN921": ["caches/rows.md:2:1"],
    "PN922": ["caches/steps/index.md:12:1"],
    "PN923": ["caches/steps/index.md:10:1"],
    "PN924": ["caches/steps/index.md:2:1"],
    "PN925": ["caches/rows.md:2:1"],
    "PN926": ["caches/steps/index.md:10:1"],
    "PN930": ["caches/rows.review.yml:3:3"],
    "PN931": ["caches/row.review.yml:1:1"],
    "PN932": ["caches/rows.review.yml:7:5"],
}
Look = Callable[[Files], list[Finding]]


@pytest.fixture
def look(tmp_path: Path) -> Look:
    return partial(findings_as_built, tmp_path)


def _place(finding: Finding) -> str:
    return f"{finding.path.removeprefix('notes/')}:{finding.line}:{finding.column}"


each_rule = pytest.mark.parametrize("rule", rules().values(), ids=list(rules()))


def test_the_example_notes_are_right(look: Look) -> None:
    assert look({}) == []


@each_rule
def test_the_wrong_example_gives_the_code_at_its_place(rule: Rule, look: Look) -> None:
    found = [f for f in look(rule.wrong) if f.code == rule.code]
    assert found
    for finding in found:
        assert finding.message
        assert str(finding).isprintable()
        assert finding.severity is rule.severity
    assert [_place(f) for f in found] == PLACES[rule.code]


@each_rule
def test_the_right_example_is_right_in_everything(rule: Rule, look: Look) -> None:
    found = look(rule.right)
    assert [str(f) for f in found if f.code == rule.code] == []
    assert [str(f) for f in found if f.severity is not Severity.NOTE] == []


@each_rule
def test_a_rule_can_be_read_as_a_page(rule: Rule) -> None:
    assert rule.wrong
    assert rule.right
    assert rule.title[0].isupper()
    assert not rule.title.endswith(".")
    assert 2 <= len(re.findall(r"[.?](?=\s|$)", rule.why)) <= 4
    said = [bool(words) for words in rule.in_words]
    assert said in ([False, False], [True, True])
    files = [*rule.wrong.values(), *rule.right.values()]
    if not any(said):  # then the files are shown as they are
        for text in files:
            assert not isinstance(text, Symlink)
            assert len(text) < 1000


def test_every_code_has_one_rule_and_every_rule_its_finder() -> None:
    codes = [module.RULE.code for module in modules()]
    assert len(codes) == len(set(codes))
    checks = ROOT / "tools/perfnotes/checks"
    emitted = set()
    for file in (ROOT / "tools/perfnotes").rglob("*.py"):
        found = set(re.findall(r"[\"'](PN\d{3})[\"']", file.read_text("utf-8")))
        assert found <= set(codes), file
        emitted |= found if checks not in file.parents else set()
    finders = ("find", "find_in_text")
    without = {m.RULE.code for m in modules() if not any(hasattr(m, name) for name in finders)}
    assert without <= emitted


def test_severities() -> None:
    warnings = {code for code, rule in rules().items() if rule.severity is Severity.WARNING}
    notes = {code for code, rule in rules().items() if rule.severity is Severity.NOTE}
    assert warnings == {"PN108", "PN214", "PN215", "PN216", "PN218", "PN220", "PN221", "PN305",
                        "PN406", "PN409", "PN410", "PN411", "PN510", "PN515", "PN516", "PN702",
                        "PN703", "PN704", "PN705", "PN605", "PN805", "PN914", "PN920", "PN925",
                        "PN926"}  # fmt: skip
    assert notes == {"PN211", "PN407", "PN408", "PN507", "PN508", "PN509", "PN804", "PN921",
                     "PN923", "PN932"}  # fmt: skip
