"""The offline extractor: each row says what a user said and which drafts it gives, "-" for none.

A draft is written as `subject | key = value | category/kind | polarity`, several are joined by " & "; a leading "+"
or "-" stands for the polarity.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.model import Draft, Passage, Role, SaidTime, Scope, Turn
from glossator.retain.offline import OfflineExtractor
from glossator.rules.statements.reading import RULES

SAID = SaidTime(at=datetime(2023, 5, 20, 9, tzinfo=UTC), offset_minutes=0, precision="minute")


def turn(*texts: str, role: Role = "user", speaker: str = "user", said: SaidTime = SAID) -> Turn:
    passages = tuple(Passage(text=text, role=role, speaker=speaker, said=said) for text in texts)
    return Turn(scope=Scope(workspace="w"), passages=passages, source="turn")


def drafts(text: str, *, limit: int = 10, speaker: str = "user", said: SaidTime = SAID) -> tuple[Draft, ...]:
    return OfflineExtractor().extract(turn(text, speaker=speaker, said=said), limit=limit).drafts


def shown(draft: Draft) -> str:
    sign = "+" if draft.polarity == "positive" else "-"
    filed = draft.category + (f"/{draft.kind}" if draft.kind else "")
    return f"{sign} {draft.subject} | {draft.key} = {draft.value} | {filed}"


STATEMENTS = """
I live in Paris.                         -> + user | home = paris | identity
i live in paris                          -> + user | home = paris | identity
I’m based in Lyon these days.            -> + user | home = lyon | identity
I'm originally from Kenya.               -> + user | origin = kenya | identity
My name is Mara Lindqvist.               -> + user | name = mara lindqvist | identity
Hi, I'm Ines.                            -> + user | name = ines | identity
Please call me Benny.                    -> + user | name = benny | identity
I'm 34 years old.                        -> + user | age = 34 | identity/exact_value
My birthday is on 3 May.                 -> + user | birthday = 3 may | identity/exact_value
I work at Acme as a nurse.               -> + user | employer = acme | identity
I'm a software engineer.                 -> + user | job = software engineer | identity
I was promoted to head chef.             -> + user | job = head chef | identity
My wife's name is Ruth.                  -> + user | wife = ruth | identity
My sister is Ana.                        -> + user | sister = ana | identity
Our dog is called Rex.                   -> + user | dog = rex | identity
I have two kids.                         -> + user | has:kids = two | identity
I don't have kids.                       -> - user | has:kids = no | identity
I'm married to Ruth.                     -> + user | marital status = married | identity
I speak Portuguese.                      -> + user | speaks:portuguese = yes | identity
I'm allergic to peanuts.                 -> + user | allergy:peanuts = yes | identity
im alergic to penicilin btw              -> + user | allergy:penicilin = yes | identity
I'm vegan.                               -> + user | diet = vegan | identity
I can't eat gluten.                      -> - user | eats:gluten = no | identity
I have asthma.                           -> + user | health:asthma = yes | identity
I love jazz.                             -> + user | taste:jazz = likes | preference/implicit_pref
I hate jazz now.                         -> - user | taste:jazz = dislikes | preference/implicit_pref
I don't like jazz at all.                -> - user | taste:jazz = dislikes | preference/implicit_pref
I no longer like jazz.                   -> - user | taste:jazz = no longer likes | preference/implicit_pref
I used to love jazz.                     -> - user | taste:jazz = no longer likes | preference/implicit_pref
I can’t stand cilantro.                  -> - user | taste:cilantro = dislikes | preference/implicit_pref
I'm not a fan of jazz.                   -> - user | taste:jazz = dislikes | preference/implicit_pref
I'm not really into hiking.              -> - user | taste:hiking = dislikes | preference/implicit_pref
I avoid flying.                          -> - user | taste:flying = dislikes | preference/implicit_pref
I prefer tea over coffee.                -> + user | prefers:coffee/tea = tea | preference/implicit_pref
I prefer coffee to tea.                  -> + user | prefers:coffee/tea = coffee | preference/implicit_pref
My favourite colour is dark green.       -> + user | favourite colour = dark green | preference/implicit_pref
Blue is my favourite colour.             -> + user | favourite colour = blue | preference/implicit_pref
I always ask for bullet points.          -> + user | habit:ask for bullet points = yes | preference/implicit_pref
I never watch films dubbed.              -> - user | habit:watch films dubbed = never | preference/implicit_pref
I don't eat pork.                        -> - user | eats:pork = no | preference/implicit_pref
I play the cello.                        -> + user | plays:cello = yes | interest
I collect vintage stamps.                -> + user | collects:vintage stamps = yes | interest
I want to run a marathon.                -> + user | goal:run a marathon = yes | goal
I'm saving up for a camper van.          -> + user | goal:camper van = yes | goal
I'm trying to quit smoking.              -> + user | goal:quit smoking = yes | goal
My goal is to finish my thesis by June.  -> + user | goal:finish my thesis by june = yes | goal
Our monthly revenue is 50K.              -> + user | monthly revenue = 50k | context/exact_value
The rate limit is 20 requests per second. -> + user | rate limit = 20 requests per second | context/exact_value
Our launch is on 14 March.               -> + user | launch = 14 march | context/exact_value
My budget is $500.                       -> + user | budget = $500 | context/exact_value
We must use Stripe.                      -> + user | must:we use stripe = must | context/hard_constraint
No meetings before 10.                   -> - user | no:meetings before 10 = not allowed | context/hard_constraint
I no longer work at Acme.                -> - user | employer = not acme | identity
I don't live in Paris anymore.           -> - user | home = not paris | identity
I quit smoking.                          -> - user | habit:smoking = no | identity
Ed plays cello.                          -> + Ed | plays:cello = yes | context
My sister loves jazz.                    -> + My sister | taste:jazz = likes | context
My son hates broccoli.                   -> - My son | taste:broccoli = dislikes | context
My brother Emil is a carpenter.          -> + My brother Emil | job = carpenter | context
"""

SEVERAL = """
I love tea but hate coffee.              -> I love tea & hate coffee.
I'm Ines, I live in Turin and I work as a translator. -> I'm Ines & I live in Turin & I work as a translator.
I live in Oslo and work at Acme.         -> I live in Oslo & work at Acme.
I left, I now teach at Borealis.         -> I now teach at Borealis.
Ed plays cello. Ed lives in Oslo.        -> Ed plays cello. & Ed lives in Oslo.
By the way, I live in Utrecht.           -> I live in Utrecht.
I'm vegan, what can I cook tonight?      -> I'm vegan
i like cats, not dogs                    -> i like cats & not dogs
Dr. Smith, thanks. I live in St. Gallen. -> I live in St. Gallen.
"""

SILENCE = """
Do you like jazz?
do you like jazz
When did I move to Edinburgh?
Am I allergic to anything
What are Christophe's KPIs?
I wonder if I like jazz.
Do you know whether I live in Paris
If I lived in Rome, I'd eat pizza every day.
If I live in Rome, I love pizza.
Maybe I like jazz after all.
I might move to Vienna.
I would never eat meat.
I wish I were a pilot.
Imagine I work for a bank.
I think I'm allergic to cats.
Suppose I live in Oslo.
She said: "I hate cilantro and I live in Rome."
He says “I am allergic to lies” in the film.
The book starts with 'My name is Ishmael and I hate the sea', or so.
> I live in Kyoto and I love tea.
Let's pretend: I am King Arthur and I live in Camelot.
You are a pirate. I live in Oslo.
Just kidding, I hate jazz.
I hate jazz /s
Oh great, I just love waiting on hold.
Yeah right, because I totally adore Monday meetings.
I don't dislike olives.
I don't hate jazz.
It's not that I hate running.
I like your idea.
I love it.
I like that.
I like the second version better.
I'd like to know how tides work.
I want to ask something.
I want you to summarise this page.
I want to know more about Rome.
Write me an email.
Please summarise this.
Never mind.
I never said that.
I'm tired today.
I'm in a meeting.
I'm here.
I'm looking for a synonym.
I'm trying to fix this bug.
I'm running the tests now.
I'm at home right now and I like jazz at the moment.
You said I love jazz.
Tom says I love jazz.
My colleague said, I love jazz.
Call me whenever you like.
Call me back.
It depends on the weather.
I must say this is great.
No problem at all.
No time to waste.
TypeError: I am not callable, at line 42 in main.py
Fix this: user.preferences = {"likes": "jazz"}
Ich wohne in Leipzig und mag keinen Fisch.
Я живу в Казани и люблю чай.
私は東京に住んでいます。
我住在上海，我喜欢喝茶。
"""

TALK = """
Well, I've been living in Ghent since last autumn.         -> + user | home = ghent | identity
Since you asked: my daughter's called Ines.                -> + user | daughter = ines | identity
Quick update: we signed the lease on the shop yesterday.   -> + user |  = sign lease on the shop yesterday | context
I'm asking because my father has Parkinson's.              -> + my father | health:parkinson's = yes | context
Not sure if this helps, but I work with horses.            -> + user | works with:horses = yes | context
Back in Porto my brother ran a bakery.                     -> + user | past:run bakery = yes | context
In 2023, Dana moved to Oslo.                               -> + Dana | home = oslo | context
Every morning before work Dana runs 5 km.                  -> + Dana | habit:run 5 km every morning = yes | context
Before work Dana runs 5 km every morning.                  -> + Dana | habit:run 5 km every morning = yes | context
Since my divorce I've been living alone.                   -> + user | lives with = alone | identity
Mostly I cook Persian food. -> + user | habit:cook persian food = yes | preference/implicit_pref
Moved to Graz in the spring.                               -> + user | home = graz | identity
Just turned fifty.                                         -> + user | age = fifty | identity/exact_value
Greta, my boss, hates long emails. -> + user | boss = greta | context & - Greta | taste:long emails = dislikes | context
That's my sister Ana.                                      -> + user | sister = ana | identity
I work as a nurse at Acme.                                 -> + user | employer = acme | identity
I work at the college as an anatomy teacher now.           -> + user | employer = college | identity
I've signed up for a ceramics course.                      -> + user |  = sign up for a ceramics course | context
Yoga has been part of my routine since college.            -> + user | habit:yoga = yes | preference/implicit_pref
I decided to refine my wardrobe.                           -> + user | decision:refine my wardrobe = chosen | context
I'm working on a documentary called Salt Roads. -> + user | project:documentary called salt roads = yes | context
I'm writing a novel about a lighthouse keeper. -> + user | project:novel about a lighthouse keeper = yes | context
Jazz has really helped me unwind.                          -> + user | helps:jazz = yes | preference/implicit_pref
I feel most at home in Lisbon. -> + user | happiest:in lisbon = yes | preference/implicit_pref
I gave up on learning the piano.                           -> - user | does:learning the piano = no | context
We cancelled the trip to Madeira.                          -> - user | has:trip to madeira = no | context
I plan to document my travels through a blog. -> + user | goal:document my travels through a blog = yes | goal
I've always wanted to visit Iceland.                       -> + user | goal:visit iceland = yes | goal
My partner and I are planning a trip to Sardinia.          -> + user | goal:trip to sardinia = yes | goal
I've had migraines ever since I was a teenager.            -> + user | health:migraines = yes | identity
I haven't eaten meat since 2014.                           -> - user | eats:meat = no | preference/implicit_pref
I was a lifeguard for six summers.                         -> + user | was:lifeguard = yes | context
I've run eleven marathons.                                 -> + user | has:run eleven marathons = yes | identity
I've never been to Asia.                                   -> - user | never:be asia = never | identity
I tutor maths on the side.                                 -> + user | does:tutor maths on the side = yes | context
I take lisinopril for my blood pressure.                   -> + user | takes:lisinopril = yes | identity
I'm responsible for payroll at a brewery. -> + user | is:responsible for payroll at a brewery = yes | identity
My grandfather was a fisherman in Galicia.                 -> + user | was:fisherman = yes | context
The doctor diagnosed me with ADHD.                         -> + user | health:adhd = yes | identity
The meeting with the landlord has been moved to Friday.    -> + user | meeting = friday | context/exact_value
Our flight to Osaka is on the 3rd of May.                  -> + user | flight = 3rd of may | context/exact_value
I have an exam on 12 May.                                  -> + user | exam = 12 may | context/exact_value
My office is on the fourth floor.                          -> + user | office place = on the fourth floor | context
Our team ships every second Thursday.                      -> + user | custom:ship every second thursday = yes | context
We don't deploy on Fridays.                                -> - user | custom:deploy on fridays = never | context
You can reach me on 0151 496 0000.                         -> + user | contact = 0151 496 0000 | identity/exact_value
Give me tea over coffee any day. -> + user | prefers:coffee/tea = tea | preference/implicit_pref
I'd rather text than call. -> + user | prefers:text/call = text | preference/implicit_pref
I'm more into sci-fi than fantasy. -> + user | prefers:fantasy/sci-fi = sci-fi | preference/implicit_pref
The thing I enjoy most is fixing old radios. -> + user | taste:fixing old radios = likes | preference/implicit_pref
Country music does nothing for me. -> - user | taste:country music = dislikes | preference/implicit_pref
I find small talk draining. -> - user | taste:small talk = dislikes | preference/implicit_pref
I work best late at night. -> + user | habit:work best late at night = yes | preference/implicit_pref
I need all dates in ISO format. -> + user | directive:i need all dates in iso format = always | directive
Don't mention my ex.                                       -> - user | directive:mention my ex = never | directive
I've never liked surprise parties. -> - user | taste:surprise parties = dislikes | preference/implicit_pref
I can only work until three.                               -> + user | able:only work until three = yes | context
We have a strict no-shoes policy at home. -> + user | custom:strict no-shoes policy at home = yes | context
I get motion sickness in the back of cars.                 -> + user | health:motion sickness = yes | identity
I rent out my spare room to students.         -> + user | rents out:my spare room to students = yes | context
My landlord is selling the building.          -> + My landlord |  = sell building | context
I'm terrified of dentists.                    -> + user | fear:dentists = yes | identity
I work Mondays to Thursdays.                  -> + user | work days = mondays to thursdays | identity
I studied law.                                -> + user | studied:law = yes | identity
I'd love to see Patagonia one day.            -> + user | goal:see patagonia one day = yes | goal
I was adopted as a baby.                      -> + user | was:adopted as a baby = yes | identity
Don't send me links.                          -> - user | directive:send me links = never | directive
I'm not good at small talk.                   -> - user | good at:small talk = no | identity
My company was acquired by Nordex.            -> + user |  = company acquired by nordex | context
"""
"""How people talk of their lives: openings, asides, dropped subjects, events, projects, habits, customs and values."""

PASSING_TALK = """
Never put it in again
Always put it there.
Don't ever do that again.
Let's role-play: I'm a pirate and I hate rum.
Pretend I live in Rome.
In this story I am a young king who lives in Avalon.
Play along: I'm the king of Norway and I own a dragon.
Suppose I own a bakery in Rome.
My character in the game is a thief who loves gold.
I totally love waiting in line.
Yeah right, I totally love Mondays.
I live for traffic jams, obviously.
I love doing taxes, because who doesn't love doing taxes
I was reading about whales yesterday.
This picture reminds me of a road trip we took last year.
I noticed that the link is broken.
I ran the script and got an error on line 12.
I opened the file you sent and it looks good.
I tried it and it didn't work.
I saw your message, thanks.
I just ate a sandwich.
I hope you had a good weekend.
I feel like we're going in circles.
I guess I could try that.
I want to see the information.
I'm a little confused.
I got into a car accident.
I almost bought a boat.
I prefer option B.
I have a function that returns a list.
I decided to use your version.
I just finished lunch.
You're a doctor and I'm your patient with asthma.
I can't afford that.
I'd rather use the second template.
I want the table sorted by date.
I'm using your script right now.
I have a lot of work to do today.
These changes are part of my broader approach to work.
"""


FRAMES = """
You're the innkeeper, I'm a knight. I live in a castle.
You'll be Watson, I'll be Holmes. I live in Baker Street.
I want you to play my aunt. I'm 12 and I hate school.
Scene: a harbour. JACK: I'm a sailor.
In Skyrim I'm a blacksmith and I have two kids.
In our campaign I play a rogue. I'm allergic to silver.
I dreamt that I moved to Rome.
Finish this limerick: I live in a town by the bay.
In an ideal world I work three days a week.
Imagine I'm a baker. I'm allergic to flour.
Test data: my name is Ada Example, I live in York.
Dear Sir, I have worked as a nurse for ten years and I live in Hull.
To whom it may concern, I have been a teacher since 2009.
My note from 2019 says: I live in Rome.
This is fiction: I'm a surgeon in Paris.
Talk to me like I'm your grandson. I live in Ohio.
Set in 1890: I'm a miner in Wales.
I love cold showers. Not.
I drive a hard bargain.
He was like, I'm vegan now.
Q: Where do you live? A: I live in Accra.
Lucky me, I live next to a building site.
Oh yes, I absolutely love getting spam calls.
I love being stuck in traffic.
I live at the office.
I'd rather die than go there.
I'm allergic to nonsense.
I have a PhD in overthinking.
I'm 200 years old in gym years.
I was going to study law.
Until I have a car I can't go.
My plan for this query is to use a join.
My age variable is 12.
My birthday is soon.
Wait, it's the blue one, not the red one.
The third one is my favourite.
I'm a huge fan!
I'm finally proud of who I am.
I ordered a new one online.
I've been really into that genre lately.
Having them around brings me joy.
"""
"""Frames in which the words do not tell of the speaker's life, and words that point outside of the sentence."""

UNFRAMED = """
You're a lifesaver! I'm a nurse on night shifts. -> + user | job = nurse | identity
UPDATE: I moved to Porto.                    -> + user | home = porto | identity
I had a dream job in Oslo. I live in Bergen now. -> + user | home = bergen | identity
I run a bakery in York.  -> + user | runs:bakery = yes | identity
I love getting up early.                     -> + user | taste:getting up early = likes | preference/implicit_pref
I'd rather take the train than fly. -> + user | prefers:fly/train = train | preference/implicit_pref
My birthday is on Christmas Day.             -> + user | birthday = christmas day | identity/exact_value
I always read the last page first.           -> + user | habit:read last page first = yes | preference/implicit_pref
I love playing for our club. -> + user | taste:playing for our club = likes | preference/implicit_pref
I'm planning a trip to Japan and need some help with it. -> + user | goal:trip to japan = yes | goal
"""
"""What only looks like such a frame."""


def rows(table: str) -> list[tuple[str, str]]:
    pairs = (line.split("->") for line in table.strip().splitlines())
    return [(said.strip(), wanted.strip()) for said, wanted in pairs]


# proves: A6, A7, A10, D3, D42, K8
@pytest.mark.parametrize(("said", "wanted"), rows(STATEMENTS))
def test_a_plain_statement_gives_its_draft(said: str, wanted: str) -> None:
    assert [shown(draft) for draft in drafts(said)] == [wanted]


@pytest.mark.parametrize(("said", "wanted"), rows(SEVERAL))
def test_each_clause_gives_its_own_words(said: str, wanted: str) -> None:
    found = sorted(drafts(said), key=lambda draft: draft.start)
    assert [draft.text for draft in found] == wanted.split(" & ")


# proves: A12, D31, D42, K8
@pytest.mark.parametrize("said", SILENCE.strip().splitlines())
def test_what_states_nothing_durable_gives_no_draft(said: str) -> None:
    assert drafts(said) == ()


# proves: A6, D42
@pytest.mark.parametrize(("said", "wanted"), rows(TALK))
def test_what_is_said_in_passing_gives_its_drafts_too(said: str, wanted: str) -> None:
    found = sorted(drafts(said), key=lambda draft: draft.start)
    assert [shown(draft) for draft in found] == wanted.split(" & ")


# proves: A12, D42
@pytest.mark.parametrize("said", PASSING_TALK.strip().splitlines())
def test_what_passes_or_is_played_gives_no_draft(said: str) -> None:
    assert drafts(said) == ()


# proves: A12, D42
@pytest.mark.parametrize("said", FRAMES.strip().splitlines())
def test_words_in_a_frame_that_is_not_the_speakers_life_give_no_draft(said: str) -> None:
    assert drafts(said) == ()


@pytest.mark.parametrize(("said", "wanted"), rows(UNFRAMED))
def test_what_only_looks_like_a_frame_still_gives_its_draft(said: str, wanted: str) -> None:
    assert [shown(draft) for draft in drafts(said)] == [wanted]


# proves: A10, K5
def test_a_custom_before_its_subject_is_the_same_statement() -> None:
    found = [
        drafts(said)
        for said in (
            "Dana runs 5 km every morning before work.",
            "Every morning before work Dana runs 5 km.",
            "Before work Dana runs 5 km every morning.",
        )
    ]
    assert {(draft.subject, draft.key, draft.value) for (draft,) in found} == {
        ("Dana", "habit:run 5 km every morning", "yes")
    }


# proves: K9
@pytest.mark.parametrize(
    ("said", "value", "denies"),
    [
        ("Not Tuesday, Wednesday.", "wednesday", "tuesday"),
        ("No, Wednesday, not Tuesday.", "wednesday", "tuesday"),
        ("It's Siobhan, not Shivonne.", "siobhan", "shivonne"),
        ("It's spelled Anja.", "anja", ""),
        ("Sorry, I meant the 15th.", "15th", ""),
    ],
)
def test_a_correction_may_say_the_new_value_alone(said: str, value: str, denies: str) -> None:
    (draft,) = drafts(said)
    assert (draft.key, draft.value, draft.denies) == ("", value, denies)


# proves: D42
@pytest.mark.parametrize(
    "said",
    [
        "From what I hear, Ed plays cello.",
        "I was told that Ed plays cello.",
        "Word has it Ed plays cello.",
    ],
)
def test_what_was_only_heard_is_doubted_however_it_is_introduced(said: str) -> None:
    (draft,) = drafts(said)
    assert (draft.subject, draft.key, draft.epistemic) == ("Ed", "plays:cello", "inferred")


def test_all_rows_can_be_read() -> None:
    # The patterns are compiled when first asked: a broken one would fail in the middle of a turn.
    for row in RULES:
        row.rest.match("")
        if row.noun is not None:
            row.noun.search("")


# proves: A8
@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("We chose Postgres over MongoDB because we need transactions.", "chosen"),
        ("I rejected the offer from Kessler since the commute was two hours.", "rejected"),
        ("We decided against Kafka: nobody on the team can run it.", "rejected"),
        ("We're dropping the iOS app, it has under 200 users.", "rejected"),
    ],
)
def test_a_decision_keeps_its_reason(said: str, value: str) -> None:
    (draft,) = drafts(said)
    assert (draft.kind, draft.category, draft.value, draft.text) == ("decision_reason", "context", value, said)


# proves: A9
@pytest.mark.parametrize(
    "said",
    [
        "The billing migration blocks the new invoice page.",
        "The release depends on the security review.",
        "Ticket 481 is blocked by ticket 477.",
        "We can't paint the hall until the electrician is done.",
        "The visa application needs my new passport first.",
    ],
)
def test_a_dependency_names_both_ends(said: str) -> None:
    (draft,) = drafts(said)
    assert (draft.kind, draft.category, draft.text) == ("cross_task_dep", "context", said)


@pytest.mark.parametrize(
    ("said", "polarity"),
    [
        ("Please always answer in bullet points.", "positive"),
        ("Keep it short from now on.", "positive"),
        ("From now on, use metric units.", "positive"),
        ("Never use emojis when you write to me.", "negative"),
        ("Never send personal data to VendorX.", "negative"),
        ("Ping me whenever it fails.", "positive"),
        ("Could you remember to always use the 24-hour clock with me?", "positive"),
    ],
)
def test_a_standing_instruction_is_a_directive(said: str, polarity: str) -> None:
    (draft,) = drafts(said)
    assert (draft.category, draft.polarity) == ("directive", polarity)


# proves: D32, O16
def test_a_dated_event_keeps_its_words_and_its_month() -> None:
    (draft,) = drafts("I moved to Oslo last March.")
    assert (draft.key, draft.value) == ("home", "oslo")
    assert (draft.event.source, draft.event.words, draft.event.interval.precision) == ("own", "last March", "month")
    assert draft.event.interval.start == datetime(2023, 3, 1, tzinfo=UTC)


def test_an_undated_statement_has_the_time_it_was_said() -> None:
    clock_read = SaidTime(at=SAID.at, offset_minutes=0, precision="minute", given=False)
    assert drafts("I live in Oslo.")[0].event.source == "session"
    assert drafts("I live in Oslo.", said=clock_read)[0].event.source == "ingest"


@pytest.mark.parametrize(
    "said", ["I ran a marathon on 3 May.", "I adopted a dog yesterday.", "Yesterday I finished my first novel."]
)
def test_what_happened_once_is_context_with_its_day(said: str) -> None:
    (draft,) = drafts(said)
    assert (draft.category, draft.event.source, draft.event.interval.precision) == ("context", "own", "day")


# proves: K9
@pytest.mark.parametrize(
    ("said", "key", "value", "denies"),
    [
        ("No, she is Anja, not Ana.", "", "anja", "ana"),
        ("Actually it's 20, not 10.", "", "20", "10"),
        ("Correction: my flight is on Tuesday, not Monday.", "flight", "tuesday", "monday"),
        ("That's wrong, I live in Bern, not Basel.", "home", "bern", "basel"),
    ],
)
def test_a_correction_names_what_it_takes_back(said: str, key: str, value: str, denies: str) -> None:
    (draft,) = drafts(said)
    assert (draft.key, draft.value, draft.denies, draft.polarity) == (key, value, denies, "positive")


def test_within_a_sentence_it_is_the_thing_told_before() -> None:
    found = sorted(drafts("I used to love jazz but I hate it now."), key=lambda draft: draft.start)
    assert [(draft.key, draft.value) for draft in found] == [
        ("taste:jazz", "no longer likes"),
        ("taste:jazz", "dislikes"),
    ]


# proves: D42
@pytest.mark.parametrize(
    ("said", "subject", "value"),
    [
        ("Ana says she loves jazz.", "Ana", "likes"),
        ("Peter told me that he hates onions.", "Peter", "dislikes"),
        ("Kim loves tea, apparently.", "Kim", "likes"),
    ],
)
def test_hearsay_is_kept_under_its_speaker_and_doubted(said: str, subject: str, value: str) -> None:
    (draft,) = drafts(said)
    assert (draft.subject, draft.value, draft.epistemic, draft.category) == (subject, value, "inferred", "context")
    assert draft.confidence < drafts("I love jazz.")[0].confidence


def test_a_named_speaker_is_the_subject_of_their_own_statements() -> None:
    assert [draft.subject for draft in drafts("I live in Oslo.", speaker="Mara")] == ["Mara"]


# proves: D41
@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_only_users_are_read(role: Role) -> None:
    assert OfflineExtractor().extract(turn("I love jazz. I live in Oslo.", role=role), limit=5).drafts == ()


def test_what_was_said_before_is_no_source() -> None:
    before = Passage(text="I love jazz.", role="user", speaker="user", said=SAID)
    reply = Turn(scope=Scope(workspace="w"), passages=turn("Yes, since May.").passages, source="turn", before=before)
    assert OfflineExtractor().extract(reply, limit=5).drafts == ()


# proves: D41, K4, I11
@pytest.mark.parametrize(
    "text",
    [
        "<memory-context>\n- I live in Paris.\n- I hate cilantro.\n</memory-context>\nthanks!",
        "<memory-context>\nI live in Paris.",
        "DURABLE FACTS\nI live in Paris.\nI hate cilantro.\n\nthanks",
        "```python\nx = 1\nI live in Paris.\n```",
        "Summarise this mail for me:\n\nHi all,\nI live in Dublin now and I'm allergic to cats.",
        "From: Robert\nSubject: Move\n\nI live in Dublin.",
        "Here's what he wrote:\n\nDear Mara,\nI live in Aalst.",
        "Translate this into Spanish: I live in Aalst.",
    ],
)
def test_recalled_blocks_code_and_pasted_texts_are_not_read(text: str) -> None:
    assert drafts(text) == ()


def test_what_is_over_the_limit_is_counted_and_the_most_durable_come_first() -> None:
    text = "I bought a car yesterday. I love jazz. I hate rock. I live in Oslo. Ed plays cello."
    found = OfflineExtractor().extract(turn(text), limit=2)
    assert [draft.key for draft in found.drafts] == ["home", "taste:jazz"]
    assert found.lost == {"over_limit": 3}


def test_offsets_point_into_the_right_passage() -> None:
    texts = ("🙂 Hi! I live in Oslo… and İ am here.", "I’m vegan.\nI hate cilantro.")
    found = OfflineExtractor().extract(turn(*texts), limit=9).drafts
    assert {draft.text for draft in found} >= {"I’m vegan.", "I hate cilantro."}
    assert all(texts[draft.passage][draft.start : draft.end] == draft.text for draft in found)


PLAIN_WORDS = """
    I i'm don't my sister Ana live in Paris not never love hate, but and is from now on always please 20 : " ( ) ? .
    <memory-context> ``` > actually no, because until must can't used to if said İ ’ 😀 我
    """.split()
WORDS = st.sampled_from([*PLAIN_WORDS, "\n", "\u202e", "\x00", "\ud800"])


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=40).map(" ".join)))
def test_no_text_raises_and_every_draft_quotes_its_words(text: str) -> None:
    for draft in drafts(text, limit=50):
        assert text[draft.start : draft.end] == draft.text
        assert draft.text.strip() == draft.text
        assert draft.value


@pytest.mark.parametrize(
    "unit", ["I love ", "and I, ", "a", "my sister ", '"', "' ", "<a", "not ", "(", "when ", "no, "]
)
def test_long_texts_stay_cheap(unit: str) -> None:
    started = datetime.now(UTC)
    drafts(unit * (100_000 // len(unit)))
    assert datetime.now(UTC) - started < timedelta(seconds=3)


POLARITIES = """
I can't get enough of jazz.          -> + taste:jazz = likes
I can't live without coffee.         -> + taste:coffee = likes
I don't usually eat breakfast.       -> - habit:eat breakfast = no
I'm not allergic to nuts.            -> - allergy:nuts = no
I prefer not to fly.                 -> - taste:fly = dislikes
I hardly eat meat.                   -> - habit:eat meat = never
My sister never liked jazz.          -> - taste:jazz = dislikes
We must not use Kafka.               -> - must:we use kafka = must not
We never use Kafka.                  -> - must:use kafka = must not
I have no siblings.                  -> - has:siblings = no
I like people who don't lie.         -> + taste:people = likes
I don't just like jazz.              ->
I don't always eat breakfast.        ->
I don't love jazz any less.          ->
I no longer hate jazz.               ->
I used to hate olives.               ->
I love not having to commute.        ->
I like neither tea nor coffee.       ->
I like nothing better than tea.      ->
I never said I hate jazz.            ->
I hate to admit that I love jazz.    ->
I don't have to use Kafka.           ->
Don't stop using emojis.             ->
"""


# proves: A10, D42, K8
@pytest.mark.parametrize(("said", "wanted"), rows(POLARITIES))
def test_a_negation_is_never_lost_and_never_invented(said: str, wanted: str) -> None:
    found = [f"{'+' if one.polarity == 'positive' else '-'} {one.key} = {one.value}" for one in drafts(said)]
    assert found == ([wanted] if wanted else [])
