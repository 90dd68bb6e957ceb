"""How does English state decisions with reasons, dependencies, and what happened once?"""

from glossator.rules.statements.rule import (
    CAN,
    GROUPS,
    NOT,
    PAST,
    SELF_ONLY,
    SIMPLE,
    SPEAKER,
    STOP,
    THINGS,
    TOLD,
    WE,
    Rule,
    rule,
    upto,
)
from glossator.rules.statements.values import SubjectKind

_US: frozenset[SubjectKind] = frozenset({"we", "self", "own"})

_BECAUSE = (
    r"(?:\b(?:because|since|as (?:it|we|i|everybody|everyone|nobody|no|they|he|she|the|our|my)|due to"
    r"|so that|cause|given "
    r"that|to (?:save|avoid|keep|reduce|cut)\b|for (?:its|their|the)|in order to|on account of|thanks "
    r"to)\b|(?<!\d):\s|, it )"
)
_TO = (
    r"(?:to (?:go with|use|move to|switch to|adopt|postpone|keep|stay with|drop|skip|buy|rent"
    r"|take|cancel|migrate to|build|hire|reject|stop|not|leave|move|quit|start|sell|delay"
    r"|choose|sign|become|go)|on|against|not to|in favou?r of)"
)

DECISIONS: tuple[Rule, ...] = (
    rule("postpone delay skip", r"(?P<what>(?!it\b|them\b|this\b|that\b).{2,80}?) (?:because|since|due to)\b.{3,}$",
         "decision:{verb} {what}", "yes", "context", kind="decision_reason", subjects=frozenset({"self", "we"}),
         tenses=PAST, negation="refused", rank=2),
    rule("move", r"(?P<what>to .{2,60}?) (?:because|since|due to)\b.{3,}$", "decision:{verb} {what}", "yes", "context",
         kind="decision_reason", subjects=frozenset({"self", "we"}), tenses=PAST, negation="refused", rank=2),
    rule("say", r"(?P<answer>no|yes) to (?P<what>(?!it\b|this\b|that\b|you\b).{2,60}?) (?:because|since"
         r"|due to)\b.{3,}$", "decision:{what}", "said {answer}", "context", kind="decision_reason",
         subjects=frozenset({"self", "we"}), tenses=PAST, negation="refused", rank=2),
    rule("sell buy cancel", r"(?P<what>(?!it\b|them\b|this\b|that\b|these\b).{2,80}?) (?:because|since|due to)\b.{3,}$",
         "decision:{verb} {what}", "yes", "context", kind="decision_reason", subjects=frozenset({"self", "we"}),
         tenses=PAST, negation="refused", rank=2),
    rule("turn", r"(?P<what>(?!it\b|them\b|this\b|that\b).{2,60}?) down (?:because|since|due to|as)\b.{3,}$",
         "decision:{what}", "rejected", "context", kind="decision_reason", subjects=frozenset({"self", "we"}),
         tenses=PAST, negation="refused", rank=2),
    rule("decide", rf"(?:against|not to) (?P<what>(?!reject|drop|cancel|stop|quit"
         rf"|leave).{{1,120}}?)\s*{_BECAUSE}.{{3,}}$", "decision:{what}", "rejected", "context", kind="decision_reason",
         subjects=_US, tenses=PAST, is_negative=True, negation="refused", rank=2),
    rule("decide", r"(?:against|not to) (?P<what>(?!reject|drop|cancel|stop|quit|leave).{2,100}?)" + STOP,
         "decision:{what}", "rejected", "context", subjects=WE, tenses=PAST, is_negative=True, negation="refused",
         rank=3),
    rule("decide opt settle", rf"(?P<what>(?:{_TO}|for)\b.{{1,120}}?)\s*{_BECAUSE}.{{3,}}$", "decision:{what}",
         "chosen", "context", kind="decision_reason", subjects=_US, tenses=PAST, rank=2),
    rule("choose pick select switch go opt",
         rf"(?P<what>(?!to (?:an?|the|my)\b|well\b|home\b|to bed|on\b|out\b|up\b|back\b|it\b|them\b|this\b|that\b"
         rf"|these\b|those\b)(?:with |to )?.{{1,120}}?)\s*{_BECAUSE}.{{3,}}$", "decision:{what}", "chosen", "context",
         kind="decision_reason", subjects=_US, tenses=frozenset({"past", "perfect", "progressive"}), negation="refused",
         rank=2),
    rule("reject drop ditch abandon discard cancel", rf"(?P<what>(?!it\b|them\b|this\b|that\b|off\b|by\b|in\b"
         rf"|out\b).{{1,120}}?)\s*(?:{_BECAUSE}|, ).{{3,}}$", "decision:{what}", "rejected", "context",
         kind="decision_reason", subjects=_US, tenses=frozenset({"past", "perfect", "progressive"}), negation="refused",
         rank=2),
    rule("turn", rf"down (?P<what>.{{1,120}}?)\s*{_BECAUSE}.{{3,}}$", "decision:{what}", "rejected", "context",
         kind="decision_reason", subjects=_US, tenses=PAST, negation="refused", rank=2),
    rule("rule", rf"out (?P<what>.{{1,120}}?)\s*{_BECAUSE}.{{3,}}$", "decision:{what}", "rejected", "context",
         kind="decision_reason", subjects=_US, tenses=PAST, negation="refused", rank=2),
    rule("decide", rf"(?P<what>(?:{_TO})\b.{{2,100}}?)" + STOP, "decision:{what}", "chosen", "context", subjects=WE,
         tenses=PAST, negation="refused", rank=3),
    rule("settle opt", r"(?P<what>(?:on|for) .{2,80}?)" + STOP, "decision:{what}", "chosen", "context", subjects=WE,
         tenses=PAST, negation="refused", rank=3),
    rule("choose pick select", r"(?P<what>(?!(?:it|this|that|them|up|you|well|wisely|poorly|option|the first|the "
         r"second)\b).{2,80}?)" + STOP, "decision:{what}", "chosen", "context", subjects=WE, tenses=PAST,
         negation="refused", rank=3),
    rule("go", r"(?P<what>with (?!(?:it|this|that|them|the flow|your|the first|the second" r"|option)\b).{2,80}?)" +
         STOP, "decision:{what}", "chosen", "context", subjects=WE, tenses=PAST, negation="refused", rank=3),
    rule("switch migrate", r"(?:from .{2,40}? )?(?P<what>to (?!(?:it|this|that|them)\b).{2,60}?)" + STOP,
         "decision:{what}", "chosen", "context", subjects=_US, tenses=PAST | frozenset({"progressive"}),
         negation="refused", rank=3),
)  # fmt: skip

_NOT_VAGUE = (
    r"^(?!(?:.* )?(?:it|that|this|which|answer|success|everything|life|result|outcome|choice"
    r"|happiness|rest|thing|things|mind|mood|peace|business|two|three|few"
    r"|several|price|cost|amount|weather)$)(?P<noun>.+)$"
)

_ENDS: frozenset[SubjectKind] = frozenset({"own", "thing", "name", "we"})

DEPENDENCIES: tuple[Rule, ...] = (
    rule("wait", r"(?:until|for) (?P<other>(?!it\b|this\b|that\b|now\b|then\b|later\b|tomorrow\b).{3,80})$",
         "depends:{subject}", "{other}", "context", kind="cross_task_dep", subjects=frozenset({"own", "thing"}),
         noun=_NOT_VAGUE, tenses=frozenset({"must"}), negation="refused", rank=2),
    rule("be", r"(?:currently |still )?(?:blocked|held up|gated) (?:by|on|until) (?P<other>(?!(?:it|this"
         r"|that|you)\b).{2,100})$", "depends:{subject}", "{other}", "context", kind="cross_task_dep", subjects=_ENDS,
         noun=_NOT_VAGUE + "|^$", tenses=SIMPLE, rank=2),
    rule("be", r"(?:dependent|contingent|conditional) on (?P<other>(?!(?:it|this|that|you)\b).{2,100})$",
         "depends:{subject}", "{other}", "context", kind="cross_task_dep", subjects=_ENDS, noun=_NOT_VAGUE + "|^$",
         tenses=SIMPLE, rank=2),
    rule("hold", r"up (?P<other>(?!it\b|this\b|that\b|me\b|us\b).{3,80})$", "blocks:{subject}", "{other}", "context",
         kind="cross_task_dep", subjects=THINGS, noun=_NOT_VAGUE, tenses=frozenset({"present", "progressive"}),
         negation="refused", rank=2),
    rule("hinge", r"on (?P<other>(?!it\b|this\b|that\b|how\b|what\b|whether\b).{3,80})$", "depends:{subject}",
         "{other}", "context", kind="cross_task_dep", subjects=THINGS, noun=_NOT_VAGUE, tenses=SIMPLE,
         negation="refused", rank=2),
    rule("come happen go", r"(?:before|after) (?P<other>(?:the|our|my) .{3,80})$", "depends:{subject}", "{other}",
         "context", kind="cross_task_dep", subjects=GROUPS, noun=_NOT_VAGUE, tenses=frozenset({"must"}),
         negation="refused", rank=2),
    rule("need", r"(?P<other>(?:the|a|an|our|my) .{3,80}?) before (?:we|i) can (?P<what>.{3,60})$", "depends:{what}",
         "{other}", "context", kind="cross_task_dep", subjects=SPEAKER, tenses=SIMPLE, negation="refused", rank=2),
    rule("be", r"an? (?:prerequisite|blocker|dependency) (?:for|of|to) (?P<other>.{2,100})$", "blocks:{subject}",
         "{other}", "context", kind="cross_task_dep", subjects=_ENDS, noun=_NOT_VAGUE + "|^$", tenses=SIMPLE, rank=2),
    rule("depend", r"on (?P<other>(?!(?:it|this|that|you|how|what|whether|where|who|many|several|various|both"
         r"|me|not|them|all|yours|mine|ours)\b).{2,100})$", "depends:{subject}", "{other}", "context",
         kind="cross_task_dep", subjects=_ENDS, noun=_NOT_VAGUE + "|^$", tenses=SIMPLE, rank=2, negation="refused"),
    rule("block unblock", r"(?P<other>(?!(?:it|this|that|you|me|the (?:sun|view|light|sound))\b).{2,100})$",
         "blocks:{subject}", "{other}", "context", kind="cross_task_dep", subjects=GROUPS, noun=_NOT_VAGUE + "|^$",
         tenses=frozenset({"present", "progressive"}), rank=2),
    rule("need require", r"(?P<other>(?!to\b|it\b|this\b|that\b).{2,100}?) (?:first|to be (?:done|finished|complete"
         r"|merged|ready)(?: first)?|before .*)$", "depends:{subject}", "{other}", "context", kind="cross_task_dep",
         subjects=GROUPS, noun=_NOT_VAGUE, tenses=SIMPLE, rank=2),
    rule("", r"(?P<what>.{0,80}?)\b(?:until|before|unless) (?P<other>(?!(?:then|now|it|later|i\b"
         r"|you\b)\b).{3,100})$", "depends:{verb} {what}", "{other}", "context", kind="cross_task_dep",
         subjects=frozenset({"we", "own", "thing"}), tenses=CAN, needs=NOT, rank=2, is_negative=True),
    rule("be", r"(?:stuck|blocked) (?:on|with) (?P<what>.{3,60}?) until (?P<other>.{3,80})$", "depends:{what}",
         "{other}", "context", kind="cross_task_dep", subjects=SPEAKER, tenses=SIMPLE, negation="refused", rank=2),
    rule("", r"(?P<what>.{0,80}?)\b(?:until|before) (?P<other>(?:the|our|my|\p{L}+) .{0,60}?\b(?:is|are"
         r"|has|have|gets?|arrives?|sends?|signs?|finish(?:es)?|approves?|done|ready)\b.{0,60})$",
         "depends:{verb} {what}", "{other}", "context", kind="cross_task_dep", subjects=SELF_ONLY, tenses=CAN,
         needs=NOT, spares=frozenset("think wait sleep believe stop say go do see tell relax focus be move".split()),
         rank=2, is_negative=True),
    rule("wait", r"(?:for|on) (?P<other>.{3,80}?)(?: (?:to|before) .{3,60})?$", "depends:{subject}", "{other}",
         "context", kind="cross_task_dep", subjects=GROUPS, tenses=frozenset({"progressive"}), rank=2),
)  # fmt: skip

ENDINGS: tuple[Rule, ...] = (
    rule("stop quit", r"playing (?:the )?" + upto("game", longest=50), "plays:{game}", "no", "interest", tenses=PAST,
         is_negative=True, negation="refused", rank=2),
    rule("stop quit", r"(?P<did>eat|drink|wear|collect)ing " + upto("thing", longest=50), "{did}s:{thing}", "no",
         "preference", tenses=PAST, is_negative=True, negation="refused", rank=2),
)  # fmt: skip

LIFE_EVENTS = (
    r"(?:married|engaged|divorced|a (?:dog|cat|puppy|kitten|new job|promotion|raise|divorce"
    r"|tattoo|degree|visa|scholarship|job offer))"
)

EVENTS: tuple[Rule, ...] = (
    rule("cancel", r"(?P<what>my (?:[\w-]+ ){0,3}?(?:membership|subscription|contract|account|card|plan|lease"
         r"|insurance|trip|flight))\b", "has:{what}", "no", "context", tenses=PAST, negation="refused",
         is_negative=True, rank=3),
    rule("be", r"born (?:on|in) (?P<what>\d.{2,30}?|(?:january|february|march|april|may|june|july|august"
         r"|september|october|november|december).{0,20}?)" + STOP, "birthday", "{what}", "context",
         subjects=frozenset({"person", "name"}), tenses=TOLD, negation="refused", kind="exact_value", rank=3),
    rule("adopt", r"(?P<what>(?:a|an|two|our|my) .{2,60}?)" + STOP, "", "{verb} {what}", "context", tenses=PAST,
         negation="refused", is_event=True, rank=3),
    rule("get", rf"(?P<what>{LIFE_EVENTS}\b.{{0,60}}?)" + STOP, "", "{verb} {what}", "context", tenses=PAST,
         negation="refused", is_event=True, rank=3),
    rule("buy", r"(?P<what>(?:a|an|my|our) (?:[\w-]+ ){0,2}?(?:house|home|apartment|flat|car|condo|boat"
         r"|motorbike|van|piano|guitar|bike)\b.{0,40}?)" + STOP, "", "{verb} {what}", "context", tenses=PAST,
         negation="refused", is_event=True, rank=3),
    rule("have", r"(?P<what>(?:a baby|(?:\w+ )?surgery|a (?:son|daughter|miscarriage|heart attack|stroke" r"|knee "
         r"replacement)|an operation|twins|my (?:appendix|wisdom teeth|tonsils) (?:out" r"|removed))\b.{0,40}?)" + STOP,
         "", "{verb} {what}", "context", tenses=PAST, negation="refused", is_event=True, rank=3),
    rule("get", r"(?P<what>(?:married|divorced|engaged)\b.{0,40}?)" + STOP, "", "{verb} {what}", "context",
         tenses=frozenset({"progressive"}), negation="refused", is_event=True, rank=3),
    rule("break", r"(?P<what>my (?:leg|arm|ankle|wrist|collarbone|nose|foot|hand|finger|toe|hip)\b.{0,40}?)" + STOP, "",
         "{verb} {what}", "context", tenses=PAST, negation="refused", is_event=True, rank=3),
)  # fmt: skip

DATED_VERBS = frozenset(
    """
    attend visit travel complete finish pass start launch publish sign volunteer host celebrate donate switch
    climb hike compete enroll enrol register order win meet fly drive ride run buy sell get go take move adopt
    graduate join leave quit see break lose fall give write build open read begin retire receive upgrade resign
    swim cycle bike land arrive return raise lower name foster accept attend reach submit defend present exhibit
    perform release record redecorate refurbish upgrade injure sprain tear catch pass fail turn separate split
    bury inherit discover install build paint sing act film shoot teach coach referee judge found merge close
    reopen start lower increase promote hire fire plant paint bake learn earn find spend make marry divorce die
    participate replace redeem modify help organise organize repair harvest renew do book play watch
    """.split()
)
"""What one does once and may want to be reminded of; told with a time of its own it is worth keeping."""
