"""Tells which sentences state a fact, in English and Chinese.

A sentence states a fact if a second reader could find it wrong by looking at a source, a lab, a
calculation or the program that it describes. Nearly every sentence of a note does. A fact that no
second reader checks does more harm than a sentence that is checked without need. So each sentence
counts, unless it has the form of something else: advice without a reason, a question, a pointer to
another note, the announcement of what follows, a belief that the text is about to judge, a heading
that only names its subject. How to confirm a symptom always counts, because it says which cause a
reading or a command shows. ``benchmarks/claims/`` scores this on sentences labelled by hand.
"""

from __future__ import annotations

import re

from perfnotes.text.chinese import has_cjk
from perfnotes.text.sentences import (
    CAPTION,
    CONFIRM,
    DESCRIPTION,
    HEADER,
    HEADING,
    ROW,
    TITLE,
    Sentence,
)

_BOUND = re.compile(r"\]\((?:lab|fact):")
_CITED = re.compile(r"(?<![\w`])@[A-Za-z][\w:-]*\d{4}|\[@")
_BRACKETS = re.compile(r"\[@[^\]]*\]|(?<!\[)\[([^\[\]]*)\]\([^()\s]*\)")
_EMPHASIS = re.compile(r"[*_]{1,3}(?=[^\s*_])|(?<=[^\s*_])[*_]{1,3}")
_LEAD_IN = re.compile(r"\*\*[^*]+[.:。：]\*\*\s*|\*\*[^*]+\*\*[:：]\s*")  # "**Sparse use.** A ..."
_BELIEF = re.compile(r"[*_]{0,3}[“\"「][^“”\"「」]*[”\"」][。.？?]?[*_]{0,3}[。.]?\Z")
_QUESTION = re.compile(r"[?？][*_”\"]*\Z")
_LAB_BY_HAND = re.compile(r"`perfnotes reproduce\b[^`]*`[,，]")
_ONLY_CODE = re.compile(r"\*\*[^*]+\*\*\s*[:：]\s*`[^`]*`[.;。；]?\Z")

_HEADING_EN = re.compile(
    r"(?:Why\b|(?!(?:What|When|Where|Which|How|Who|Do|Does|Is|Are|Beliefs?|See|Seeing|Since)\b)"
    r".*\b(?:is|are|was|were|has|cannot|decides?|inherits?|makes?|moves?|needs?|pays?|raises?)\b)"
)
_HEADING_ZH = re.compile(
    r".*(?:为什么|为何)|(?!.*(?:什么|何|怎|如何|哪|多少|多大|吗|多远)).*(?:是|由|不成立|一样|会)"
)

_VERBS = (
    "add allocate allow alternate ask avoid batch begin believe build buy call change chase check "
    "choose clear combine compare compile copy count create cut delete divide do drop enter expect "
    "feed fetch find fix flush follow generate give go group halve hand hide hold interleave keep "
    "know lay leave let link list look make mark measure merge mind move name note open pack pad "
    "pass pick pin place plot predict prefer prepare print profile prove put quote raise read "
    "reclaim record reduce remove repeat replace replay report reset reuse round run sample save "
    "say see serve set share shorten skip sort split spread start stop store strip subtract sweep "
    "switch synchronise take test time treat trust try turn unmap use wait walk warm watch work "
    "write"
)
_IMPERATIVE_EN = re.compile(
    r"(?:(?:And|Better|But|First|Instead|Or|Otherwise|So|Then|Therefore)\b[,:]?\s+)?"
    r"(?:(?:Where|When|If|On|In|For|With|Before|After|Without|Once|Until|Wherever|To|At|From)\b"
    r"[^,;:]{1,120}[,:;]\s+)?"
    r"(?:(?:always|never|just|only|better|then|first|do not|don't|rather)\s+)*"
    rf"(?:do not|don't|{'|'.join(_VERBS.split())})\b"
    r"(?!\s+(?:of|is|are|was|were|has|have|had|can|and|or|costs?|takes?|per|dependent)\b)(?!['’-])",
    re.IGNORECASE,
)
_SHORT_ADVICE_EN = re.compile(r"[^:.;]{1,60}: (?:" + "|".join(_VERBS.split()) + r")\b")
_REASON_EN = re.compile(
    r"; \w|\b(?:because|since|which|whose|so that|otherwise|or else|although|though|while"
    r"|as (?:it|they|the)|for (?:it|they)|this|they|it (?:is|has|was|does|can|needs|takes))\b"
    r"|,? (?:and|but|so|then) (?:\w+ ){1,4}(?:is|are|has|have|does|do|will|can|cannot|costs?"
    r"|needs?|takes?|becomes?|stays?|remains?)\b",
    re.IGNORECASE,
)
_POINTER_EN = re.compile(
    r"\[\[[^\]]+\]\]\s+(?:also\s+)?(?:has|have|is about|says?|tells?|explains?|shows?|describes?"
    r"|derives?|gives?|measures?|counts?|compares?|lists?|goes|answers?|does|works|takes|follows"
    r"|covers?|looks|deals|treats)\b"
    r"|[^.;:]*\b(?:is|are|stands?|belongs?|follows?)\s+(?:in|the subject of|at)\s+\[\["
    r"|(?:For|On|About)\b[^.;:]*(?:,|:)\s+(?:see\s+)?\[\[|.*\bsee\s+(?:also\s+)?\[\["
    r"|(?:Which|What|How|Where|Why|Who)\b[^;]*\[\[[^\]]+\]\]\)?\.?\Z"
)
_FEW_WORDS = 9  # a sentence of fewer words that ends in a colon announces what follows
_COUNTED_EN = re.compile(
    r"(?:Two|Three|Four|Five|Six|Some|Several|A few)\s+\w+(?:\s+\w+){0,5}[.:]\Z"
)
_NUMBER_OR_CODE = re.compile(r"[\d`$]")
_VERB_EN = re.compile(r"\b(?:is|are|was|were|has|have|can|cannot|does|do)\b")

_IMPERATIVE_ZH = re.compile(
    r"(?:(?:或者|或|最好|更好的办法是|所以|因此|那就|先|再|也|请|不妨|建议|此外|然后|平时|通常)[，,]?)*"
    r"(?:把|用(?!时|户|途|了|的|来|量|到)|改用|不要|别(?!的|处|人)|不必|设(?!了|为|单|的|备|计)|让|给(?!出|它)"
    r"|按(?!这|定|此|页)|看(?!到|不|起|见|来)|选(?!项|中)|换(?!来|句)|测(?!量|得|到|试|不)|查(?!找)|问|避免|确保"
    r"|保留|启用|关掉|打开|检查|一次只|只为|尽量|分别|记下|动手|找出|要看|写(?!入|者|回|操|时|一|的|方)"
    r"|读(?!取|者|一|写|操|到|时|的|入))"
)
_ADVICE_ZH = re.compile(
    r"(?:应当|应该|最好|不妨|应)(?:先|再|只|都|要|把|用|保留|改|选|避免|放|给|让)"
)
_REASON_ZH = re.compile(
    r"因为|由于|否则|就(?!会?行)|才|会|以免|所以|因此|时，|没有|不会|不能|不用|不需|才能|这样|它们?|即|也就是|代价|仍"
)
_POINTER_ZH = re.compile(
    r".*(?:见|参见|另见|看|读)\s*(?:下文|上文|\[\[)"
    r"|.*\]\](?:里|中|一文)?(?:会|也)?(?:有|讲|说明|说的|解释|给出|列出|推导|告诉|算|介绍|测|用|比较|在讲)"
    r"|[^，。；]{0,25}见\s*[^，。；]{0,30}(?:\s*\[@[^\]]*\])?[。；]?\Z"
)
_COUNTED_ZH = re.compile(r"(?:这里)?(?:有|分|下面是)[两三四五六几]\S{0,14}[。：]\Z")


def states_fact(sentence: Sentence) -> bool:
    """Whether the sentence states a fact that can be right or wrong."""
    if sentence.kind in (ROW, CAPTION, DESCRIPTION, CONFIRM):
        return True
    if sentence.kind == HEADER:
        return False
    words = sentence.markdown.strip()
    chinese = has_cjk(words)
    if sentence.kind in (TITLE, HEADING):
        return (_HEADING_ZH if chinese else _HEADING_EN).match(words) is not None
    if _BELIEF.match(words) or _LAB_BY_HAND.match(words) or _ONLY_CODE.match(words):
        return False
    if _BOUND.search(words):
        return True
    if _QUESTION.search(words):
        return False
    return not (_is_no_statement_zh if chinese else _is_no_statement_en)(words)


def _is_no_statement_en(words: str) -> bool:
    """Whether an English sentence is advice, a pointer or the announcement of what follows."""
    if _POINTER_EN.match(words):
        return True
    if _CITED.search(words):
        return False
    words = _LEAD_IN.sub("", words, count=1) or words
    plain = _EMPHASIS.sub("", _BRACKETS.sub(r"\1", words)).strip()
    if _IMPERATIVE_EN.match(plain) or _SHORT_ADVICE_EN.match(plain):
        return _REASON_EN.search(plain) is None
    if _NUMBER_OR_CODE.search(plain):
        return False
    if _COUNTED_EN.match(plain) and not _VERB_EN.search(plain):
        return True
    return plain.endswith(":") and len(plain.split()) < _FEW_WORDS


def _is_no_statement_zh(words: str) -> bool:
    """Whether a Chinese sentence is advice, a pointer or the announcement of what follows."""
    if _POINTER_ZH.match(words):
        return True
    if _CITED.search(words):
        return False
    words = _LEAD_IN.sub("", words, count=1) or words
    plain = _EMPHASIS.sub("", words).strip()
    if _IMPERATIVE_ZH.match(plain) or _ADVICE_ZH.search(plain):
        return _REASON_ZH.search(plain) is None
    return _COUNTED_ZH.match(plain) is not None
