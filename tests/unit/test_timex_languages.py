"""Time phrases of other languages, read by the same grammar from tables of words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from glossator.rules.timex import asks_when, find_times, nostalgic
from glossator.rules.timex.engine import LANGUAGES
from glossator.rules.timex.words import table

NOW = datetime(2023, 5, 20, 12, tzinfo=UTC)

RUSSIAN = """
Я переехал в мае                        | 2023-05-01 | 2023-06-01 | month
прошлым летом мы ездили на море         | 2022-06-01 | 2022-09-01 | season
вчера вечером я упал                    | 2023-05-19 17:00 | 2023-05-20 | day
позавчера шёл дождь                     | 2023-05-18 | 2023-05-19 | day
два года назад                          | 2021-01-01 | 2022-01-01 | year
год назад я женился                     | 2022-01-01 | 2023-01-01 | year
полгода назад                           | 2022-11-01 | 2022-12-01 | month
в прошлом году                          | 2022-01-01 | 2023-01-01 | year
на прошлой неделе                       | 2023-05-08 | 2023-05-15 | week
в прошлую пятницу                       | 2023-05-19 | 2023-05-20 | day
в понедельник я был дома                | 2023-05-15 | 2023-05-16 | day
8 мая 2023 года                         | 2023-05-08 | 2023-05-09 | day
в 2019 году                             | 2019-01-01 | 2020-01-01 | year
с 2021 года                             | 2021-01-01 |            | year
с 3 мая по 7 мая                        | 2023-05-03 | 2023-05-08 | day
за последние три недели                 | 2023-04-29 | 2023-05-21 | week
через две недели                        | 2023-05-29 | 2023-06-05 | week
в начале марта                          | 2023-03-01 | 2023-03-11 | month
08.05.2023                              | 2023-05-08 | 2023-05-09 | day
"""

CHINESE = """
昨天我晕倒了                            | 2023-05-19 | 2023-05-20 | day
前天                                    | 2023-05-18 | 2023-05-19 | day
昨天晚上                                | 2023-05-19 18:00 | 2023-05-20 | day
去年我去了北京                          | 2022-01-01 | 2023-01-01 | year
上个月                                  | 2023-04-01 | 2023-05-01 | month
上周                                    | 2023-05-08 | 2023-05-15 | week
上周五                                  | 2023-05-12 | 2023-05-13 | day
下周                                    | 2023-05-22 | 2023-05-29 | week
2024年4月1日                            | 2024-04-01 | 2024-04-02 | day
4月1日                                  | 2023-04-01 | 2023-04-02 | day
四月一号                                | 2023-04-01 | 2023-04-02 | day
2022年3月                               | 2022-03-01 | 2022-04-01 | month
2019年                                  | 2019-01-01 | 2020-01-01 | year
三天前                                  | 2023-05-17 | 2023-05-18 | day
两年前                                  | 2021-01-01 | 2022-01-01 | year
3个月前搬家                             | 2023-02-01 | 2023-03-01 | month
半年前                                  | 2022-11-01 | 2022-12-01 | month
几天前                                  | 2023-05-16 | 2023-05-19 | day
去年夏天                                | 2022-06-01 | 2022-09-01 | season
去年五月                                | 2022-05-01 | 2022-06-01 | month
2021年以来                              | 2021-01-01 |            | year
2024年04月03日 周三 20:38               | 2024-04-03 20:38 | 2024-04-03 20:39 | minute
下周五下午两点                          | 2023-05-26 14:00 | 2023-05-26 15:00 | hour
下下周一上午九点                        | 2023-05-29 09:00 | 2023-05-29 10:00 | hour
4月1日下午三点半                        | 2023-04-01 15:30 | 2023-04-01 15:31 | minute
"""

JAPANESE = """
昨日、転びました                        | 2023-05-19 | 2023-05-20 | day
一昨日                                  | 2023-05-18 | 2023-05-19 | day
先月                                    | 2023-04-01 | 2023-05-01 | month
先週の金曜日に会いました                | 2023-05-12 | 2023-05-13 | day
三日前に着いた                          | 2023-05-17 | 2023-05-18 | day
2年前に引っ越した                       | 2021-01-01 | 2022-01-01 | year
3ヶ月前に始めた                         | 2023-02-01 | 2023-03-01 | month
2024年4月1日に                          | 2024-04-01 | 2024-04-02 | day
去年の夏                                | 2022-06-01 | 2022-09-01 | season
去年の5月に                             | 2022-05-01 | 2022-06-01 | month
5月から住んでいる                       | 2023-05-01 |            | month
来週のテスト                            | 2023-05-22 | 2023-05-29 | week
"""

GERMAN = """
gestern war ich im Kino                 | 2023-05-19 | 2023-05-20 | day
vorgestern                              | 2023-05-18 | 2023-05-19 | day
vor zwei Jahren sind wir umgezogen      | 2021-01-01 | 2022-01-01 | year
vor einer Woche                         | 2023-05-08 | 2023-05-15 | week
letzten Monat war ich in Rom            | 2023-04-01 | 2023-05-01 | month
letztes Jahr                            | 2022-01-01 | 2023-01-01 | year
nächste Woche                           | 2023-05-22 | 2023-05-29 | week
am Montag habe ich ihn getroffen        | 2023-05-15 | 2023-05-16 | day
im Mai war es kalt                      | 2023-05-01 | 2023-06-01 | month
am 8. Mai 2022 haben wir geheiratet     | 2022-05-08 | 2022-05-09 | day
seit 2021 wohne ich hier                | 2021-01-01 |            | year
bis zum 3. Juni ist das so              |            | 2022-06-04 | day
Ende März war ich krank                 | 2023-03-21 | 2023-04-01 | month
vorletzte Woche                         | 2023-05-01 | 2023-05-08 | week
letzten Sommer waren wir am Meer        | 2022-06-01 | 2022-09-01 | season
Das war 2019 im Jahr 2019.              | 2019-01-01 | 2020-01-01 | year
"""

FRENCH = """
hier je suis allé au cinéma             | 2023-05-19 | 2023-05-20 | day
avant-hier                              | 2023-05-18 | 2023-05-19 | day
il y a deux ans nous avons déménagé     | 2021-01-01 | 2022-01-01 | year
le mois dernier                         | 2023-04-01 | 2023-05-01 | month
la semaine dernière je suis allé à Rome | 2023-05-08 | 2023-05-15 | week
vendredi dernier                        | 2023-05-19 | 2023-05-20 | day
l'été dernier nous étions en Bretagne   | 2022-06-01 | 2022-09-01 | season
l'année dernière                        | 2022-01-01 | 2023-01-01 | year
le 8 mai 2022                           | 2022-05-08 | 2022-05-09 | day
le 1er mai                              | 2023-05-01 | 2023-05-02 | day
en mai il faisait froid                 | 2023-05-01 | 2023-06-01 | month
depuis 2021 j'habite ici                | 2021-01-01 |            | year
de mars à juin                          | 2023-03-01 | 2023-07-01 | month
"""

SPANISH = """
ayer fui al cine                        | 2023-05-19 | 2023-05-20 | day
anteayer                                | 2023-05-18 | 2023-05-19 | day
hace dos años nos mudamos               | 2021-01-01 | 2022-01-01 | year
el mes pasado                           | 2023-04-01 | 2023-05-01 | month
la semana pasada                        | 2023-05-08 | 2023-05-15 | week
el viernes pasado                       | 2023-05-19 | 2023-05-20 | day
el año pasado                           | 2022-01-01 | 2023-01-01 | year
el 8 de mayo de 2022                    | 2022-05-08 | 2022-05-09 | day
en mayo hacía frío                      | 2023-05-01 | 2023-06-01 | month
desde 2021 vivo aquí                    | 2021-01-01 |            | year
el verano pasado                        | 2022-06-01 | 2022-09-01 | season
a finales de marzo                      | 2023-03-21 | 2023-04-01 | month
el otro día                             | 2023-05-13 | 2023-05-20 | week
"""


def moment(written: str) -> datetime | None:
    return datetime.fromisoformat(written).replace(tzinfo=UTC) if written else None


ROWS = [
    tuple(cell.strip() for cell in line.split("|"))
    for rows in (RUSSIAN, CHINESE, JAPANESE, GERMAN, FRENCH, SPANISH)
    for line in rows.strip().splitlines()
]


@pytest.mark.parametrize(("text", "start", "end", "precision"), ROWS)
def test_a_phrase_names_its_interval(text: str, start: str, end: str, precision: str) -> None:
    found = find_times(text, now=NOW)

    assert [(time.interval.start, time.interval.end, time.interval.precision) for time in found] == [
        (moment(start), moment(end), precision)
    ]


def test_russian_in_may_is_may_and_english_modal_may_is_nothing() -> None:
    assert find_times("в мае", now=NOW)[0].interval.start == moment("2023-05-01")  # proves: K19
    assert find_times("I may go", now=NOW) == ()  # proves: K19


@pytest.mark.parametrize(
    "text",
    ["los lunes voy al gimnasio", "Mon ami, je suis là", "montags gehe ich schwimmen", "каждый понедельник", "每周一"],
)
def test_habits_and_strangers_name_no_time(text: str) -> None:
    assert find_times(text, now=NOW) == ()


@pytest.mark.parametrize(
    "text",
    [
        "什么时候搬家的?", "哪天见面", "何时开始", "когда ты переехал?", "в каком году это было?",
        "wann bist du umgezogen?",
        "quand as-tu déménagé ?", "depuis quand habites-tu ici", "¿cuándo te mudaste?", "いつ引っ越しましたか",
    ],
)  # fmt: skip
def test_a_question_for_a_time_is_known_in_every_language(text: str) -> None:
    assert asks_when(text)


@pytest.mark.parametrize("text", ["小时候住在哪里?", "где мы были прошлым летом?", "als ich klein war", "子供の頃の話"])
def test_a_look_back_is_known_in_other_languages(text: str) -> None:
    assert nostalgic(text)


def test_every_language_has_its_own_words() -> None:
    assert len({language.name for language in LANGUAGES}) == len(LANGUAGES) == 7
    assert all(language.words and language.when for language in LANGUAGES)


def test_a_word_with_two_kinds_is_refused() -> None:
    with pytest.raises(ValueError, match="both"):
        table(month={"may": 5}, season={"may": "spring"})
