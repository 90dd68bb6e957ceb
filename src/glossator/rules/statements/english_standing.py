"""How does English say, in plain words of any kind, what stands for years: since when, how much, in what place?"""

from glossator.rules.statements import english_words as words
from glossator.rules.statements.english_home import JOBS
from glossator.rules.statements.rule import (
    ANY_NOUN,
    GROUPS,
    NOT,
    NOUNS,
    OWN,
    PAST,
    SELF_ONLY,
    SIMPLE,
    SPEAKER,
    STOP,
    TOLD,
    Rule,
    rule,
    upto,
)
from glossator.rules.statements.values import SubjectKind, Tense

_WHO: frozenset[SubjectKind] = frozenset({"self", "we", "person", "name"})
_DURING: frozenset[Tense] = frozenset({"perfect", "perfect_progressive"})
_OWN_WORDS = (
    r"(?!.{0,80}\b(?:this|these|those|it|its|them|their|they|you|your|yours|yourself|here|above|below"
    r"|following)\b)"
    r"(?!.{0,60}\b(?:scripts?|files?|code|errors?|builds?|apps?|tabs?|pages?|commands?|quer(?:y"
    r"|ies)|links?|bugs?|functions?"
    r"|prompts?|outputs?|responses?|answers?|questions?|messages?|suggestions?"
    r"|ideas?|results?|terminal|servers?|trouble"
    r"|loop|loops|doubts?|sense)\b)"
)
_LONG = (
    r"(?:(?:for|over|in) (?:about |around |over |almost |nearly |more than |the (?:past|last) "
    r"|well over )*(?:an?|two|three|four|five"
    r"|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|\d+"
    r"|several|some|many|a few) (?:\w+ )?(?:years?|months?|decades?"
    r"|summers?|winters?|seasons?|semesters?)"
    r"|for (?:years|decades|ages|months|most of my life|my whole life)|(?:ever )?since "
    r"(?:(?:19|20)\d\d|(?:the )?(?:\w+ )?(?:college|university|school|childhood|birth|spring|summer|autumn|fall"
    r"|winter|pandemic|divorce"
    r"|wedding|move|accident)|i was|we were|my|our|last \w+|january|february|march"
    r"|april|may|june|july|august|september|october"
    r"|november|december|christmas|easter)|all my life"
    r"|my whole life|since then|ever since)"
)
_LIFE_VERBS = (
    "tutor teach coach mentor run hold carry own drive ride raise breed foster grow train farm fish hunt"
    " brew bake cook "
    "knit sew weave paint draw sculpt carve sing dance act perform dj referee judge volunteer"
    " commute cycle swim row sail surf "
    "ski climb hike fence box skate skateboard meditate garden compost collect"
    " restore repair tinker build design illustrate "
    "photograph film record compose conduct translate interpret"
    " import export sell rent lease invest chair lead head host "
    "organise organize moderate manage supervise"
    " rehearse busk homeschool babysit foster rescue board groom shoe forage preserve "
    "pickle ferment roast distil blog podcast stream vlog crochet embroider quilt hand-dye dye throw glaze share"
    " live"
)
_MEASURED_NOUN = (
    r"^(?!.*\b(?:code|app|script|page|screen|laptop|phone|question|guess|problem|issue|error|order"
    r"|answer|result|output|file)\b)"
    r"(?P<noun>(?:[\w'-]+ ){0,3}?[\w'-]+)$"
)
_JOB_OR_ROLE = (
    rf"(?:[\w-]+ ){{0,3}}?(?:{JOBS}|lifeguard|banker|soldier|monk|nun|scout|goalkeeper|captain"
    rf"|headteacher|dj|dealer)"
)

SINCE: tuple[Rule, ...] = (
    rule("eat drink smoke touch wear own drive use watch", r"(?P<thing>(?!it\b|this\b|that\b|much\b|anything\b|a\b"
         r"|the\b)[\w' -]{0,40}?) ?(?:" + _LONG + r")\b.{0,30}$", "{verb}s:{thing}", "yes", "preference",
         kind="implicit_pref", tenses=frozenset({"perfect"}), needs=NOT, opposite="no", subjects=_WHO),
    rule("", _OWN_WORDS + rf"(?!(?:waiting|stuck|trying)\b)(?P<what>.{{0,70}}?\b{_LONG}\b.{{0,40}}?)" + STOP,
         "since:{verb} {what}", "yes", "context", tenses=_DURING, subjects=_WHO, negation="refused", rank=3,
         spares=frozenset("try wait think feel wonder look ask tell say see hear want notice find hope mean know"
         " miss".split())),
    rule("be", r"an? (?P<role>" + _JOB_OR_ROLE + r")\b(?P<more>.{0,60}?)" + STOP, "was:{role}", "yes", "context",
         tenses=TOLD | {"ended"}, subjects=SPEAKER, negation="refused", rank=4, opposite="no longer"),
    rule("have", r"(?P<ill>migraines|asthma|eczema|insomnia|tinnitus|back pain|anxiety|depression|epilepsy|diabetes"
         r"|allergies|panic attacks" r"|seizures|nosebleeds|braces|psoriasis|vertigo)\b(?P<more>.{0,60})$",
         "health:{ill}", "yes", "identity", tenses=frozenset({"perfect"}), negation="refused"),
    rule("be", r"on (?P<what>an? (?:waiting list|diet|sabbatical|gap year|visa|probation|zero-hours contract"
         r"|fixed-term contract|break from" r"|committee|board|course|team|pension|scholarship"
         r"|student loan)\b.{0,60}?)" + STOP, "on:{what}", "yes", "context", tenses=frozenset({"present", "perfect"}),
         subjects=_WHO, negation="refused"),
    rule("be", r"(?P<what>(?:halfway|partway|midway|a third of the way) through (?:an?|my|the) .{3,70}?)" + STOP,
         "progress:{what}", "yes", "context", tenses=SIMPLE, subjects=SPEAKER, negation="refused"),
)  # fmt: skip

PLAIN: tuple[Rule, ...] = (
    rule("sell move learn study start leave build write retire train close open buy renovate apply recover adopt"
         " divorce emigrate", _OWN_WORDS + r"(?P<what>\w.{3,80}?)" + STOP, "", "{verb} {what}", "context",
         tenses=frozenset({"progressive"}), subjects=frozenset({"person"}), negation="refused", is_event=True, rank=3),
    rule("rent let sublet", r"out (?P<what>(?:my|our|an?|the) .{3,60}?)" + STOP, "rents out:{what}", "yes", "context",
         tenses=SIMPLE, subjects=_WHO, opposite="no", rank=3),
    rule("get", r"(?P<what>an? (?:divorce|dog|cat|puppy|kitten|baby|new job|promotion|tattoo|pacemaker"
         r"|hip replacement)\b.{0,40}?)" + STOP, "", "{verb} {what}", "context", tenses=frozenset({"progressive"}),
         subjects=_WHO, negation="refused", is_event=True, rank=3),
    rule("do handle stand", r"(?P<thing>mornings|early mornings|small talk|crowds|spicy food|heights|heat"
         r"|cold weather|parties|mondays|roller ?coasters" r"|horror films|needles|blood)\b.{0,20}$", "taste:{thing}",
         "dislikes", "preference", kind="implicit_pref", tenses=frozenset({"can"}), subjects=_WHO, needs=NOT,
         is_negative=True, negation="refused"),
    rule("be", r"an? (?:huge |big |lifelong |proud |die-?hard |massive )*(?P<thing>[\w-]+(?: [\w-]+)?) (?:supporter"
         r"|fan|fanatic|nut|addict)" + STOP, "taste:{thing}", "likes", "preference", kind="implicit_pref",
         tenses=SIMPLE, subjects=SELF_ONLY, opposite="dislikes"),
    rule("meet rehearse train gather play open close", r"(?P<what>on the (?:first|second|third|last"
         r"|\d+\w\w) .{3,40}?)" + STOP, "custom:{verb} {what}", "yes", "context", tenses=SIMPLE, subjects=GROUPS |
         frozenset({"we"}), noun=r"^$|(?P<noun>.+)", negation="refused", rank=3),
    rule("try", r"to (?P<aim>(?:be (?:more|less|a better)|eat \w+ly|spend (?:less|more)|buy (?:less|local)|live"
         r"|walk|read|use less|drink less|work less" r"|go to bed)\b.{3,60}?|eat \w+ly)" + STOP, "goal:{aim}", "yes",
         "goal", tenses=SIMPLE | frozenset({"progressive"}), subjects=SPEAKER, negation="refused"),
    rule("love", r"to " + _OWN_WORDS + r"(?P<aim>(?:see|visit|travel|live|own|learn|write|sail|walk|hike|ride"
         r"|try \w+ing|go to|move|have (?:a|my own)|be (?:a|able)" r"|open|work)\b(?! (?:an example|how|what|more"
         r"|the (?:code|result)|some)).{2,70}?)" + STOP, "goal:{aim}", "yes", "goal", tenses=frozenset({"modal"}),
         subjects=SPEAKER, negation="refused"),
    rule("plan hope", r"(?:to|on) (?P<aim>ask(?:ing)? (?:for (?:a|my)|my \w+ to) .{3,60}?)" + STOP, "goal:{aim}",
         "yes", "goal", tenses=SIMPLE | frozenset({"progressive"}), subjects=SPEAKER, negation="refused"),
    rule("study", r"(?P<subject>(?:\w+ )?(?:law|medicine|physics|chemistry|biology|history|philosophy|economics"
         r"|engineering|music|art|psychology" r"|architecture|literature|linguistics|nursing|maths|mathematics"
         r"|design|journalism|theology|accounting|geography|sociology)\b.{0,40}?)" + STOP, "studied:{subject}", "yes",
         "identity", tenses=PAST, subjects=_WHO, negation="refused", rank=1),
    rule("buy get book", r"(?P<what>(?:\w+ )?tickets (?:for|to) .{3,60}?)" + STOP, "", "{verb} {what}", "context",
         tenses=PAST, subjects=SPEAKER, negation="refused", is_event=True, rank=3),
    rule("be", r"(?:scared|afraid|terrified|petrified) of (?P<thing>(?!losing|making|what|this|that|it\b"
         r"|the (?:answer|result)|being wrong)[\w][\w' -]{2,40}?)" + STOP, "fear:{thing}", "yes", "identity",
         tenses=SIMPLE, subjects=_WHO, opposite="no"),
    rule("trust", r"(?P<thing>(?!it\b|this|that|you|them|the |your|my)[\w' -]{3,40}?)" + STOP, "trusts:{thing}",
         "yes", "preference", tenses=SIMPLE, subjects=SPEAKER, needs=NOT, opposite="no"),
    rule("work", r"(?P<what>(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:to|through|and|till) \w+)?)" + STOP,
         "work days", "{what}", "identity", tenses=SIMPLE, subjects=_WHO, negation="refused"),
    rule("be", r"fluent in (?P<language>(?!this|that|it\b)[\w ]{3,30}?)" + STOP, "speaks:{language}", "yes",
         "identity", tenses=SIMPLE, subjects=_WHO, opposite="no"),
    rule("be", r"(?P<what>(?:adopted|fostered|homeschooled|orphaned|widowed)(?: (?:as|when|at|by|until"
         r"|in) .{2,30})?)" + STOP, "was:{what}", "yes", "identity", tenses=TOLD | SIMPLE, subjects=_WHO,
         negation="refused"),
    rule("be", r"my (?P<slot>(?:busiest|quietest|slowest|strongest|weakest|best|worst|hardest) (?:season|month|day"
         r"|time|subject|sport|event|skill))\b.{0,20}$", "{slot}", "{subject}", "identity", subjects=NOUNS,
         noun=ANY_NOUN, tenses=SIMPLE, negation="refused"),
    rule("be", r"(?P<value>(?:terrible|awful|bad|poor|good|excellent|great|weak|worse|better)(?: (?:since|after"
         r"|because|in|at|now)\b.{2,50})?)" + STOP, "{noun}", "{value}", "context", subjects=OWN, noun=
         r"^(?P<noun>(?:sleep|eyesight|hearing|memory|back|knees?|hip|digestion|balance|health|sense of direction"
         r"|handwriting|spelling|english|french|german|spanish|credit))$", tenses=SIMPLE, negation="refused", rank=3),
    rule("work", r"with (?P<what>(?!you|it|this|that|them|him|her|me|us|an?\b|the\b|my\b|what|data\b|these"
         r"|those)[a-z][\w -]{3,40}?)" + STOP, "works with:{what}", "yes", "context", tenses=SIMPLE, subjects=_WHO,
         negation="refused", rank=3),
    rule("smoke drink vape gamble", _LONG, "habit:{verb}", "yes", "identity", tenses=frozenset({"perfect"}),
         needs=NOT, opposite="no", subjects=_WHO),
    rule("need take get", r"(?P<what>(?:his|her|their|two|three|a|an|insulin|medication) .{3,60}?\b(?:every|each"
         r"|twice a|once a|at \d).{2,30}?)" + STOP, "needs:{what}", "yes", "context", tenses=SIMPLE,
         subjects=frozenset({"person", "name"}), negation="refused", rank=3),
    rule("be", r"(?P<how>.{3,40})$", "{kin} allergy:{thing}", "yes", "context", tenses=SIMPLE, subjects=OWN,
         negation="refused", noun=rf"^(?P<kin>{'|'.join(sorted(words.FAMILY))})'s (?P<thing>[\w ]{{2,20}})"
         rf" (?:allergy|intolerance)$", rank=1),
    rule("be", r"due (?:for (?P<what>[\w -]{3,30}?) )?(?:in|on|by|at|around) (?P<value>(?:the )?[\w].{2,30}?)" + STOP,
         "{noun} due", "{what} {value}", "context", kind="exact_value", tenses=SIMPLE, subjects=GROUPS,
         noun=_MEASURED_NOUN, negation="refused", rank=2),
    rule("be", r"(?P<proper>\p{L}[\w&'.-]*(?: [\w&'.-]+){0,2}?)" + STOP, "{noun}", "{proper}", "context",
         tenses=SIMPLE, subjects=frozenset({"thing"}), noun=r"^(?P<noun>(?:[\w'-]+ ){0,3}?(?:codename|code name"
         r"|lead|owner|mascot|motto|ceo|cto|treasurer|captain|landlord|headteacher|conductor"
         r"|head coach|project manager|product owner|point of contact|working title|brand|venue|supplier|publisher"
         r"|label))$", negation="refused", rank=3),
    rule(_LIFE_VERBS, _OWN_WORDS + r"(?!(?:it|that|for|on|up|out|in|into|over|through|with|down|off|away|back"
         r"|a (?:look|test|question)|me|him" r"|her|us)\b)(?P<what>\w.{3,90}?)" + STOP, "does:{verb} {what}", "yes",
         "context", tenses=SIMPLE, subjects=_WHO, negation="refused", rank=3),
    rule("have", r"(?:got )?an? (?:[\w-]+ ){0,2}?(?P<what>exam|interview|appointment|meeting|flight|surgery|wedding"
         r"|deadline|viva|scan|check-up" r"|checkup|concert|recital|hearing|performance|audition|viewing|operation"
         r"|presentation|match|tournament|race)(?: (?:with|in|at|for" r"|to) [\w' ]{2,30}?)? (?:on|at"
         r"|in) (?P<value>(?:the )?(?:\d|january|february|march|april|may|june|july|august|september|october"
         r"|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday).{0,30}?)" + STOP, "{what}",
         "{value}", "context", kind="exact_value", tenses=SIMPLE, subjects=_WHO, negation="refused", rank=2),
    rule("earn make", r"(?:about |around |roughly |just )*(?P<value>\d[\d,.]*k? ?(?:a|an|per) (?:month|year|hour"
         r"|week|day)\b.{0,20}?)" + STOP, "{verb}:amount", "{value}", "context", kind="exact_value", tenses=SIMPLE,
         subjects=SPEAKER, rank=2),
    rule("be", r"(?:built|founded|established|opened|renovated|planted|designed) (?:in|by"
         r"|around) (?P<what>(?:the )?[\w].{2,40}?)" + STOP, "{noun} built", "{what}", "context", tenses=TOLD,
         subjects=OWN, noun=_MEASURED_NOUN, negation="refused", rank=3),
    rule("be", r"(?P<value>@\w[\w.-]{2,30})", "{noun}", "{value}", "identity", kind="exact_value", tenses=SIMPLE,
         subjects=OWN, noun=r"^(?P<noun>(?:\w+ )?(?:handle|username|account|nick|instagram|twitter|github"
         r"|telegram))$", negation="refused"),
    rule("be", r"my (?P<slot>(?:first|second|third|native|home) language|mother tongue|hometown|home town"
         r"|maiden name|middle name)" + STOP, "{slot}", "{subject}", "identity", subjects=NOUNS, noun=ANY_NOUN,
         tenses=SIMPLE, negation="refused"),
    rule("be", r"my idea of (?:heaven|fun|bliss|a good time|a perfect \w+|happiness|paradise)", "taste:{noun}",
         "likes", "preference", kind="implicit_pref", subjects=NOUNS, noun=r"^(?!that$|this$|it$)(?P<noun>.+)",
         tenses=SIMPLE, opposite="dislikes"),
    rule("be", r"my idea of (?:hell|torture|a nightmare)", "taste:{noun}", "dislikes", "preference",
         kind="implicit_pref", subjects=NOUNS, noun=r"^(?!that$|this$|it$)(?P<noun>.+)", tenses=SIMPLE,
         negation="refused", is_negative=True),
    rule("diagnose", r"me with (?!it\b|this\b|that\b)" + upto("ill", longest=50), "health:{ill}", "yes", "identity",
         tenses=PAST, subjects=frozenset({"person", "thing"}), noun=r".*", negation="refused"),
    rule("end", r"up (?P<what>(?:going with|choosing|buying|moving|renting|adopting|staying|settling|hiring"
         r"|picking) (?!it\b|that\b|this\b).{3,80}?)" + STOP, "decision:{what}", "chosen", "context", tenses=PAST,
         subjects=SPEAKER, negation="refused", rank=3),
    rule("name call", r"(?:our|my|the) (?P<what>(?:new |first )?[\w'-]+) (?P<proper>\p{L}[\w'-]+(?: [\w'-]+)?)" + STOP,
         "{what} name", "{proper}", "context", tenses=frozenset({"past", "perfect", "present"}), subjects=SPEAKER,
         negation="refused", rank=2),
    rule("", r"than (?P<other>(?!you\b|that\b|this\b)[\w].{1,40}?)" + STOP, "prefers:{verb}/{other}", "{verb}",
         "preference", kind="implicit_pref", tenses=frozenset({"modal"}), subjects=SPEAKER, needs=frozenset({"rather"}),
         negation="refused"),
    rule("require demand", _OWN_WORDS + r"(?P<what>(?!that\b|to\b|more\b|some\b|a lot|further)\w[\w' -]{4,70}?)" +
         STOP, "must:{noun} {verb} {what}", "must", "context", kind="hard_constraint", subjects=GROUPS, tenses=SIMPLE,
         negation="refused", rank=2, noun=r"^(?P<noun>(?:\w+ ){0,2}(?:grant|visa|contract|client|landlord"
         r"|university|school|course|job|licen[sc]e|insurance|policy|bank"
         r"|customer|auditor|board|council|programme|program|club|degree|certification|lease|employer|company"
         r"|diet))$"),
    rule("be", r"an? (?:\w+ )?(?P<job>[\w-]+er|[\w-]+or|[\w-]+ist|[\w-]+ian) by (?:trade|training|profession)", "job",
         "{job}", "identity", tenses=SIMPLE, subjects=SELF_ONLY, negation="refused"),
    rule("be", r"(?:the )?(?P<state>eldest|oldest|youngest|middle child|middle one|black sheep|only (?:girl|boy"
         r"|child|daughter|son))(?: of .{2,30}" r"| in .{2,30})?" + STOP, "is:{state}", "yes", "identity",
         tenses=SIMPLE, subjects=SELF_ONLY, negation="refused"),
    rule("be", r"in an? (?P<thing>wheelchair|cast|long-distance relationship|custody battle"
         r"|polyamorous relationship)\b", "is in:{thing}", "yes", "identity", tenses=SIMPLE, subjects=SELF_ONLY,
         opposite="no"),
    rule("hold have", rf"(?P<what>(?:an?|two|dual) (?:[\w-]+ )?(?:passport|citizenship|nationality|green card"
         rf"|work permit|pilot'?s? licen[sc]e" rf"|black belt|security clearance|forklift licen[sc]e"
         rf"|first-aid certificate|{'|'.join(sorted(words.NATIONALITIES))} passport))", "holds:{what}", "yes",
         "identity", tenses=SIMPLE, subjects=SPEAKER, opposite="no"),
    rule("split separate", r"(?P<what>up\b.{0,40}?|in .{2,30}?|last .{2,20}?)" + STOP, "", "{verb} {what}", "context",
         tenses=PAST | SIMPLE, subjects=frozenset({"we", "person"}), negation="refused", is_event=True, rank=3),
)  # fmt: skip
