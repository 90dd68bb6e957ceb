"""Time words of Japanese."""

from __future__ import annotations

from glossator.rules.timex.chinese import HOUR, numerals
from glossator.rules.timex.words import Language, named, table

_WEEKDAYS = {kanji + end: number for number, kanji in enumerate("月火水木金土日") for end in ("曜日", "曜")}

JAPANESE = Language(
    name="japanese",
    words=table(
        day_word={"昨日": -1, "きのう": -1, "昨夜": -1, "昨晩": -1, "一昨日": -2, "おととい": -2, "今日": 0,
                  "きょう": 0, "今朝": 0, "明日": 1, "あした": 1, "明後日": 2, "あさって": 2},
        tonight={"今夜": 1824, "今晩": 1824},
        part={"午前": 512, "午後": 1218, "朝": 512, "夕方": 1724, "夜": 1824},
        weekday=_WEEKDAYS,
        rel_unit={"去年": "year-1", "昨年": "year-1", "今年": "year0", "来年": "year1", "一昨年": "year-2",
                  "おととし": "year-2", "先月": "month-1", "今月": "month0", "来月": "month1", "先々月": "month-2",
                  "先週": "week-1", "今週": "week0", "来週": "week1", "先々週": "week-2", "先週末": "weekend-1",
                  "今週末": "weekend0", "来週末": "weekend1"},
        season=named("spring:春 summer:夏 autumn:秋 winter:冬"),
        unit=named("week:週間 month:ヶ月/か月/カ月/ヵ月/ケ月/箇月 year:年/年間 hour:時間 minute:分 day:日間"),
        month_mark=["月"],
        day_mark=named("day:日"),
        count=numerals(),
        vague={"数": "several"},
        half=["半"],
        oclock=["時", "じ"],
        ago=["前", "まえ"],
        last=named("past:過去/ここ"),
        recent={"最近": 14, "先日": 7, "この前": 7, "この間": 7},
        holiday=named("christmas:クリスマス new_year_eve:大晦日 new_year:元日 halloween:ハロウィン "
                      "valentine:バレンタインデー"),
        every=["毎週", "毎"],
        since_post=["以来", "から"],
        until_post=["まで"],
        after=["以降", "の後"],
        of=["の"],
    ),
    spaced=False,
    atoms=(
        ("rel_weekday" + HOUR, "relative_weekday"),
        ("day_word" + HOUR, "relative_day"),
        ("weekday" + HOUR, "week_day"),
        ("year unit (?:numeral|count) month_mark (?:numeral|count) day_mark weekday?" + HOUR, "numeral_date"),
        ("year unit (?:numeral|count) month_mark", "numeral_date"),
        ("year unit of anyseason", "year_season"),
        ("rel_unit of? (?:numeral|count) month_mark (?:(?:numeral|count) day_mark)?", "relative_unit"),
        ("rel_unit of? anyseason", "relative_unit"),
        ("rel_unit of? weekday" + HOUR, "relative_weekday"),
        ("rel_unit of? anyholiday", "relative_holiday"),
        ("every weekday", "void"),
        ("(?:numeral|count) month_mark (?:numeral|count) day_mark weekday?" + HOUR, "numeral_date"),
        ("(?:numeral|count|vague) day_mark ago", "ago"),
        ("(?:numeral|count) month_mark", "numeral_date"),
        ("half unit ago", "ago"),
        ("last (?:number|vague) unit", "window"),
        ("year unit", "whole_year"),
    ),
    joins=(
        ("expr since_post expr until_post", "between"),
        ("expr since_post", "since"),
        ("expr until_post", "until"),
        ("expr ago", "before"),
        ("expr after", "after"),
    ),
    future="つもり|予定|たい|だろう|でしょう",
    when="いつ|何年|何月|何日|何曜日|何時|どのくらい前|どれくらい前",
    nostalgia="子供の頃|子どもの頃|昔|学生の頃|若い頃|去年|昨年|あの頃",
)  # fmt: skip
