"""Time words of English."""

from __future__ import annotations

from glossator.rules.timex.words import Language, named, numbered, table

_ONES = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NTH_ONES = "first second third fourth fifth sixth seventh eighth ninth".split()
_NTH_TEENS = (
    "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split()
)


def _numbers() -> dict[str, int]:
    """One to ninety-nine, with a space or a hyphen."""
    found = {word: number for number, word in enumerate(_ONES + _TEENS, 1)}
    for ten, word in enumerate(_TENS, 2):
        found[word] = 10 * ten
        for one, digit in enumerate(_ONES, 1):
            found[f"{word}-{digit}"] = found[f"{word} {digit}"] = 10 * ten + one
    return found


def _nths() -> dict[str, int]:
    """First to thirty-first."""
    found = {word: number for number, word in enumerate(_NTH_ONES + _NTH_TEENS, 1)} | {"twentieth": 20, "thirtieth": 30}
    for ten, word in ((20, "twenty"), (30, "thirty")):
        for one, nth in enumerate(_NTH_ONES[: 9 if ten == 20 else 1], 1):
            found[f"{word}-{nth}"] = found[f"{word} {nth}"] = ten + one
    return found


_WORDS = table(
    day_word={
        "yesterday": -1, "today": 0, "tomorrow": 1, "the day before yesterday": -2, "day before yesterday": -2,
        "the day after tomorrow": 2, "day after tomorrow": 2, "tmrw": 1, "yday": -1,
    },
    tonight={"tonight": 1824, "tonite": 1824},
    part={"morning": 512, "afternoon": 1218, "evening": 1724, "night": 1824, "eve": 1824},
    clock=dict.fromkeys(["noon", "midday"], 720) | {"midnight": 0},
    weekday=numbered("monday tuesday/tues/tue wednesday/weds thursday/thurs/thur/thu friday/fri saturday sunday"),
    weekday_soft={"mon": 0, "wed": 2, "sat": 5, "sun": 6},
    plural=numbered("mondays tuesdays wednesdays thursdays fridays saturdays sundays"),
    month={"january": 1, "february": 2, "feb": 2, "apr": 4, "jun": 6, "july": 7, "jul": 7, "aug": 8, "september": 9,
           "sept": 9, "sep": 9, "october": 10, "oct": 10, "november": 11, "nov": 11, "december": 12, "dec": 12},
    month_soft={"jan": 1, "mar": 3, "march": 3, "april": 4, "may": 5, "june": 6, "august": 8},
    season=named("summer:summer winter:winter autumn:autumn"),
    season_soft=named("spring:spring autumn:fall"),
    unit=named("day:day week:week/wk month:month year:year/yr hour:hour/hr minute:minute/min quarter:quarter "
               "decade:decade"),
    units=named("day:days week:weeks/wks month:months year:years/yrs hour:hours/hrs minute:minutes/mins "
                "second:seconds quarter:quarters decade:decades"),
    weekend=named("weekend:weekend"),
    weekends=named("weekend:weekends"),
    count=_numbers(),
    nth=_nths(),
    article={"a": 1, "an": 1},
    vague={"a couple": 2, "a couple of": 2, "couple": 2, "couple of": 2, "the couple of": 2} | dict.fromkeys(
        ["a few", "few", "a few short"], "few") | {"several": "several"},
    half=["half", "a half"],
    ago=["ago", "back"],
    ahead=["from now", "from today"],
    last=named("last:last/previous past:past"),
    this=["this", "these"],
    now=["now"],
    next=["next", "coming", "upcoming", "following"],
    before_last={"before last": -2, "after next": 2},
    recent={"recently": 14, "lately": 14, "the other day": 7, "the other night": 7, "other day": 7},
    earlier=["earlier"],
    later=["later"],
    edge=named("early:early/the_beginning_of/beginning_of/the_start_of/start_of/"
               "early_in mid:mid/the_middle_of/middle_of "
               "late:late/the_end_of/end_of/late_in"),
    holiday=named("christmas:christmas_day christmas_eve:christmas_eve new_year_eve:new_year's_eve/new_years_eve/nye "
                  "new_year:new_year's_day/new_years_day valentine:valentine's_day/valentines_day/valentine_day "
                  "thanksgiving:thanksgiving_day easter:easter_sunday easter_monday:easter_monday "
                  "good_friday:good_friday black_friday:black_friday boxing_day:boxing_day "
                  "independence:independence_day labor_day:labor_day memorial_day:memorial_day "
                  "mothers_day:mother's_day/mothers_day fathers_day:father's_day/fathers_day "
                  "patrick:st_patrick's_day/st._patrick's_day"),
    holiday_soft=named("christmas:christmas/xmas halloween:halloween thanksgiving:thanksgiving easter:easter "
                       "new_year:new_year's/new_years/new_year valentine:valentine's"),
    the=["the", "my", "our", "that"],
    of=["of"],
    on=["on"],
    at=["at", "around", "about"],
    by=["by"],
    over=["over", "within", "throughout", "through", "during the", "during"],
    to=["to", "through to", "till the"],
    every=["every", "each", "most", "any", "all"],
    since=["since", "ever since"],
    until=["until", "till", "'til", "up until"],
    before=["before", "prior to"],
    after=["after", "following the"],
    between=["between"],
    **{"in": ["in", "back in", "late in the"], "for": ["for"], "and": ["and"], "from": ["from", "starting"]},
)  # fmt: skip

_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_HABIT = r"\w+\s+(?:mornings|afternoons|evenings|nights)\b"
_FOLLOWS = (
    r"\s+(?:be|have|not|well|also|never|still|or|get|go|need|want|seem|take|even|only|i|you|he|she|it|we|they|the|"
    r"this(?!\s+(?:year|past))|that|there|say|help|become|mean|look|feel|find|make|just|contain|require|cause|include|require)\b"
)
ENGLISH = Language(
    name="english",
    words=_WORDS,
    ordinal_suffix="st|nd|rd|th",
    day_first=False,
    common=frozenset(
        "i the and to of a in is was it that for my we you with on have had this at be are not but so they he she "
        "me went did do".split()
    ),
    veto=dict.fromkeys(_DAYS, _HABIT) | {
        "may": r"(?i:may)" + _FOLLOWS,
        "march": r"march\s+(?:on|up|down|to|into|with|through|against|for|past|off|out|forward|madness)\b",
        "spring": r"spring\s+(?:for|up|into|from|water|roll|onion|break|cleaning)\b",
        "fall": r"fall\s+(?:of\s+(?!(?:19|20)\d\d)|in|into|for|down|off|asleep|apart|behind|out|back|short)\b",
        "back": r"back(?!\s*(?:$|[^\w\s]|i|we|he|she|it|they|and|but|when|at|in|my|the|from)\b)",
        "second": r"(?i:second)\s+(?!of\b|week|day|month|year|quarter|half|monday|tuesday|wednesday|thursday|"
                  r"friday|saturday|sunday|weekend)",
    },
    future=r"\b(?:will|won't|shall|gonna|going to|planning|plan to|plans? (?:for|on)|hoping to|hope to|want to|"
           r"wanna|let's|looking forward|can't wait|coming|upcoming|about to|schedul\w+|tomorrow|would like|"
           r"excited for|expect(?:ing)? to|next|goal|deadline|due|supposed to|invited|appointment|"
           r"have (?:an?|to)|has (?:an?|to)|should|might|need to|needs to|looking to|prefer to|i'd|hoping)\b|['’]ll\b"
           r"|\b(?:flight|exam|interview|wedding) (?:is|leaves)\b|(?:\b(?:am|are|is)|['’](?:m|re|s)) (?:also )?"
           r"(?:flying|leaving|visiting|meeting|travell?ing|driving|seeing|hosting|heading)\b",
    past=r"\b(?!(?:excited|interested|tired|need|scheduled|supposed|invited|feed|speed|indeed|wed|red|bed)\b)[a-z]{2,}ed\b"
         r"|\b(?:was|were|had|did|been|got|went|bought|took|made|met|saw|came|ran|found|left|said|told|gave|ate|began|"
         r"became|fell|felt|grew|heard|kept|knew|lost|paid|spent|wrote|won|sold|sent|taught|thought|wore|broke|brought|"
         r"built|caught|chose|drove|flew|forgot|held|led|rode|sang|slept|spoke|stood|swam|threw|woke)\b",
    habit=r"\b(?:usually|normally|typically|tend\s+to|traditionally)\b",
    when=r"\bwhen\s+(?:is|are|was|were|do|does|did|has|have|had|will|would|can|could|should|exactly)\b"
         r"|^\W*when\s+(?-i:[A-Z])(?!.*\b(?:what|who|whose|where|how|why|which)\b)"
         r"|\b(?:know|tell\s+me|remind\s+me|remember\s+exactly|wonder|say|asked?|idea)\s+when\b"
         r"|\b(?:what|which)\s+(?:date|day|days|month|year|week|weekend|season|decade|time)\b|\bhow\s+long\s+ago\b"
         r"|\bsince\s+when\b|\bhow\s+recently\b|\bwhen\s*\?|\bhow\s+(?:many|much)\s+\w+\s+ago\b|\b(?:on|in|at|during|by)"
         r"\s+(?:what|which)\s+(?:date|day|month|year|week|time)\b",
    nostalgia=r"\blast\s+(?:year|summer|winter|spring|fall|autumn|decade)\b|\bused\s+to\b|\bwhen\s+(?:i|we)\s+"
              r"(?:was|were)\b|\b(?:years|decades|months|ages|a\s+long\s+time)\s+ago\b|\bback\s+(?:then|in\s+the\s+day|"
              r"when)\b|\bgr(?:owing|ew)\s+up\b|\bremember\s+(?:when|the\s+time|how\s+we)\b|\bin\s+(?:my|our)\s+"
              r"(?:childhood|youth|school\s+days|younger\s+days)\b|\bas\s+a\s+(?:kid|child|boy|girl|teenager|teen)\b"
              r"|\bin\s+the\s+(?:old\s+days|past)\b|\b(?:fond|happy|childhood|school)\s+memories\b|\bthose\s+days\b"
              r"|\bi\s+miss\s+(?:the|those)\b",
)  # fmt: skip
