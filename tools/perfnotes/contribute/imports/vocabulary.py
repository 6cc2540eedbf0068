"""Finds tags and a topic for a text, by the words of ``tags.yml`` and ``topics.yml``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from perfnotes.model.library import Library
from perfnotes.text.chinese import has_cjk

_READ = 200_000  # characters of a text in which words are counted
_MOST = 4  # tags that are guessed
_LEAST = 3  # points of a tag: a word that occurs once or twice says little


class Vocabulary:
    """The tags of a library by every spelling, and which topics use them."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.spellings: dict[str, str] = {}
        for tag in library.tags.values():
            for word in (tag.id, tag.id.replace("-", " "), tag.name.en, tag.name.zh, *tag.aliases):
                if word:
                    self.spellings.setdefault(word.casefold(), tag.id)
        notes = [*library.notes.values(), *library.drafts.values()]
        self.by_topic: dict[str, Counter[str]] = {t: Counter() for t in library.topics}
        for note in notes:
            self.by_topic.setdefault(note.topic, Counter()).update(note.meta.tags)
        words = sorted(self.spellings, key=lambda w: (-len(w), w))
        latin = [re.escape(w) for w in words if not has_cjk(w)]
        han = [re.escape(w) for w in words if has_cjk(w)]
        parts = [rf"(?<![a-z0-9])(?:{'|'.join(latin)})(?=s?(?![a-z0-9]))"] if latin else []
        self._pattern = re.compile("|".join([*parts, *han])) if parts or han else None

    def tag_named(self, word: str) -> str:
        """The id of the tag with this name, in any of its spellings, or an empty string."""
        plain = word.strip().lstrip("#").casefold()
        for each in (plain, plain.replace("_", " "), plain.replace("-", " "),
                     plain.replace(" ", "-"), plain.removesuffix("s")):  # fmt: skip
            if each in self.spellings:
                return self.spellings[each]
        return ""

    def guess(self, title: str, headings: Iterable[str], text: str) -> list[tuple[str, int]]:
        """The tags whose words the text uses most, with the number of these words.

        Words in the title count ten times, words in headings four times.
        """
        points: Counter[str] = Counter()
        seen: Counter[str] = Counter()
        for weight, words in ((10, title), (4, "\n".join(headings)), (1, text[:_READ])):
            for word in self._pattern.findall(words.casefold()) if self._pattern else ():
                tag = self.spellings[word]
                points[tag] += weight
                seen[tag] += 1
        best = sorted(points, key=lambda t: (-points[t], t))
        return [(t, seen[t]) for t in best if points[t] >= _LEAST][:_MOST]

    def usual_tag(self, topic: str) -> str:
        """The tag that most notes of a topic have, or most of all notes if the topic has none."""
        count = self.by_topic.get(topic) or Counter()
        if not count:
            count = sum(self.by_topic.values(), Counter())
        if count:
            return max(sorted(count), key=lambda t: count[t])
        return min(self.library.tags, default="")

    def topic_of_folder(self, parts: Iterable[str]) -> str:
        """The topic that has the name of one of the folders, inner folders first, or ""."""
        for part in reversed(list(parts)):
            plain = part.casefold().strip()
            for topic in self.library.topics.values():
                names = {topic.id, topic.title.en.casefold(), topic.title.zh, f"{topic.id}s"}
                if plain in names or plain.replace(" ", "-").replace("_", "-") in names:
                    return topic.id
        return ""

    def topic_of_tags(self, tags: Iterable[str]) -> str:
        """The topic whose notes use these tags most, or ""; the first tag counts most."""
        points: dict[str, float] = {}
        for i, tag in enumerate(tags):
            total = sum(c[tag] for c in self.by_topic.values())
            for topic, count in self.by_topic.items():
                if count[tag]:
                    points[topic] = points.get(topic, 0.0) + count[tag] / total / (i + 1)
        return max(sorted(points), key=lambda t: points[t]) if points else ""
