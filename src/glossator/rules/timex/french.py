"""Time words of French."""

from __future__ import annotations

from glossator.rules.timex.words import Language, named, numbered, table

_FIRST = (
    "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit "
    "dix-neuf"
).split()
_TENS = "vingt trente quarante cinquante soixante".split()


def _numbers() -> dict[str, int]:
    """Two to sixty-nine."""
    found = {word: number for number, word in enumerate(_FIRST[1:], 2)}
    for ten, word in enumerate(_TENS, 2):
        found |= {word: 10 * ten, f"{word} et un": 10 * ten + 1}
        found |= {f"{word}-{digit}": 10 * ten + one for one, digit in enumerate(_FIRST[1:9], 2)}
    return found


FRENCH = Language(
    name="french",
    words=table(
        day_word={"hier": -1, "avant-hier": -2, "aujourd'hui": 0, "demain": 1, "après-demain": 2},
        tonight={"ce soir": 1724, "cette nuit": 1824},
        part={"matin": 512, "après-midi": 1218, "soir": 1724, "nuit": 1824},
        weekday=numbered("lundi mardi mercredi jeudi vendredi samedi dimanche"),
        plural=numbered("lundis mardis mercredis jeudis vendredis samedis dimanches"),
        month=numbered("janvier février/fevrier mars avril mai juin juillet août/aout septembre octobre novembre "
                       "décembre/decembre", 1),
        season=named("summer:l'été winter:hiver/l'hiver autumn:automne/l'automne spring:printemps"),
        season_soft=named("summer:été"),
        unit=named("day:jour week:semaine month:mois year:an/année/l'an/l'année hour:heure minute:minute "
                   "quarter:trimestre decade:décennie"),
        units=named("day:jours week:semaines year:ans/années hour:heures minute:minutes"),
        weekend=named("weekend:week-end/weekend"),
        weekends=named("weekend:week-ends/weekends"),
        count=_numbers(),
        article=dict.fromkeys(["un", "une"], 1),
        vague={"quelques": "few", "plusieurs": "several"},
        half=["demi", "une demi"],
        ago_first=["il y a", "y a"],
        last=dict.fromkeys(["dernier", "dernière", "derniers", "dernières", "passé", "passée", "derniere"], "last"),
        this=["ce", "cet", "cette", "ces"],
        next=["prochain", "prochaine", "prochains", "prochaines"],
        recent={"récemment": 14, "dernièrement": 14, "l'autre jour": 7, "ces derniers temps": 14},
        edge=named("early:début/début_de/début_du/au_début_de/au_début_du mid:mi/milieu_de/milieu_du "
                   "late:fin/fin_de/fin_du/à_la_fin_de/à_la_fin_du"),
        holiday=named("christmas:noël/noel new_year:nouvel_an easter:pâques/paques new_year_eve:saint-sylvestre "
                      "valentine:saint-valentin pentecost:pentecôte"),
        the=["le", "la", "les"],
        of=["de", "des", "d'"],
        at=["vers"],
        to=["à"],
        over=["pendant", "durant"],
        every=["chaque", "tous les", "toutes les"],
        since=["depuis"],
        until=["jusqu'à", "jusqu'en", "jusqu'au"],
        before=["avant"],
        after=["après"],
        between=["entre"],
        **{"in": ["en", "dans", "au", "au cours de", "au mois de"], "for": ["pour"], "and": ["et"], "from": ["du"]},
    ),
    ordinal_suffix="er|re|ère",
    common=frozenset("je et le la les de des un une est pas que qui dans pour avec j ai il elle nous vous ce mon ma "
                     "mes suis été allé en du au sur c".split()),
    atoms=(
        ("(?:this|in)? the? ago_first (?:number|vague|half) anyunit", "ago"),
        ("(?:unit|weekend) (?:last|next)", "near_unit"),
        ("weekday (?:last|next) part?", "week_day"),
        ("month (?:last|next)", "month"),
        ("anyseason (?:last|next)", "year_season"),
        ("anyholiday (?:last|next)", "year_holiday"),
        ("(?:over|in)? the? (?:count|numeral) last (?:anyunit|weekends)", "window"),
        ("unit year", "whole_year"),
    ),
    future=r"\b(?:vais|allons|va|vont|prévois|prévoyons|prochaine?s?|compte|voudrais|\w+(?:rai|rons))\b",
    when=r"^\W*(?:et\s+)?quand\b(?!.*\b(?:quoi|où|comment|pourquoi)\b)|\bdepuis\s+quand\b|\bc'est\s+quand\b"
         r"|\bquel(?:le)?\s+(?:jour|date|mois|année|heure|semaine)\b|\bcombien\s+de\s+temps\b|\bà\s+quel\s+moment\b",
    nostalgia=r"\bl'(?:an\s+dernier|année\s+dernière|été\s+dernier)\b|\bquand\s+j'étais\b|\bautrefois\b|\bil\s+y\s+a\s+des\s+"
              r"années\b|\bà\s+l'époque\b|\bmon\s+enfance\b",
)  # fmt: skip
