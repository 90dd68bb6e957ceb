"""Time words of German."""

from __future__ import annotations

from glossator.rules.timex.words import Language, named, numbered, table

_ONES = "ein zwei drei vier fünf sechs sieben acht neun".split()
_FIRST = "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split()
_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()


def _numbers() -> dict[str, int]:
    found = {word: number for number, word in enumerate(_FIRST, 1)}
    found |= {f"{stem}zehn": n for n, stem in enumerate("drei vier fünf sech sieb acht neun".split(), 13)}
    for ten, word in enumerate(_TENS, 2):
        found |= {word: 10 * ten} | {f"{digit}und{word}": 10 * ten + one for one, digit in enumerate(_ONES, 1)}
    return found


_ENDINGS = ("e", "en", "er", "es", "em")
_BEFORE_LAST = {"woche": "week", "monat": "month", "jahr": "year", "wochenende": "weekend"}

GERMAN = Language(
    name="german",
    words=table(
        day_word={"gestern": -1, "vorgestern": -2, "heute": 0, "morgen": 1, "übermorgen": 2, "heute morgen": 0,
                  "gestern morgen": -1, "heute früh": 0, "gestern früh": -1},
        glue=["am morgen", "jeden morgen", "guten morgen"],
        tonight={"heute abend": 1724, "heute nacht": 1824},
        part={"vormittag": 512, "nachmittag": 1218, "abend": 1724, "nacht": 1824},
        weekday=numbered("montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag"),
        plural=numbered("montags dienstags mittwochs donnerstags freitags samstags/sonnabends sonntags"),
        month=numbered("januar/jänner februar märz/maerz april mai juni juli august september oktober november "
                       "dezember", 1),
        season=named("spring:frühling/frühjahr summer:sommer autumn:herbst winter:winter"),
        unit=named("day:tag week:woche month:monat/monats year:jahr/jahres hour:stunde minute:minute quarter:quartal "
                   "decade:jahrzehnt"),
        units=named("day:tage/tagen week:wochen month:monate/monaten year:jahre/jahren hour:stunden minute:minuten"),
        weekend=named("weekend:wochenende"),
        weekends=named("weekend:wochenenden"),
        count=_numbers(),
        article=dict.fromkeys(["ein", "eine", "einem", "einer", "einen"], 1),
        vague={"ein paar": "few", "einigen": "several", "einige": "several", "mehreren": "several"},
        half=["einem halben", "einer halben", "halben"],
        ago_first=["vor"],
        last={"letzt" + end: "last" for end in _ENDINGS} | {"vergangen" + end: "last" for end in _ENDINGS}
        | {"vorig" + end: "last" for end in _ENDINGS},
        this=["dies" + end for end in _ENDINGS],
        next=[stem + end for stem in ("nächst", "kommend") for end in _ENDINGS],
        rel_unit={f"vorletzt{end} {noun}": f"{unit}-2" for end in _ENDINGS for noun, unit in _BEFORE_LAST.items()},
        recent={"kürzlich": 14, "neulich": 7, "vor kurzem": 14, "letztens": 7, "in letzter zeit": 14},
        edge=named("early:anfang mid:mitte late:ende"),
        holiday=named("christmas:weihnachten christmas_eve:heiligabend new_year_eve:silvester new_year:neujahr "
                      "easter:ostern good_friday:karfreitag easter_monday:ostermontag pentecost:pfingsten"),
        the=["der", "die", "das", "den", "dem", "des", "vom"],
        on=["am"],
        at=["um", "gegen"],
        over=["während", "über", "innerhalb"],
        every=["jeden", "jede", "jedes", "alle"],
        since=["seit", "ab"],
        until=["bis", "bis zum", "bis ende"],
        after=["nach"],
        between=["zwischen"],
        **{"in": ["in", "im", "im laufe"], "for": ["für"], "and": ["und"], "from": ["von"]},
    ),
    ordinal_suffix=r"\.",
    common=frozenset("ich und der die das nicht war ist habe hat am im wir mit ein eine zu bin sind sie er es auf auch "
                     "mich mir uns haben gegangen ging bei wie".split()),
    atoms=(
        ("ago_first (?:number|vague|half) anyunit", "ago"),
        ("ago_first (?:number|vague) weekends", "ago"),
        ("in the last unit", "near_unit"),
        ("the? ordinal firmmonth anyyear", "month_day"),
        ("unit year", "whole_year"),
    ),
    joins=(("ago_first the? expr", "before"),),
    future=r"\b(?:werde|wirst|wird|werden|will|wollen|möchte|plane|planen|vorhaben|nächste\w*|kommende\w*)\b",
    when=r"\bwann\b|\ban\s+welchem\s+(?:tag|datum)\b|\bin\s+welche[mr]\s+(?:jahr|monat|woche)\b"
         r"|\bwelche[snr]\s+(?:datum|jahr|tag)\b|\bwie\s+lange\s+ist\b.*\bher\b",
    nostalgia=r"\bletzte[sn]\s+(?:jahr|sommer|winter|frühling|herbst)\b|\bfrüher\b|\bdamals\b|\bals\s+(?:ich|wir)\s+.{0,30}"
              r"\b(?:klein|jung|kind|kinder|schule)\b|\bvor\s+jahren\b|\bin\s+meiner\s+(?:kindheit|jugend)\b",
)  # fmt: skip
