"""How does English say what somebody wants to reach, does by habit, and does no more?"""

from glossator.rules.statements import english_words as words
from glossator.rules.statements.rule import ONGOING, OWN, PRESENT, SIMPLE, SPEAKER, STOP, THING, Rule, rule, upto

_AIM = (
    r"be (?:a|an) (?!bit|little|part|good idea|better)|learn(?! (?:more|about|how(?! to (?:surf|swim|drive|ski"
    r"|sail|cook|sew|knit|code|play|dance|weld|bake|speak|ride|paint|draw|sing|fly|skate|dive|garden|type)\b)"
    r"|from))|become|run "
    r"(?:a|an|my|the|\d+)|lose (?:weight|some "
    r"weight|\d+|the weight|a few|my)|quit"
    r"|stop (?:smoking|drinking|eating)|buy (?:a|an|my|our)"
    r"|move"
    r"|relocate|travel|visit|write (?:a|my)"
    r"|publish|launch|open (?:a|an|my|our)|graduate|get "
    r"(?:married|certified|fit|promoted"
    r"|in shape|into|my (?:degree|(?:\w+ )?licen[sc]e|driving|pilot|masters?|phd|diploma|black belt|weight"
    r"|health|finances)|a (?:dog|cat|job|degree|pet|house|masters?|phd))|retire|save|build "
    r"(?:a|an|my)|master|earn|climb|improve"
    r"|study|apply (?:to|for)|found|adopt|compete|reach (?!out)|read \d"
    r"|pay off|reduce|cut "
    r"(?:down|back|out)|eat (?:healthier|less|more)"
    r"|exercise|pass (?:my|the (?!message|word))|start (?:a|an|my|running|going|learning"
    r"|saving)|finish (?:my|the|a|writing)|complete (?:my|a|the)|do (?:a|my) (?:phd"
    r"|master|marathon)|go (?:vegan|vegetarian|to (?:college|university|grad))|raise|win|hike"
    r"|swim|sail|qualify|settle|emigrate"
    r"|grow (?:my own|a)|gain|bike|cycle|walk|have (?:kids|children|a baby"
    r"|my own)|own|drink "
    r"(?:less|more)|sleep|wake up|go back to (?:school|university|college|work)|change "
    r"(?:careers?|jobs?)|switch (?:careers?|jobs?)|renovate|propose|marry|volunteer|join (?:a"
    r"|an|the)|enroll|enrol|take (?:up|a course|a year)|work (?:as|in|abroad|for)|become|speak"
    r"|teach|start over|be able to (?:speak|run|play|read|cook|swim|afford|retire)"
)
_GOAL = (
    rf"(?![^.;]{{0,80}}\b(?:them|these|those|your)\b)(?P<aim>(?:{_AIM})(?:\b|(?<= )).{{0,100}}?)(?="
    r"\s*(?:[;:()!?…—]|\.(?:\s|$)|\s[-–]\s)|,|\s(?:because"
    rf"|so that|but|and i|and my|since)\b|\s*$)"
)

GOALS: tuple[Rule, ...] = (
    rule("start", r"(?P<aim>(?:an?|my) (?:[\w-]+ ){0,2}?(?:course|job|degree|business|phd|training|diet"
         r"|apprenticeship|company|master's|family)\b.{0,40}?)" + STOP, "goal:start {aim}", "yes", "goal",
         tenses=frozenset({"future", "progressive"}), negation="refused"),
    rule("plan", r"on (?P<aim>(?:learning|moving|buying|running|studying|becoming|starting|getting|retiring"
         r"|visiting|travelling|traveling|opening|selling|quitting|saving|going back)\b.{2,80}?)" + STOP,
         "goal:{aim}", "yes", "goal", tenses=ONGOING | SIMPLE, negation="refused"),
    rule("aim", r"for (?P<aim>(?:a|an|the|my|\d)\b.{2,60}?)" + STOP, "goal:{aim}", "yes", "goal", tenses=ONGOING |
         SIMPLE, negation="refused"),
    rule("work", r"on (?P<aim>(?:getting my|losing|improving my|becoming|learning|quitting|saving|building "
         r"my own)\b.{2,60}?)" + STOP, "goal:{aim}", "yes", "goal", tenses=ONGOING, negation="refused"),
    rule("want plan hope aim intend", r"(?:to )(?:eventually |finally |one day |someday |also |really )*" + _GOAL,
         "goal:{aim}", "yes", "goal", tenses=frozenset({"present", "progressive", "ended"}), opposite="no",
         negation="refused"),
    rule("be", r"(?:planning|hoping|aiming|determined|going) to " + _GOAL, "goal:{aim}", "yes", "goal", tenses=SIMPLE,
         opposite="no"),
    rule("like love", r"to (?:eventually |finally |one day |someday )?" + _GOAL, "goal:{aim}", "yes", "goal",
         tenses=frozenset({"modal"}), opposite="no", negation="refused"),
    rule("need", r"to " + r"(?P<aim>(?:get (?:my (?:blood|weight|finances|health|sleep|cholesterol|life)|in shape"
         r"|fit" r"|healthier)|lose (?:weight|some weight|\d+)|cut (?:down"
         r"|back)|quit smoking|lower my|reduce my|save (?:up|for|\d+|money)|eat (?:less|healthier)" r"|exercise more"
         r"|drink less|pay off)\b.{0,80}?)" + STOP, "goal:{aim}", "yes", "goal", tenses=SIMPLE, negation="refused",
         subjects=SPEAKER),
    rule("set", r"(?:myself |ourselves )?(?:an? |the )?(?:target|goal|aim) (?:of|to) " + upto("aim"), "goal:{aim}",
         "yes", "goal", tenses=frozenset({"past", "perfect"}), negation="refused"),
    rule("learn", r"to (?P<thing>(?:play|drive|swim|cook|code|sail|ski|surf|knit|sew|fly|speak|dance|paint"
         r"|ride|weld|read|sign)\b.{0,40}?)" + STOP, "learns:{thing}", "yes", "goal", tenses=ONGOING,
         negation="refused"),
    rule("dream", r"of " + upto("aim"), "goal:{aim}", "yes", "goal", tenses=SIMPLE, negation="refused"),
    rule("try", r"to " + r"(?P<aim>(?:learn(?! (?:more|about|how(?! to (?:surf|swim|drive|ski|sail|cook|sew|knit"
         r"|code|play|dance|weld|bake|speak|ride|paint|draw" r"|sing|fly|skate|dive|garden|type)\b)))|quit"
         r"|stop (?:smoking|drinking|eating)|lose " r"(?:weight|some weight|\d+|the weight|a few)|save|get (?:in"
         r"|into|fit|better at|pregnant" r"|my (?!head|hands|point))|improve my|eat (?:healthier|less|more)"
         r"|cut (?:down|back|out)" r"|reduce my|become|gain|exercise|drink (?:less|more)|sleep|build (?:a|my)"
         r"|conceive|give " r"up)\b.{0,80}?)" + STOP, "goal:{aim}", "yes", "goal", tenses=ONGOING, negation="refused"),
    rule("train prepare study save work", r"(?:(?:hard|up|some|money|part-time) )*(?:for|towards?) " +
         r"(?P<aim>(?:an?|my|our|retirement|college|university|\d|the (?=.*\b(?:exam|test|marathon"
         r"|certification|race|competition|tournament|championships?|triathlon|bar"
         r"|olympics)\b))\b.{1,60}?|retirement|college)" + STOP, "goal:{aim}", "yes", "goal", tenses=ONGOING,
         negation="refused"),
    rule("be", r"to " + _GOAL, "goal:{aim}", "yes", "goal", subjects=THING, noun=
         r"^(?:main |long-term |ultimate |big |current )*(?:plan|goal|dream|aim)(?: (?:for|this) " r".*)?$",
         tenses=SIMPLE, negation="refused"),
    rule("be", r"(?:to (?!be (?:clear|honest))|\w+ing )(?P<aim>\S.{3,100}?)(?=\s*(?:[;:()!?]|\.(?:\s|$))"
         r"|,|\s(?:because|so that|but)\b|\s*$)", "goal:{aim}", "yes", "goal", subjects=OWN, noun=
         r"^(?:main |long-term |ultimate |biggest |big |current |next |fitness |new year's "
         r"|short-term |career |savings |financial |reading |personal )*(?:plan|goal|goals|dream"
         r"|ambition|aim|resolution|dream job|target)(?: (?:for|this|by) .*)?$", tenses=SIMPLE),
)  # fmt: skip

_EVERY = (
    r"(?:every|each) (?:single )?(?:other )?(?:morning|day|night|evening|week|weekend|month"
    r"|year|summer|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|afternoon)"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on weekends|at weekends|(?:once|twice"
    r"|three times|four times|five times|\d+ (?:times|days|hours)|a few times) (?:a|per"
    r"|every) (?:day|week|month|year)|daily$|most (?:days|mornings|evenings|nights|weekends)"
)
_ACTIVE = (
    "have deploy release ship run go walk swim drink eat take cook read write practise practice "
    "pick collect drop teach babysit host clean shop sing rehearse fence see "
    "play attend do work watch visit meet call train exercise jog cycle bike drive "
    "commute wake sleep meditate study bake volunteer travel ride listen stretch journal pray "
    "garden paint skate ski hike climb jump lift"
)
_IDLE = frozenset(
    """
    be need want expect feel know think find get end mix seem mean forget remember wonder say guess hope wish believe
    love like hate enjoy appreciate understand agree struggle assume dream strive aim try plan welcome learn see hear
    notice realize realise happen tell look trust let keep sound imagine figure fail lose thank worry fear miss care
    doubt admit start come make give put cause run into appear do become stay hesitate would support stand turn
    """.split()
)
"""What one always or never does with these verbs is a way of speaking more often than a habit."""
_POINTING = (
    r"(?!.*\b(?:this|that|those|these|it|them|him|her|you|your)\b)(?!(?:trouble|issues?"
    r"|problems?|to\b|a hard time|a feeling|fun|enough|time\b|been\b|had\b|the (?:feeling"
    r"|impression|same)))"
)

HABITS: tuple[Rule, ...] = (
    rule("drink eat smoke walk run swim read sleep cycle work",
         r"(?P<habit>(?:about |around )?(?:\d+|one|two|three|four|five|six|seven|eight|a few|a "
         r"couple of|half a) [\w ]{2,30}? (?:a|per|every) (?:day|week|month|night))\b", "habit:{verb} {habit}", "yes",
         "preference", kind="implicit_pref", tenses=SIMPLE, negation="refused"),
    rule("", _POINTING + r"(?P<habit>.{3,90}?)" + STOP, "habit:{verb} {habit}", "yes", "preference",
         kind="implicit_pref", tenses=SIMPLE, needs=words.HABITUAL, spares=_IDLE, opposite="no"),
    rule(_ACTIVE, rf"{_POINTING}(?P<habit>.{{0,90}}?\b(?:{_EVERY})(?!['’])\b.{{0,40}}?)" + STOP, "habit:{verb} {habit}",
         "yes", "preference", kind="implicit_pref", tenses=SIMPLE, negation="refused"),
    rule("", _POINTING + r"(?P<habit>.{3,90}?)" + STOP, "habit:{verb} {habit}", "never", "preference",
         kind="implicit_pref", tenses=SIMPLE, needs=words.NEVER, spares=_IDLE, is_negative=True),
    rule("get wake", r"up (?P<habit>(?:at|around|before|by) (?:about |around )?\d.{0,40}?|early|late)" + STOP,
         "gets up", "{habit}", "preference", kind="implicit_pref", tenses=SIMPLE, negation="refused"),
    rule("make", r"a point of (?P<habit>.{4,80}?)" + STOP, "habit:{habit}", "yes", "preference", kind="implicit_pref",
         tenses=SIMPLE, negation="refused"),
    rule("be", r"in the habit of (?P<habit>.{4,80}?)" + STOP, "habit:{habit}", "yes", "preference",
         kind="implicit_pref", tenses=SIMPLE, negation="refused"),
    rule("tend", r"to (?P<habit>.{3,90}?)" + STOP, "habit:{habit}", "yes", "preference", kind="implicit_pref",
         tenses=SIMPLE, opposite="no"),
    rule("drink take have eat", r"(?P<thing>my (?:coffee|tea|steak|eggs?|whisky|pizza|toast|burgers?)\b.{2,40}?)" +
         STOP, "habit:{thing}", "yes", "preference", kind="implicit_pref", tenses=SIMPLE, opposite="no"),
    rule("drink take eat", r"no (?P<thing>sugar|milk|cream|salt|ice|meat|fish|dairy|alcohol|coffee|[\w -]{2,20} "
         r"(?:meat|food|drinks))" + STOP, "eats:{thing}", "no", "preference", kind="implicit_pref", tenses=SIMPLE,
         is_negative=True, negation="refused", subjects=SPEAKER),
    rule("eat drink wear smoke drive",
         r"(?!(?:it|that|this|them|much|many|enough|anything(?! (?:with|containing|made))|too)\b)" + upto("thing",
         longest=50), "{verb}s:{thing}", "yes", "preference", kind="implicit_pref", tenses=PRESENT, opposite="no",
         needs=frozenset({"n't", "not", "only", "mostly", "never"})),
    rule("go", r"(?P<thing>(?:birdwatching|hiking|running|swimming|climbing|bouldering|fishing|dancing"
         r"|cycling|camping|surfing|skiing|jogging|sailing|horse riding|kayaking|to the gym|to "
         r"church))\b(?! (?:today|tomorrow|tonight|now))", "does:{thing}", "yes", "interest", tenses=SIMPLE,
         negation="refused"),
)  # fmt: skip

ENDED: tuple[Rule, ...] = (
    rule("", _POINTING + r"(?P<what>.{3,80}?)" + STOP, "{verb}:{what}", "no", "context", tenses=frozenset({"ended"}),
         opposite="no",
         spares=frozenset( "like love enjoy prefer hate dislike detest loathe despise avoid be think feel know want "
         "need believe see understand wonder care mind".split()), rank=4),
    rule("be", r"(?P<what>(?:a|an|the|in|on|with|part of|responsible for) .{2,60}?)" + STOP, "be:{what}", "yes",
         "context", tenses=frozenset({"ended"}), opposite="no", rank=4),
)  # fmt: skip
