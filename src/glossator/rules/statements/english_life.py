"""How does English tell of what one has begun, finished, been through, works on and keeps up, in one's own life?"""

from glossator.rules.statements.rule import (
    NOUNS,
    ONGOING,
    PAST,
    PRESENT,
    SIMPLE,
    SPEAKER,
    STOP,
    Rule,
    rule,
    upto,
)
from glossator.rules.statements.values import SubjectKind, Tense

_HAPPENED: frozenset[Tense] = PAST
_LASTING: frozenset[Tense] = frozenset({"present", "perfect", "progressive", "perfect_progressive"})
_WHO: frozenset[SubjectKind] = frozenset({"self", "we", "person", "name"})
_NO_POINTING = (
    r"(?!.{0,80}\b(?:this|these|those|it|its|them|their|they|you|your|yours|yourself|him|here|above"
    r"|below|that(?! \w+ \w))\b)"
    r"(?!.{0,60}\w\.\w)"
)
_NO_MACHINE = (
    r"(?!.{0,60}\b(?:scripts?|files?|code|errors?|builds?|tests?|apps?|tabs?|pages?|forms?|tickets?"
    r"|commands?|quer(?:y|ies)"
    r"|programs?|links?|bugs?|issues?|problems?|documents|docs|pdfs?|lists?|tables?"
    r"|drafts?|prompts?|outputs?|responses?"
    r"|answers?|questions?|messages?|emails?|mails?|updates?|reports?"
    r"|suggestions?|ideas?|steps?|sections?|chapters?"
    r"|cards?|flashcards?|notes?|exercises?|tasks?|summar(?:y"
    r"|ies)|outlines?|points?|details?|templates?|versions?)\b)"
)
_END = r"(?=\s*(?:[;:()!?]|\.(?:\s|$)|\s[-–—]\s)|,|\s(?:because|since|but|so that|although|which)\b|\s*$)"
"""An event is told to the end of its clause, with its place, company and time."""


def _told(verbs: str, what: str) -> Rule:
    return rule(
        verbs, _NO_POINTING + rf"(?P<what>{what}{_END})", "", "{verb} {what}", "context",
        tenses=_HAPPENED, subjects=_WHO, negation="refused", is_event=True, rank=3,
    )  # fmt: skip


_A = r"(?:an?|the|my|our|his|her|their|two|three|four|another) (?:[\w'&-]+ ){0,5}?"
_LEARNED = (
    r"(?:class(?:es)?|courses?|lessons?|training|programs?|programmes?|workshops?|degrees?|masters?"
    r"|master's|phd|mba|diplomas?"
    r"|apprenticeships?|internships?|bootcamps?|certifications?|certificates?"
    r"|residency|studies|school|university|college"
    r"|therapy|treatment|jobs?|roles?|positions?|business|company"
    r"|startup|start-up|club|band|choir|team|league|podcast"
    r"|blog|channel|newsletter|diet|charity|non-?profit"
    r"|foundation|practice|garden|collection|membership|gym|marathon"
    r"|triathlon|challenge|initiative|project"
    r"|campaign|bookshop|shop|store|bakery|café|cafe|restaurant|studio|community"
    r"|group|support group|committee|board)"
)
EVENTS_OF_LIFE: tuple[Rule, ...] = (
    _told("accept turn decline reject get receive land win earn", rf"(?:down )?{_A}(?:promotion|offer|job|position"
         rf"|role|place" r"|scholarship|award|prize|grant|fellowship|raise|bonus|degree|diploma|medal|visa"
         r"|licen[sc]e|certificate|contract" r"|competition|tournament|transfer|contract|placement|interview"
         r"|diagnosis|salary increase)\b.{0,90}?"),
    _told("attend visit tour", r"(?:an?|the|my|our|his|her|\p{L}+'s|\w{4,}) ?.{2,100}?"),
    _told("go", r"(?:to|on) (?:an?|the|my|our) (?:[\w'&-]+ ){0,4}?(?:festival|concert|exhibition|wedding|funeral"
         r"|conference" r"|retreat|workshop|museum|opera|ballet|match|cruise|safari|honeymoon|pilgrimage|road trip"
         r"|trip|tour|expedition" r"|hike|gig|play|reunion|ceremony|fair|convention|summit)\b.{0,60}?"),
    _told("adopt inherit foster", r"(?:an?|the|our|two|three|my|\d) .{2,70}?"),
    _told("start begin join enroll enrol launch found establish open complete finish quit leave resume",
         rf"(?:in |on |with |taking |doing |attending |running |writing |at )?(?:(?:an?|the|my|our|his|her|their) )?"
         rf"(?:[\w'&-]+ ){{0,5}}?{_LEARNED}\b.{{0,70}}?"),
    _told("sign register apply", rf"(?:up )?(?:for|to|with) (?:an?|the|my|our) (?:[\w'&-]+ ){{0,5}}?(?:{_LEARNED}"
         rf"|{_LEARNED}s" r"|race|half marathon|competition|exam|retreat|trip|visa|scholarship|grant|mortgage"
         r"|loan)\b.{0,60}?"),
    _told("start begin take", r"(?:up )?(?:learning|playing|painting|running|writing|volunteering|teaching"
         r"|practi[sc]ing|training" r"|studying|working|swimming|cycling|climbing|bouldering|dancing|singing"
         r"|knitting|sewing|gardening|baking|cooking" r"|meditating|journal(?:l?ing)?|drawing|sculpting|collecting"
         r"|dating|exercising|saving|investing|mentoring|coaching" r"|fencing|rowing|surfing|skiing|boxing"
         r"|composting|brewing|homeschooling|lifting|hiking|fishing)\b.{0,80}?"),
    _told("finish complete submit defend publish write release", r"(?:an?|my|our|the) (?:[\w'&-]+ ){0,4}?(?:thesis"
         r"|dissertation" r"|degree|novel|book|album|memoir|phd|manuscript|marathon|apprenticeship|renovation|paper"
         r"|painting|song|film" r"|documentary|screenplay|poetry collection|symphony|quilt|sculpture)\b.{0,70}?"),
    _told("sell buy rent purchase", r"(?:an?|my|our|the) (?:(?:old|new|used|second-hand|first|own|cargo"
         r"|electric) )*(?:[\w'-]+ )?" r"(?:house|home|flat|apartment|car|condo|boat|motorbike|motorcycle|van"
         r"|campervan|piano|guitar|violin|cello|bike" r"|bicycle|farm|land|plot|cottage|cabin|business|company|shop"
         r"|horse|kayak|telescope|loom|kiln)\b.{0,40}?"),
    _told("sign renew extend terminate", r"(?:an?|the|our|my|up) (?:[\w'-]+ ){0,2}?(?:lease|contract|mortgage"
         r"|treaty|deal" r"|agreement|prenup)\b.{0,50}?"),
    _told("be get", r"(?:recently |just |finally |also )*(?:(?:promoted|transferred|reassigned|appointed|elected"
         r"|nominated|admitted" r"|accepted|hired|recruited|shortlisted|awarded|selected|ordained|knighted"
         r"|certified|evicted|widowed|hospitali[sz]ed" r"|made redundant|laid off|put in charge of|asked to (?:lead"
         r"|run|head|join|chair|take over)|invited to (?:speak|join" r"|exhibit|perform|give))\b(?! for (?:now"
         r"|today)).{0,80}?)"),
    _told("break tear sprain dislocate fracture injure hurt", r"(?:my|his|her|their) (?:[\w-]+ )?(?:leg|arm|ankle"
         r"|wrist|collarbone" r"|nose|foot|hand|finger|toe|hip|knee|back|shoulder|acl|achilles(?: tendon)?"
         r"|hamstring|rib|ribs|meniscus)\b.{0,40}?"),
    _told("lose bury", r"(?:my|our) (?:[\w-]+ )?(?:mother|father|mum|mom|dad|husband|wife|brother|sister|son"
         r"|daughter" r"|grandmother|grandfather|dog|cat|best friend|job)\b.{0,50}?"),
    _told("run swim complete climb cycle hike walk", r"(?:an?|the|my) (?:[\w'-]+ ){0,3}?(?:marathon|half marathon"
         r"|triathlon|5k|10k" r"|ironman|ultra|ultramarathon|camino|trail|channel|mont blanc|kilimanjaro|century"
         r"|race)\b.{0,50}?"),
    _told("separate divorce split break", r"(?:up |from |with )*(?:my|from) .{2,40}?"),
    _told("have", r"(?:an?|my|our) (?:[\w-]+ ){0,2}?(?:miscarriage|heart attack|stroke|operation|surgery|baby"
         r"|hysterectomy" r"|transplant|c-section|panic attack|breakdown|burnout|concussion|falling[- ]out"
         r"|first child|second child)\b.{0,50}?"),
)  # fmt: skip

_NAMED = (
    r"(?:['\"‘“](?P<title>[^'\"’”]{3,60})['\"’”]|(?P<proper>\p{L}[\w&'.-]*(?: (?:of |the |for "
    r"|in )?[\w&'.-]+){0,5}?))"
)
_SETTLED: tuple[Rule, ...] = (
    rule("secure book choose pick select reserve finali[sz]e", r"(?:the |my |our )?" + _NAMED + r"(?P<more>.{0,60}?)" +
         _END, "", "{verb} {title}{proper} {more}", "context", tenses=_HAPPENED, subjects=SPEAKER, negation="refused",
         is_event=True, rank=3),
    rule("finish complete", r"(?P<what>(?:setting up|building|installing|memori[sz]ing|preparing|planning"
         r"|organi[sz]ing|moving) " + _NO_POINTING + r".{3,80}?)" + _END, "", "{verb} {what}", "context",
         tenses=_HAPPENED, subjects=SPEAKER, negation="refused", is_event=True, rank=3),
    rule("know", r"(?P<skill>(?:basic |some |enough |a bit of )(?!about|that|of\b)" + _NO_POINTING + r".{3,80}?)" +
         _END, "knows:{skill}", "yes", "identity", tenses=SIMPLE, subjects=frozenset({"self"}), negation="refused",
         rank=3),
)  # fmt: skip

_DONE_LATELY = (
    "watch read visit attend see try meet travel discover explore complete finish start join take play"
    " learn buy move adopt "
    "host organise organize build paint cook bake reconnect begin upgrade switch"
    " redecorate renovate come reread plant"
)
LATELY: tuple[Rule, ...] = (
    rule(_DONE_LATELY, _NO_POINTING + _NO_MACHINE + rf"(?!out\b|over\b|up on\b)(?P<what>.{{6,120}}?{_END})", "",
         "{verb} {what}", "context", tenses=_HAPPENED, subjects=SPEAKER, negation="refused", is_event=True,
         needs=frozenset({"recently", "finally"}), rank=3),
)  # fmt: skip

_CARRIED_ON = r"(?!.{0,30}\b(?:trouble|hard time|issues?|problems?)\b)"
ONGOING_LIFE: tuple[Rule, ...] = (
    rule("work", r"on " + _NO_POINTING + r"(?P<what>(?:an?|my|our|the) (?:[\w'&-]+ ){0,4}?(?:novel|book|documentary"
         r"|film|memoir|album" r"|thesis|dissertation|phd|startup|podcast|screenplay|musical|opera|comic|exhibition"
         r"|renovation|boat|house" r"|garden|portfolio|research|painting|quilt|collection|blog|masters?|farm|robot"
         r"|play|series|mural|cabin" rf"|(?:project|app|tool|website|library|platform|product) (?:called|named|for"
         rf"|about|on|that|to)\b)\b.{{0,80}}?{_END})", "project:{what}", "yes", "context", tenses=ONGOING | frozenset({
         "past"}), subjects=_WHO, negation="refused", rank=3),
    rule("write build restore develop record direct design renovate compose make paint produce sew knit edit"
         " translate", _NO_POINTING + _NO_MACHINE + r"(?P<what>(?:an?|my|our) (?:[\w'&-]+ ){0,4}?(?:novel|book"
         r"|documentary|film|memoir|album|thesis" r"|dissertation|startup|game|podcast|screenplay|musical|opera"
         r"|comic|exhibition|boat|house|cabin|garden|portfolio" r"|blog|farm|robot|play|series|mural|quilt|kayak"
         r"|canoe|guitar|violin|telescope|treehouse|shed|cottage|barn|car"
         rf"|motorbike|motorcycle|van|campervan|collection|family tree|cookbook|symphony|sonata|website"
         rf"|business)\b.{{0,80}}?{_END})", "project:{what}", "yes", "context", tenses=ONGOING, subjects=_WHO,
         negation="refused", rank=3),
    rule("explore discover rediscover", _NO_POINTING + _NO_MACHINE + rf"(?P<thing>(?!how\b|whether\b|what\b|where\b"
         rf"|ways\b|options?\b|the possib|(?:new|different|more|other) |.*\bhidden gems)[\w'&, -]{{4,100}}?{_END})",
         "interest:{thing}", "yes", "interest", tenses=ONGOING, subjects=SPEAKER, negation="refused", rank=3),
    rule("take attend have do", _NO_POINTING + r"(?P<what>(?:(?:an?|the|my|our) )?(?:[\w'&-]+"
         r" ){0,4}?(?:class(?:es)?|lessons?" r"|course|courses|night school|physiotherapy|physio|therapy|chemo"
         r"|evening classes|dialysis|rehab|counselling)\b" rf"(?! of action).{{0,60}}?{_END})", "attends:{what}",
         "yes", "context", tenses=ONGOING, subjects=_WHO, negation="refused", rank=3),
    rule("run manage lead own head chair coach mentor foster homeschool breed keep raise volunteer teach train"
         " organise " "organize host coordinate oversee supervise", _CARRIED_ON + _NO_POINTING + _NO_MACHINE +
         r"(?P<what>(?:an?|our|my|two|three|four|five|\d+|bees|chickens|sheep|goats|pigs|horses|quails|the (?:local"
         r"|village" rf"|school|under|girls'|boys'|junior|women's)|at|with|for|young|under)\b.{{2,80}}?{_END})",
         "does:{{verb}} {{what}}" .replace("{{", "{").replace("}}", "}"), "yes", "context", tenses=frozenset({
         "present", "perfect", "perfect_progressive", "progressive"}), subjects=_WHO, negation="refused", rank=3),
    rule("focus concentrate", r"on " + _NO_POINTING + _NO_MACHINE + rf"(?P<aim>(?!one\b|each\b"
         rf"|just\b)[\w].{{5,120}}?{_END})", "goal:{aim}", "yes", "goal", tenses=frozenset({"perfect",
         "perfect_progressive"}), subjects=SPEAKER, negation="refused", rank=3),
)  # fmt: skip

_WONDER = (
    r"(?:\w+ly )?(?:captivated by|drawn to|hooked on|fascinated by|fascinated with|obsessed with"
    r"|intrigued by|enchanted by"
    r"|enthralled by|passionate about|in love with|crazy about|mad about|smitten with"
    r"|hooked by|excited about|enthusiastic about"
    r"|optimistic about|thrilled about|interested in|into(?! an?\b"
    r"| the\b| some\b))"
)
CAPTIVATED: tuple[Rule, ...] = (
    rule("be get become grow", r"(?:very |really |so |quite |totally |completely |utterly |more |increasingly "
         r"|recently |always )*" + _WONDER + r" " + _NO_POINTING + _NO_MACHINE +
         r"(?P<thing>(?!how\b|what\b|why\b|whether\b|who\b|the (?:idea|possib|prospect"
         r"|concept|way|job|role|position|answer|next|first|second)|the\b|some\b|trying|learning (?:more|about|how)"
         r"|exploring (?:more|some|further|the|how)" r"|[a-z]+ing (?:out|more|about|into|some|any|the|how)\b"
         r"|(?:hear|see|know|us|sav|mak|find|get|buy|add|creat|implement)ing\b|more\b|further\b|any\b|getting"
         rf"|understanding|finding|improving|discussing|working with)[\w'&].{{3,110}}?{_END})", "interest:{thing}",
         "yes", "interest", tenses=frozenset({"present", "past", "perfect"}), subjects=SPEAKER, negation="refused",
         rank=3),
    rule("develop discover find have", r"(?:an?|my) (?:[\w-]+ ){0,2}?(?:love|passion|interest|taste|appreciation"
         r"|fascination|knack|fondness" r"|obsession) (?:for|in|with) " + _NO_POINTING +
         rf"(?P<thing>(?!the\b|helping|creating|making)[\w'&].{{2,90}}?{_END})", "interest:{thing}", "yes",
         "interest", tenses=frozenset({"past", "perfect", "present"}), subjects=SPEAKER, negation="refused", rank=3),
    rule("capture catch spark ignite win steal", r"(?:my (?:heart|attention|imagination|interest|curiosity|eye)"
         r"|me)\b", "interest:{noun}", "yes", "interest", subjects=NOUNS, noun=
         r"^(?!that$|this$|it$|what$)(?P<noun>.+)", tenses=_HAPPENED, negation="refused", rank=3),
)  # fmt: skip

_ABSTRACT = (
    r"^(?!(?:this|that|these|those|it|what|which|here|your|one|the (?:above|following|code|app|link|answer"
    r"|list|idea|output|script"
    r"|feature|plan|document|article|examples?|suggestions?|way you"
    r"|recommendations?))\b|.*\b(?:you|your)\b)(?P<noun>.+)$"
)
_HELPED = (
    r"me (?:to )?(?:relax|unwind|de-?stress|focus|concentrate|sleep|recharge|cope|think|calm|wind down|stay|feel|manage"
    r"|process|escape|heal|recover|clear|connect|switch off|get through)\b"
)
ROUTINES: tuple[Rule, ...] = (
    rule("be become remain", r"(?:indeed |always |long |an? )*(?:big |huge |important |integral |regular "
         r"|essential |central )?part of my " r"(?:\w+ )?(?:routine|life|day|week|ritual|regimen|practice|morning"
         r"|evening|lifestyle|self-care|approach)\b", "habit:{noun}", "yes", "preference", kind="implicit_pref",
         subjects=NOUNS, noun=_ABSTRACT, tenses=frozenset({"present", "past", "perfect"}), negation="refused"),
    rule("help", _HELPED, "helps:{noun}", "yes", "preference", kind="implicit_pref", subjects=NOUNS, noun=_ABSTRACT,
         tenses=frozenset({"present", "perfect", "can"}), negation="refused"),
    rule("allow enable make teach inspire motivate push encourage give bring increase improve lead boost enrich"
         " shape change " "challenge support bolster influence strengthen",
         r"(?P<what>.{0,60}?\b(?:me|my)\b.{4,120}?)(?=\s*(?:[;:()!?]|\.(?:\s|$))|\s*$)", "effect:{noun}",
         "{verb} {what}", "context", subjects=frozenset({"thing", "own"}), noun=_ABSTRACT, tenses=frozenset({
         "present", "perfect"}), negation="refused", rank=4),
    rule("be", r"(?:absolutely |truly |really |so )*(?P<what>(?:invaluable|instrumental|crucial|vital|essential"
         r"|therapeutic|a lifesaver" r"|a huge help|life-changing|transformative)\b.{0,90}?)" + STOP, "effect:{noun}",
         "{what}", "context", subjects=frozenset({"thing", "own"}), noun=_ABSTRACT, tenses=frozenset({"perfect"}),
         negation="refused", rank=4),
    rule("be mean", r"(?:very |really |so |absolutely |extremely )*(?:important|essential|crucial|vital|sacred"
         r"|everything|a lot" r"|the world|a priority|non-negotiable) (?:to|for) me\b", "values:{noun}", "yes",
         "preference", kind="implicit_pref", subjects=NOUNS, noun=r"^(?!that$|this$|it$|what$|which$|these$|those$"
         r"|your\b|the next)(?P<noun>.+)", tenses=PRESENT, opposite="no"),
    rule("find", r"(?:that )?" + _NO_POINTING + r"(?P<thing>(?!it\b|this\b|that\b|these\b|your\b|myself\b"
         r"|the\b)[\w' -]{3,50}?) (?:(?:more|really|quite|so|very|pretty|rather|incredibly|deeply|utterly|a bit) )?"
         r"(?:comfortable|versatile|enjoyable|rewarding|therapeutic|inspiring"
         r"|refreshing|meditative|satisfying|addictive" r"|uplifting|energi[sz]ing|liberating|comforting|grounding"
         r"|beautiful|fun)\b", "taste:{thing}", "likes", "preference", kind="implicit_pref", tenses=SIMPLE,
         subjects=SPEAKER, negation="refused"),
    rule("feel be", r"(?:most )?(?:at home|most alive|most like myself|happiest|at my best|at peace|most productive"
         r"|most creative)" r"(?P<where> .{3,60}?)" + STOP, "happiest:{where}", "yes", "preference",
         kind="implicit_pref", tenses=SIMPLE, subjects=frozenset({"self"}), negation="refused"),
    rule("have", r"(?:an? )?(?:\w+ )?(?:soft spot|weakness|sweet tooth|green thumb"
         r"|green fingers)\b(?P<thing>.{0,50}?)" + STOP, "has:{thing} tooth or thumb".replace(" tooth or thumb",
         "soft spot"), "yes", "preference", tenses=SIMPLE, subjects=frozenset({"self"}), negation="refused"),
    rule("miss", _NO_POINTING + r"(?P<thing>(?!the (?:point|bus|train|call|deadline|meeting|joke|email)|out\b"
         r"|a (?:call|meeting|train|bus)" r"|something|something|my (?:bus|train|flight))[\w].{2,60}?)" + STOP,
         "misses:{thing}", "yes", "preference", tenses=SIMPLE, subjects=SPEAKER, negation="refused"),
    rule("gravitate lean", r"(?:more )?towards? " + _NO_POINTING + upto("thing", longest=60), "taste:{thing}",
         "likes", "preference", kind="implicit_pref", tenses=SIMPLE, subjects=frozenset({"self"}), negation="refused"),
)  # fmt: skip

_VAGUE = (
    r"(?!(?:ask|check|see|hear|get back|let|go (?:through|over|with|ahead|back)|discuss|talk|try|test|use|do"
    r"|be|make sure|know"
    r"|understand|find|review|send|continue|keep|look|thank|start (?:with|by|over|from)|begin"
    r"|read|run|open|add|show|share"
    r"|proceed|move on|stick|skip|wait|stop|put|take (?:a|it)|have|say|tell|think"
    r"|follow|give|work on|come|click|give)\b)"
)
DECIDED: tuple[Rule, ...] = (
    rule("decide choose resolve", r"to " + _VAGUE + _NO_POINTING + _NO_MACHINE + rf"(?P<what>\w.{{5,120}}?{_END})",
         "decision:{what}", "chosen", "context", tenses=_HAPPENED, subjects=SPEAKER, negation="refused", rank=3),
    rule("decide", r"(?:on|against) " + _NO_POINTING + _NO_MACHINE + rf"(?P<what>(?!one\b|option|the (?:first"
         rf"|second|third))\w.{{3,80}}?{_END})", "decision:{what}", "chosen", "context", tenses=_HAPPENED,
         subjects=SPEAKER, negation="refused", rank=3),
    rule("switch shift change move", r"(?:my \w+ )?from (?P<old>(?!one\b)[\w' -]{2,40}?) to (?P<what>(?!the (?:next"
         r"|other))[\w].{2,60}?)" + _END, "decision:to {what}", "chosen", "context", tenses=_HAPPENED,
         subjects=SPEAKER, negation="refused", rank=3),
    rule("give", r"up (?:on )?(?P<what>(?!hope|it\b|that\b|them\b|trying to)\w.{2,60}?)" + STOP, "does:{what}",
         "no", "context", tenses=_HAPPENED, subjects=_WHO, negation="refused", is_event=True, is_negative=True,
         rank=3),
    rule("cancel postpone call", r"(?:off )?(?P<what>(?:the|our|my) (?:[\w'-]+ ){0,2}?(?:trip|wedding|holiday"
         r"|vacation|party|move|surgery" r"|operation|engagement|flight|membership|subscription|contract|lease"
         r"|project|launch|conference|tour)\b.{0,50}?)" + STOP, "has:{what}", "no", "context", tenses=_HAPPENED,
         subjects=SPEAKER, negation="refused", is_event=True, is_negative=True, rank=3),
    rule("plan intend hope aim", r"(?:to|on) (?:eventually |finally |one day |someday |also )*" + _VAGUE + _NO_POINTING
         + _NO_MACHINE + rf"(?P<aim>\w.{{8,140}}?{_END})", "goal:{aim}", "yes", "goal", tenses=frozenset({"present",
         "progressive"}), negation="refused", rank=3),
    rule("be", r"(?:committed|dedicated|determined) to " + _VAGUE + _NO_POINTING + _NO_MACHINE +
         rf"(?!hear|learn more)(?P<aim>\w.{{6,120}}?{_END})", "goal:{aim}", "yes", "goal", tenses=SIMPLE,
         subjects=SPEAKER, negation="refused", rank=3),
    rule("expect", r"(?P<what>(?:an?|our|my|twins) ?(?:[\w-]+ )?(?:baby|child|boy|girl|grandchild|twins|son"
         r"|daughter)?\b.{0,40}?)" + STOP, "", "expect {what}", "identity", tenses=frozenset({"progressive"}),
         subjects=_WHO, negation="refused", is_event=True, rank=3),
)  # fmt: skip
LIFE: tuple[Rule, ...] = (*EVENTS_OF_LIFE, *DECIDED, *CAPTIVATED, *ROUTINES, *ONGOING_LIFE, *_SETTLED, *LATELY)
"""Tried after all the tables that know more exactly what is said."""
