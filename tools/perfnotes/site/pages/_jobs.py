"""Jobs: what the page "Help wanted" lists, each with a command or link to begin with."""

from __future__ import annotations

import html as escapes
import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from perfnotes.graph import gaps
from perfnotes.graph.reviews import unread
from perfnotes.graph.site import Site
from perfnotes.model.lab import Claim, Lab
from perfnotes.model.quantity.amount import amount, seconds
from perfnotes.site.pages._results import failing, needs_words
from perfnotes.site.strings import add_words, string
from perfnotes.site.twin_address import twin_address
from perfnotes.text.joining import joins

WORDS = {
    "wanted_all_papers": ("The list of them, {n} in all", "全部 {n} 篇的列表"),
    "wanted_expected": (
        "{machine}: {value}, expected {expected}",
        "{machine}：{value}，预期 {expected}",
    ),
    "wanted_how_to_read": ("How to read a note", "怎样审读笔记"),
    "wanted_more": ("and {n} more", "等，另有 {n} 个"),
    "wanted_no_machine": ("no result yet", "尚无结果"),
    "wanted_on": ("measured on {machine} alone", "只在 {machine} 上测过"),
    "wanted_waived": ("{number} ({why})", "{number}（{why}）"),
}
add_words(WORDS)

_MOST_NUMBERS = 12  # numbers of a note that are named
_TAG = re.compile(r"<[^>]*>")


class Job(Struct, frozen=True):
    """One job, in plain text.

    ``address`` is that of the page that the job is about; ``about`` says more about the job.
    ``ways`` are further links, as pairs of a label and an address. An address of another site is
    complete; an address of this site is relative to the site's root.
    """

    title: str
    address: str = ""
    about: str = ""
    command: str = ""
    ways: tuple[tuple[str, str], ...] = ()


Groups = Mapping[str, list[Job]]  # jobs by heading; "" is no heading


class Jobs(Struct, frozen=True):
    """Finds the jobs of a site, in the words of ``lang``."""

    site: Site
    lang: str

    def all(self) -> Iterator[tuple[str, Groups]]:
        """Yield each kind of job that has any, with its jobs. Repairs come before new work."""
        kinds: tuple[tuple[str, Groups], ...] = (
            ("failing", {"": list(self._failing())}),
            ("stale", {"": list(self._stale())}),
            ("late", {"": list(self._late())}),
            ("numbers", {"": list(self._numbers())}),
            ("drafts", {"": list(self._drafts())}),
            ("unmeasured", {"": list(self._unmeasured())}),
            ("machine", {"": [self._lab(lab) for lab in gaps.labs_on_one_machine(self.site)]}),
            ("unread", {"": list(self._unread())}),
            ("untranslated", {"": list(self._untranslated())}),
            ("subjects", self._subjects()),
            ("papers", {"": list(self._papers())}),
        )
        for kind, groups in kinds:
            if any(groups.values()):
                yield kind, groups

    def _string(self, key: str, **values: object) -> str:
        return string(key, self.lang, **values)

    def _ways(self, *pairs: tuple[str, str]) -> tuple[tuple[str, str], ...]:
        return tuple((self._string(key), address) for key, address in pairs if address)

    def _joined(self, *parts: str) -> str:
        return joins(self.lang).semicolon.join(p for p in parts if p)

    def _subjects(self) -> Groups:
        library, report = self.site.library, self.site.repository.report
        found: dict[str, list[Job]] = {}
        wanted = gaps.wanted_subjects(self.site)
        for id in (*library.topics, *(t for t in wanted if t not in library.topics)):
            topic = library.topics.get(id)
            new = library.wanted.topics.get(id)
            name = topic.title[self.lang] if topic else new[self.lang] if new else id
            for subject in wanted.get(id, ()):
                title, question = subject.title[self.lang], subject.question[self.lang]
                asked = report("missing-topic", f"{title} ({subject.id})", subject=title,
                               questions=question)  # fmt: skip
                job = Job(title, about=question, command=f"perfnotes new note {subject.id}",
                          ways=self._ways(("wanted_discuss", asked)))  # fmt: skip
                found.setdefault(name, []).append(job)
        return found

    def _lab(self, lab: Lab) -> Job:
        machines = list(self.site.library.results.get(lab.id, {}))
        on = self._string("wanted_on", machine=machines[0]) if machines else ""
        return Job(
            lab.title[self.lang],
            self.site.addresses.lab(lab.id, self.lang),
            self._joined(on or self._string("wanted_no_machine"), self._needs(lab)),
            f"perfnotes reproduce {lab.id} --save",
        )

    def _needs(self, lab: Lab) -> str:
        takes = f"{self._string('takes')} {seconds(lab.duration, self.lang)}"
        colon = joins(self.lang).colon
        needed = [
            f"{name}{colon}{escapes.unescape(_TAG.sub('', html))}"
            for name, html in needs_words(lab.needs, self.lang)
        ]
        return self._joined(takes, *needed)

    def _unmeasured(self) -> Iterator[Job]:
        for each in gaps.unmeasured(self.site):
            lab = each.lab
            claims = self._joined(*(self._what(lab.claims[id]) for id in each.claims))
            address = f"{self.site.addresses.lab(lab.id, self.lang)}#{each.claims[0]}"
            yield Job(lab.title[self.lang], address, claims, f"perfnotes reproduce {lab.id} --save")

    def _what(self, claim: Claim) -> str:
        """Return what a claim states, as plain text."""
        return claim.what[self.lang].replace("`", "")

    def _failing(self) -> Iterator[Job]:
        for each in self.site.derived(failing):
            measured = self._string(
                "wanted_expected",
                machine=each.result.machine.id,
                value=amount(each.verdict.number, each.claim.unit),
                expected=each.claim.expect.shown(self.lang),
            )
            address = f"{self.site.addresses.lab(each.lab.id, self.lang)}#{each.claim.id}"
            colon = joins(self.lang).colon
            title = f"{each.lab.title[self.lang]}{colon}{self._what(each.claim)}"
            yield Job(title, address, measured, f"perfnotes reproduce {each.lab.id}")

    def _stale(self) -> Iterator[Job]:
        for lab, machine in gaps.stale(self.site):
            command = "replace" if machine == lab.reference else "record"
            address = self.site.addresses.lab(lab.id, self.lang)
            yield Job(lab.title[self.lang], address, machine, f"perfnotes lab {command} {lab.id}")

    def _numbers(self) -> Iterator[Job]:
        for note, numbers in self.site.derived(gaps.without_evidence):
            shown = [
                self._string("wanted_waived", number=j.quantity.text, why=j.reason)
                if j.reason
                else j.quantity.text
                for j in numbers[:_MOST_NUMBERS]
            ]
            if len(numbers) > _MOST_NUMBERS:
                shown.append(self._string("wanted_more", n=len(numbers) - _MOST_NUMBERS))
            file = f"{self.site.settings.notes}/{note.file}"
            line, _ = note.body.source.position(numbers[0].quantity.start)
            edit = self.site.repository.edit(file, line)
            yield Job(
                self.site.title(note, self.lang),
                self.site.addresses.note(note, self.lang),
                self._joined(*shown),
                f"perfnotes check {file}",
                self._ways(("wanted_edit", edit)),
            )

    def _late(self) -> Iterator[Job]:
        for twin in gaps.outdated_translations(self.site):
            edit = self.site.repository.edit(f"{self.site.settings.notes}/{twin.file}")
            ways = self._ways(("wanted_see", f"{twin.url}changes/"), ("wanted_edit", edit))
            title = self.site.title(twin.note, self.lang)
            address = self.site.addresses.note(twin.note, self.lang)
            yield Job(title, address, "", f"perfnotes translated {twin.id}", ways)

    def _untranslated(self) -> Iterator[Job]:
        for note in gaps.untranslated(self.site):
            begun = note.id in self.site.library.draft_translations
            check = f"perfnotes check {self.site.twin_path(note)}"
            command = check if begun else f"perfnotes new note {note.id} --lang zh"
            way = ("wanted_edit" if begun else "wanted_begin", twin_address(self.site, note))
            address = self.site.addresses.note(note, self.lang)
            yield Job(note.meta.title, address, "", command, self._ways(way))

    def _unread(self) -> Iterator[Job]:
        how = self.site.docs_address("reading", self.lang)
        for note in unread(self.site):
            title = self.site.title(note, self.lang)
            address = self.site.addresses.note(note, self.lang)
            ways = self._ways(("wanted_how_to_read", how))
            yield Job(title, address, "", f"perfnotes claims {note.id}", ways)

    def _drafts(self) -> Iterator[Job]:
        for note in gaps.drafts(self.site):
            file = f"{self.site.settings.notes}/{note.file}"
            ways = self._ways(("wanted_edit", self.site.repository.edit(file)))
            about = note.meta.description
            yield Job(note.meta.title, "", about, f"perfnotes check {file}", ways)

    def _papers(self) -> Iterator[Job]:
        n = len(self.site.derived(gaps.uncited))
        if n:
            address = f"{self.site.addresses.section('references', self.lang)}?cited=no"
            yield Job(self._string("wanted_all_papers", n=n), address)
