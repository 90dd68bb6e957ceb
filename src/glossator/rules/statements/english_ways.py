"""How does English say in passing what goes for a person or a group: kin of the past, medicine, places, customs?"""

from glossator.rules.statements import english_words as words
from glossator.rules.statements.rule import (
    GROUPS,
    NO_WAY,
    NOT,
    OWN,
    PRESENT,
    SELF_ONLY,
    SIMPLE,
    SPEAKER,
    STOP,
    THINGS,
    TOLD,
    Rule,
    rule,
    upto,
)
from glossator.rules.statements.values import SubjectKind

_OTHERS: frozenset[SubjectKind] = frozenset({"person", "name"})
_GROUP: frozenset[SubjectKind] = frozenset({"own", "we", "thing"})
_KIN = "|".join(sorted(words.FAMILY, key=len, reverse=True))
_TEAMS = (
    r"^$|^(?:\w+ )?(?P<noun>team|company|office|family|band|choir|club|school|firm|shop|department|squad|crew|household"
    r"|book club|group|league|class|startup|studio|client|landlord|boss|manager|bakery|store|café|cafe|practice|lab)$"
)
_DAYS = (
    r"(?:(?:every|each) (?:single |other |second |third |few |two |three |\d+ )?(?:day|week|month|year|quarter"
    r"|morning|night"
    r"|evening|weekend|summer|winter|spring|autumn|fall|monday|tuesday|wednesday|thursday|friday"
    r"|saturday|sunday|weekday"
    r"|christmas|easter|april|may|june|july|august)s?|on (?:mon|tues|wednes|thurs|fri"
    r"|satur|sun|week)days|twice a \w+"
    r"|once a \w+|(?:two|three|four|five|six|\d+) (?:times|days|nights"
    r"|hours) (?:a|per) \w+|on weekends|at weekends|weekly"
    r"|monthly|daily|fortnightly)"
)
_MOVED = r"(?:moved|pushed(?: back)?|postponed|rescheduled|brought forward|shifted|delayed|changed|put back|switched)"
_MEDICINE = (
    r"(?:blood pressure|cholesterol|thyroid|heart|asthma|allergies|migraines?|anxiety|depression|diabetes"
    r"|sleep|back|reflux"
    r"|epilepsy|adhd|pain|arthritis|anaemia|anemia|acne|hay fever|insomnia|iron|knees?|skin"
    r"|stomach)"
)
_SMALL_VERBS = (
    "eat drink have work live travel stay read watch walk cycle drive fly meet sleep cook spend pay wear train swim"
)

WAYS: tuple[Rule, ...] = (
    rule("be", r"(?:much of |of |really |quite |ever |exactly |that much of )*(?:an? )?(?P<state>(?:[\w-]+"
         r" ){1,3}?(?:person|eater|sleeper|reader" r"|drinker|swimmer|cook|singer|dancer|runner|traveller|traveler"
         r"|driver|owl|bird|type))" + STOP, "is:{state}", "yes", "identity", tenses=frozenset({"perfect", "present"}),
         needs=NO_WAY, opposite="no", subjects=_OTHERS | SELF_ONLY),
    rule("be", r"(?:much of |of |a (?:big |huge )?fan of |into |keen on |fond of )+(?P<thing>(?!it\b|that\b|this\b"
         r"|them\b).{3,50}?)" + STOP, "taste:{thing}", "likes", "preference", kind="implicit_pref", tenses=frozenset({
         "perfect"}), needs=NO_WAY, opposite="dislikes"),
    rule("be", r"(?:much |far |way |a lot )?more (?:into|of an?|fond of|keen on) " +
         r"(?P<thing>(?!it\b|this\b|that\b).{2,40}?) than " r"(?:into |an? |of )?" + upto("other", longest=40),
         "prefers:{pair}", "{thing}", "preference", kind="implicit_pref", tenses=SIMPLE, negation="refused"),
    rule("be", r"an? (?:retired |former )?(?P<role>[\w-]+(?: [\w-]+){0,2}?)(?= (?:in|at|on|for|with|from|until|by"
         r"|and|who|his|her|all)\b|\s*$" r"|\s*[,.;])", "was:{role}", "yes", "context", subjects=frozenset({"person"}),
         tenses=TOLD, negation="refused", noun=rf"^(?:{_KIN})(?: .*)?$", rank=4),
    rule("run own have keep manage found teach work serve play write farm sing fight",
         r"(?P<what>(?:an?|the|in|at|for|as|as an?) .{3,80}?)" + STOP, "past:{verb} {what}", "yes", "context",
         subjects=frozenset({"person"}), tenses=TOLD, negation="refused", noun=rf"^(?:{_KIN})(?: .*)?$", rank=4),
    rule("live stay", r"with (?P<us>us|me)\b", "lives with", "{verb} with us", "context", subjects=_OTHERS,
         tenses=frozenset({"present", "progressive", "perfect_progressive"}), negation="refused"),
    rule("insist", r"on (?P<what>(?!it\b|that\b|this\b)\w.{3,80}?)" + STOP, "insists on:{what}", "yes", "context",
         subjects=_GROUP | _OTHERS | SELF_ONLY, tenses=PRESENT, negation="refused", rank=3),
    rule("take", r"(?P<thing>(?!it\b|this\b|that\b|a\b|an\b|the\b|time\b|some\b"
         r"|care\b)[\w-]+(?: [\w-]+)?)(?: (?:every|each|twice a|once a) "
         rf"\w+)? (?:for|against) (?:my |his |her |the )?(?P<ill>(?:\w+ )?{_MEDICINE})\b", "takes:{thing}", "yes",
         "identity", tenses=frozenset({"present", "progressive", "perfect_progressive"}), opposite="no"),
    rule("be", r"on (?P<thing>(?:antidepressants|statins|insulin|blood thinners|antibiotics|beta[- ]blockers"
         r"|the pill|methotrexate" r"|metformin|lithium|ssris?|steroids|warfarin|ritalin|adderall|hrt|dialysis"
         r"|chemo))\b", "takes:{thing}", "yes", "identity", tenses=frozenset({"present", "perfect"}), opposite="no"),
    rule("be", r"(?P<where>(?:on|in|at|near|above|below|next to|across from|opposite|behind|under|around|just off"
         r"|close to) (?:the|a|an|my|our) " r"(?!table\b|way\b|list\b|works\b|mail\b|process|middle of (?:a"
         r"|the) (?:meeting|call)|same\b)[\w' ,-]{3,60}?)" + STOP, "{noun} place", "{where}", "context", subjects=OWN,
         noun=r"^(?P<noun>(?:\w+ )?(?:office|house|home|school|studio|shop"
         r"|clinic|lab|flat|apartment|gym|allotment|farm|cabin|workshop|garden|store|desk|room|garage|boat"
         r"|village))$", tenses=SIMPLE, negation="refused", rank=2),
    rule("ship deploy meet release train rehearse run have hold publish pay invoice close open do review work play"
         " eat serve host practise " "practice go get start finish visit rent gather celebrate post",
         rf"(?P<what>(?!.*\b(?:this|that|it|them|you|your)\b).{{0,70}}?\b" rf"{_DAYS}\b.{{0,30}}?)" + STOP,
         "custom:{verb} {what}", "yes", "context", subjects=GROUPS | _OTHERS, noun=_TEAMS +
         rf"|^(?:{_KIN}|parents|kids)(?: .*)?$", tenses=SIMPLE, negation="refused", rank=3),
    rule("deploy ship release work meet eat accept hire allow use take sell open serve celebrate have watch own"
         " keep buy", r"(?P<what>(?!.*\b(?:this|that|it|them|you|your|time|idea|answer|access|enough)\b)(?:on|at|in"
         r"|after|before|during|without|any|" r"meat|alcohol|plastic|cash|walk-ins|pets|tips|christmas|tv|a tv"
         r"|a car|a dishwasher|social media|dairy|gluten|pork" r"|sugar)\b.{0,60}?)" + STOP, "custom:{verb} {what}",
         "yes", "context", subjects=frozenset({"we", "own"}), noun=_TEAMS, tenses=SIMPLE, needs=NOT, opposite="never",
         rank=3),
    rule("be get", rf"(?:now |just |already )?{_MOVED} (?:back |forward |out |up )?(?:from .{{2,30}}? )?(?:to|until"
         rf"|till|by) (?P<value>(?!it\b" r"|that\b|production|another|the (?:next|other))[\w].{1,50}?)" + STOP,
         "{noun}", "{value}", "context", kind="exact_value", subjects=THINGS, noun=
         r"^(?P<noun>(?:[\w'-]+ ){0,3}?(?:meeting|appointment|deadline|launch|release|exam|interview|wedding|trip"
         r"|flight|surgery|demo|review|standup|party|call|lesson|class|date|start|hearing|move|conference|concert"
         r"|match|game" r"|delivery|rehearsal|kick-?off|inspection|viewing))(?: (?:with|for|of|in|on|at) .*)?$",
         tenses=frozenset({"present", "past", "perfect"}), negation="refused", rank=2),
    rule(_SMALL_VERBS, r"(?P<thing>(?!.*\b(?:this|that|it|them|you|your|option|first|now|today|here)\b)\w.{3,60}?)" +
         STOP, "taste:{verb} {thing}", "likes", "preference", kind="implicit_pref", tenses=frozenset({"modal"}),
         subjects=SPEAKER, needs=frozenset({"rather"}), opposite="dislikes"),
    rule("pick take", r"(?:back )?up (?:the )?(?P<thing>(?:ukulele|guitar|piano|violin|cello|accordion|drums|flute"
         r"|clarinet|trumpet" r"|saxophone|harp|banjo|organ|bass|knitting|crochet|painting|drawing|running|cycling"
         r"|swimming|climbing|bouldering" r"|photography|pottery|golf|tennis|chess|yoga|gardening|baking|sewing"
         r"|surfing|dancing|fencing|boxing|birdwatching" r"|calligraphy|woodworking|meditation|sketching|writing"
         r"|reading|french|spanish|german|italian|japanese|korean)\b" r".{0,30}?)" + STOP, "does:{thing}", "yes",
         "interest", tenses=frozenset({"past", "perfect"}), negation="refused"),
    rule("tolerate digest handle", r"(?P<thing>(?:lactose|gluten|dairy|alcohol|caffeine|spicy food|heat|noise|cold"
         r"|loud noises?|crowds)\b)" r".{0,30}$", "tolerates:{thing}", "yes", "identity", tenses=frozenset({"can",
         "present"}), needs=NOT, opposite="no"),
)  # fmt: skip
