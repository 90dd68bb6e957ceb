"""English time phrases: each row says what was said, when, and which interval it names."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from glossator.rules.timex import find_times

SATURDAY = "2023-05-20"

DATES = """
2023-05-08                                  | 2023-05-08       | 2023-05-09       | day
on 2023-05-08 we met                        | 2023-05-08       | 2023-05-09       | day
2023/05/08                                  | 2023-05-08       | 2023-05-09       | day
2023-05-08T10:30                            | 2023-05-08 10:30 | 2023-05-08 10:31 | minute
2023-05-08 10:30:15                         | 2023-05-08 10:30:15 | 2023-05-08 10:30:16 | second
2023-05-08T10:30:15Z                        | 2023-05-08 10:30:15 | 2023-05-08 10:30:16 | second
2023-05-08T10:30+02:00                      | 2023-05-08 08:30 | 2023-05-08 08:31 | minute
8 May 2023                                  | 2023-05-08       | 2023-05-09       | day
8 May, 2023                                 | 2023-05-08       | 2023-05-09       | day
8th of May 2023                             | 2023-05-08       | 2023-05-09       | day
8th May, 2021                               | 2021-05-08       | 2021-05-09       | day
the 8th of May                              | 2023-05-08       | 2023-05-09       | day
the first of June                           | 2022-06-01       | 2022-06-02       | day
the second of May                           | 2023-05-02       | 2023-05-03       | day
May 8th                                     | 2023-05-08       | 2023-05-09       | day
May 8                                       | 2023-05-08       | 2023-05-09       | day
May 8th, 2022                               | 2022-05-08       | 2022-05-09       | day
May 8, 2022                                 | 2022-05-08       | 2022-05-09       | day
may 8th                                     | 2023-05-08       | 2023-05-09       | day
Aug 15th                                    | 2022-08-15       | 2022-08-16       | day
Sept. 3                                     | 2022-09-03       | 2022-09-04       | day
June 3                                      | 2022-06-03       | 2022-06-04       | day
Friday, May 5                               | 2023-05-05       | 2023-05-06       | day
on Friday the 5th of May 2023               | 2023-05-05       | 2023-05-06       | day
May 3-5                                     | 2023-05-03       | 2023-05-06       | day
3-5 May 2022                                | 2022-05-03       | 2022-05-06       | day
June 3rd-5th, 2022                          | 2022-06-03       | 2022-06-06       | day
Feb 29, 2020                                | 2020-02-29       | 2020-03-01       | day
February 29                                 | 2020-02-29       | 2020-03-01       | day
8/5/2023                                    | 2023-08-05       | 2023-08-06       | day
13/5/2023                                   | 2023-05-13       | 2023-05-14       | day
8/5/21                                      | 2021-08-05       | 2021-08-06       | day
8.5.2023                                    | 2023-05-08       | 2023-05-09       | day
on the 15th                                 | 2023-05-15       | 2023-05-16       | day
on the 15th after my trip                   | 2023-05-15       | 2023-05-16       | day
on the 25th                                 | 2023-04-25       | 2023-04-26       | day
May 2023                                    | 2023-05-01       | 2023-06-01       | month
May, 2023                                   | 2023-05-01       | 2023-06-01       | month
in January 2022                             | 2022-01-01       | 2022-02-01       | month
2023                                        | 2023-01-01       | 2024-01-01       | year
in 2019                                     | 2019-01-01       | 2020-01-01       | year
back in 2019                                | 2019-01-01       | 2020-01-01       | year
the year 2020                               | 2020-01-01       | 2021-01-01       | year
the 1990s                                   | 1990-01-01       | 2000-01-01       | decade
the '90s                                    | 1990-01-01       | 2000-01-01       | decade
in the 80s                                  | 1980-01-01       | 1990-01-01       | decade
the 2000s                                   | 2000-01-01       | 2010-01-01       | decade
Q3 2022                                     | 2022-07-01       | 2022-10-01       | season
in Q1                                       | 2023-01-01       | 2023-04-01       | season
summer of 2019                              | 2019-06-01       | 2019-09-01       | season
summer 2019                                 | 2019-06-01       | 2019-09-01       | season
winter 2021                                 | 2021-12-01       | 2022-03-01       | season
fall 2021                                   | 2021-09-01       | 2021-12-01       | season
the summer of '98                           | 1998-06-01       | 1998-09-01       | season
May '21                                     | 2021-05-01       | 2021-06-01       | month
"""

NEAR_DAYS = """
yesterday                                   | 2023-05-19       | 2023-05-20       | day
today                                       | 2023-05-20       | 2023-05-21       | day
tomorrow                                    | 2023-05-21       | 2023-05-22       | day
the day before yesterday                    | 2023-05-18       | 2023-05-19       | day
the day after tomorrow                      | 2023-05-22       | 2023-05-23       | day
tonight                                     | 2023-05-20 18:00 | 2023-05-21       | day
this morning                                | 2023-05-20 05:00 | 2023-05-20 12:00 | day
this afternoon                              | 2023-05-20 12:00 | 2023-05-20 18:00 | day
last night                                  | 2023-05-19 18:00 | 2023-05-20       | day
yesterday morning                           | 2023-05-19 05:00 | 2023-05-19 12:00 | day
tomorrow night                              | 2023-05-21 18:00 | 2023-05-22       | day
Monday morning                              | 2023-05-15 05:00 | 2023-05-15 12:00 | day
Friday night                                | 2023-05-19 18:00 | 2023-05-20       | day
yesterday at 3pm                            | 2023-05-19 15:00 | 2023-05-19 16:00 | hour
yesterday at 3:15 pm                        | 2023-05-19 15:15 | 2023-05-19 15:16 | minute
at 5:30 on Monday                           | 2023-05-15 05:30 | 2023-05-15 05:31 | minute
3pm yesterday                               | 2023-05-19 15:00 | 2023-05-19 16:00 | hour
1:56 pm on 8 May, 2023                      | 2023-05-08 13:56 | 2023-05-08 13:57 | minute
yesterday at noon                           | 2023-05-19 12:00 | 2023-05-19 13:00 | hour
12 am on May 8                              | 2023-05-08       | 2023-05-08 01:00 | hour
last Friday                                 | 2023-05-19       | 2023-05-20       | day
last Saturday                               | 2023-05-13       | 2023-05-14       | day
last Tues                                   | 2023-05-16       | 2023-05-17       | day
last Fri                                    | 2023-05-19       | 2023-05-20       | day
on Friday                                   | 2023-05-19       | 2023-05-20       | day
on Saturday                                 | 2023-05-20       | 2023-05-21       | day
on Sunday                                   | 2023-05-14       | 2023-05-15       | day
on Sun                                      | 2023-05-14       | 2023-05-15       | day
this Monday                                 | 2023-05-15       | 2023-05-16       | day
this past Monday                            | 2023-05-15       | 2023-05-16       | day
next Tuesday                                | 2023-05-23       | 2023-05-24       | day
next Saturday                               | 2023-05-27       | 2023-05-28       | day
the Friday before last                      | 2023-05-12       | 2023-05-13       | day
two Fridays ago                             | 2023-05-12       | 2023-05-13       | day
the Sunday before 25 May 2023               | 2023-05-21       | 2023-05-22       | day
the Friday before 15 July 2022              | 2022-07-08       | 2022-07-09       | day
the Monday after Easter 2023                | 2023-04-10       | 2023-04-11       | day
the day before Christmas 2022               | 2022-12-24       | 2022-12-25       | day
the day after May 8, 2022                   | 2022-05-09       | 2022-05-10       | day
the night before May 8, 2022                | 2022-05-07 18:00 | 2022-05-08       | day
the night of May 5, 2022                    | 2022-05-05 18:00 | 2022-05-06       | day
the last Friday of May 2022                 | 2022-05-27       | 2022-05-28       | day
the first Monday of June 2022               | 2022-06-06       | 2022-06-07       | day
We will meet on Friday                      | 2023-05-26       | 2023-05-27       | day
I'm going to see her on Monday              | 2023-05-22       | 2023-05-23       | day
I'm flying to Frankfurt on Friday           | 2023-05-26       | 2023-05-27       | day
My exam is on Monday                        | 2023-05-22       | 2023-05-23       | day
I was visiting my aunt on Sunday            | 2023-05-14       | 2023-05-15       | day
My flight on Friday was late                | 2023-05-19       | 2023-05-20       | day
Can't wait for Tuesday                      | 2023-05-23       | 2023-05-24       | day
"""

UNITS = """
last week                                   | 2023-05-08       | 2023-05-15       | week
this week                                   | 2023-05-15       | 2023-05-22       | week
next week                                   | 2023-05-22       | 2023-05-29       | week
the week before last                        | 2023-05-01       | 2023-05-08       | week
last weekend                                | 2023-05-13       | 2023-05-15       | week
this past weekend                           | 2023-05-13       | 2023-05-15       | week
this weekend                                | 2023-05-20       | 2023-05-22       | week
next weekend                                | 2023-05-27       | 2023-05-29       | week
over the weekend                            | 2023-05-20       | 2023-05-22       | week
two weekends ago                            | 2023-05-06       | 2023-05-08       | week
the week of 23 August 2022                  | 2022-08-22       | 2022-08-29       | week
the weekend of 24 June, 2022                | 2022-06-25       | 2022-06-27       | week
the week before 9 June 2022                 | 2022-06-02       | 2022-06-09       | week
the weekend before 17 July 2022             | 2022-07-09       | 2022-07-11       | week
the weekend after 3 June, 2022              | 2022-06-04       | 2022-06-06       | week
the week after May 8, 2022                  | 2022-05-09       | 2022-05-16       | week
the first week of June 2022                 | 2022-06-01       | 2022-06-08       | week
the second week of November 2022            | 2022-11-08       | 2022-11-15       | week
the last week of September 2022             | 2022-09-24       | 2022-10-01       | week
the last week of May 2022                   | 2022-05-25       | 2022-06-01       | week
the first weekend of June 2022              | 2022-06-04       | 2022-06-06       | week
last month                                  | 2023-04-01       | 2023-05-01       | month
this month                                  | 2023-05-01       | 2023-06-01       | month
next month                                  | 2023-06-01       | 2023-07-01       | month
last quarter                                | 2023-01-01       | 2023-04-01       | season
the third quarter of 2022                   | 2022-07-01       | 2022-10-01       | season
last year                                   | 2022-01-01       | 2023-01-01       | year
this year                                   | 2023-01-01       | 2024-01-01       | year
next year                                   | 2024-01-01       | 2025-01-01       | year
last decade                                 | 2010-01-01       | 2020-01-01       | decade
earlier this month                          | 2023-05-01       | 2023-05-21       | month
earlier this year                           | 2023-01-01       | 2023-05-21       | year
earlier today                               | 2023-05-20       | 2023-05-21       | day
later this year                             | 2023-05-20       | 2024-01-01       | year
at the beginning of last year               | 2022-01-01       | 2022-05-01       | year
at the end of last year                     | 2022-09-01       | 2023-01-01       | year
early last week                             | 2023-05-08       | 2023-05-10       | week
early March                                 | 2023-03-01       | 2023-03-11       | month
mid-March                                   | 2023-03-11       | 2023-03-21       | month
mid March 2022                              | 2022-03-11       | 2022-03-21       | month
in late May 2022                            | 2022-05-21       | 2022-06-01       | month
the end of July                             | 2022-07-21       | 2022-08-01       | month
late 2021                                   | 2021-09-01       | 2022-01-01       | year
the early 1990s                             | 1990-01-01       | 1993-01-01       | decade
last March                                  | 2023-03-01       | 2023-04-01       | month
last May                                    | 2022-05-01       | 2022-06-01       | month
last August                                 | 2022-08-01       | 2022-09-01       | month
this past July                              | 2022-07-01       | 2022-08-01       | month
this March                                  | 2023-03-01       | 2023-04-01       | month
next June                                   | 2023-06-01       | 2023-07-01       | month
in March                                    | 2023-03-01       | 2023-04-01       | month
in May                                      | 2023-05-01       | 2023-06-01       | month
in june                                     | 2022-06-01       | 2022-07-01       | month
in December                                 | 2022-12-01       | 2023-01-01       | month
We will fly in June                         | 2023-06-01       | 2023-07-01       | month
last summer                                 | 2022-06-01       | 2022-09-01       | season
last winter                                 | 2022-12-01       | 2023-03-01       | season
last spring                                 | 2022-03-01       | 2022-06-01       | season
this spring                                 | 2023-03-01       | 2023-06-01       | season
this summer                                 | 2023-06-01       | 2023-09-01       | season
next fall                                   | 2023-09-01       | 2023-12-01       | season
in the fall                                 | 2022-09-01       | 2022-12-01       | season
in spring                                   | 2023-03-01       | 2023-06-01       | season
the summer before last                      | 2021-06-01       | 2021-09-01       | season
"""

COUNTED = """
a day ago                                   | 2023-05-19       | 2023-05-20       | day
two days ago                                | 2023-05-18       | 2023-05-19       | day
3 days ago                                  | 2023-05-17       | 2023-05-18       | day
twenty-five days ago                        | 2023-04-25       | 2023-04-26       | day
ninety nine days ago                        | 2023-02-10       | 2023-02-11       | day
a few days ago                              | 2023-05-16       | 2023-05-19       | day
a week ago                                  | 2023-05-08       | 2023-05-15       | week
two weeks ago                               | 2023-05-01       | 2023-05-08       | week
a couple of weeks ago                       | 2023-05-01       | 2023-05-08       | week
a few weeks ago                             | 2023-04-17       | 2023-05-08       | week
a month ago                                 | 2023-04-01       | 2023-05-01       | month
6 months ago                                | 2022-11-01       | 2022-12-01       | month
18 months ago                               | 2021-11-01       | 2021-12-01       | month
half a year ago                             | 2022-11-01       | 2022-12-01       | month
a year and a half ago                       | 2021-11-01       | 2021-12-01       | month
two and a half years ago                    | 2020-11-01       | 2020-12-01       | month
a year ago                                  | 2022-01-01       | 2023-01-01       | year
ten years ago                               | 2013-01-01       | 2014-01-01       | year
a few years ago                             | 2019-01-01       | 2022-01-01       | year
a couple of years back                      | 2021-01-01       | 2022-01-01       | year
two decades ago                             | 2000-01-01       | 2010-01-01       | decade
three hours ago                             | 2023-05-20 09:00 | 2023-05-20 10:00 | hour
20 minutes ago                              | 2023-05-20 11:40 | 2023-05-20 11:41 | minute
three days before May 8, 2022               | 2022-05-05       | 2022-05-06       | day
10 days after May 8, 2022                   | 2022-05-18       | 2022-05-19       | day
two weeks after Christmas 2022              | 2023-01-02       | 2023-01-09       | week
a month before 8 May 2022                   | 2022-04-01       | 2022-05-01       | month
two weeks from now                          | 2023-05-29       | 2023-06-05       | week
We will leave in three days                 | 2023-05-23       | 2023-05-24       | day
the other day                               | 2023-05-13       | 2023-05-20       | week
recently                                    | 2023-05-06       | 2023-05-21       | month
lately                                      | 2023-05-06       | 2023-05-21       | month
over the last three weeks                   | 2023-04-29       | 2023-05-21       | week
in the past two months                      | 2023-03-20       | 2023-05-21       | month
during the last 10 days                     | 2023-05-10       | 2023-05-21       | day
for the last two years                      | 2021-05-20       | 2023-05-21       | year
the past year                               | 2022-05-20       | 2023-05-21       | year
the past few weeks                          | 2023-04-22       | 2023-05-21       | week
in the last week                            | 2023-05-13       | 2023-05-21       | week
in the next two weeks                       | 2023-05-20       | 2023-06-04       | week
"""

RANGES = """
since 2021                                  | 2021-01-01       |                  | year
since last March                            | 2023-03-01       |                  | month
since yesterday                             | 2023-05-19       |                  | day
since Monday                                | 2023-05-15       |                  | day
since early March                           | 2023-03-01       |                  | month
until June                                  |                  | 2022-07-01       | month
until 2019                                  |                  | 2020-01-01       | year
before June                                 |                  | 2022-06-01       | month
before 2019                                 |                  | 2019-01-01       | year
after May 5                                 | 2023-05-06       |                  | day
after 2019                                  | 2020-01-01       |                  | year
by 2030                                     |                  | 2031-01-01       | year
between 2019 and 2021                       | 2019-01-01       | 2022-01-01       | year
between August 11 and August 15 2022        | 2022-08-11       | 2022-08-16       | day
from 2019 to 2021                           | 2019-01-01       | 2022-01-01       | year
from March to June 2022                     | 2022-03-01       | 2022-07-01       | month
from November to March                      | 2022-11-01       | 2023-04-01       | month
between May and July                        | 2023-05-01       | 2023-08-01       | month
from 3 May to 7 May                         | 2023-05-03       | 2023-05-08       | day
from May 2021 until June 2022               | 2021-05-01       | 2022-07-01       | month
from last March to yesterday                | 2023-03-01       | 2023-05-20       | month
2019-2021                                   | 2019-01-01       | 2022-01-01       | year
from Monday to Wednesday                    | 2023-05-15       | 2023-05-18       | day
"""

COMBINED = """
in March last year                          | 2022-03-01       | 2022-04-01       | month
in May this year                            | 2023-05-01       | 2023-06-01       | month
in March of last year                       | 2022-03-01       | 2022-04-01       | month
last year in March                          | 2022-03-01       | 2022-04-01       | month
May 8 last year                             | 2022-05-08       | 2022-05-09       | day
the 8th of May last year                    | 2022-05-08       | 2022-05-09       | day
the summer of last year                     | 2022-06-01       | 2022-09-01       | season
Christmas last year                         | 2022-12-25       | 2022-12-26       | day
Monday last week                            | 2023-05-08       | 2023-05-09       | day
last week on Monday                         | 2023-05-08       | 2023-05-09       | day
Friday the 13th                             | 2023-01-13       | 2023-01-14       | day
the first half of 2022                      | 2022-01-01       | 2022-07-01       | year
the second half of May 2022                 | 2022-05-16       | 2022-06-01       | month
the weekend after next                      | 2023-06-03       | 2023-06-05       | week
a year ago today                            | 2022-05-20       | 2022-05-21       | day
a week ago yesterday                        | 2023-05-12       | 2023-05-13       | day
for 3 years now                             | 2020-01-01       |                  | year
seven years now                             | 2016-01-01       |                  | year
for about four months now                   | 2023-01-01       |                  | month
mid-2020                                    | 2020-05-01       | 2020-09-01       | year
March 2022 to June 2022                     | 2022-03-01       | 2022-07-01       | month
a week from Friday 2 June 2023              | 2023-06-05       | 2023-06-12       | week
Sunday, March 5, 2023 at 3pm                | 2023-03-05 15:00 | 2023-03-05 16:00 | hour
Sept. 3, 2021                               | 2021-09-03       | 2021-09-04       | day
2023-05-08 Mon 10:30                        | 2023-05-08 10:30 | 2023-05-08 10:31 | minute
this time last year                         | 2022-01-01       | 2023-01-01       | year
the last day of May 2022                    | 2022-05-31       | 2022-06-01       | day
"""

HOLIDAYS = """
on Christmas                                | 2022-12-25       | 2022-12-26       | day
last Christmas                              | 2022-12-25       | 2022-12-26       | day
Christmas Eve                               | 2022-12-24       | 2022-12-25       | day
Christmas 2020                              | 2020-12-25       | 2020-12-26       | day
New Year's Eve                              | 2022-12-31       | 2023-01-01       | day
on New Year's Day                           | 2023-01-01       | 2023-01-02       | day
Halloween was fun                           | 2022-10-31       | 2022-11-01       | day
next Halloween                              | 2023-10-31       | 2023-11-01       | day
Valentine's Day                             | 2023-02-14       | 2023-02-15       | day
on Valentine’s Day                          | 2023-02-14       | 2023-02-15       | day
Thanksgiving 2022                           | 2022-11-24       | 2022-11-25       | day
at Thanksgiving                             | 2022-11-24       | 2022-11-25       | day
Easter 2023                                 | 2023-04-09       | 2023-04-10       | day
Easter 2024                                 | 2024-03-31       | 2024-04-01       | day
last Easter                                 | 2023-04-09       | 2023-04-10       | day
Good Friday 2023                            | 2023-04-07       | 2023-04-08       | day
"""

TENSES = """
My power bank, which I bought on February 13th, will be replaced | 2023-02-13 | 2023-02-14 | day
I'm planning a trip on February 13th        | 2024-02-13       | 2024-02-14       | day
On Monday I'm going to see her              | 2023-05-22       | 2023-05-23       | day
We met on Monday and will meet again        | 2023-05-15       | 2023-05-16       | day
My goal is to finish by the end of June     |                  | 2023-07-01       | month
I have a test with Dr. Johnson on June 1st  | 2023-06-01       | 2023-06-02       | day
We saw Dr. Johnson on June 1st              | 2022-06-01       | 2022-06-02       | day
I bought it on 3/8                          | 2023-03-08       | 2023-03-09       | day
It arrived on the 1/20                      | 2023-01-20       | 2023-01-21       | day
since 3/27                                  | 2023-03-27       |                  | day
I just moved in a few weeks ago             | 2023-04-17       | 2023-05-08       | week
"""

ON_ANOTHER_DAY = """
last March          | 2023-02-10 | 2022-03-01       | 2022-04-01       | month
in March            | 2023-02-10 | 2022-03-01       | 2022-04-01       | month
last December       | 2023-01-05 | 2022-12-01       | 2023-01-01       | month
last summer         | 2023-12-26 | 2023-06-01       | 2023-09-01       | season
last summer         | 2023-07-10 | 2022-06-01       | 2022-09-01       | season
this winter         | 2023-01-10 | 2022-12-01       | 2023-03-01       | season
last weekend        | 2023-07-17 | 2023-07-15       | 2023-07-17       | week
over the weekend    | 2023-07-17 | 2023-07-15       | 2023-07-17       | week
last Friday         | 2023-07-15 | 2023-07-14       | 2023-07-15       | day
last Friday         | 2023-07-14 | 2023-07-07       | 2023-07-08       | day
a month ago         | 2023-03-31 | 2023-02-01       | 2023-03-01       | month
yesterday           | 2024-03-01 | 2024-02-29       | 2024-03-01       | day
a year ago          | 2024-02-29 | 2023-01-01       | 2024-01-01       | year
on the 31st         | 2023-05-05 | 2023-03-31       | 2023-04-01       | day
last year           | 2023-01-01 | 2022-01-01       | 2023-01-01       | year
this Friday         | 2023-05-17 | 2023-05-19       | 2023-05-20       | day
"""


def moment(written: str) -> datetime | None:
    return datetime.fromisoformat(written).replace(tzinfo=UTC) if written else None


def rows(table: str, said: str | None = None) -> list[tuple[str, ...]]:
    cells = [tuple(cell.strip() for cell in line.split("|")) for line in table.strip().splitlines()]
    return cells if said is None else [(row[0], said, *row[1:]) for row in cells]


TABLES = [DATES, NEAR_DAYS, UNITS, COUNTED, RANGES, COMBINED, HOLIDAYS, TENSES]
ROWS = [row for table in TABLES for row in rows(table, SATURDAY)] + rows(ON_ANOTHER_DAY)


@pytest.mark.parametrize(("text", "said", "start", "end", "precision"), ROWS)
def test_a_phrase_names_its_interval(text: str, said: str, start: str, end: str, precision: str) -> None:
    now = datetime.fromisoformat(said).replace(hour=12, tzinfo=UTC)

    found = find_times(text, now=now)

    assert [(time.interval.start, time.interval.end, time.interval.precision) for time in found] == [
        (moment(start), moment(end), precision)
    ]  # proves: O16, D32


def test_the_table_is_thorough() -> None:
    assert len(ROWS) >= 150
