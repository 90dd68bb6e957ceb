"""Time words of Russian."""

from __future__ import annotations

from glossator.rules.timex.words import Language, named, numbered, table

_ADJECTIVE = ("ый", "ая", "ое", "ые", "ого", "ой", "ую", "ом", "ым", "ых", "ыми")
_SOFT = ("ий", "яя", "ее", "ие", "его", "ей", "юю", "ем", "им", "их", "ими", "ую", "ая")
_ONES = "один два три четыре пять шесть семь восемь девять".split()
_TEENS = (
    "десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать"
).split()
_TENS = "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто".split()


def _numbers() -> dict[str, int]:
    ones = {word: number for number, word in enumerate(_ONES, 1)} | {"одну": 1, "одна": 1, "две": 2}
    found = ones | {word: number for number, word in enumerate(_TEENS, 10)}
    for ten, word in enumerate(_TENS, 2):
        found |= {word: 10 * ten} | {f"{word} {digit}": 10 * ten + one for digit, one in ones.items()}
    return found


def _months() -> dict[str, int]:
    """Every case of the twelve."""
    stems = "январ феврал март апрел ма июн июл август сентябр октябр ноябр декабр".split()
    hard, soft, short = ("", "а", "е", "у", "ом"), ("ь", "я", "е", "ю", "ем"), ("й", "я", "е", "ю", "ем")
    endings = {"март": hard, "август": hard, "ма": short}
    return {stem + end: number for number, stem in enumerate(stems, 1) for end in endings.get(stem, soft)}


RUSSIAN = Language(
    name="russian",
    words=table(
        day_word={"вчера": -1, "позавчера": -2, "сегодня": 0, "завтра": 1, "послезавтра": 2},
        part={"утром": 512, "днём": 1218, "днем": 1218, "вечером": 1724, "ночью": 1824},
        weekday=numbered("понедельник/понедельника/понедельнику вторник/вторника/вторнику среда/среду/среды/среде "
                         "четверг/четверга/четвергу пятница/пятницу/пятницы/пятнице суббота/субботу/субботы/субботе "
                         "воскресенье/воскресенья/воскресенью"),
        plural=numbered("понедельникам вторникам средам четвергам пятницам субботам воскресеньям"),
        month=_months(),
        season=named("summer:лето/летом/лета/лету/лете winter:зима/зимой/зимы/зиму/зиме spring:весна/весной/весны/"
                     "весну/весне autumn:осень/осенью/осени"),
        unit=named("day:день/дня/дню week:неделя/неделю/неделе/недели month:месяц/месяца/месяце year:год/года/году/г/"
                   "г. hour:час/часа minute:минуту/минута/минуты quarter:квартал/квартале "
                   "decade:десятилетие/десятилетии"),
        units=named("day:дней/дни week:недель month:месяцев/месяцы year:лет/годы hour:часов minute:минут"),
        weekend=named("weekend:выходные/выходных/выходным"),
        count=_numbers(),
        vague={"пару": 2, "пара": 2, "несколько": "several"},
        ago=["назад", "тому назад"],
        ahead=["через", "спустя"],
        last={stem + end: "last" for stem in ("прошл", "минувш") for end in _ADJECTIVE}
        | {"последн" + end: "past" for end in _SOFT},
        this=["этот", "эта", "это", "эти", "этого", "этой", "эту", "этом", "этим", "этих"],
        next=[stem + end for stem in ("следующ", "будущ", "ближайш") for end in _SOFT],
        rel_unit={"полгода назад": "month-6", "полтора года назад": "month-18"},
        recent={"недавно": 14, "на днях": 7, "в последнее время": 14},
        edge=named("early:начале/начала/начало mid:середине/середины/середина late:конце/конца/конец"),
        holiday_soft=named("new_year:новый_год"),
        to=["по"],
        over=["за", "в течение"],
        every=["каждый", "каждую", "каждое", "каждые", "каждого"],
        since=["с", "со", "начиная с"],
        before=["до", "перед"],
        after=["после"],
        between=["между"],
        **{"in": ["в", "во", "на"], "and": ["и"]},
    ),
    common=frozenset("я и в на не что он она мы был была это с как но".split()),
    atoms=(
        ("every? (?:plural)", "void"),
        ("unit ago", "ago"),
        ("ahead (?:number|vague)? anyunit", "ahead"),
        ("numeral firmmonth year unit?", "month_day"),
        ("firmmonth year unit?", "month"),
        ("anyseason year unit?", "year_season"),
        ("(?:last|this|next) anyseason", "year_season"),
        ("in last unit", "near_unit"),
        ("over last (?:number anyunit|anyunit)", "window"),
        ("year unit", "whole_year"),
        ("season", "year_season"),
    ),
    joins=(("since expr to expr", "between"),),
    future=r"\b(?:буду|будет|будем|собираюсь|планирую|хочу|поеду|поедем|пойду|следующ\w+|будущ\w+|встретимся)\b",
    when=r"^\W*(?:(?:а|и|так)\s+)?когда\b(?!.*\b(?:что|кто|где|почему|какой|какая)\b)|\bв\s+каком\s+(?:году|месяце)\b"
         r"|\bкакого\s+числа\b|\bв\s+какой\s+день\b|\bкак\s+давно\b|\bс\s+каких\s+пор\b|\bсколько\s+\w+\s+назад\b"
         r"|\b(?:скажи|напомни|помнишь|знаешь)[^.?!]{0,20}\sкогда\b",
    nostalgia=r"\bв\s+прошлом\s+году\b|\bпрошлым\s+(?:летом|годом)\b|\bкогда\s+(?:я|мы)\s+был\w*\b|\bраньше\b|\bв\s+детстве\b"
              r"|\bлет\s+назад\b|\bпомнишь\b",
)  # fmt: skip
