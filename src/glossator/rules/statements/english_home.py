"""How does English say where somebody lives, what they work and what they study?"""

from glossator.rules.statements.rule import (
    NOW,
    PAST,
    PLACE_STOP,
    PRESENT,
    SIMPLE,
    SPEAKER,
    STANDING,
    STOP,
    TOLD,
    Rule,
    rule,
    upto,
)

JOBS = (
    r"accountant|actor|actress|analyst|apprentice|archaeologist|architect|artist|astronomer|attorney"
    r"|author|baker|banker|barber|barista"
    r"|bartender|biologist|blogger|bookkeeper|builder|butcher|carpenter|cashier|chef|chemist"
    r"|clerk|coach|comedian|composer"
    r"|consultant|contractor|cook|copywriter|counsel(?:l)?or|curator|dancer|dentist|designer"
    r"|detective|developer|devops"
    r"|dietitian|director|dj|doctor|driver|economist|editor|electrician|engineer|entrepreneur"
    r"|executive|farmer|firefighter"
    r"|freelancer|gardener|geologist|hairdresser|historian|housewife|illustrator|instructor"
    r"|intern|interpreter|inspector"
    r"|investor|janitor|journalist|judge|lawyer|lecturer|librarian|lifeguard|linguist|manager"
    r"|marketer|mathematician"
    r"|mechanic|midwife|model|musician|novelist|nurse|nutritionist|officer|optician|painter"
    r"|paramedic|pastor|pharmacist"
    r"|photographer|physicist|physiotherapist|pianist|pilot|planner|plumber|poet|politician"
    r"|postdoc|priest|producer"
    r"|professor|programmer|prosecutor|psychiatrist|psychologist|realtor|receptionist"
    r"|recruiter|reporter|researcher"
    r"|retiree|sailor|salesperson|salesman|scientist|sculptor|secretary|singer|sociologist"
    r"|soldier|solicitor|specialist"
    r"|statistician|student|supervisor|surgeon|surveyor|tailor|teacher|technician|therapist"
    r"|trader|trainer|translator"
    r"|tutor|undergrad|undergraduate|grad student|vet|veterinarian|veteran|waiter|waitress"
    r"|welder|writer|youtuber|ceo|cto"
    r"|fisherman|fisher|miner|seamstress|shepherd|cobbler|blacksmith|postman|dispatcher|logistician|archivist"
    r"|paralegal|choreographer|conductor|sommelier|brewer|potter|jeweller|jeweler|locksmith|roofer|joiner|mason|tiler"
    r"|cfo|coo|founder|co-founder|freshman|sophomore|admin|administrator|strategist|bookseller"
    r"|florist|beekeeper"
    r"|single (?:mom|mum|mother|dad|father)|stay-at-home (?:mom|mum|mother|dad|father)|civil "
    r"servant|sysadmin|sre"
)
_JOB = (
    rf"(?P<job>(?:(?!of |for |at |the |your |my |big |huge |terrible |bad |great |lousy "
    rf")[\w&'/.-]+ ){{0,4}}?(?:{JOBS})"
    r"(?: in [\w ]{2,30}?)?)(?=\s*(?:[,;:()!?…—.]|$)|\s(?:at|for|with|by|of|in|from|on|now"
    r"|since|and|who|specializing"
    r"|working|based|turned|these|too|living|so|but|because|while|though|there)\b)"
)

HOME: tuple[Rule, ...] = (
    rule("live", r"(?:on|out in|up in|down in) (?:(?:a|an|the) [\w -]{1,40} (?:in|of|near|outside) )?" + upto("place",
         stop=PLACE_STOP), "home", "{place}", "identity", rank=0),
    rule("move", r"into (?:a|an|the|our|my) (?:[\w-]+ ){1,4}in " + upto("place", stop=PLACE_STOP), "home", "{place}",
         "identity", tenses=PAST, negation="refused"),
    rule("be", r"from (?:an? |the )(?:[\w-]+ ){0,3}?(?:village|town|city|island|suburb|farm|part) (?:in"
         r"|of|near|outside|called) " + upto("place", stop=PLACE_STOP), "origin", "{place}", "identity",
         tenses=PRESENT),
    rule("be", r"(?:in )?" + upto("place", stop=PLACE_STOP, longest=30), "home", "{place}", "identity",
         subjects=frozenset({"thing", "name"}), noun=r"^home$", tenses=frozenset({"present"}), negation="refused"),
    rule("be", r"(?:born and )?raised (?:by [\w ]{3,30} )?(?:in|on|near) " + upto("place", stop=PLACE_STOP),
         "grew up", "{place}", "identity", tenses=frozenset({"past"}), negation="refused"),
    rule("share", r"(?P<thing>(?:a|an) (?:flat|house|apartment|room|place|studio) in .{2,40}?)" + STOP, "dwelling",
         "{thing}", "identity", subjects=frozenset({"we"})),
    rule("live reside", r"(?:in|at|near|outside|just outside) (?:(?:a|an|the) [\w -]{1,40} (?:in|of|near|outside) "
         r")?" + upto("place", stop=PLACE_STOP), "home", "{place}", "identity", rank=0),
    rule("live", r"(?P<with>alone|by myself|by herself|by himself|on my own)\b", "lives with", "{with}", "identity",
         rank=0),
    rule("live", r"with (?!us\b|me\b)(?P<with>.{2,60}?)" + STOP, "lives with", "{with}", "identity", rank=0),
    rule("live", r"in (?P<dwelling>(?:a|an|the) .{2,60}?)" + STOP, "dwelling", "{dwelling}", "identity", rank=0),
    rule("live reside", r"in " + upto("place", stop=PLACE_STOP), "lived:{place}", "yes", "context", tenses=TOLD,
         negation="refused"),
    rule("be", r"(?:based|located|living|residing|settled) (?:in|at|near|out of) " + upto("place", stop=PLACE_STOP),
         "home", "{place}", "identity"),
    rule("be", r"(?:originally )?from " + upto("place", stop=PLACE_STOP), "origin", "{place}", "identity",
         tenses=PRESENT),
    rule("move relocate", r"(?:back |over |out |up |down )?(?:from [\w .'-]{2,40}? )?(?:out )?to " + upto("place",
         stop=PLACE_STOP), "home", "{place}", "identity", tenses=PAST, negation="refused"),
    rule("come", r"from " + upto("place", stop=PLACE_STOP), "origin", "{place}", "identity", tenses=SIMPLE),
    rule("be", r"born (?:and raised )?in (?!january|february|march|april|may\b|june|july|august|september"
         r"|october|november|december)(?P<place>\p{L}.{1,40}?)" + PLACE_STOP, "birthplace", "{place}", "identity",
         subjects=frozenset({"self", "we", "person"}), tenses=TOLD, negation="refused"),
    rule("be", r"born (?:on|in) " + upto("date"), "birthday", "{date}", "identity", kind="exact_value", tenses=TOLD,
         negation="refused"),
    rule("grow", r"up (?:in|on|near) " + upto("place", stop=PLACE_STOP), "grew up", "{place}", "identity",
         tenses=PAST, negation="refused"),
    rule("be", r"in (?P<place>\p{L}[\p{L}' -]{1,30}?) (?:for|since) .{2,40}$", "home", "{place}", "identity",
         tenses=frozenset({"perfect"}), negation="refused", subjects=SPEAKER),
    rule("rent", r"(?P<dwelling>(?:a|an|our|my) .{2,60}?)" + STOP, "dwelling", "{dwelling}", "identity",
         tenses=PRESENT),
    rule("move relocate", r"(?:back |over |out )?(?:from [\w .'-]{2,40}? )?to " + upto("place", stop=PLACE_STOP),
         "moves to", "{place}", "goal", tenses=frozenset({"progressive", "future"}), negation="refused"),
    rule("grow", r"up (?P<how>(?!to\b|so\b|and\b).{3,70}?)(?=\s*(?:[;:()!?]|\.(?:\s|$))|\s*$)", "grew up", "{how}",
         "identity", tenses=TOLD, negation="refused"),
    rule("be", r"a (?P<what>family|team|group|household|company) of (?P<count>\w+)", "{what} size", "{count}",
         "identity", kind="exact_value", tenses=SIMPLE),
    rule("share", r"(?P<thing>(?:a|an) (?:flat|house|apartment|room|place|studio) with .{2,50}?)" + STOP, "dwelling",
         "{thing}", "identity"),
)  # fmt: skip

WORK: tuple[Rule, ...] = (
    rule("earn make", r"(?:my|a) living (?:as|by) (?:an? )?" + upto("job", stop=PLACE_STOP), "job", "{job}",
         "identity", tenses=SIMPLE, negation="refused"),
    rule("make build sell repair restore paint write", r"(?P<what>[\w' -]{3,40}?) for a living\b", "job",
         "{verb} {what}", "identity", tenses=SIMPLE, negation="refused"),
    rule("sell make produce build", r"(?P<what>(?!it\b|this\b|that\b|them\b|sure\b|sense\b|a\b|an\b|the\b|our\b"
         r"|use\b|up\b" r"|progress\b)[\w' -]{3,50}?)" + STOP, "sells:{what}", "yes", "context", subjects=frozenset({
         "we"}), tenses=SIMPLE, opposite="no", rank=3),
    rule("bank", r"(?:with|at) " + upto("org", stop=PLACE_STOP), "bank", "{org}", "context", tenses=PRESENT),
    rule("sing play", r"(?:[\w ]{2,20} )?in (?P<group>(?:an?|the|our|my) (?:[\w-]+ ){0,3}?(?:choir|band"
         r"|orchestra|quartet|ensemble|league))\b", "member:{group}", "yes", "interest", tenses=PRESENT,
         opposite="no"),
    rule("work", r"(?:remotely |part[- ]time |full[- ]time |nights )?(?:at|for|with) (?:the |a |an )?" + upto("org",
         stop=PLACE_STOP), "employer", "{org}", "identity"),
    rule("work", r"as (?:the |an? |a part-time )?[\w' -]{2,40}? (?:at|for|with) (?:the |a |an )?" + upto("org",
         stop=PLACE_STOP), "employer", "{org}", "identity"),
    rule("work", r"as (?:the |an? )?" + upto("job", stop=PLACE_STOP), "job", "{job}", "identity"),
    rule("work", r"(?P<mode>remotely|from home|nights|night shifts|shifts|part[- ]time|full[- ]time"
         r"|freelance|weekends)\b", "work mode", "{mode}", "identity", tenses=NOW),
    rule("work", r"in (?!the (?:industry|field|area|garden|morning|evening|afternoon)|progress)" + upto("field",
         stop=PLACE_STOP, longest=40), "field", "{field}", "identity"),
    rule("work", r"(?:at|for|with|in) (?P<firm>(?:a|an|the) (?!industry|field|area|sector|past|last"
         r"|first)\w.{2,50}?)" + rf"(?:{STOP}|(?=\sas\s))", "employer", "{firm}", "identity"),
    rule("teach", r"(?:.{2,40}? )?at (?:the |a |an )?" + upto("org", stop=PLACE_STOP), "employer", "{org}",
         "identity"),
    rule("teach", r"(?!me\b|you\b|us\b|him|her\b|them|myself|people|a lesson|how)" + upto("subject", longest=50),
         "teaches:{subject}", "yes", "identity"),
    rule("start", r"(?:working |work |my new job |a new job )?at (?:the |a |an )?" + upto("org", stop=PLACE_STOP),
         "employer", "{org}", "identity", tenses=PAST, negation="refused"),
    rule("start", r"(?:working |work |my new job |a new job |a new role |a new position )?as (?:the |an? )?" + upto(
         "job", stop=PLACE_STOP), "job", "{job}", "identity", tenses=PAST, negation="refused"),
    rule("start", r"(?P<job>my new job|a new job|my first job|a new role|a new position)" + STOP, "", "{job}",
         "identity", tenses=PAST, negation="refused", is_event=True),
    rule("join", r"(?!in\b|us\b|them\b|forces|hands|a\b|an\b|the\b|this\b|my\b)(?P<org>\p{L}[\w&.' "
         r"-]{1,40}?) as (?:a|an|the)\b", "employer", "{org}", "identity", tenses=PAST, negation="refused"),
    rule("leave quit", r"(?:my |the )?(?:job|position|role|post) (?:at|with) (?:the )?" + upto("org", stop=PLACE_STOP),
         "employer", "not {org}", "identity", tenses=PAST, is_negative=True, negation="refused"),
    rule("leave quit", r"(?:my|the|his|her|their) (?:old |previous |last )?(?P<job>job|position|role|teaching job"
         r"|day job|corporate job)" + STOP, "employer", "none", "identity", tenses=PAST, is_negative=True,
         negation="refused"),
    rule("leave quit", upto("org", stop=PLACE_STOP, longest=30), "employer", "not {org}", "identity", tenses=PAST,
         is_negative=True, negation="refused"),
    rule("resign", r"from (?:my (?:job|post) at )?(?:the )?" + upto("org", stop=PLACE_STOP), "employer", "not {org}",
         "identity", tenses=PAST, is_negative=True, negation="refused"),
    rule("be get", r"(?:laid off|fired|let go|made redundant)(?: (?:from|by|at) (?P<org>\S.{1,40}?))?" + PLACE_STOP,
         "employer", "none", "identity", tenses=PAST, is_negative=True, negation="refused"),
    rule("lose", r"my job\b", "employer", "none", "identity", tenses=PAST, is_negative=True, negation="refused"),
    rule("be", r"(?:with|at) (?P<org>\p{L}[\w&.' -]{1,40}?) (?:for|since) .{2,30}$", "employer", "{org}", "identity",
         tenses=frozenset({"perfect"}), negation="refused"),
    rule("sing play", r"in (?P<group>an? (?:[\w-]+ ){0,3}?(?:choir|band|orchestra|quartet|ensemble|team"
         r"|league))\b", "member:{group}", "yes", "interest", tenses=PRESENT, opposite="no"),
    rule("volunteer", r"(?:at|for|with|in) (?P<where>.{3,50}?)" + STOP, "volunteers:{where}", "yes", "interest",
         tenses=PRESENT, opposite="no"),
    rule("have employ", r"(?P<count>\d[\d,]*|(?:two|three|four|five|six|seven|eight|nine|ten|a dozen)) "
         r"(?P<what>employees|people|staff|developers|engineers|members|customers|users|clients"
         r"|students|pupils|tenants|offices|branches|stores)\b", "{what}", "{count}", "context", kind="exact_value",
         subjects=frozenset({"we", "own", "thing"}), tenses=SIMPLE, noun=r"^$|^(?P<noun>team|company|office|school"
         r"|firm|club|app|site|shop|department|business" r"|startup)$"),
    rule("retire", r"(?:from .*)?(?:in .*|last .*|\d.*)?$", "job", "retired", "identity", tenses=PAST,
         negation="refused"),
    rule("get be", r"promoted to (?:the )?(?:position of |role of )?" + upto("job", stop=PLACE_STOP), "job", "{job}",
         "identity", tenses=PAST, negation="refused"),
    rule("become", r"(?:the |an? )?" + _JOB, "job", "{job}", "identity", tenses=PAST, negation="refused"),
    rule("be", r"(?:an? )(?P<role>(?:[\w-]+ ){0,3}?(?:student|undergrad|undergraduate|freshman|sophomore"
         r"|pupil)) (?:at|in|of) " + upto("school", longest=50), "studies at", "{school}", "identity", tenses=PRESENT,
         negation="refused"),
    rule("be", r"(?:the |an? )?(?:\w+ )?" + rf"(?P<role>(?:{JOBS})) (?:at|for) (?:the )?(?P<org>\p{{L}}[\w&.'"
         rf" -]{{1,40}}?)" + PLACE_STOP, "employer", "{org}", "identity", tenses=PRESENT),
    rule("be", r"(?:an? |still an? |now an? |currently an? |also an? )" + _JOB, "job", "{job}", "identity",
         tenses=STANDING, negation="refused"),
    rule("be", r"the (?P<job>(?:(?:[\w&-]+ ){0,3}?" + rf"(?:{JOBS}|head|chair|owner|captain|lead) (?:at|of"
         rf"|for) .{{2,40}}?|(?:only|lead|head" rf"|chief) (?:\w+ )?(?:{JOBS})))" + STOP, "job", "{job}", "identity",
         tenses=STANDING, negation="refused"),
    rule("run own found", r"(?P<firm>(?:a|an|my own|our own|my) (?:[\w-]+ ){0,3}?(?:company|business|bakery|shop"
         r"|store|restaurant|café|cafe|startup|start-up|studio|farm|agency|practice|clinic|gallery"
         r"|nursery|school|hotel|b&b|guesthouse|workshop|bookshop|brewery|pub|bar|firm|salon|blog" r"|podcast))\b",
         "runs:{firm}", "yes", "identity", tenses=PRESENT),
    rule("manage lead", r"(?P<team>(?:a|an|the) (?:[\w-]+ ){0,3}?(?:team|department|group|project|store"
         r"|branch|shift|desk|bar|kitchen|warehouse|hotel)\b.{0,40}?)" + STOP, "manages:{team}", "yes", "identity",
         tenses=PRESENT),
    rule("report", r"to (?P<who>\p{L}[\w'. -]{1,30}?)" + PLACE_STOP, "reports to", "{who}", "context", tenses=PRESENT),
    rule("study major", r"(?:in )?(?!for\b|the (?:document|paper|text)|this|that|it\b)" + upto("subject", longest=50),
         "studies:{subject}", "yes", "identity", tenses=frozenset({"present", "progressive", "perfect_progressive",
         "ended"}), negation="refused", rank=1),
    rule("study", r"(?!for\b|the\b|this|that|your\b|it\b|all\b|hard|how|in\b|at\b|until|my\b"
         r"|with)(?P<subject>[\w &]{3,40}? (?:in|at) \p{L}.{1,40}?)" + STOP, "studied:{subject}", "yes", "identity",
         tenses=TOLD, negation="refused", rank=1),
    rule("major", r"in " + upto("subject", longest=40), "studied:{subject}", "yes", "identity", tenses=PAST,
         negation="refused", rank=1),
    rule("do", r"(?P<degree>(?:a|an|my) (?:[\w'.]+ ){0,2}?(?:degree|phd|ph\.d|master's|masters|bachelor's"
         r"|bachelors|mba|diploma|apprenticeship|internship|postdoc|residency)\b.{0,50}?)" + STOP, "degree:{degree}",
         "yes", "identity", tenses=frozenset({"progressive", "past", "perfect_progressive"}), negation="refused"),
    rule("cycle walk drive bike", r"to (?P<where>work|school|uni|university|the office)\b", "commute", "{verb}",
         "context", tenses=PRESENT, negation="refused"),
    rule("graduate", r"(?:from |with |in )" + upto("school"), "graduated:{school}", "yes", "identity", tenses=PAST,
         negation="refused", rank=1),
    rule("have", r"(?P<degree>(?:a|an|my) (?:[\w'.]+ ){0,2}?(?:degree|phd|ph\.d|master's|masters|bachelor's"
         r"|bachelors|mba|diploma)\b.{0,50}?)" + STOP, "degree:{degree}", "yes", "identity", tenses=PRESENT),
    rule("be", r"in (?P<grade>(?:my )?(?:first|second|third|fourth|final|last|freshman|sophomore|junior"
         r"|senior|[\d]+(?:st|nd|rd|th)) (?:year|grade|semester)\b.{0,30}?)" + STOP, "study year", "{grade}",
         "identity", tenses=SIMPLE),
)  # fmt: skip
