"""What are the words of a text, in every script?

Both stores index the output of `index_terms`; a question is searched by `query_terms`. Punctuation is never syntax:
it ends words and is gone. Text is folded (NFKC, case, accents of Latin and Greek, vowel points), Latin words are
stemmed by Snowball's English stemmer and Cyrillic ones by its Russian stemmer. Scripts without spaces give every
letter and every pair of neighbours, so that words of one and two letters are found; a question uses the pairs, or the
letter when it stands alone. Emoji are words.
"""

import threading
import unicodedata
from functools import lru_cache
from itertools import pairwise

import regex
import snowballstemmer

from glossator.rules.patterns import late
from glossator.rules.stopwords import ENGLISH, UNSPACED

_UNSPACED_LETTER = (
    r"[\p{Han}\p{Hiragana}\p{Katakana}ー々〆〇\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]\p{M}*"
)
_EMOJI = r"\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]*"
_TOKEN = late(
    rf"""
    (?P<unspaced> (?:{_UNSPACED_LETTER})+ )
  | (?P<number> \p{{Nd}}+(?:[.,]\p{{Nd}}+)+ )
  | (?P<code> (?<![\p{{L}}\p{{N}}]) [a-z](?:\+\+|\#)(?![\p{{L}}\p{{N}}]) )
  | (?P<word> (?:(?!{_UNSPACED_LETTER})[\p{{L}}\p{{N}}])(?:(?!{_UNSPACED_LETTER})[\p{{L}}\p{{N}}\p{{M}}])*
              (?:['’ʼ](?:(?!{_UNSPACED_LETTER})[\p{{L}}\p{{M}}])+)* )
  | (?P<emoji> (?:\p{{Regional_Indicator}}{{2}}
              | {_EMOJI}(?:\u200d{_EMOJI})*) )
    """,
    regex.VERBOSE,
)
_LETTER = late(_UNSPACED_LETTER)
_UNSPACED_QUESTION = late("|".join(map(regex.escape, UNSPACED)))
_POINTS = late(r"(?<=[\p{Latin}\p{Greek}])[\u0300-\u036f]+|[\u0591-\u05c7\u064b-\u065f\u0670\u0640]+")
_CYRILLIC = late(r"\p{Cyrillic}")
_POSSESSIVE = late(r"['’ʼ]s?$")
_APOSTROPHE = late(r"['’ʼ]")
_DIGITS_APART = late(r"(?<=\d),(?=\d{3}(?!\d))")

WORD_CHARACTERS_MAX = 64
"""Longer words are hashes, keys or noise; their first letters are enough to find them."""


def fold(text: str) -> str:
    """Lower case, compatibility forms and accents folded: "Ｊosé" and "jose" are the same."""
    lowered = unicodedata.normalize("NFKC", text).casefold()
    if lowered.isascii():
        return lowered
    return unicodedata.normalize("NFC", _POINTS.sub("", unicodedata.normalize("NFD", lowered)))


def index_terms(text: str) -> tuple[str, ...]:
    """Terms to index a text by, in order, with repeats."""
    terms: list[str] = []
    for kind, token in _tokens(fold(text)):
        if kind == "unspaced":
            letters = _LETTER.findall(token)
            terms.extend(letters)
            terms.extend(first + second for first, second in pairwise(letters))
        elif term := _term(kind, token):  # a letter that is an apostrophe (ʼ) is no word alone
            terms.append(term)
    return tuple(terms)


def query_terms(text: str) -> tuple[str, ...]:
    """Distinct terms to search a question by, in order; stop words only when there is nothing else."""
    everything: dict[str, None] = {}
    telling: dict[str, None] = {}
    for kind, token in _tokens(fold(text)):
        if kind == "unspaced":
            everything.update(dict.fromkeys(_pairs(token)))
            for part in _UNSPACED_QUESTION.split(token):
                telling.update(dict.fromkeys(_pairs(part)))
        elif term := _term(kind, token):
            everything[term] = None
            if _bare(token) not in ENGLISH and term not in ENGLISH:
                telling[term] = None
    return tuple(telling or everything)


def _tokens(folded: str) -> list[tuple[str, str]]:
    return [(found.lastgroup or "word", found.group()) for found in _TOKEN.finditer(folded)]


@lru_cache(maxsize=200_000)
def _term(kind: str, token: str) -> str:
    if kind == "word":
        return _stem(_bare(token))
    if kind == "number":
        return str(_DIGITS_APART.sub("", token))
    return token.replace("\ufe0f", "")


def _bare(token: str) -> str:
    return str(_APOSTROPHE.sub("", _POSSESSIVE.sub("", token)))[:WORD_CHARACTERS_MAX]


def _pairs(run: str) -> list[str]:
    letters = _LETTER.findall(run)
    return letters if len(letters) < 2 else [first + second for first, second in pairwise(letters)]


def _stem(word: str) -> str:
    language = "english" if word.isascii() else "russian" if _CYRILLIC.match(word) else ""
    if not language or word in ENGLISH:
        return word
    with _STEMMING:
        return str(_STEMMERS[language].stemWord(word))


_STEMMERS = {name: snowballstemmer.stemmer(name) for name in ("english", "russian")}
_STEMMING = threading.Lock()
"""Snowball's stemmers keep the word they work on in themselves; two threads would mix theirs."""
