"""Time words of Spanish."""

from __future__ import annotations

from glossator.rules.timex.words import Language, named, numbered, table

_FIRST = (
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
    "veintiocho veintinueve"
).split()
_TENS = "treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
_WEEKDAYS = "lunes martes miércoles/miercoles jueves viernes sábado/sabado domingo"


def _numbers() -> dict[str, int]:
    found = {word: number for number, word in enumerate(_FIRST, 1)} | {"un": 1, "una": 1}
    for ten, word in enumerate(_TENS, 3):
        found |= {word: 10 * ten} | {f"{word} y {digit}": 10 * ten + one for one, digit in enumerate(_FIRST[:9], 1)}
    return found


_HABITS = {f"los {day}": number for day, number in numbered(_WEEKDAYS).items()} | {"los sábados": 5, "los domingos": 6}

SPANISH = Language(
    name="spanish",
    words=table(
        day_word={"ayer": -1, "anteayer": -2, "antier": -2, "anoche": -1, "hoy": 0, "mañana": 1, "pasado mañana": 2,
                  "esta mañana": 0, "ayer por la mañana": -1},
        glue=["por la mañana", "de la mañana", "en la mañana", "la mañana"],
        part={"por la tarde": 1220, "por la noche": 1824, "noche": 1824, "tarde": 1220},
        weekday=numbered(_WEEKDAYS),
        plural=_HABITS,
        month=numbered("enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre "
                       "diciembre", 1),
        season=named("spring:primavera summer:verano autumn:otoño winter:invierno"),
        unit=named("day:día/dia week:semana month:mes year:año hour:hora minute:minuto quarter:trimestre "
                   "decade:década"),
        units=named("day:días/dias week:semanas month:meses year:años hour:horas minute:minutos"),
        weekend=named("weekend:fin_de_semana"),
        weekends=named("weekend:fines_de_semana"),
        count=_numbers(),
        vague={"un par de": 2, "unos": "few", "unas": "few", "pocos": "few", "varios": "several", "varias": "several"},
        half=["medio", "media"],
        ago_first=["hace"],
        last=dict.fromkeys(["pasado", "pasada", "pasados", "pasadas"], "last")
        | dict.fromkeys(["último", "última", "últimos", "últimas"], "past"),
        this=["este", "esta", "estos", "estas"],
        next=["próximo", "próxima", "próximos", "próximas", "que viene", "siguiente", "proximo", "proxima"],
        recent={"recientemente": 14, "últimamente": 14, "el otro día": 7, "hace poco": 14},
        edge=named("early:principios_de/comienzos_de mid:mediados_de late:finales_de/fines_de"),
        holiday=named("christmas:navidad christmas_eve:nochebuena new_year_eve:nochevieja new_year:año_nuevo "
                      "easter:pascua valentine:san_valentín good_friday:viernes_santo"),
        the=["el", "la", "lo", "los", "las"],
        of=["de", "del"],
        to=["a"],
        over=["durante"],
        every=["cada", "todos los", "todas las"],
        since=["desde"],
        until=["hasta"],
        before=["antes de", "antes del"],
        after=["después de", "después del", "despues de"],
        between=["entre"],
        **{"in": ["en"], "for": ["por", "para"], "and": ["y"]},
    ),
    common=frozenset("yo y el la los las de un una es no que en con por para fui fue mi me se lo del al está estaba "
                     "nos su muy pero como cuando estuve tengo".split()),
    atoms=(
        ("ago_first (?:number|vague|half) anyunit", "ago"),
        ("(?:unit|weekend) (?:last|next)", "near_unit"),
        ("weekday (?:last|next) part?", "week_day"),
        ("month (?:last|next)", "month"),
        ("anyseason (?:last|next)", "year_season"),
        ("anyholiday (?:last|next)", "year_holiday"),
        ("month to month (?:of? year)?", "month_range"),
        ("unit year", "whole_year"),
    ),
    future=r"\b(?:voy|vamos|va|van|iré|iremos|planeo|quiero|próxim\w+|pienso|viene|\w+ré|\w+remos)\b",
    when=r"\bcuándo\b|^\W*cuando\s+(?:fue|es|se|te|fuiste|empezó|empecé|fui)\b|\bqué\s+(?:día|fecha|mes|año|hora)\b"
         r"|\bhace\s+cuánto\b|\bcuánto\s+(?:tiempo\s+)?hace\b|\ben\s+que\s+(?:día|fecha|mes|año)\b",
    nostalgia=r"\bel\s+(?:año|verano|invierno)\s+pasado\b|\bcuando\s+(?:era|éramos)\b|\bhace\s+años\b|\bsolía\b"
              r"|\ben\s+aquel\s+entonces\b|\bmi\s+(?:infancia|niñez)\b",
)  # fmt: skip
