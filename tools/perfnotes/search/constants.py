"""What both engines of the search need, in Python and in the reader's browser.

The values stand in ``constants.json``, which the browser's engine gets with its script.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_VALUES: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

# Terms
CJK: str = _VALUES["CJK"]  # Chinese, Japanese and Korean; between [ and ] of a regular expression
# Traditional Chinese characters and their simplified forms, the first that OpenCC's TSCharacters
# names. Every reader loads them, so only those are here that texts about performance use often. The
# file has each pair as two characters.
_PAIRS: str = _VALUES["TRADITIONAL"]
TRADITIONAL: dict[str, str] = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
# Words of Taiwan and the words of the mainland for them, most of them from OpenCC's TWPhrasesIT; a
# word stands before those that it contains. A word with traditional characters counts only as it
# is written, since in simplified ones it may mean something else, such as 阵列. Left out are words
# that mean something else on the mainland in the same characters, such as 核心.
REGIONAL: dict[str, str] = _VALUES["REGIONAL"]
LONGEST_TERM: int = _VALUES["LONGEST_TERM"]  # characters; longer ones are hashes and data
# An end may begin at the first so many parts of a compound.
MOST_PARTS: int = _VALUES["MOST_PARTS"]
# Endings, longest first: how many letters are cut, and how many letters have to be left.
ENDINGS: list[tuple[str, int, int]] = [(e, off, least) for e, off, least in _VALUES["ENDINGS"]]
NO_PLURAL: tuple[str, ...] = tuple(_VALUES["NO_PLURAL"])  # endings whose s is no plural: "bus"

# Files of the index
FORMAT: int = _VALUES["FORMAT"]  # the version of the files' form; an engine reads no other
ALPHABET: str = _VALUES["ALPHABET"]  # the digits of numbers, from 0
TERM_GROUP: int = _VALUES["TERM_GROUP"]  # shards of terms that share a digest
DIGEST_LENGTH: int = _VALUES["DIGEST_LENGTH"]  # letters, of five bits each
BLOCKS: int = _VALUES["BLOCKS"]  # blocks of a page that one file holds
KINDS: tuple[str, ...] = tuple(_VALUES["KINDS"])  # facets of which a page has only one value

# Queries
LONGEST_QUERY: int = _VALUES["LONGEST_QUERY"]  # characters that are read
# Compilers: after one of these names, every word that begins with a dash is an option.
COMPILERS: frozenset[str] = frozenset(_VALUES["COMPILERS"].split())
# Commands whose options of one letter are often written as one word, such as set -euo.
BUNDLING: frozenset[str] = frozenset(_VALUES["BUNDLING"].split())
MOST_SLOTS: int = _VALUES["MOST_SLOTS"]
# At most so many signs of a query, such as [[, are looked up.
MOST_SIGNS: int = _VALUES["MOST_SIGNS"]
STOP: frozenset[str] = frozenset(_VALUES["STOP"].split())  # words that are not looked up
STOP_ZH: str = _VALUES["STOP_ZH"]  # a regular expression: Chinese stop words, which split a run
LONELY: frozenset[str] = frozenset(_VALUES["LONELY"])  # characters that are left out if alone
# A pair with one of these characters is mostly the end of one word and the beginning of the next.
LOOSE: frozenset[str] = frozenset(_VALUES["LOOSE"])

# Weights of the terms that match a slot: the word itself, its singular or plural (NUMBER), another
# form with the same stem, and a row of ``prefixes`` (WIDE).
EXACT: int = _VALUES["EXACT"]
NUMBER: int = _VALUES["NUMBER"]
FORM: int = _VALUES["FORM"]
WIDE: int = _VALUES["WIDE"]
COMPLETIONS: int = _VALUES["COMPLETIONS"]  # percent that a further completion of a word adds
MOST_FORMS: int = _VALUES["MOST_FORMS"]  # terms of the index that are looked up for one slot
RARITY: float = _VALUES["RARITY"]  # the inverse document frequency is raised to this power

# Scores
# The weights of slots, by their kind.
WEIGHTS: dict[str, int] = _VALUES["WEIGHTS"]
# The factor for the score of a page that covers hardly anything of the query: LEAST_COVERED for up
# to FEW_SLOTS slots, MORE_COVERED more for each further slot, but at most MOST_COVERED. Hardly any
# page has every word of a long query.
LEAST_COVERED: float = _VALUES["LEAST_COVERED"]
MORE_COVERED: float = _VALUES["MORE_COVERED"]
MOST_COVERED: float = _VALUES["MOST_COVERED"]
FEW_SLOTS: int = _VALUES["FEW_SLOTS"]
# This is added to the score of a page whose name the query is.
NAMED: float = _VALUES["NAMED"]
# The weight of the score of a note's best symptom in the note's score.
SYMPTOM: float = _VALUES["SYMPTOM"]
# A symptom answers if its score is more than this many times the score of the note's text.
SYMPTOM_SHOWN: float = _VALUES["SYMPTOM_SHOWN"]
# The weight of the score of a page's best block in the page's score.
TOGETHER: float = _VALUES["TOGETHER"]
FLOOR: float = _VALUES["FLOOR"]  # share of the best score that a page must have to be listed
# The least shares of a page's evidence with which a result opens at a section; see ``landing``.
LANDING: dict[str, float] = _VALUES["LANDING"]
# The parameters of BM25 for the passages of a note: ``repeat`` and ``length`` are its k1 and b,
# ``heading`` the weight of the heading's words, ``most`` the number of sections that are shown, and
# ``least`` the share of the best score that each must have. The best passage can be one more
# excerpt. A passage has at most so many ``lines`` of a program or ``words`` of prose, an
# ``excerpt`` so many words.
PASSAGES: dict[str, float] = _VALUES["PASSAGES"]
# A first screen holds so many ``words``, or so many Chinese ``characters``. A window of 1280 by 800
# pixels shows 1.5 to 2 times as much of our pages. A row of a table or a ``line`` of a program
# takes at most the room of so many words.
SCREEN: dict[str, int] = _VALUES["SCREEN"]
CONFIDENCE: dict[str, float] = _VALUES["CONFIDENCE"]  # weights of the evidence for an answer
RARER: int = _VALUES["RARER"]  # a pair so many times rarer than both neighbours is hardly a word
# The weight of a search for another name: LIGHTER if the words that it replaces are the whole
# query, less the smaller their share of the query is, and at least LIGHTEST.
LIGHTER: float = _VALUES["LIGHTER"]
LIGHTEST: float = _VALUES["LIGHTEST"]
MOST_EXPANSIONS: int = _VALUES["MOST_EXPANSIONS"]
MOST_CORRECTIONS: int = _VALUES["MOST_CORRECTIONS"]
FIRST_SHARDS: int = _VALUES["FIRST_SHARDS"]  # shards of terms to fetch for the first results
MOST_PHRASE: int = _VALUES["MOST_PHRASE"]  # pages that are searched for a phrase
PHRASE_STEP: int = _VALUES["PHRASE_STEP"]  # pages that are searched for a phrase at a time
