"""Time words of Chinese, in short characters and where they differ in long ones."""

from __future__ import annotations

from glossator.rules.timex.words import Language, named, table

_DIGITS = "一二三四五六七八九"
_WEEKDAYS = "一二三四五六日"
_WEEKS = {"上上": -2, "上": -1, "上个": -1, "上個": -1, "这": 0, "這": 0, "这个": 0, "本": 0} | {
    "下": 1, "下个": 1, "下個": 1, "下下": 2, "下下个": 2,
}  # fmt: skip
_WEEK_NOUNS = ("周", "週", "星期", "礼拜", "禮拜")


def numerals() -> dict[str, int]:
    """一 to 九十九."""
    found = {digit: number for number, digit in enumerate(_DIGITS, 1)} | {"两": 2, "兩": 2}
    for ten in range(1, 10):
        head = ("" if ten == 1 else _DIGITS[ten - 1]) + "十"
        found |= {head: 10 * ten} | {head + digit: 10 * ten + one for one, digit in enumerate(_DIGITS, 1)}
    return found


def _weekdays() -> dict[str, int]:
    named_days = [*enumerate(_WEEKDAYS), (6, "天")]
    return {noun + day: number for noun in _WEEK_NOUNS for number, day in named_days}


def _relative_weekdays() -> dict[str, int]:
    days = _weekdays().items()
    return {near + day: 10 * weeks + number for near, weeks in _WEEKS.items() for day, number in days}


def _relative_units() -> dict[str, str]:
    found = {"去年": "year-1", "今年": "year0", "明年": "year1", "前年": "year-2", "后年": "year2"}
    for near, count in _WEEKS.items():
        found |= {near + noun: f"week{count}" for noun in _WEEK_NOUNS}
        found |= {near + "周末": f"weekend{count}"}
        found |= {near + "月": f"month{count}", near + "季度": f"quarter{count}"}
    return found


HOUR = " (?:part? (?:numeral|count) oclock half? | part)?"
"""What may follow a day: a part of it, with or without an hour."""

CHINESE = Language(
    name="chinese",
    words=table(
        day_word={"昨天": -1, "昨日": -1, "昨晚": -1, "前天": -2, "大前天": -3, "今天": 0, "今日": 0, "今早": 0,
                  "明天": 1, "明日": 1, "后天": 2, "後天": 2},
        tonight={"今晚": 1824},
        part={"早上": 512, "上午": 512, "下午": 1218, "傍晚": 1724, "晚上": 1824, "夜里": 1824},
        weekday=_weekdays(),
        rel_weekday=_relative_weekdays(),
        rel_unit=_relative_units(),
        season=named("spring:春天/春季 summer:夏天/夏季 autumn:秋天/秋季 winter:冬天/冬季"),
        unit=named("day:天 week:周/星期/个星期/礼拜/个礼拜/週/個星期 month:个月/個月 year:年 hour:小时/个小时/小時 "
                   "minute:分钟/分鐘"),
        month_mark=["月", "月份"],
        day_mark=named("day:日/号/號"),
        count=numerals(),
        vague={"几": "few", "幾": "few", "好几": "several"},
        half=["半", "半个", "半個"],
        oclock=["点", "点钟", "點", "點鐘"],
        ago=["前", "之前", "以前"],
        last=named("past:过去/过去的/過去"),
        recent={"最近": 14, "近来": 14, "前几天": 7, "前些天": 7, "前幾天": 7},
        holiday=named("christmas:圣诞节/聖誕節 christmas_eve:平安夜 new_year:元旦 valentine:情人节 halloween:万圣节 "
                      "thanksgiving:感恩节 easter:复活节"),
        every=["每", "每个", "每個"],
        since=["自", "自从", "自從"],
        since_post=["以来", "以來", "起"],
        after=["之后", "以后", "之後"],
        of=["的"],
        to=["到", "至"],
        between=["在"],
        **{"from": ["从", "從"]},
    ),
    spaced=False,
    atoms=(
        ("rel_weekday" + HOUR, "relative_weekday"),
        ("day_word" + HOUR, "relative_day"),
        ("weekday" + HOUR, "week_day"),
        ("year unit (?:numeral|count) month_mark (?:numeral|count) day_mark weekday?" + HOUR, "numeral_date"),
        ("year unit (?:numeral|count) month_mark", "numeral_date"),
        ("year unit (?:anyseason)", "year_season"),
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
        ("from expr to expr", "between"),
        ("(?:since|from)? expr since_post", "since"),
        ("expr ago", "before"),
        ("expr after", "after"),
    ),
    future="会|將|将|打算|计划|准备|想去",
    when="什么时候|什麼時候|何时|何時|哪天|哪一天|哪年|哪一年|哪个月|几月|几号|几点|幾月|幾號|多久(?:以|之)?前|"
         "什么时间|多少年前",
    nostalgia="小时候|小時候|以前常|当年|那时候|那時候|从前|還記得|还记得|去年|多年前|几年前",
)  # fmt: skip
