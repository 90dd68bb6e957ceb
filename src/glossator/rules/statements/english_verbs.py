"""Which forms do the English verbs have that the tables speak of?"""

from typing import Literal

Form = Literal["base", "s", "ing", "past", "part"]

_REGULAR = """
    steer postpone delay row box fish dance surf ski sail participate replace redeem modify help organise
    organize wash clean repair harvest renew assemble decorate book bank rule process handle live reside
    relocate move work teach join graduate retire resign adopt marry divorce attend visit travel complete finish
    pass start launch publish sign volunteer host celebrate donate switch climb hike compete enroll enrol
    register order like love enjoy adore prefer hate dislike detest loathe despise avoid appreciate fancy want
    plan hope aim intend train save try dream play collect practise practice study major learn speak own drink
    smoke jog cycle bike swim cook bake paint garden decide pick select opt reject settle drop ditch abandon
    discard depend block need require unblock earn cost charge weigh measure owe must call name turn expect
    diagnose suffer use commute walk watch listen report manage lead head run serve receive upgrade open close
    download install ask say think believe mention claim reckon figure stay return arrive land care follow miss
    support root crave fascinate stop mean prepare interest rent refuse sing hinge beat carry swear snack row
    hold stick end expire react carve bother annoy allow ban crochet knit sew draw mentor raise breed insist
    explore discover attend accept adopt foster inherit restore record compose direct develop design focus
    concentrate inspire motivate enable boost improve increase challenge influence strengthen enrich shape tend
    rehearse meditate practise cover propose purchase secure reserve finalize finalise spark ignite capture
    sprain fracture injure hurt tear dislocate separate defend submit edit produce renovate redecorate reconnect
    upgrade tour receive earn gravitate lean homeschool brew coordinate oversee supervise bury split terminate
    extend memorize memorise ship deploy merge monitor migrate offer request provide contain include involve
    affect protect avoid remain seem appear look sound taste smell matter happen change add create design test
    check fix wait answer call help talk meet share store export import schedule cover charge support contact
    remind warn wonder doubt worry trust promise argue complain laugh smile cry joke shout whisper treat heal
    recover relax unwind rest exercise stretch jump kick throw push pull chase bark purr scratch shed drool hunt
    hop crawl roam wag nap commute navigate explore rent lease insure invest donate fund sponsor tax file trade
    export repay borrow lend shop browse order deliver wrap pack unpack load unload mow rake dig water weed
    prune chop peel boil fry roast grill steam mix stir pour whip taste season brew ferment pickle can freeze
    chill serve feed nurse deliver treat coach referee judge score tackle pitch bowl bat skate board row paddle
    dive float snorkel hike trek wander stroll pedal race sprint stretch bend squat press curl spot photograph
    film shoot record mix master tour perform act audition rehearse conduct compose arrange publish print
    illustrate sculpt carve weave spin dye stitch patch mend polish sand stain varnish glue weld solder wire
    code program debug train recruit interview hire employ promote demote transfer assign delegate supervise
    audit inspect certify license negotiate mediate litigate testify vote elect govern campaign protest march
    belong consist depend differ vary overpack overthink procrastinate snore sleepwalk stammer stutter oversleep
    overcook juggle concentrate owe highlight reflect resonate suggest reveal demonstrate illustrate encourage
    introduce recommend inform remind transform sublet emigrate afford gross creep weird stress freak bum
    acquire comprise dj vlog podcast stream busk babysit rescue groom forage distil embroider quilt interpret
    hand demand name touch text phone kick gather post invoice digest tolerate tutor nurse
    """.split()
_IRREGULAR = {
    "be": "is being was been", "have": "has having had had", "do": "does doing did done", "go": "goes going went gone",
    "run": "runs running ran run", "eat": "eats eating ate eaten", "drink": "drinks drinking drank drunk",
    "choose": "chooses choosing chose chosen", "leave": "leaves leaving left left", "quit": "quits quitting quit quit",
    "get": "gets getting got gotten", "become": "becomes becoming became become", "grow": "grows growing grew grown",
    "teach": "teaches teaching taught taught", "buy": "buys buying bought bought", "sell": "sells selling sold sold",
    "win": "wins winning won won", "lose": "loses losing lost lost", "meet": "meets meeting met met",
    "fly": "flies flying flew flown", "drive": "drives driving drove driven", "ride": "rides riding rode ridden",
    "read": "reads reading read read", "write": "writes writing wrote written", "make": "makes making made made",
    "pay": "pays paying paid paid", "spend": "spends spending spent spent", "take": "takes taking took taken",
    "wear": "wears wearing wore worn", "sleep": "sleeps sleeping slept slept", "wake": "wakes waking woke woken",
    "keep": "keeps keeping kept kept", "break": "breaks breaking broke broken", "speak": "speaks speaking spoke spoken",
    "swim": "swims swimming swam swum", "give": "gives giving gave given", "see": "sees seeing saw seen",
    "hear": "hears hearing heard heard", "feel": "feels feeling felt felt", "tell": "tells telling told told",
    "say": "says saying said said", "think": "thinks thinking thought thought", "lead": "leads leading led led",
    "begin": "begins beginning began begun", "build": "builds building built built", "come": "comes coming came come",
    "find": "finds finding found found", "fall": "falls falling fell fallen", "sing": "sings singing sang sung",
    "hold": "holds holding held held", "stand": "stands standing stood stood", "bear": "bears bearing bore borne",
    "send": "sends sending sent sent", "set": "sets setting set set", "put": "puts putting put put",
    "catch": "catches catching caught caught", "bring": "brings bringing brought brought",
    "know": "knows knowing knew known", "understand": "understands understanding understood understood",
    "travel": "travels travelling travelled travelled", "study": "studies studying studied studied",
    "try": "tries trying tried tried", "marry": "marries marrying married married",
    "lie": "lies lying lied lied", "let": "lets letting let let", "show": "shows showing showed shown",
    "mean": "means meaning meant meant", "forget": "forgets forgetting forgot forgotten",
    "dig": "digs digging dug dug", "cost": "costs costing cost cost",
    "cancel": "cancels cancelling cancelled cancelled",
    "die": "dies dying died died",
    "wish": "wishes wishing wished wished",
}  # fmt: skip
_MORE: dict[str, tuple[str, Form]] = {
    "traveled": ("travel", "past"),
    "traveling": ("travel", "ing"),
    "learnt": ("learn", "past"),
    "canceled": ("cancel", "past"),
}
_DOUBLING = frozenset("plan jog drop stop prefer enrol swim run ban".split())


def _regular(verb: str) -> tuple[str, str, str, str]:
    stem = verb[:-1] if verb.endswith("e") else verb + verb[-1] if verb in _DOUBLING else verb
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies", verb + "ing", verb[:-1] + "ied", verb[:-1] + "ied"
    third = verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s")
    return third, stem + "ing", stem + "ed", stem + "ed"


def _table() -> dict[str, tuple[tuple[str, Form], ...]]:
    table: dict[str, tuple[tuple[str, Form], ...]] = {}
    verbs = {verb: _regular(verb) for verb in _REGULAR} | {
        verb: tuple(forms.split()) for verb, forms in _IRREGULAR.items()
    }
    names: tuple[Form, ...] = ("s", "ing", "past", "part")
    for verb, forms in verbs.items():
        for form, name in ((verb, "base"), *zip(forms, names, strict=True)):
            table[form] = (*table.get(form, ()), (verb, name))
    for form, (verb, name) in _MORE.items():
        table[form] = (*table.get(form, ()), (verb, name))
    return table


FORMS = _table()
"""Every known form, with the verbs and forms it may be: "left" is the past and the participle of "leave"."""


def read_form(word: str) -> tuple[tuple[str, Form], ...]:
    """The readings of a word as a verb; an unknown word is guessed by its ending."""
    known = FORMS.get(word)
    if known:
        return known
    if word.endswith("ing") and len(word) > 5:
        return ((word[:-3], "ing"),)
    if word.endswith("ed") and len(word) > 3:
        return ((word, "past"), (word, "part"))
    if word.endswith("s") and not word.endswith("ss"):
        return ((word[:-1], "s"),)
    return ((word, "base"),)


def is_known(word: str) -> bool:
    """Is it a form of a verb in the tables?"""
    return word in FORMS
