"""What both engines of the search need, in Python and in the reader's browser.

The values stand in ``constants.json``, which the browser's engine gets with its script.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_VALUES: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

# Terms
CJK: str = _VALUES["CJK"]  # the inside of a class of characters: Chinese, Japanese and Korean
LONGEST_TERM: int = _VALUES["LONGEST_TERM"]  # characters; longer ones are hashes and data
MOST_PARTS: int = _VALUES["MOST_PARTS"]  # of a compound
# Endings, longest first: how many letters of each go, and how many letters stay at least.
ENDINGS: list[tuple[str, int, int]] = [(e, off, least) for e, off, least in _VALUES["ENDINGS"]]
NO_PLURAL: tuple[str, ...] = tuple(_VALUES["NO_PLURAL"])  # endings of words that are no plurals

# Files of the index
FORMAT: int = _VALUES["FORMAT"]  # of all files; an engine reads no other
ALPHABET: str = _VALUES["ALPHABET"]  # the digits of numbers, from 0
TERM_GROUP: int = _VALUES["TERM_GROUP"]  # shards of terms that share a digest
DIGEST_LENGTH: int = _VALUES["DIGEST_LENGTH"]  # letters, of five bits each
BLOCKS: int = _VALUES["BLOCKS"]  # of a page in one file
KINDS: tuple[str, ...] = tuple(_VALUES["KINDS"])  # of facets of which a page has one value

# Queries
LONGEST_QUERY: int = _VALUES["LONGEST_QUERY"]  # characters that are read
# Commands after which every word with a dash is an option.
COMPILERS: frozenset[str] = frozenset(_VALUES["COMPILERS"].split())
# Commands whose options of one letter are written as one word, such as set -euo.
BUNDLING: frozenset[str] = frozenset(_VALUES["BUNDLING"].split())
MOST_SLOTS: int = _VALUES["MOST_SLOTS"]
MOST_SIGNS: int = _VALUES["MOST_SIGNS"]  # such as [[, that are looked up
STOP: frozenset[str] = frozenset(_VALUES["STOP"].split())  # words that are not looked up
STOP_ZH: str = _VALUES["STOP_ZH"]  # a regular expression of what parts a run of Chinese
LONELY: frozenset[str] = frozenset(_VALUES["LONELY"])  # characters that say nothing alone
# A pair with one of these joins two words more often than it is one.
LOOSE: frozenset[str] = frozenset(_VALUES["LOOSE"])

# Weights of a term that was found for a slot; NUMBER: singular for plural and back.
EXACT: int = _VALUES["EXACT"]
NUMBER: int = _VALUES["NUMBER"]
FORM: int = _VALUES["FORM"]
WIDE: int = _VALUES["WIDE"]
COMPLETIONS: int = _VALUES["COMPLETIONS"]  # percent that a further completion of a word adds
MOST_FORMS: int = _VALUES["MOST_FORMS"]  # terms of one slot
RARITY: float = _VALUES["RARITY"]  # the power to which a rare term counts more

# Scores
WEIGHTS: dict[str, int] = _VALUES["WEIGHTS"]  # of slots by their kind
# What stays of its score with a page that covers next to nothing of a query of up to FEW_SLOTS
# slots; nobody expects each word of a long one, so there more stays, for each slot and at most.
LEAST_COVERED: float = _VALUES["LEAST_COVERED"]
MORE_COVERED: float = _VALUES["MORE_COVERED"]
MOST_COVERED: float = _VALUES["MOST_COVERED"]
FEW_SLOTS: int = _VALUES["FEW_SLOTS"]
NAMED: float = _VALUES["NAMED"]  # added to a page whose name the query is
SYMPTOM: float = _VALUES["SYMPTOM"]  # what the score of its best symptom adds to a note's
# A symptom answers if its score is more than this many times that of its note's text.
SYMPTOM_SHOWN: float = _VALUES["SYMPTOM_SHOWN"]
TOGETHER: float = _VALUES["TOGETHER"]  # what words in one part of a page add to its score
FLOOR: float = _VALUES["FLOOR"]  # share of the best score that a page must have to be listed
# Shares from which on a result opens at a section; the share of a query's words from which on a
# row of a note's table answers it.
LANDING: dict[str, float] = _VALUES["LANDING"]
CONFIDENCE: dict[str, float] = _VALUES["CONFIDENCE"]  # weights of what speaks for an answer
RARER: int = _VALUES["RARER"]  # times, than both neighbours: such a pair joins two words
# What another name counts of the words that it replaces: LIGHTER if these are the whole query, and
# the less the smaller their share of it, down to LIGHTEST.
LIGHTER: float = _VALUES["LIGHTER"]
LIGHTEST: float = _VALUES["LIGHTEST"]
MOST_EXPANSIONS: int = _VALUES["MOST_EXPANSIONS"]
MOST_CORRECTIONS: int = _VALUES["MOST_CORRECTIONS"]
FIRST_SHARDS: int = _VALUES["FIRST_SHARDS"]  # that the first results of a query may fetch
MOST_PHRASE: int = _VALUES["MOST_PHRASE"]  # pages that are searched for a phrase
PHRASE_STEP: int = _VALUES["PHRASE_STEP"]  # pages that are searched for it at a time
