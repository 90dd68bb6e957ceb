"""What may still be read of a plain sentence about oneself or one's own where no narrower row fits?"""

from glossator.rules.statements.english_home import JOBS
from glossator.rules.statements.rule import (
    ANY_NOUN,
    CAN,
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
from glossator.rules.statements.values import SubjectKind

_WHO: frozenset[SubjectKind] = frozenset({"self", "we", "person", "name"})
_MINE: frozenset[SubjectKind] = frozenset({"own", "thing"})
_CLEAR = (
    r"(?!.{0,90}\b(?:this|these|those|it|its|them|their|they|you|your|yours|here|above|below|following)\b)"
    r"(?!.{0,60}\b(?:scripts?|files?|code|errors?|builds?|apps?|tabs?|pages?|commands?|quer(?:y|ies)|links?|bugs?"
    r"|functions?"
    r"|prompts?|outputs?|responses?|answers?|questions?|messages?|suggestions?|ideas?|results?"
    r"|terminal|loops?|sense)\b)"
)
_NO_ROLE = (
    r"(?!(?:bit|little|lot|tad|mess|wreck|moment|one|ones|same|fool|idiot|genius|loser|failure|believer"
    r"|person|guy|girl|man|woman"
    r"|human|bad|good|great|huge|big|terrible|total|complete|real|fan|worst|best"
    r"|happiest|luckiest|type|kind|sort|problem|reason"
    r"|way|last|next|newbie|noob|tree|king|queen|pirate|robot"
    r"|wizard|dragon|customer here|boss of|goat)\b)"
)
_NUMBER = (
    r"(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty"
    r"|dozens of|a dozen|several)"
)
_DAY = (
    r"(?:the )?\d{1,2}(?:st|nd|rd|th)?(?:(?: of)? (?:january|february|march|april|may|june|july|august"
    r"|september|october|november"
    r"|december))?|(?:january|february|march|april|may|june|july|august|september"
    r"|october|november|december)(?: \d{1,4})?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:next|this) \w+"
    r"|(?:19|20)\d\d|end of \w+|\d{1,2}(?::\d\d)? ?(?:am|pm)?"
)

BROAD: tuple[Rule, ...] = (
    rule("be", r"(?:\w+ly )?(?:good|great|brilliant|skilled) at " + _CLEAR +
         r"(?P<thing>(?!explaining|this)\w.{3,60}?)" + STOP, "good at:{thing}", "yes", "identity", tenses=SIMPLE,
         subjects=_WHO, needs=NOT, opposite="no"),
    rule("be", r"an? " + _NO_ROLE + r"(?P<job>(?:[\w-]+ ){0,2}?(?!customer|user|member|number|newcomer|stranger"
         r"|believer|beginner|winner|loser|matter|order" r"|server|computer|owner|later|longer|older|younger|bigger"
         r"|better|closer|either|rather|other|another|reader|per\b|letter|paper)[\w-]{3,}"
         r"(?:er|ist|ian|ologist|aholic))(?P<more> (?:with|at|for|in|from|by|on)\b.{2,50}?)?" + STOP, "is:{job}",
         "yes", "identity", tenses=SIMPLE, subjects=frozenset({"self", "person"}), negation="refused"),
    rule("prefer", r"(?:not )?to " + _CLEAR + r"(?P<thing>(?:meet|work|live|travel|eat|stay|sleep|read|walk|cycle"
         r"|study|learn|shop|pay|sit|train" r"|drive|fly|cook|write|speak|text|call)\b.{3,60}?)" + STOP,
         "taste:{thing}", "likes", "preference", kind="implicit_pref", tenses=frozenset({"modal"}), subjects=SPEAKER,
         negation="refused"),
    rule("afford", _CLEAR + r"(?P<what>(?!to\b|any\b|that\b|more\b|delays|surprises|mistakes)\w.{3,70}?)" + STOP,
         "able:afford {what}", "yes", "context", tenses=CAN, subjects=SPEAKER, needs=NOT, opposite="no", rank=3),
    rule("have", r"(?:any |much |a lot of )?(?P<what>(?!the\b|that\b|your\b)(?:[\w-]+ ){0,2}?(?:experience"
         r"|background|training|savings" r"|insurance|income|qualifications|family)\b"
         r"(?! of (?:this|that)).{0,60}?)" + STOP, "has:{what}", "yes", "context", tenses=SIMPLE, subjects=SPEAKER,
         needs=NOT, opposite="no", rank=3),
    rule("work eat drive travel meet stay walk sleep train lift come talk", _CLEAR +
         r"(?P<what>(?:until|after|before|on|at|in|with|from|during|between"
         r"|remotely|part-time|mornings|evenings|weekends)\b.{2,50}?)" + STOP, "able:only {verb} {what}", "yes",
         "context", tenses=CAN, subjects=SPEAKER, needs=frozenset({"only"}), negation="refused", rank=3),
    rule("cut", r"(?:out|down on|back on) " + _CLEAR + r"(?P<aim>\w.{2,50}?)" + STOP, "goal:cut out {aim}", "yes",
         "goal", tenses=frozenset({"progressive", "perfect_progressive", "perfect"}), subjects=_WHO,
         negation="refused"),
    rule("be", r"on (?P<what>(?:\w+ )?medication (?:for|against) [\w ]{3,40}?)" + STOP, "takes:{what}", "yes",
         "identity", tenses=SIMPLE, subjects=_WHO, opposite="no"),
    rule("have", r"an? (?P<what>(?:[\w-]+ ){0,4}?(?:policy|rule|tradition|ritual|routine|custom)\b.{0,50}?)" + STOP,
         "custom:{what}", "yes", "context", tenses=SIMPLE, subjects=SPEAKER, negation="refused", rank=3),
    rule("learn", r"(?:how )?to (?P<what>(?:drive|swim|cook|ride a bike|read music|ski|dance|sew|code"
         r"|type)\b.{0,30}?)" + STOP, "can:{what}", "yes", "identity", tenses=TOLD, subjects=SELF_ONLY,
         needs=frozenset({"never"}), opposite="no"),
    rule("plan organise organize prepare", r"(?P<aim>(?:an?|our|my) (?:[\w'-]+ ){0,3}?(?:trip|wedding|move|holiday"
         r"|vacation|honeymoon|road trip|party" r"|reunion|renovation|sabbatical|retreat|festival|exhibition"
         r"|conference|fundraiser|garden|extension|expedition|cruise)\b.{0,60}?)" + STOP, "goal:{aim}", "yes", "goal",
         tenses=frozenset({"progressive", "perfect_progressive", "present"}), subjects=SPEAKER, negation="refused"),
    rule("want", r"to " + _CLEAR + r"(?P<aim>(?!know|ask|say|tell|thank)\w.{3,80}?)" + STOP, "goal:{aim}", "yes",
         "goal", tenses=frozenset({"perfect"}), subjects=SPEAKER, needs=frozenset({"always", "long"}),
         negation="refused"),
    rule("gross creep weird stress freak bum", r"me out\b", "taste:{noun}", "dislikes", "preference",
         kind="implicit_pref", subjects=NOUNS, noun=r"^(?!that$|this$|it$)(?P<noun>.+)", tenses=SIMPLE,
         negation="refused", is_negative=True),
    rule("get be", r"(?P<what>(?:acquired|bought|taken over|bought out|sold|merged|shut down|closed|evicted"
         r"|audited) (?:by|with|to|in|last) .{2,50}?)" + STOP, "", "{noun} {what}", "context", tenses=PAST,
         subjects=OWN, noun=r"^(?P<noun>(?:\w+ )?(?:company|startup|start-up|firm|employer|school|shop|store"
         r"|landlord" r"|bank|team|department|office|agency|bakery|flat|building|house))$", negation="refused",
         is_event=True, rank=3),
    rule("consist comprise", r"(?:of )?(?P<what>\w.{3,70}?)" + STOP, "{noun} consists of", "{what}", "context",
         tenses=SIMPLE, subjects=_MINE, noun=r"^(?!.*(?:file|column|table|dataset|data|code|answer|response|list"
         r"|\w\.\w))(?P<noun>.+)$", negation="refused", rank=3),
    rule("move", r"(?P<what>into (?:an?|our|my) .{3,60}?)" + STOP, "", "{verb} {what}", "context", tenses=PAST,
         subjects=_WHO, negation="refused", is_event=True, rank=3),
    rule("decide", r"to (?P<what>go back to (?:school|uni|university|college|work|my .{2,30}|teaching"
         r"|nursing).{0,60}?)" + STOP, "decision:{what}", "chosen", "context", tenses=PAST, subjects=SPEAKER,
         negation="refused", rank=3),
    rule("speak know", r"(?P<count>two|three|four|five|six|seven|\d) languages\b(?P<more>.{0,60}?)$", "languages",
         "{count} {more}", "identity", tenses=SIMPLE, subjects=_WHO, negation="refused"),
    rule("write publish edit", r"(?P<thing>(?:an?|my) (?:[\w-]+ ){0,2}?(?:newsletter|blog|column|zine|magazine"
         r"|diary|journal)\b.{0,50}?)" + STOP, "writes:{thing}", "yes", "interest", tenses=SIMPLE, subjects=_WHO,
         opposite="no"),
    rule("be", rf"(?:the |an? )(?P<job>(?:[\w-]+ ){{0,2}}?(?:{JOBS}|treasurer|secretary|chair|chairman|chairwoman"
         rf"|chairperson|president|captain" r"|caretaker|coordinator|organi[sz]er|landlord|landlady|widower|widow"
         r"|godparent|guardian|carer|trustee|mayor|councillor|scout leader"
         r"|refugee|immigrant|expat|survivor|orphan|foster parent|homeowner|tenant))(?P<more>(?: (?:of|for|at|in"
         r"|with|from|by)\b.{2,60}?)?)" + STOP, "is:{job}", "yes", "identity", tenses=SIMPLE, subjects=_WHO,
         opposite="no"),
    rule("be", r"(?:the|an?|one of (?:the|my|our)) " + _CLEAR + _NO_ROLE +
         r"(?P<what>[\w'-]+ (?:in my family|of (?:\w+|a \w+) (?:children|kids|siblings"
         r"|sisters|brothers)|to (?:go|finish|attend|graduate|leave|move)).{0,50}?)" + STOP, "is:{what}", "yes",
         "identity", tenses=SIMPLE, subjects=_WHO, negation="refused"),
    rule("be", r"(?P<diet>vegans|vegetarians|pescatarians|muslims|christians|catholics|jews|hindus|buddhists"
         r"|quakers|atheists)\b", "is:{diet}", "yes", "identity", tenses=SIMPLE, subjects=frozenset({"we", "own",
         "person"}), opposite="no"),
    rule("be", r"(?P<what>responsible for|in charge of|trained in|qualified (?:as|in)|certified (?:as|in)"
         r"|registered (?:as|with)|enrolled (?:in|at)" r"|subscribed to|insured with|covered by|married into"
         r"|related to|estranged from|adopted|named after|good at|bad at|terrible at"
         r"|great at|hopeless at|proud of|used to|prone to|on the (?:board|committee|night shift|day shift"
         r"|early shift|late shift|waiting list" r"|spectrum|council|electoral roll))" + _CLEAR +
         r"(?P<more>.{0,80}?)" + STOP, "is:{what} {more}", "yes", "identity", tenses=SIMPLE, subjects=_WHO,
         negation="refused"),
    rule("be", rf"(?:about |nearly |almost )?(?P<state>(?:{_NUMBER}|\w+) (?:weeks|months) (?:pregnant|sober|clean"
         rf"|post-?partum|smoke-?free))\b", "is:{state}", "yes", "identity", tenses=SIMPLE, subjects=_WHO,
         negation="refused"),
    rule("recover", r"from (?P<ill>(?:(?:an?|my|the) )?(?:[\w-]+ ){0,3}?(?:surgery|operation|injury|fracture|stroke"
         r"|cancer|burnout|covid|flu" r"|pneumonia|addiction|alcoholism|depression|acl|concussion|heart attack"
         r"|accident|illness|eating disorder|hernia|divorce|sprain)\b.{0,30}?)" + STOP, "health:{ill}", "yes",
         "identity", tenses=frozenset({"progressive", "perfect_progressive"}), subjects=_WHO, negation="refused"),
    rule("get", r"(?P<ill>(?:motion|sea|car|altitude|travel|morning) sickness|vertigo|migraines?|hay fever"
         r"|panic attacks|nosebleeds|heartburn|hives" r"|cold sores|cramps)\b(?P<more>.{0,50}?)" + STOP,
         "health:{ill}", "yes", "identity", tenses=SIMPLE, subjects=_WHO, opposite="no"),
    rule("put", r"me on (?P<what>(?!hold|the list|speaker|mute|a list)\w.{3,50}?)" + STOP, "on:{what}", "yes",
         "identity", tenses=frozenset({"past", "perfect", "present"}), subjects=frozenset({"person", "name", "thing"}),
         noun=r".*(?:doctor|gp|dietitian|nutritionist|physio" r"|psychiatrist|specialist|consultant|hospital|coach"
         r"|trainer).*", negation="refused"),
    rule("date see marry", r"(?P<who>(?:an?|my) (?!doctor|therapist|pattern|problem|film|movie|lot|issue|bug"
         r"|error)[\w' -]{3,40}?)" + STOP, "dating:{who}", "yes", "identity", tenses=frozenset({"progressive",
         "perfect_progressive"}), subjects=SELF_ONLY, negation="refused"),
    rule("look care", r"after (?P<who>(?:my|our) [\w' ]{3,40}?)(?=\s(?:on|every|in|while|because)\b|\s*$"
         r"|\s*[,.;])(?P<more>.{0,40})$", "looks after:{who}", "yes", "identity", tenses=frozenset({"present",
         "progressive", "perfect_progressive"}), subjects=SPEAKER, negation="refused"),
    rule("find", r"(?P<thing>(?!it\b|this\b|that\b|these\b|your\b|the\b" r"|myself\b)[\w' -]{3,40}?) (?:(?:more"
         r"|really|quite|so|very|pretty|rather|incredibly|deeply|utterly|a bit) )?(?:draining|stressful|pointless"
         r"|intimidating" r"|suffocating|painful|unpleasant|offensive|creepy|frustrating)\b", "taste:{thing}",
         "dislikes", "preference", kind="implicit_pref", tenses=SIMPLE, subjects=SPEAKER, negation="refused",
         is_negative=True),
    rule("do", r"(?:nothing|little|not much) for me\b", "taste:{noun}", "dislikes", "preference",
         kind="implicit_pref", subjects=NOUNS, noun=r"^(?!that$|this$|it$)(?P<noun>.+)", tenses=SIMPLE,
         negation="refused", is_negative=True),
    rule("dig", _CLEAR + upto("thing", longest=50), "taste:{thing}", "likes", "preference", kind="implicit_pref",
         tenses=SIMPLE, subjects=frozenset({"self"}), opposite="dislikes"),
    rule("live", r"(?:on|off) " + _CLEAR + r"(?P<thing>[a-z][\w' -]{2,30}?)" + STOP, "taste:{thing}", "likes",
         "preference", kind="implicit_pref", tenses=frozenset({"modal"}), subjects=SELF_ONLY, negation="refused"),
    rule("work learn think read write sleep study focus cook perform listen train concentrate", _CLEAR +
         r"(?P<how>(?:best|better|worst|worse|badly" r"|faster|slowly|well|poorly)\b.{2,60}?)" + STOP,
         "habit:{verb} {how}", "yes", "preference", kind="implicit_pref", tenses=SIMPLE, subjects=frozenset({"self",
         "person", "name"}), negation="refused"),
    rule("read watch buy cook shop travel fly sleep write listen run train work eat drink wear date teach paint"
         " play take accept hire", _CLEAR + r"(?P<how>\w.{2,60}?)" + STOP, "habit:only {verb} {how}", "yes",
         "preference", kind="implicit_pref", tenses=SIMPLE, subjects=_WHO, needs=frozenset({"only", "mainly",
         "mostly", "primarily"}), negation="refused"),
    rule("overpack overthink procrastinate snore sleepwalk stammer stutter oversleep overcook", r"(?P<more>.{0,50}?)" +
         STOP, "habit:{verb}", "yes", "preference", kind="implicit_pref", tenses=SIMPLE, subjects=_WHO, opposite="no"),
    rule("put add", _CLEAR + r"(?P<habit>\w.{3,60}?)" + STOP, "habit:{verb} {habit}", "yes", "preference",
         kind="implicit_pref", tenses=SIMPLE, subjects=SPEAKER, needs=frozenset({"always", "usually", "normally",
         "never", "often"}), negation="refused"),
    rule("sleep eat live travel shop cook train", _CLEAR + r"(?P<how>(?:in|on|at|with|without|before|after) (?!case"
         r"|order|touch|the other hand|all).{3,60}?)" + STOP, "habit:{verb} {how}", "yes", "preference",
         kind="implicit_pref", tenses=SIMPLE, subjects=SPEAKER, negation="refused"),
    rule("play speak cook read sing bake sew juggle ride drive knit write code", _CLEAR +
         rf"(?P<what>(?:{_NUMBER}|some|basic|fluent|enough|a bit of|a little"
         r"|the|chess|guitar|piano|sheet music|arabic|a motorbike|a horse)\b.{2,50}?)" + STOP, "can:{verb} {what}",
         "yes", "identity", tenses=CAN, subjects=SELF_ONLY, opposite="no"),
    rule("run write publish climb win visit teach raise complete finish play live work study travel own restore"
         " build perform record", _CLEAR + rf"(?P<what>(?:in |to |for |on |at )?(?:more than |over |about "
         rf"|at least )?{_NUMBER} (?!people\b|times? (?:now|already)|days?\b|hours?\b"
         r"|minutes?\b|weeks?\b|sections?|steps?|options?|things?|ways?)[\w' -]{3,70}?)" + STOP, "has:{verb} {what}",
         "yes", "identity", tenses=frozenset({"perfect"}), subjects=_WHO, negation="refused", rank=3),
    rule("be travel fly learn eat try ride drive own have live", r"(?P<what>(?:to|on|in|an?|abroad)\b ?(?!this|that"
         r"|here|there|the point)\w.{2,50}?)" + STOP, "never:{verb} {what}", "never", "identity", tenses=frozenset({
         "perfect"}), subjects=_WHO, needs=frozenset({"never"}), opposite="never", rank=3),
    rule("speak own have drive", r"(?P<what>(?:a (?:word|lick) of \p{L}\w+|an? (?:tv|car|telly|smartphone"
         r"|dishwasher|television|garden|licen[sc]e|passport" r"|degree|oven|freezer|washing machine|microwave"
         r"|landline|credit card|printer|driving licen[sc]e)|kids|siblings|any (?:siblings|kids|pets"
         r"|children|allergies|hobbies|family \w+)))" + STOP, "{verb}s:{what}", "yes", "identity", tenses=SIMPLE,
         subjects=SPEAKER, needs=NOT, opposite="no"),
    rule("owe pay charge spend sell", _CLEAR + r"(?P<value>(?:my [\w-]+ |for [\w ]+ )?(?:about "
         r"|around )?[$€£]?\d[\d.,]*k?\b.{0,50}?)" + STOP, "{verb}:amount", "{value}", "context", kind="exact_value",
         tenses=SIMPLE, subjects=SPEAKER, negation="refused", rank=2),
    rule("run last go expire end apply stand hold", rf"(?:until|till|through|out on|out in"
         rf"|to) (?P<value>{_DAY})(?P<more>.{{0,30}}?)" + STOP, "{noun} until", "{value}", "context",
         kind="exact_value", tenses=SIMPLE, subjects=_MINE, noun=ANY_NOUN, negation="refused", rank=2),
    rule("be", rf"(?:now |still )?(?:on|at|in) (?P<value>(?:{_DAY})\b.{{0,40}}?)" + STOP, "{noun}", "{value}",
         "context", kind="exact_value", tenses=SIMPLE, subjects=_MINE, negation="refused", rank=2, noun=
         r"^(?P<noun>(?:[\w'-]+ ){0,3}?(?:appointment|interview|exam|deadline|wedding|meeting"
         r"|launch|party|funeral|concert|surgery|flight|hearing|visit|trip|review|graduation|viewing|rehearsal"
         r"|match|standup|training|class|lesson))$"),
    rule("launch ship release publish open close start", rf"(?P<what>(?:the|our|a|an) [\w' -]{{2,40}}?) (?:on|in"
         rf"|by) (?P<value>{_DAY})" + STOP, "{verb} {what}", "{value}", "context", kind="exact_value",
         tenses=frozenset({"progressive", "future", "present"}), subjects=SPEAKER, negation="refused", rank=2),
    rule("get be", r"(?P<what>(?:backed up|reviewed|rebuilt|deployed|cleaned|delivered|collected|restarted|released"
         r"|updated|audited|paid|watered|fed|tested)" r" (?:\w+ )?(?:every|each|once|twice|on|at|weekly|daily"
         r"|nightly|monthly)\b.{2,50}?)" + STOP, "{noun} is", "{what}", "context", tenses=SIMPLE, subjects=_MINE,
         noun=ANY_NOUN, negation="refused", rank=3),
    rule("need", r"(?P<what>(?:approval|permission|sign-?off|a signature|consent|a deposit|two signatures"
         r"|authori[sz]ation) (?:from|by|of|before) .{2,50}?)" + STOP, "must:{noun} need {what}", "must", "context",
         kind="hard_constraint", tenses=SIMPLE, subjects=_MINE, noun=ANY_NOUN, negation="refused", rank=2),
    rule("have", r"(?P<what>(?:swimming|football|choir|piano|school|practice|training|therapy|class|classes"
         r"|rehearsal|judo|ballet|karate|orchestra|church)" r"\b(?: \w+)? (?:on|every|at|in the) .{2,40}?)" + STOP,
         "custom:have {what}", "yes", "context", tenses=SIMPLE, subjects=_WHO, negation="refused", rank=3),
    rule("decide choose", r"(?:not to|against) " + _CLEAR + r"(?P<what>(?!use|do|go with|include)\w.{4,80}?)" + STOP,
         "decision:{what}", "rejected", "context", tenses=PAST, subjects=SPEAKER, is_negative=True,
         negation="refused", rank=3),
    rule("want", r"to " + _CLEAR + r"(?P<aim>(?:see the (?=[\w ]*\b(?:lights|world|sea|ocean|pyramids|alps|desert"
         r"|aurora|cherry|mountains)\b)|visit|travel|live|have (?:a|my own) (?:dog|cat|garden|house"
         r"|family)|go (?:to|on) (?:a|an|the|\p{L}+) " r"(?!next|first|last|beginning|top|previous)|be (?:a|an"
         r"|able to)|try (?:\w+ing|pottery|yoga|surfing))\b.{2,70}?)" + STOP, "goal:{aim}", "yes", "goal",
         tenses=SIMPLE, subjects=SPEAKER, negation="refused"),
    rule("meet", r"(?P<what>(?:at|in|on|through|during) (?:an?|the|my|our|university|college|school|work|church"
         r"|tinder|bumble)\b.{2,60}?)" + STOP, "met", "{what}", "context", tenses=TOLD, subjects=frozenset({"we"}),
         negation="refused", rank=3),
    rule("buy order rent lease", _CLEAR + r"(?P<what>(?:an?|two|our|my) (?!coffee|ticket|sandwich|drink|pizza|beer"
         r"|few|couple|lot|bunch)[\w' -]{3,60}?)" + STOP, "", "{verb} {what}", "context", tenses=PAST,
         subjects=SPEAKER, negation="refused", is_event=True, rank=3),
    rule("use", _CLEAR + r"(?P<tool>(?!that\b|for\b)[\w+#./-]+(?: [\w+#./-]+){0,3}?) (?:for|in|on|as|with) (?:every"
         r"|each|all|most|our|my) (?P<more>\w.{2,40}?)" + STOP, "uses:{tool}", "yes", "context", tenses=SIMPLE,
         subjects=SPEAKER, opposite="no", rank=3),
    rule("move retire teach train switch transfer promote", _CLEAR + r"(?P<what>(?:the team|the kids|the company"
         r"|our \w+|my \w+|from the|myself|from) .{3,70}?)" + STOP, "", "{verb} {what}", "context", tenses=frozenset({
         "past", "perfect", "perfect_progressive"}), subjects=_WHO, negation="refused", is_event=True, rank=3),
    rule("have", r"(?P<what>(?:keys|access|a key|custody|shares|season tickets|a season ticket|power of attorney"
         r"|joint custody) (?:to|of|in|for|at) .{2,50}?)" + STOP, "has:{what}", "yes", "context", tenses=SIMPLE,
         subjects=_WHO, opposite="no", rank=3),
    rule("be", r"(?P<what>(?:the |my |our )?(?:last|first) day (?:at|in|with|on) .{3,50}?)" + STOP, "{what}",
         "{subject}", "context", tenses=SIMPLE, subjects=NOUNS | OWN, negation="refused", rank=3),
)  # fmt: skip
