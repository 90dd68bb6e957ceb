"""How does English state numbers, dates and rules that must hold?"""

from glossator.rules.statements.rule import (
    ANY_NOUN,
    CAN,
    GROUPS,
    MUST,
    NOT,
    NOT_OR_ONLY,
    OWN,
    SELF_ONLY,
    SIMPLE,
    SPEAKER,
    STOP,
    THING,
    THINGS,
    TOLD,
    WE,
    Rule,
    rule,
)

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?"
_SPELT = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty"
    r"|forty|fifty|sixty|ninety|a hundred|half)"
)
_AMOUNT = (
    rf"(?:[$€£¥₹₩₺₽]\s?\d[\d,.]*(?:\s?(?:k|m|bn|million|billion|thousand))?\b|\d[\d,.:]*\s?(?:%"
    rf"|\w+)?|{_SPELT}[ -]\w+"
    rf"|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|{_MONTH} \d{{1,2}}|{_DAY}"
    rf"|{_MONTH}\b|(?:next|this) (?:\w+)|end of \w+)"
)
_MEASURES = (
    r"budget|deadline|limit|launch|launch date|release|release date|revenue|price|rent|salary"
    r"|income|pay|quota|sla|slo|hours|opening hours|timeout"
    r"|port|version|flight|appointment|wedding|anniversary|exam|interview|due date|threshold"
    r"|target|size|score|rate|fee"
    r"|cost|mortgage|deposit|bill|bonus|headcount|capacity|retention|interval|start date|end "
    r"date|move-in date|check-in|checkout"
    r"|meeting|class|lesson|shift|demo|go-live|goal weight|weight|height|blood pressure|heart "
    r"rate|commute|subscription|expenses"
    r"|balance|debt|loan|interest rate|discount|gpa|average|record|personal best|time zone"
    r"|ticket|seat|room number|flat number"
    r"|contract|lease|sprint|review|graduation|surgery|trip|party|ceremony|conference|workshop"
    r"|marathon|race|tournament"
    r"|standup|stand-up|kickoff|presentation|renewal|delivery|surname|allowance|maximum"
    r"|minimum|ceiling|cap|turnover|profit|margin"
    r"|driving test|code|door code|pin|invoice number|booking reference|test|server|database"
    r"|churn|conversion rate|interest|mileage|extension"
)
_MEASURE_NOUN = (
    rf"^(?P<noun>(?:[\w'&.-]+ ){{0,4}}?(?:{_MEASURES})s?(?: (?:date|time|number))?)(?: (?:for"
    rf"|with|of|on|to|in|at) .{{1,40}})?$"
)

VALUES: tuple[Rule, ...] = (
    rule("be", r"(?P<value>\d[\d.,]* ?(?:m|cm|mm|met(?:er|re)s?|feet|foot|inches|km|miles|square \w+"
         r"|sqm) (?:wide|long|high|tall|deep|thick|big))\b", "{noun} size", "{value}", "context", kind="exact_value",
         subjects=GROUPS, noun=ANY_NOUN, tenses=SIMPLE, negation="refused", rank=3),
    rule("hold", r"(?:up to |about )?(?P<value>\d[\d.,]* ?\w+)" + STOP, "{noun} holds", "{value}", "context",
         kind="exact_value", subjects=GROUPS, noun=ANY_NOUN, tenses=SIMPLE, negation="refused", rank=3),
    rule("end start begin repeat recur happen",
         r"(?P<value>every (?:second |other |third )?(?:monday|tuesday|wednesday|thursday|friday"
         r"|saturday|sunday|week|month|day|year).{0,20}?)" + STOP, "{noun} {verb}", "{value}", "context",
         kind="exact_value", subjects=GROUPS, noun=ANY_NOUN, tenses=SIMPLE, negation="refused", rank=3),
    rule("run", r"on (?P<proper>\p{L}[\w.+#-]*(?: [\w.+#-]+){0,2}?)" + STOP, "{noun} runs on", "{proper}", "context",
         subjects=GROUPS, noun=ANY_NOUN, tenses=SIMPLE, negation="refused", rank=3),
    rule("be", r"(?:written|built|hosted|deployed|coded|implemented) (?:in|on|with|using) "
         r"(?P<proper>\p{L}[\w.+#-]*(?: [\w.+#-]+){0,3}?)" + STOP, "{noun} built with", "{proper}", "context",
         subjects=GROUPS,
         noun=r"^(?:\w+ )?(?P<noun>app|application|backend|frontend|site|website|service|server|platform"
         r"|product|code base|codebase|api|stack|tool|system|blog|shop)$", tenses=SIMPLE, negation="refused", rank=3),
    rule("run last", r"for (?P<value>(?:about |around )?(?:\d+|two|three|four|five|six|ten|twelve) (?:years?"
         r"|months?|weeks?|days?)\b.{0,20}?)" + STOP, "{noun} length", "{value}", "context", kind="exact_value",
         subjects=GROUPS, noun=ANY_NOUN, tenses=SIMPLE, rank=2),
    rule("have", r"(?P<value>\d[\d.,]* ?(?:gb|mb|tb|kg|km|kwh?|hp|watts|rooms|bedrooms|floors|seats|beds"
         r"|pages|square met(?:er|re)s|sqm|acres|hectares|cores|litres|liters)\b.{0,30}?)" + STOP, "{noun} has",
         "{value}", "context", kind="exact_value", subjects=GROUPS, noun=ANY_NOUN, tenses=SIMPLE, rank=3),
    rule("get sell serve ship make process handle receive produce",
         r"(?:about |around |roughly |up to )?(?P<value>\d[\d.,]*k? [\w ]{3,30} (?:a|per|every) "
         r"(?:day|week|month|year|hour|minute|second))\b", "{verb}:amount", "{value}", "context", kind="exact_value",
         subjects=frozenset({"we"}), tenses=SIMPLE, rank=2),
    rule("fly travel leave go move",
         rf"(?:back )?to (?P<where>[\w ]{{2,25}}?) on (?P<value>(?:the )?\d{{1,2}}(?:st|nd|rd"
         rf"|th)?(?: of)? {_MONTH}|{_MONTH} \d{{1,2}}|{_DAY})\b", "{verb} to {where}", "{value}", "context",
         kind="exact_value", subjects=SPEAKER, tenses=frozenset({"present", "progressive", "future"}),
         negation="refused", rank=3),
    rule("be", rf"(?P<value>{_AMOUNT}.{{0,40}}?)" + STOP, "{noun} then", "{value}", "context", kind="exact_value",
         subjects=frozenset({"thing"}),
         noun=r"^(?P<noun>(?:\w+ )?(?:deposit|price|fee|rent|cost|bill|fine|salary|budget|revenue|score"
         r"|interview|appointment))$", tenses=frozenset({"past"}), negation="refused", rank=3),
    rule("be", rf"(?:now |currently |still |only |exactly |about |around |roughly |set |scheduled |due "
         rf"|planned |capped )*(?:for |on |at |to |in |by |every )?(?P<value>{_AMOUNT}.{{0,60}}?)" + STOP, "{noun}",
         "{value}", "context", kind="exact_value", subjects=THINGS, noun=_MEASURE_NOUN, tenses=SIMPLE, rank=2),
    rule("be", r"(?:scheduled|due|planned|set|booked) (?:for|on|at|by) (?P<value>.{2,50}?)" + STOP, "{noun}", "{value}",
         "context", kind="exact_value", subjects=THINGS, noun=_MEASURE_NOUN, tenses=SIMPLE, rank=2),
    rule("listen run", rf"on (?P<value>port {_AMOUNT})", "{noun} port", "{value}", "context", kind="exact_value",
         subjects=GROUPS, noun=ANY_NOUN, tenses=SIMPLE, rank=2),
    rule("cost weigh measure last start open close begin end expire finish leave depart arrive",
         rf"(?:about |around |at |on |for |in (?=\d{{4}}|{_MONTH})|up to " rf")*(?P<value>{_AMOUNT}.{{0,40}}?)" + STOP,
         "{noun} {verb}", "{value}", "context", kind="exact_value", subjects=GROUPS, noun=ANY_NOUN, tenses=SIMPLE,
         rank=3),
    rule("charge", r"(?P<value>\d[\d.,]*\w* (?:an hour|per hour|a day|per day|a month|per month|each|per " r"\w+))\b",
         "charge:amount", "{value}", "context", kind="exact_value", tenses=SIMPLE, rank=2),
    rule("be", r"(?P<value>\d[\d.,]*(?: ?(?:cm|kg|m|km|mm|lbs|pounds|inches|feet|euros|dollars|%|percent"
         r"|per cent))?)(?=\s*(?:[,;()!]|$)|\s(?:and|but|or)\b)", "{noun}", "{value}", "context", kind="exact_value",
         subjects=OWN, noun=r"^(?!.*\b(?:laptop|phone|battery|progress|code|guess|answer|score|file|script|function"
         r"|order|query|result|kids?|son|daughter|dad|mom|mother" r"|father)\b)(?P<noun>.+)", tenses=SIMPLE,
         negation="refused", rank=2),
    rule("be", rf"(?:about |around )?(?P<value>{_AMOUNT}.{{0,60}}?)" + STOP, "{noun} then", "{value}", "context",
         kind="exact_value", subjects=OWN, noun=_MEASURE_NOUN, tenses=TOLD, negation="refused", rank=3),
    rule("be", rf"due (?:within|in|after|on|by|every) (?P<value>{_AMOUNT}.{{0,30}}?)" + STOP, "{noun} due", "{value}",
         "context", kind="exact_value", subjects=THINGS, noun=ANY_NOUN, tenses=SIMPLE, negation="refused", rank=2),
    rule("spend", rf"(?:at most|up to|no more than|a maximum of) (?P<value>{_AMOUNT}.{{0,40}}?)" + STOP,
         "spending limit", "{value}", "context", kind="exact_value", subjects=SPEAKER, tenses=CAN, negation="refused",
         rank=2),
    rule("take last", rf"(?:about |around |up to |roughly )?(?P<value>{_AMOUNT}.{{0,30}}?)" + STOP, "{noun} {verb}",
         "{value}", "context", kind="exact_value", subjects=OWN, noun=ANY_NOUN, tenses=SIMPLE, rank=3),
    rule("have", r"(?:a |the )?(?P<value>\d[\d.,]*(?:[- ]?(?:mb|gb|kb|ms|seconds?|minutes?|hours?|days?|%"
         r"|euros?|dollars?))) (?P<what>limit|cap|timeout|budget|deposit|fee|warranty|guarantee"
         r"|deductible|threshold)", "{what}", "{value}", "context", kind="exact_value", subjects=GROUPS | {"we",
         "name"}, tenses=SIMPLE, rank=2),
    rule("allow permit", r"(?:up to |only |at most |a maximum of )?(?P<value>\d[\d,.]* .{2,50}?)" + STOP,
         "{noun} limit", "{value}", "context", kind="exact_value", subjects=GROUPS, noun=ANY_NOUN, tenses=SIMPLE,
         rank=2),
    rule("earn make pay spend weigh owe charge",
         r"(?:about |around |roughly |exactly |up to )?(?P<value>(?:[$€£¥₹₩₺₽]\s?\d[\d,.]*\w*"
         r"|\d[\d,.]*k?\s?(?:usd|eur|gbp|dollars|euros|pounds|yen|kg|kilos|lbs|k\b|%" r"|percent)).{0,50}?)" + STOP,
         "{verb}:amount", "{value}", "context", kind="exact_value", tenses=SIMPLE, rank=2),
    rule("have", r"an? (?:\w+ )?(?P<what>budget|deadline|limit|quota|sla|rent|salary|income|gpa|commute) "
         r"(?:of|on|in|at) " + rf"(?P<value>{_AMOUNT}.{{0,40}}?)" + STOP, "{what}", "{value}", "context",
         kind="exact_value", tenses=SIMPLE, rank=2),
    rule("have", r"an? (?P<value>[$€£]?[\w-]+[- ](?:day|hour|week|minute|month|year|dollar|percent)) "
         r"(?P<what>budget|deadline|limit|quota|sla|lease|contract|commute)", "{what}", "{value}", "context",
         kind="exact_value", tenses=SIMPLE, rank=2),
    rule("launch ship release open move fly",
         rf"(?:it )?(?:on|in) (?P<value>(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? "
         rf"{_MONTH}.{{0,20}}?|{_MONTH} \d.{{0,20}}?)" + STOP, "{verb} date", "{value}", "context", kind="exact_value",
         subjects=WE, tenses=frozenset({"present", "progressive", "future"}), rank=2),
    rule("use", r"(?!(?:it|this|that|them|the following|your|these|those|one)\b)(?P<tool>[\w+#./-]+(?: "
         r"[\w+#./-]+){0,3}?(?: (?:for|as|on) .{2,40}?)?)" + STOP, "uses:{tool}", "yes", "context",
         subjects=frozenset({"we", "own"}), tenses=SIMPLE, opposite="no", rank=3,
         noun=r"^(?:team|company|project|app|backend|frontend|stack|office|department|startup|server)$|^$"),
)  # fmt: skip

_BINDING = (
    "use send store go run stay comply support follow ship deliver exceed keep pay avoid "
    "share host remain respond answer leave enter touch deploy commit merge "
    "log pass return sign approve review accept book process call work happen arrive fit sell "
    "hire lift eat drink take publish delete access"
)
_BOUND = (
    r"(?!.*\byour?\b)(?!(?:the momentum|moving|pushing|ahead|back|home|now|away|it|this|that"
    r"|there|over|through (?:it|this|that)|on with|with (?:it|that"
    r"|this))\b)(?P<what>.{2,140})$"
)
_STATE = (
    r"(?P<what>(?:not )?(?:at (?:least|most)|no more than|between|\w+ed|[\w-]+-free|halal|kosher|kept|done"
    r"|sent|paid|written|run|below|under|within|in the|in "
    r"|on |at |before|by|gluten|dairy|vegan|kosher"
    r"|halal)\b.{0,120})$"
)
_LAWFUL = (
    r"^(?!here\b|one\b|.*\b(?:one|you)\b)(?!.*\b(?:app|website|site|link|page|button"
    r"|screen|laptop|phone|build|person|situation|situations|story|output|prompt|text|result"
    r"|results|function|class|method|query|response|answer|answers|essay|article|email|letter"
    r"|poem|list|table|title|i|you)$|your\b)"
)

CONSTRAINTS: tuple[Rule, ...] = (
    rule("have contain", r"(?P<what>(?:at least|at most|no more than|a minimum of|a maximum of|exactly) .{2,80})$",
         "must:{subject} {verb} {what}", "must", "context", kind="hard_constraint", subjects=frozenset({"thing",
         "own", "we"}), noun=_LAWFUL, tenses=MUST, opposite="must not", rank=1),
    rule("accept use ship hire deploy sell send work store allow", r"(?P<what>(?!it\b|this\b|that\b).{3,120})$",
         "must:only {verb} {what}", "must", "context", kind="hard_constraint", subjects=frozenset({"we"}),
         tenses=SIMPLE, needs=frozenset({"only"}), negation="refused", rank=1),
    rule(_BINDING, _BOUND, "must:{subject} {verb} {what}", "must", "context", kind="hard_constraint",
         subjects=frozenset({"thing", "own", "we", "person", "name"}), noun=_LAWFUL, tenses=MUST, opposite="must not",
         rank=1),
    rule("be", _STATE, "must:{subject} be {what}", "must", "context", kind="hard_constraint", subjects=frozenset({
         "thing", "own", "name"}), noun=_LAWFUL, tenses=MUST, opposite="must not", rank=1),
    rule("avoid lift eat drink take stay send share", r"(?!(?:it|this|that|home|here|there|a (?:look|break|shower"
         r"|nap))\b)(?P<what>.{2,140})$", "must:{verb} {what}", "must", "context", kind="hard_constraint",
         subjects=SELF_ONLY, tenses=MUST, opposite="must not", rank=1),
    rule(_BINDING, _BOUND, "must:{subject} {verb} {what}", "must", "context", kind="hard_constraint", subjects=THING,
         tenses=CAN, needs=NOT_OR_ONLY, opposite="must not", rank=1, noun=_LAWFUL),
    rule(_BINDING, r"(?P<what>.{2,140})$", "must:{verb} {what}", "must not", "context", kind="hard_constraint",
         spares=frozenset("eat drink go sell arrive happen take".split()), subjects=WE, tenses=SIMPLE,
         needs=frozenset({"never"}), is_negative=True, rank=1),
    rule("be", r"(?:strictly |absolutely )?(?P<what>not allowed|forbidden|prohibited|banned|mandatory|a "
         r"no-go|off the table|out of the question|off limits|off-limits|non-negotiable|not "
         r"permitted|allowed|permitted)\b(?P<more>.{0,80})$", "rule:{noun}", "{what} {more}", "context",
         kind="hard_constraint", subjects=THINGS, noun=ANY_NOUN, tenses=SIMPLE, rank=1),
    rule("be", r"(?P<what>not allowed|allowed|permitted|forbidden|prohibited) to (?P<more>.{2,100})$", "rule:{more}",
         "{what}", "context", kind="hard_constraint", tenses=SIMPLE, rank=1),
    rule(_BINDING, _BOUND, "must:{subject} {verb} {what}", "must not", "context", kind="hard_constraint",
         subjects=THING, noun=r"^(?:nothing|nobody|no one|no \w+(?: \w+)?)$", tenses=frozenset({"modal", "can",
         "must"}), is_negative=True, rank=1),
    rule("use store share send exceed spend hire accept process", r"(?!(?:it|this|that|them)\b)(?P<what>.{2,140})$",
         "must:{verb} {what}", "must", "context", kind="hard_constraint", subjects=WE, tenses=CAN, needs=NOT_OR_ONLY,
         opposite="must not", rank=1),
    rule("be", _STATE, "must:{subject} be {what}", "must not", "context", kind="hard_constraint", subjects=THING,
         noun=r"^(?:nothing|nobody|no \w+(?: \w+)?)$", tenses=frozenset({"modal", "can", "must"}), is_negative=True,
         rank=1),
    rule("drive swim", r"(?P<what>)$", "able:{verb}", "yes", "context", subjects=SELF_ONLY, tenses=CAN, needs=NOT,
         opposite="no", rank=2),
    rule("travel work meet run lift fly drive walk swim", r"(?P<what>(?:on|before|after|in the|in|during|without|at"
         r"|more than) .{2,80})$", "able:{verb} {what}", "yes", "context", kind="hard_constraint", subjects=SELF_ONLY,
         tenses=CAN, needs=NOT, opposite="no", rank=2),
    rule("need", r"to (?P<what>(?:use|comply|support|stay|keep|be (?:gluten|dairy|gdpr|hipaa|compatible"
         r"|encrypted|done by|home by)|run on|follow|go through)\b.{2,120})$", "must:{subject} {what}", "must",
         "context", kind="hard_constraint", subjects=frozenset({"thing", "own"}), tenses=SIMPLE, opposite="need not",
         rank=1, noun=_LAWFUL),
)  # fmt: skip
