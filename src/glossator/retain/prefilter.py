"""Is this turn worth an extractor's time, or does it surely say nothing that lasts?

A skip list, not an allow list: what is not known to be trivial passes, so that a fact in an unforeseen wording or in
another language is not lost. Greetings, thanks, assent, commands, bare questions and bare requests are skipped. Run it
on the user's own words (rules/blocks.py), apart from tool output.
"""

import re
from typing import Literal

from glossator.rules.patterns import late_re

SkipReason = Literal[
    "empty", "short", "greeting", "thanks", "assent", "continue", "command", "question", "request", "tool_noise"
]
CHARACTERS_MIN = 5
CHARACTERS_MAX = 600
"""A longer text says something besides its question; it passes without being read."""
OTHER_SCRIPT_CHARACTERS_MIN = 12
"""In a script whose words the tables do not know: about a sentence."""

_OTHER_SCRIPT = late_re(
    r"[\u0370-\u1dff\u2c00-\u2dff\u2e80-\ud7ff\uf900-\ufdff\ufe70-\ufefc\uff66-\uffdc\U00010300-\U0001d7ff\U00020000-\U0003ffff]"
)
_LATIN = late_re(r"[A-Za-z\u00c0-\u024f]")
_SPEAKS_OF_SELF = late_re(
    r"我|私|僕|俺|わたし|ぼく|咱|喜欢|喜歡|讨厌|过敏|最爱|好き|嫌い|苦手|나|저|제|내"
    r"|я|мне|меня|мой|моя|моё|мои|у нас|мы|أنا|عندي|لدي|אני|שלי|मैं|मुझे|मेरा|मेरी|εγώ|μου|ฉัน|ผม",
    re.IGNORECASE,
)
_COMMAND = late_re(r"/[A-Za-z][\w-]*(?:\s+\S{1,40}){0,3}\Z")
_TOOL_NOISE = late_re(
    r"(?:\[\]|\{\}|null|none|nil|undefined|n/a|true|false|(?:http )?200(?: ok)?|\(?no (?:output|results?"
    r"|matches)(?: found)?\)?"
    r"|exit(?:ed)?(?: with)?(?: code)?:? ?\d+|(?:step|task|job) ?#?\d* (?:done|complete[d]?|finished|ok)"
    r"|(?:command|process|tool|task)\b[\w ]{0,20}(?:completed|finished|succeeded|ran)(?: successfully| without output)?"
    r"|(?:done|success|ok|completed)[.!]?|\d+ (?:passed|rows?|files? changed)[^.]{0,30}"
    r"|[\d\s.,:;%()\[\]{}<>/\\|=+*_\"'`~-]+)[.!]?",
    re.IGNORECASE,
)
_SENTENCE = late_re(r"[^.!?\n…]*(?:[.!?…]+(?=[\"'”’)\s]|\Z)[\"'”’)]*|[.!?…]+|\n+|\Z)")
_WORD = late_re(r"[^\W_]+(?:['’][^\W_]+)*")

_GREETING = frozenset(
    """hi hello hey heya hiya howdy yo greetings good morning afternoon evening night day there everyone all again
    welcome back bye goodbye see you later soon tomorrow cya take care dear assistant hallo guten morgen tag bonjour
    salut hola buenos días ciao olá""".split()
)
_THANKS = frozenset(
    """thanks thank thx ty tysm cheers you so very much a lot many bunch ton million again appreciate appreciated it
    that i for your the help danke merci gracias grazie obrigado""".split()
)
_ASSENT = frozenset(
    """ok okay k kk yes yeah yep yup ya yea no nope nah sure right alright fine great good cool nice perfect awesome
    excellent amazing wonderful lovely brilliant fantastic super wow oh ah aha hm hmm mm mhm interesting indeed true
    exactly absolutely definitely certainly totally correct agreed understood got gotcha it that this that's thats it's
    i'm i see i'll get understand agree do did don't didn't know think so too of course by all means sounds looks seems
    makes sense is was very really quite pretty much just a an the point idea plan one works for me fair enough noted
    no problem worries lol haha hahaha ha please well then and now you're you are welcome maybe perhaps not same here
    neither both ja nein oui non sí si claro vale bueno gut""".split()
)
_CONTINUE = frozenset(
    """continue go on ahead next more proceed keep going carry resume do it again retry try once start begin let's lets
    please now step the to with stop wait yes ok okay sure""".split()
)
_TRIVIAL: tuple[tuple[SkipReason, frozenset[str]], ...] = (
    ("greeting", _GREETING),
    ("thanks", _THANKS),
    ("assent", _ASSENT),
    ("continue", _CONTINUE),
)
_ALL_TRIVIAL = _GREETING | _THANKS | _ASSENT | _CONTINUE
TRIVIAL_WORDS_MAX = 12
PRAISE_WORDS_MAX = 20

_THANKS_FOR = late_re(
    r"\W*(?:(?:ok|okay|great|perfect|wow|awesome|cool|yes|no|ah|oh|well|and|many|hey|hi)\W+)*"
    r"(?:thanks|thank you|thx|cheers|i (?:really )?appreciate (?:it|that|this|the|your))\b"
    r"(?!.*\b(?:i|i['’]\w+|we|we['’]\w+|my|our|but)\b)",
    re.IGNORECASE,
)
_PRAISE = late_re(
    r"\W*(?:\w+\W+)?(?:that|this|it|these|those|they|you|all of (?:this|that)|which)(?:['’]s|['’]re| is| are| was"
    r"| were| all)?"
    r"(?: sounds?| looks?| seems?)?(?: (?:really|very|so|a|an|all|such|quite|pretty|super|just|definitely"
    r"|absolutely|truly"
    r"|like|more|much|the|some|solid|great|good))* (?:great|good|helpful|useful|perfect|amazing|awesome|fantastic"
    r"|wonderful"
    r"|excellent|interesting|fascinating|cool|nice|brilliant|clear|clearer|right|correct|better|best|it|true|fine|solid"
    r"|insightful|fun|incredible|impressive|delicious|advice|tips|ideas?|suggestions?)"
    r"(?: (?:list|idea|ideas|advice|tips?|suggestions?|point|points|plan|start|information|info|question|overview"
    r"|summary"
    r"|explanation|to know|to hear|indeed|too|already|now))*\W*\Z",
    re.IGNORECASE,
)
_LEAD = (
    r"\W*(?:(?:and|so|ok|okay|but|also|well|hey|hi|hello|alright|right|now|then|great|thanks|yes|no|oh|or|please)\W+)*"
)
_ASKS = late_re(
    _LEAD
    + r"(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|am|do|does|did|can|could|would|will|should"
    r"|shall|may|might|has|have|had|isn['’]t|aren['’]t|don['’]t|doesn['’]t|didn['’]t|any|anything|if|in what|in which"
    r"|for what|at what|to what|wo|wer|was|wann|warum|wie|quel\w*|qui|où|quand|pourquoi|comment|qué|quién|dónde|cuándo"
    r"|cómo|por qué)(?:['’]\w+)?\b",
    re.IGNORECASE,
)
_ASKS_UNMARKED = late_re(
    _LEAD
    + r"(?:what(?:['’]s| is| are| was| were| does| do| did| about| other| kind| type)|who(?:['’]s| is| are| was)|why"
    r"|how (?:is|are|was|do|does|did|to|can|could|would|should|many|much|long|about)|where (?:is|are|can|do|does|did)"
    r"|which|when (?:is|was|will|did|does)|(?:can|could|would|will|do|did|are) you|is (?:it|there|that|this)|are there"
    r"|does (?:it|this|that))\b",
    re.IGNORECASE,
)
"""Typed in haste, without a question mark."""
_FIRST_PERSON = late_re(r"\b(?:i|we|my|our|mine|ours|myself)\b", re.IGNORECASE)
_REQUESTS = late_re(
    _LEAD
    + r"(?:(?:(?:can|could|would|will) you|i(?:['’]d| would) like you to|i (?:want|need) you to|let['’]?s|just|kindly"
    r"|first|next|please)\s+)*(?:please\s+)?(?:tell|show|give|write|explain|summari[sz]e|translate|list|find|create"
    r"|make"
    r"|generate|help|suggest|recommend|describe|compare|fix|check|rewrite|rephrase|paraphrase|provide|draft|design"
    r"|develop"
    r"|build|calculate|compute|convert|define|discuss|analy[sz]e|elaborate|expand|continue|finish|complete|implement"
    r"|improve|edit|correct|proofread|outline|plan|prepare|propose|read|review|search|look up|solve|sort|print|run|test"
    r"|update|add|remove|delete|replace|shorten|simplify|come up|brainstorm|identify|extract|classify|format"
    r"|organi[sz]e"
    r"|go (?:over|through|deeper)|walk|teach|act|pretend|imagine|play|format|debug|refactor|optimi[sz]e|open|send"
    r"|see|i(?:['’]d| would) (?:like|love) to (?:know|learn|hear|ask|see)|rank|rate|count|quote|cite"
    r"|mention|change)\b",
    re.IGNORECASE,
)
_TELLS = late_re(
    r"\b(?:i|we)['’](?:m|re|ve)\b|\b(?:i|we)['’]ll (?:be|have|go|use|take)\b"
    r"|\b(?:i|we) (?:am|are|was|were|have(?! to\b)|had|also|just|already|recently|always|never|usually|often|really"
    r"|still"
    r"|don['’]t|do not|didn['’]t|can['’]t|cannot|won['’]t|hate|love|like|dislike|enjoy|prefer|want|need|live|lived"
    r"|work|moved"
    r"|bought|got|went|made|took|left|met|saw|started|use|used|own|play|speak|study|teach|run|drive|eat|drink|keep"
    r"|decided|chose|picked|plan|hope|avoid|think|feel|\w{2,}ed)\b"
    r"|\b(?:my|our) (?:\w+ ){1,3}(?:is|are|was|were|has|have|had|likes?|loves?|hates?|lives?|works?|turns?|starts?"
    r"|wants?)\b"
    r"|\b(?:since|because|as|given that|now that|considering(?: that)?) (?:i|we|my|our)\b"
    r"|\b(?:allergic|allergy|intolerant|vegan|vegetarian|diabetic|pregnant|married|divorced)\b"
    r"|\bby the way\b|\bbtw\b|\bfyi\b",
    re.IGNORECASE,
)
_NAMED = late_re(r"\b(?:[Mm]y|[Oo]ur) (?:[a-z]+ ){1,2}[A-Z][a-z]")
_INVERTED = late_re(
    r"\b(?:do|does|did|can|could|should|would|will|may|might|shall|must|am|are|is|was|were|have|had|how|if|what"
    r"|where|when"
    r"|which|whether|that|anything|something|things?|everything)\s+(?:i|we)\b(?!['’])",
    re.IGNORECASE,
)
_STANDING = late_re(
    r"\b(?:always|never|from now on|every time|whenever|going forward|in (?:the )?future|by default|prefer\w*"
    r"|don['’]t|do not"
    r"|stop|remember|note|mind|call me|avoid|must|only|rather|instead|no more|keep (?:it|your|things|answers)"
    r"|short(?:er)?"
    r"|use|switch|not|without|no longer|deadline|until|unless|(?:write|talk|speak) in|in (?:celsius|fahrenheit|metric"
    r"|kilomet\w+|miles|euros?|dollars?|bullet\w*|british|american))\b",
    re.IGNORECASE,
)

_STANDING_ASKED = late_re(
    r"\b(?:can|could|would|will) you\b.*\b(?:always|never|from now on|every time|going forward|in (?:the )?future"
    r"|by default"
    r"|remember|note|keep in mind|stop|no longer|not)\b",
    re.IGNORECASE,
)
"""An order in the form of a question."""


def skip_reason(text: str) -> SkipReason | None:
    """Why no extractor need see the text, or None: let it pass."""
    text = text.strip()
    if not text:
        return "empty"
    if len(text) > CHARACTERS_MAX:
        return None
    if not text.isascii() and _is_other_script(text):
        passes = len(text) >= OTHER_SCRIPT_CHARACTERS_MIN or (len(text) > 2 and _SPEAKS_OF_SELF.search(text))
        return None if passes else "short"
    if len(text) < CHARACTERS_MIN:
        return "short"
    if _COMMAND.match(text):
        return "command"
    if _TOOL_NOISE.fullmatch(text):
        return "tool_noise"
    worst: SkipReason | None = None
    for sentence in _SENTENCE.findall(text):
        reason = _reason(sentence)
        if reason is None:
            return None
        worst = reason if worst is None or reason in ("question", "request") else worst
    return worst or "empty"


def _is_other_script(text: str) -> bool:
    """True where most letters are of a script that the tables do not know."""
    others = len(_OTHER_SCRIPT.findall(text))
    return others > 0 and others * 2 >= len(_LATIN.findall(text))


def _reason(sentence: str) -> SkipReason | None:
    """Why this sentence tells nothing, or None where it may."""
    words = [word.lower().replace("’", "'") for word in _WORD.findall(sentence)]
    if not words:
        return "empty"
    if len(words) <= TRIVIAL_WORDS_MAX and _ALL_TRIVIAL.issuperset(words):
        return _trivial(words)
    if len(words) <= PRAISE_WORDS_MAX:
        if _THANKS_FOR.match(sentence):
            return "thanks"
        if _PRAISE.match(sentence):
            return "assent"
    asks = _asks(sentence)
    if not asks and not _REQUESTS.match(sentence):
        return None
    if _tells(sentence) or (_STANDING_ASKED if asks else _STANDING).search(sentence):
        return None
    return "question" if asks else "request"


def _trivial(words: list[str]) -> SkipReason:
    """The sort that has the most of the words; the first of equals."""
    return max(_TRIVIAL, key=lambda sort: sum(word in sort[1] for word in words))[0]


def _asks(sentence: str) -> bool:
    if "?" in sentence:
        return bool(_ASKS.match(sentence)) or not _TELLS.search(sentence)
    return bool(_ASKS_UNMARKED.match(sentence)) and not _FIRST_PERSON.search(sentence)


def _tells(sentence: str) -> bool:
    """True where a question or request says something of its speaker beside what it asks."""
    return bool(_TELLS.search(_INVERTED.sub(" ", sentence)) or _NAMED.search(sentence))
