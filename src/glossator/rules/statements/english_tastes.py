"""How does English say what somebody likes, dislikes, prefers and pursues?"""

from glossator.rules.statements.rule import (
    ANY_NOUN,
    CAN,
    NO_WAY,
    NOT,
    NOUNS,
    ONGOING,
    OWN,
    PRESENT,
    SIMPLE,
    SPEAKER,
    STANDING,
    STOP,
    TOLD,
    Negation,
    Rule,
    rule,
    upto,
)
from glossator.rules.statements.values import Tense

_NOT_A_TASTE = (
    r"(?!(?:no|not|neither|to hate|to admit|to disappoint|to bother|to interrupt|to complain|i|i'm|he"
    r"|she|we|they|my life|it|its|that|this|these|those|them|him|his|her|their"
    r"|you|your|yours|us|me|what|how|when|where|why|who|which|if|one|ones|both|all"
    r"|each|to (?:know|ask|see|hear|think|thank|say|add|point|discuss|talk|get|have(?! my\b)|know|use"
    r"|make|start|try|do|request|understand"
    r"|share|be(?! \w+ed\b| told| left)|include|focus|go with|keep|continue|explore"
    r"|incorporate|schedule|set|book)|hearing|seeing|knowing|thinking"
    r"|the (?!outdoors|beach|sea|ocean|mountains?|rain|cold|heat|snow|theatre|theater|opera"
    r"|piano|violin|guitar|cello|gym|beatles"
    r"|smell of|taste of|feeling of|countryside|forest|desert|train|bus|tube|metro|subway|city"
    r"|suburbs|dentist|news|radio|commute|wind|sun|dark|cinema|library|market|water|winter"
    r"|summer|simpsons|rolling stones"
    r"|night|city life)|an? (?:lot|few|bit|good|more|nice)|some of|everything(?! (?:by|about)\b)|anything(?! "
    r"(?:handmade|with|made|from|by|to do|spicy|sweet|chocolate|vintage|fried|sour|salty"
    r"|[a-z]+y)\b)|nothing|something|going to|so much|most"
    r"|more|less|better|best|the idea|idea|working (?:with|on) (?:you|this)|talking|chatting"
    r"|our (?:chat|talk|conversation)s?"
    r"|for|very|really|as|making sure|delving|exploring (?:more|this|these|those)|our"
    r"|just)\b)(?!#|\d|[\w-]+\.\w)"
    r"(?![^,.;]{0,60}\b(?:them|it|him|her|you|your|these|those|this|here)\b)(?!(?:suggestion"
    r"|recommendation|option|feedback|advice)s?\b)"
    r"(?![^,.;]{0,60}\b(?:ideas?|suggestions?|recommendations?|options?|approach|concept"
    r"|principles?|version|formats?|layout|title|section|recipe|point|one|ones"
    r"|part|structure|wording|phrase|plan|summary|list|answer|response|details?|direction|tone"
    r"|tips?|examples?)(?:\s*(?:$|[.,;!(])|\s(?:of|from|too|as well|a lot|and|because|but|for"
    r"|you|that)\b))(?!['\"*“‘])"
)
_THING = _NOT_A_TASTE + upto("thing", longest=70)
_LIKES, _DISLIKES = "likes", "dislikes"
_TASTE = "taste:{thing}"
_LIKING = "like love enjoy adore appreciate fancy"
_HATING = "hate dislike detest loathe despise"


def _taste(
    verbs: str,
    rest: str,
    *,
    tenses: frozenset[Tense] = STANDING,
    negation: Negation = "turns",
) -> Rule:
    return rule(
        verbs, rest, _TASTE, _LIKES, "preference",
        kind="implicit_pref", opposite=_DISLIKES, tenses=tenses, negation=negation,
    )  # fmt: skip


def _distaste(
    verbs: str, rest: str, *, tenses: frozenset[Tense] = STANDING, needs: frozenset[str] = frozenset()
) -> Rule:
    return rule(
        verbs, rest, _TASTE, _DISLIKES, "preference",
        kind="implicit_pref", negation="refused", is_negative=True, tenses=tenses, needs=needs,
    )  # fmt: skip


TASTES: tuple[Rule, ...] = (_taste("be", r"(?:always )?(?:fond of|into|keen on|crazy about) " + _THING,
         tenses=frozenset({"perfect"})), _distaste("steer", r"clear of " + _THING, tenses=SIMPLE), _distaste("try",
         r"to avoid " + _THING, tenses=SIMPLE),
    rule("beat", _THING, _TASTE, _LIKES, "preference", kind="implicit_pref", subjects=frozenset({"thing"}),
         noun=r"^nothing$", tenses=frozenset({"present"}), negation="refused"),
    rule("be", r"(?:much )?of an? (?P<thing>[\w -]{3,30}?)" + STOP, "is:{thing}", "yes", "identity", tenses=frozenset({
         "present"}), needs=NOT, opposite="no"), _distaste("like enjoy love", _THING, tenses=frozenset({"perfect"}),
         needs=frozenset({"never"})), _distaste("do", r"(?P<thing>(?!so\b|it\b|things\b|this\b|that\b)(?:mornings"
         r"|small talk|spicy food|crowds" r"|drama|sports|social media|sushi|seafood|parties|clubs|camping|heights"
         r"|horror|dairy" r"|gluten|refunds|sweets))" + STOP, tenses=frozenset({"present"}), needs=NOT),
    rule("prefer", r"(?!(?:it|that|this|them|the (?:first|second|third|other|latter|former|one|new|old)|if"
         r"|not|your|these|those)\b)" + r"(?!no\b|not\b)(?P<thing>.{2,50}?) (?:over|to|rather than|instead of"
         r"|than) (?!(?:be|do|go" r"|use|have|keep" r"|work)\b)(?P<other>.{2,50}?)" + STOP, "prefers:{pair}",
         "{thing}", "preference", kind="implicit_pref", tenses=PRESENT, negation="refused"),
    rule("prefer", r"not to " + upto("thing"), _TASTE, _DISLIKES, "preference", kind="implicit_pref", tenses=PRESENT,
         negation="refused", is_negative=True), _taste("prefer", r"(?!(?:no|not|that|this|it|them|if|the|your|these"
         r"|those|option|version|variant|answer" r"|number|plan \w)\b)" + upto("thing", longest=70), tenses=PRESENT),
    rule("", r"(?P<thing>.{2,50}?) than " + upto("other", longest=50), "prefers:{pair}", "{thing}", "preference",
         kind="implicit_pref", tenses=frozenset({"modal", "present"}), negation="refused", subjects=SPEAKER,
         needs=frozenset({"rather"})), _taste("like", r"(?P<thing>my (?:\w+ )?\w+ (?:black|white|strong|weak|sweet"
         r"|soft-boiled|hard-boiled" r"|well[- ]done|rare|medium|medium[- ]rare|spicy|hot|cold|iced|crispy|plain)\b)",
         tenses=PRESENT), _distaste("stand bear", r"(?!(?:by|up|out|in|with|for|on|here|there)\b)" + _THING,
         tenses=CAN, needs=NOT),
    rule("get", r"enough of " + _THING, _TASTE, _LIKES, "preference", kind="implicit_pref", tenses=CAN, needs=NOT,
         absorbs=True),
    rule("live", r"without " + _THING, _TASTE, _LIKES, "preference", kind="implicit_pref", tenses=CAN, needs=NOT,
         absorbs=True), _distaste(_HATING, r"(?:having )?" + _THING, tenses=STANDING), _taste(_LIKING, _THING,
         tenses=STANDING), _taste("be", r"(?:an? )?(?:(?:big|huge|massive|great|lifelong|real|major|total|die-?hard"
         r"|avid) )?(?:fan" r"|lover) of " + _THING, tenses=PRESENT), _taste("be",
         r"(?:(?:really|very|so|quite|super|also|big|that) )*(?:a sucker for|a fool for|into|fond "
         r"of|crazy about|obsessed with|partial to|keen on|hooked on|addicted to|mad about) " + _THING,
         tenses=PRESENT), _taste("be", r"an? (?:(?:big|huge|avid|real|keen|passionate"
         r"|total) )(?P<thing>[\w-]+(?: [\w-]+)?) " r"(?:fan|lover|enthusiast|buff|geek|nerd|person)" + STOP,
         tenses=PRESENT), _distaste("avoid", _THING, tenses=PRESENT), _taste("have",
         r"a (?:soft spot|thing|weakness|sweet spot|great love|love|passion) for " + _THING, tenses=PRESENT), _taste(
         "be", r"(?:happiest|at my best|at my happiest) (?:with|when|in|on) " + _THING, tenses=SIMPLE,
         negation="refused"), _distaste("have", r"no (?:patience|time|love|stomach|taste) for " + _THING,
         tenses=SIMPLE), _distaste("go", r"off " + _THING, tenses=frozenset({"perfect"})), _distaste("refuse",
         r"to (?P<thing>(?:eat|drink|use|fly|work|watch|buy|wear|drive|go) .{2,60}?)" + STOP, tenses=PRESENT),
    rule("be", r"(?:scared|afraid|terrified) of (?P<thing>heights|spiders|flying|dogs|snakes|the dark"
         r"|water|needles|clowns|mice|bees|wasps|lifts|elevators|thunder)\b", "fear:{thing}", "yes", "identity",
         tenses=PRESENT, opposite="no"),
    rule("drive get", r"(?:me (?:mad|crazy|nuts|up the wall|insane)|on my nerves)\b", "taste:{noun}", _DISLIKES,
         "preference", kind="implicit_pref", subjects=NOUNS, noun=ANY_NOUN, tenses=SIMPLE, negation="refused",
         is_negative=True),
    rule("make", r"me (?:happy|smile|feel at home|calm|laugh)\b", "taste:{noun}", _LIKES, "preference",
         kind="implicit_pref", subjects=NOUNS, noun=r"^(?!that$|this$|it$)(?P<noun>.+)", tenses=SIMPLE,
         negation="refused"),
    rule("make", r"me (?:sick|angry|nervous|anxious|ill|uncomfortable|nauseous|sleepy)\b", "taste:{noun}", _DISLIKES,
         "preference", kind="implicit_pref", subjects=NOUNS, noun=r"^(?!that$|this$|it$)(?P<noun>.+)", tenses=SIMPLE,
         negation="refused", is_negative=True), _distaste("like enjoy love", _THING, tenses=TOLD, needs=frozenset({
         "never"})), _distaste(_HATING, r"(?:it )?when (?P<thing>(?!you\b).{4,80}?)(?=\s*(?:[,;:()!?]|\.(?:\s|$))"
         r"|\s*$)", tenses=SIMPLE), _taste("like prefer", r"(?:it )?when (?P<thing>(?!you\b).{4,80}?)(?=\s*(?:[,;:()"
         r"!?]|\.(?:\s|$))|\s*$)", tenses=SIMPLE), _distaste("be", r"no (?:big |great )?(?:fan|friend|lover) of " +
         _THING, tenses=SIMPLE), _distaste("care", r"(?:much |too much |a lot )?for " + _THING, tenses=frozenset({
         "present", "past"}), needs=NO_WAY), _distaste("find", r"(?P<thing>(?!it\b|this\b|that\b|these\b|your\b"
         r"|the\b|myself\b).{3,40}?) (?:(?:more|really|quite|so|very|pretty|rather|incredibly|deeply|utterly"
         r"|a bit) )?(?:unbearable|annoying|irritating|boring|disgusting|exhausting|tedious|horrible|awful"
         r"|gross|overrated|revolting|depressing)" + STOP, tenses=SIMPLE), _taste("find",
         r"(?P<thing>(?!it\b|this\b|that\b|these\b|your\b|the\b|myself\b).{3,40}?) (?:(?:more|really|quite|so|very"
         r"|pretty|rather|incredibly|deeply|utterly|a bit) )?(?:relaxing|calming|delicious|soothing|fascinating"
         r"|irresistible)" + STOP, tenses=SIMPLE, negation="refused"),
    rule("be", r"(?:my (?:go-to|thing|jam|favou?rite|comfort food|cup of tea|weakness|guilty pleasure)|a "
         r"favou?rite of mine)\b(?! \w)", "taste:{noun}", _LIKES, "preference", kind="implicit_pref",
         opposite=_DISLIKES, subjects=NOUNS, noun=r"^(?!that$|this$|it$)(?P<noun>.+)", tenses=SIMPLE),
    rule("be", r"not for me\b", "taste:{noun}", _DISLIKES, "preference", kind="implicit_pref", subjects=NOUNS,
         noun=ANY_NOUN, tenses=SIMPLE, negation="refused", is_negative=True),
    rule("be", r"for me\b", "taste:{noun}", _DISLIKES, "preference", kind="implicit_pref", subjects=NOUNS,
         noun=ANY_NOUN, tenses=SIMPLE, is_negative=True, needs=NOT),
    rule("be", r"what i (?:always |usually |normally )?(?:use|drink|order|prefer|eat|choose|pick|like"
         r"|love|go for)" + STOP, "taste:{noun}", _LIKES, "preference", kind="implicit_pref", subjects=NOUNS,
         noun=ANY_NOUN, tenses=SIMPLE, negation="refused"),
    rule("be", r"(?:probably |definitely |still |be )*(?!(?:this|that|these|those|it|the one)\b)" + upto("thing",
         longest=60), "{noun}", "{thing}", "preference", kind="implicit_pref", subjects=OWN, noun=
         r"^(?:all-time |absolute |current )*(?P<noun>fav(?:ou?rite)? (?!part|thing about|one)[\w' " r"-]{2,40})$",
         tenses=frozenset({"present", "must"})),
    rule("be", r"my (?:all-time |absolute )*(?P<fav>favou?rite \w+(?: \w+)?)" + STOP, "{fav}", "{noun}", "preference",
         kind="implicit_pref", subjects=NOUNS, noun=ANY_NOUN, tenses=SIMPLE),
    rule("fascinate", r"me\b", "taste:{noun}", _LIKES, "interest", subjects=NOUNS, noun=ANY_NOUN, tenses=SIMPLE,
         negation="refused"),
)  # fmt: skip

INTERESTS: tuple[Rule, ...] = (
    rule("be", r"(?:in|an? (?:proud |active )?member of|part of) (?P<group>an? (?:[\w-]+ ){0,3}?(?:club"
         r"|choir|band|league|society|orchestra|quartet|guild))\b", "member:{group}", "yes", "interest", tenses=PRESENT,
         opposite="no"),
    rule("knit crochet sew paint draw garden box row fish sing dance surf ski sail", r"(?P<how>)(?=,|$)", "does:{verb}",
         "yes", "interest", tenses=SIMPLE, subjects=frozenset({"self", "person", "name"}), opposite="no"),
    rule("write", r"(?P<thing>poetry|poems|songs|short stories|novels|fiction|music|crime novels|children's "
         r"books|plays|a blog)\b", "writes:{thing}", "yes", "interest", tenses=PRESENT, opposite="no"),
    rule("support follow", r"(?P<proper>\p{L}[\w'.-]*(?: [\w'.-]+){0,2}?)" + STOP, "follows:{proper}", "yes",
         "interest", tenses=SIMPLE, subjects=frozenset({"self", "person", "name"}), opposite="no"),
    rule("learn", r"the (?P<thing>ukulele|guitar|piano|violin|cello|accordion|drums|flute|clarinet|trumpet"
         r"|saxophone|harp|banjo|organ)\b", "learns:{thing}", "yes", "goal", tenses=ONGOING, negation="refused"),
    rule("go", r"to (?P<thing>(?:the )?[\w ]{3,25}?) (?:a lot|very often|quite often|regularly)\b", "does:{thing}",
         "yes", "interest", tenses=SIMPLE, negation="refused"),
    rule("have get", r"(?:really )?into (?P<thing>(?!trouble|a\b|an\b|the\b|my\b|it\b|this\b|that\b|debt|shape"
         r"|college|university|bed|contact|arguments?|fights?)[\w' -]{3,40}?)" + STOP, "taste:{thing}", _LIKES,
         "interest", tenses=frozenset({"present", "past", "perfect"}), negation="refused"),
    rule("read watch cook bake play listen",
         r"(?:to )?(?:a lot of|lots of|loads of|tons of) (?P<thing>(?!it\b|them\b|this\b|the\b"
         r"|your\b)[\w' -]{3,40}?)" + STOP, "interest:{thing}", "yes", "interest", tenses=frozenset({"present"}),
         negation="refused"),
    rule("play", r"(?:in an? )?(?:the )?(?!for\b|around|along|with|it|this|that|an? (?:role|part|key|game"
         r"|crucial|big|significant)|devil|out|back|down|up|crucial\b|game\b|tenant"
         r"|landlord)(?P<game>[\w' -]{3,50}?)" + STOP, "plays:{game}", "yes", "interest", tenses=frozenset({"present",
         "perfect_progressive", "ended"}), opposite="no", rank=2),
    rule("be", r"an? (?:keen|avid|passionate|enthusiastic|amateur|hobby|recreational|competitive"
         r"|lifelong) (?P<thing>(?!fan|lover|believer|supporter|learner|user)[\w -]{3,30}?)" + STOP, "is:{thing}",
         "yes", "interest", tenses=PRESENT, opposite="no"),
    rule("take", r"up (?P<thing>(?!with|on|the|a\b|an\b|too|space|residence|arms|time|some|your|my "
         r"time)[\w' -]{3,40}?)" + STOP, "does:{thing}", "yes", "interest", tenses=frozenset({"past", "perfect"}),
         negation="refused"),
    rule("spend", r"(?:most|my|every|all my|most of my|a lot of my) (?:\w+ )?(?:mondays|tuesdays|wednesdays"
         r"|thursdays|fridays|saturdays|sundays|evenings?|weekends?|mornings?|nights|free time"
         r"|spare time|summers?|winters?|holidays|time|days) (?P<thing>(?:[a-z]+ing|in|at|on|with"
         r"|metal)\b.{2,60}?)" + STOP, "does:{thing}", "yes", "interest", tenses=SIMPLE, negation="refused"),
    rule("", r"(?P<thing>.{0,60}?)\b(?:in my (?:spare|free) time|as a hobby|for fun)\b", "does:{verb} {thing}", "yes",
         "interest", subjects=SPEAKER, tenses=SIMPLE, negation="refused",
         spares=frozenset("be like love enjoy want need have hope plan think feel try".split())),
    rule("collect", r"(?!it|this|that|the|these|all|my|info|data)" + upto("thing", longest=50), "collects:{thing}",
         "yes", "interest", tenses=PRESENT, opposite="no", rank=2),
    rule("be", r"(?:(?!more\b|less\b)\w+ )?(?:passionate about|fascinated by|fascinated with|interested "
         r"in) (?!(?:the|this|that|these|your|it|its|[a-z]+ing|potentially|what|how|them|both|all"
         r"|any|more|further|some|events?|projects?|an?|most)\b|['\"*]|.{0,40} that\b)" + upto("thing", longest=60),
         "interest:{thing}", "yes", "interest", tenses=STANDING, opposite="no", rank=3),
    rule("have", r"(?:an? )?(?:(?:strong|keen|deep|long-standing) )?(?:interest in|passion for) (?!(?:the"
         r"|this|that|your|it|learning|creating|helping|finding)\b)" + upto("thing", longest=60), "interest:{thing}",
         "yes", "interest", tenses=PRESENT, opposite="no"),
    rule("be include", upto("thing", longest=80), "hobby:{thing}", "yes", "interest", subjects=OWN,
         noun=r"^(?:main |biggest |newest |new |other )?(?:hobby|hobbies|passion|passions|pastime" r"|interests)$",
         tenses=SIMPLE, opposite="no"),
    rule("be", r"(?:my|one of my|a) (?:main |biggest |big |favou?rite )?(?:hobby|hobbies|passion)(?: of " r"mine)?" +
         STOP, "hobby:{noun}", "yes", "interest", subjects=NOUNS, noun=ANY_NOUN, tenses=SIMPLE, opposite="no"),
    rule("do practise practice", r"(?P<thing>yoga|pilates|karate|judo|taekwondo|ballet|tai chi|crossfit|martial arts"
         r"|meditation|kickboxing|gymnastics|pottery|ceramics|origami|calligraphy)\b", "does:{thing}", "yes",
         "interest", tenses=frozenset({"present", "perfect_progressive", "ended"}), opposite="no"),
    rule("learn", r"(?!(?:with|by|through|by|in|about|that|how|more|it|this|from|the|a lot|a ton|so much"
         r"|tons|to (?:be|not|let|accept|trust|live|love|appreciate))\b)" + upto("thing", longest=50), "learns:{thing}",
         "yes", "goal", tenses=ONGOING, opposite="no"),
)  # fmt: skip
