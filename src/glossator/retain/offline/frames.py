"""In which frames does somebody speak who is not the speaker, or of what is not: scenes, labels, letters, examples?"""

import regex

_ME = r"(?:i|i'm|im|i've|ive|i'd|i'll|my|we|we're|we've|our)"
_GAMES = (
    r"stardew(?: valley)?|the sims|sims(?: \d)?|minecraft|skyrim|zelda|pok[eé]mon|the witcher|animal crossing|roblox"
    r"|fallout|elden ring|civ(?:ilization)?(?: \w+)?|second life|world of warcraft|wow|runescape|baldur's gate(?: \d)?"
    r"|hay day|farmville|red dead(?: redemption)?(?: \d)?|gta(?: \w+)?|final fantasy(?: \w+)?|hogwarts legacy"
    r"|dungeons (?:and|&) dragons"
    r"|d ?& ?d|dnd|pathfinder|warhammer|crusader kings(?: \w+)?"
)
_WORKS = (
    r"story|poem|song|haiku|limerick|sonnet|verse|lyrics|rap|script|screenplay|scene|monologue|dialogue|novel|chapter"
    r"|fanfic|play|sketch|skit|backstory|character|persona|fairy ?tale|fable|joke"
)
_CREATURES = (
    r"elf|half-elf|dwarf|orc|half-orc|halfling|hobbit|goblin|troll|paladin|warlock|sorcerer|sorceress|necromancer|druid"
    r"|tiefling|dragonborn|bard of|vampire|werewolf|mermaid|centaur|demon|archmage|mage|warrior princess|space marine"
    r"|starship captain|time traveller|time traveler|pirate|cyborg|android from|ghost of"
)
_UNREAL = regex.compile(
    rf"(?:^|(?<=[.!?;,:\n]\s)|(?<=\n)|(?<=\b(?:and|but|so|well|ok) ))(?:"
    rf"in (?:my|our|the|this|a|that)(?: [\w&'-]+){{0,3}} (?:campaign|one-shot|larp|playthrough|save file|savegame|rpg"
    rf"|video ?game|computer game|board ?game|simulation|daydream|nightmare|fantasy),? (?={_ME}\b)"
    rf"|in (?:{_GAMES}),? (?={_ME}\b)"
    rf"|in (?:the|my|our|this) (?:game|dream|story|novel|film|movie|play|scene|script|sketch),? (?={_ME}\b)"
    rf"|in (?:a|an|my|some) (?:perfect|ideal|better|different|fair|just|parallel|alternate|alternative|past|previous"
    rf"|former|next|dream) (?:world|life|universe|timeline|reality|scenario),? (?={_ME}\b)"
    rf"|(?:imagine|suppose|assume|pretend|say|picture|let's (?:say|assume|imagine|pretend|suppose)|let us assume)"
    rf"(?: (?:that|for a (?:moment|second|minute)))?,? (?={_ME}\b)"
    rf"|(?:on (?:paper|stage|duolingo|tinder)|for (?:halloween|carnival|purim|mardi gras|the (?:costume|fancy dress"
    rf"|masked|theme)"
    rf" (?:party|ball))),? (?={_ME}\b)"
    r"|i (?:roll(?:ed)? for|cast (?:a |the )?(?:spell|fireball|\w+ missile))\b|i have \d+ hit points\b"
    rf"|for (?:example|instance),? (?=my name is\b|i(?:'m| am) called\b|i live (?:in|at)\b)"
    rf"|(?:e\.g\.|as an example|example|hypothetically|theoretically)[,:]? (?={_ME}\b)"
    rf"|(?:i|we) (?:had|keep having) (?:a|this|the)(?: [\w-]+)? (?:dream|nightmare)s?(?=,| (?:that|where|in which"
    rf"|about|last|again"
    r"|i|we|and)\b)"
    rf"|i (?:just |once )?(?:dreamt|dreamed)\b(?! (?:of|about)\b)"
    rf"|(?:here(?:'s| is)|this is|these are|i wrote|i'm writing|i am writing|we wrote)(?: you)? (?:my|a|an|our|the"
    rf"|some)(?: [\w-]+){{0,3}} (?:{_WORKS})s?\b[^.!?\n]*:\s"
    rf"|the (?:lyrics|poem|song|verse|chorus|refrain|script|plot) (?:goes?|reads?|says?|starts?|begins?)\b"
    r"|(?:we're |i'm |i am |we are |let's |let us |help me |i want to )(?:rehears(?:e|ing)|practi[cs](?:e"
    r"|ing)) (?:for )?(?:my|our|a|the)"
    r" (?:[\w-]+ )?(?:play|scene|part|lines|role|interview|speech|dialogue|conversation|pitch|audition|oral exam)\b"
    r"|(?:please )?take (?:on )?the (?:persona|role|part|voice|identity) of\b|(?:game|dungeon) master,"
    r"|set in (?:\d{4}|the \w+)[:,]|(?:this is|it's) (?:pure |all |just )?(?:fiction|a (?:story|game|test|joke)"
    r"|not real)\b"
    r"|(?:fictional|alternate|alternative|imaginary|evil|future|past) (?:me|self)\b|(?:the |my |a )?character sheet\b"
    r"|for the next (?:few |couple of |\w+ )?(?:messages|turns|minutes|replies|prompts|rounds)\b"
    r"|(?:please )?(?:talk|speak|write|respond|reply|answer|behave) (?:to me )?(?:as|like) (?:if )?(?:i(?:'m| am"
    r"| was| were)\b"
    r"|an? (?:medieval|victorian|roman|wild west|pirate|king|queen|knight|wizard|butler|ghost)\b)"
    r"|roses are red|once upon a time|dear diary|(?:chapter|act|scene|verse|stanza|canto|prologue) (?:\d+|one|two|three"
    r"|four|five|[ivx]+)\b|(?:the |my )?(?:first|opening|last|closing) (?:line|sentence|verse|paragraph)s? of (?:my|the"
    r"|a|an|our)\b[^.!?\n]*:"
    r"|(?:for|in) (?:the|this|a|an|our|my) (?:mock|role[- ]?play|roleplay|sample|test|exercise|demo"
    r"|drill|rehearsal|audition|simulated|fictional|imaginary|hypothetical)\b[^.!?\n]{0,40}[:,]"
    r"|(?:(?:this is|here(?:'s| is)|use (?:this|these|the following) as) )?(?:just |only )?(?:a |an |some |my |the )?"
    r"(?:test|sample|dummy|placeholder|example|mock|fake|made-up|invented) (?:data|input|message|text|turn|sentence"
    r"|user|prompt|record|payload|case|entry|profile|answer|bio|persona|conversation|person)s?\b"
    r"|test(?:ing)?,? test(?:ing)?\b|new scene\b|your (?:role|part|character)\b"
    rf"|(?:i(?:'m| am)|as) (?:an? |the |your )(?:[\w-]+ ){{0,3}}(?:{_CREATURES})\b"
    r"|(?:rp|role[- ]?play|knock,? knock|text adventure|(?:practi[cs]e|sample|mock|example) (?:dialogue|conversation"
    r"|call|interview|scene|chat))\b"
    r"|(?:let's |let us |please |can you |could you )*(?:improvise|simulate|enact|rehearse|act out|re-?enact"
    r"|role[- ]?play)\b"
    rf"|(?:let's |please |can you |could you |now )*(?:finish|complete|continue|extend|sing|perform|recite) (?:this|the"
    rf"|my|our|that)(?: [\w-]+){{0,2}} (?:{_WORKS})\b"
    rf")"
)
"""With such words a world begins that is not the speaker's; it lasts until the end of the text."""
_SPEAKING = regex.compile(
    r"(?:^|(?<=[.!?\n]\s)|(?<=\n))[^\S\n]*+(?:"
    r"(?:ic|ooc|narrator|patient|doctor|nurse|customer|client|agent|host|guest|interviewer|interviewee|applicant|player"
    r"|gm|dm|dungeon master|therapist|teacher|student|caller|operator|person [ab\d]|speaker [ab\d]|character [ab\d]"
    r"|him|her|them|he|she|q|a|me to \w+|scene|setting|int\.|ext\.)\s*(?::\s|(?<=[:.])\s)"
    r"|forwarded (?:message|mail|email|text)\b|(?:my|the|an?|his|her|their) (?:old )?(?:note|diary|journal|email|letter"
    r"|mail|message|text|postcard|sign|shirt|t-shirt|mug|sticker|poster|fortune cookie|horoscope|profile|ad"
    r"|voicemail)s?(?: (?:from|of|on|in) [\w ]{1,20}?)? (?:says?|said|reads?|goes|went|states?)\b"
    r"|dear (?:(?:sir|madam|hiring|recruit|mr|mrs|ms|dr|prof|team|committee|customer|editor|landlord|selection"
    r"|admissions?|neighbou?rs?|all|colleagues?)\b[^,:\n]{0,40})[,:]"
    r"|to whom it may concern|(?:hi|hello|hey|dear|good (?:morning|afternoon"
    r"|day)) [\p{L}.]+(?: [\p{L}.]+)?,? (?:i(?:'m|"
    r" am)|we(?:'re| are)) (?:(?:writing|reaching out) (?:to|because|in|regarding|about"
    r"|on behalf|with)|contacting|emailing)\b"
    r")"
)
"""A label, a letter's opening or a thing that speaks: what follows are not the speaker's own words. It looks behind
each line's own blanks only: any white space, tried from every one of a thousand blank lines, takes minutes."""
_CAPITALS = regex.compile(
    r"(?:^|(?<=[.!?\n]\s)|(?<=\n))[^\S\n]*+(?!(?:UPDATE|NOTE|PS|FYI|EDIT|TLDR|BTW|IMPORTANT|CONTEXT|INFO|WARNING|REMINDER"
    r"|CORRECTION|BACKGROUND|TODO|RULE|FACT|ALSO|ALLERGY|ALLERGIES|DIET|ME)\b)\p{Lu}{3,14}(?: \p{Lu}{2,14})?"
    r"(?: \([^)\n]{1,30}\))?: "
)
"""The name of a part in a script, in capitals: "JACK: ..."."""
_STAGED = regex.compile(r"(?<!\*)\*(?!\*|\s)[a-z][\w' -]{2,60}(?<!\s)\*(?!\*)\s+(?=\p{Lu})")
"""What a part in a play does: "*draws sword* I am ...". A word in stars within a sentence is stress."""


_CAST = regex.compile(
    r"\b[Yy]ou(?:'re|’re| are|'ll be|’ll be| will be| play) (?:now )?(?:(?:an?|the|my|our) (?!\w+ (?:help|friend"
    r"|listener|person)\b|(?:best|great|good|real|life ?saver|star|legend|genius|bot|machine|ai|tool|treasure|gem|big"
    r"|huge|joy|hero|champ)\b)[\w' -]{2,30}?|\p{Lu}\w+(?: \p{Lu}\w+)?)[,.;!]? (?:and |while |so )?"
    r"(?:I'm|I’m|I am|I'll be|I’ll be|I will be|I play) (?:an?\b|the\b|your\b|\p{Lu}\w+)"
)
"""Who plays whom: "you're the innkeeper, I'm a knight"."""


def unreal_from(text: str, low: str) -> int:
    """Where a frame begins in which the speaker does not speak of the speaker's own life; the length if nowhere."""
    places = [len(low)]
    for pattern, read in ((_UNREAL, low), (_SPEAKING, low), (_CAPITALS, text), (_CAST, text)):
        found = pattern.search(read)
        if found:
            places.append(found.start())
    staged = _STAGED.match(text)
    if staged:
        places.append(0)
    return min(places)


_PLAGUES = (
    r"spam\b|being (?:ignored|stuck|yelled|shouted|charged|lied|told off|late|put on hold|interrupted|woken|audited"
    r"|ghosted|laughed)|stuck in\b|on hold\b|(?:traffic|paper) jams?|parking tickets?|root canals?|hangovers?"
    r"|(?:un|under)paid\b|doing my taxes|tax season|mondays(?! because)|cleaning up after|picking up after|queu(?:e"
    r"|ing)|waiting"
    r"|(?:waking|getting|woken) up (?:at|before) (?:[1-5]|four|five|three|dawn)|stepping (?:on|in)|paying (?:rent"
    r"|taxes|bills|for)|small print|late fees?|jet ?lag|getting (?:spam|sick|lost in translation|yelled|rained"
    r"|dumped|cut off|fired)"
)
MOCKING = regex.compile(
    r"^\W*(?:fantastic|brilliant|terrific|marvell?ous|such fun|what (?:a )?(?:joy|fun|luck|treat)),? (?:i|my|we"
    r"|another)\b|(?:^|[.!?,;]\s*)(?:oh|ah|wow|ooh|yay|sure|yeah|great),? (?:yes|yeah|sure|right|good|great"
    r"|fantastic|brilliant"
    r"|lovely|perfect|wonderful|joy|fun|please|boy|of course)\b[,.!]* .*\b(?:absolutely|just|totally|simply|truly"
    r"|so) (?:love|adore|enjoy|live for)\b"
    rf"|\b(?:love|adore|enjoy|live for|dream of|look forward to|fan of|fond of"
    rf"|crazy about)\b[^.!?]{{0,30}}?\b(?:{_PLAGUES})"
    r"|\b(?:love|great|fun|good) (?:that|this) for (?:me|us)\b|\bliving (?:the|my) (?:dream|best life)\b"
    r"|^\W*(?:lucky me|(?:wow|oh|gosh),? i'm so (?:lucky|blessed))\b|\byay\W*$"
    r"|\bwho (?:wouldn't|doesn't|does not|would not)\W*$|\bnothing better to do\b"
    r"|\b(?:addicted|obsessed|fan|genius|expert|hero)\b.*, (?:clearly|obviously)\W*$"
    r"|\bhobby is apparently\b|\bnew hobby:|\bsaid (?:nobody|no one|no-one)\b"
    r"|\b(?:my|the) favou?rite (?:thing|part|hobby|pastime)\b[^.!?]*\b(?:"
    rf"{_PLAGUES})"
)
"""Praise of what nobody likes."""
IDIOM = regex.compile(
    rf"\bin (?:{_GAMES})\b"
    r"|\b(?:run|running|ran) like (?:the wind|hell|mad|crazy|clockwork)\b|\bdriv(?:e|es|ing) a hard bargain\b"
    r"|\bplay(?:s|ing)? (?:hard to get|the (?:fool|(?:waiting|long|blame|numbers|victim) game|victim|system|odds"
    r"|field)|dead|nice"
    r"|favou?rites|catch-?up|with fire)\b|\bpaint(?:s|ing)? (?:the town red|a (?:\w+ )?picture of"
    r"|a \w+ picture)\b"
    r"|\bdanc(?:e|es|ing) around\b|\bsurf the (?:web|net|internet)\b|\bdraw(?:s|ing)? (?:the line|a line|a blank"
    r"|conclusions?"
    r"|attention|the short straw|a parallel)\b|\bcook(?:s|ing)? the books\b|\bcollect (?:my (?:thoughts|breath)"
    r"|myself)\b"
    r"|\bteach by example\b|\bgood at nothing\b"
    r"|\bhappy camper\b|\bis (?:on the line|an? (?:\w+ )?(?:wreck|brick|potato|dump|mess|lemon|joke|disaster"
    r"|nightmare|beast"
    r"|dinosaur|goner|piece of \w+|saint|angel|monster|crook|rock))\W*$"
    r"|\bliv(?:e|es|ing|ed) (?:at the (?:office|gym|library|mall|airport|vet's|doctor's|er)\b|under a rock"
    r"|on the edge(?! of)"
    r"|a lie|the dream|my best life|in (?:my (?:head|inbox|calendar|phone|car these|email|dms|pyjamas|pajamas"
    r"|sweatpants|hoodie|own world)|a (?:bubble|zoo|madhouse|dream|movie|simulation|fantasy|different world|circus|cave"
    r"|pigsty|nightmare)|the (?:past|moment|now|present|future|fast lane|shadows?|clouds|stone age|dark ages)|fear|hope"
    r"|denial|dread|chaos|hell|sin|(?:pyjamas|pajamas|sweatpants|hoodies|leggings)))\b"
    r"|\bborn (?:yesterday|ready|this way|in a barn|tired|for this|to (?:\w+ ){0,2}(?:run|lose|win|suffer))\b"
    r"|\b(?:would|'d) (?:rather|sooner) (?:die|eat (?:glass|my (?:hat|shoe)|dirt)|chew|starve|gouge|stab|walk over"
    r"|be (?:dead|shot)|set myself|lick|poke|stick a)\b"
    r"|\b(?:kill|die|sell my (?:soul|kidney|grandmother)|give (?:an arm|my (?:left|right))) (?:for|to)\b"
    r"|\byears? old in \w+ years\b|\bin (?:dog|cat|gym|internet|startup|tech|baby) years\b"
    r"|\b(?:i'm|i am|call me) (?:basically |literally |practically |totally |just )?(?:batman|superman|spider-?man"
    r"|catwoman|wonder woman|iron man|the hulk|groot|gandalf|spartacus|cinderella|sisyphus|hercules|einstein|picasso"
    r"|shakespeare|sherlock(?: holmes)?|god|jesus|moses|buddha|santa(?: claus)?|chatgpt|gordon ramsay|napoleon|dracula"
    r"|a (?:zombie|robot|machine|unicorn|genius|goddess|vampire|wizard|potato|god|king|queen|ghost|monster))\b"
    r"|\b(?:married to|wedded to) (?:my|the) (?:job|work|phone|laptop|desk|gym|code|business)\b"
    r"|\bliv(?:e|es|ing) (?:to \w|and breathe\b|for (?:the|this|that)\b)"
    r"|\brun(?:s|ning)? (?:a (?:tight ship|temperature|fever)|the (?:risk|show|gauntlet)|out of\b|into\b|late\b"
    r"|in circles|low on|short of|wild\b|on (?:coffee|fumes|empty|caffeine|adrenaline))"
    r"|\bcollect(?:s|ing)? dust\b|\bdriv(?:e|es|ing) (?:my \w+|him|her|them|people|everyone|myself) (?:crazy|nuts|mad"
    r"|insane|up the wall|round the bend)\b|\bown (?:my (?:feelings|mistakes?|failures?|truth|story|choices)|up\b)"
    r"|\bgrew up (?:overnight|fast|quickly|too (?:fast|soon))\b|\bteach people how to treat\b|\bstudy people\b"
    r"|\bexpecting (?:a|an|the|some|my|your) (?:\w+ )?(?:parcel|package|call|delivery|letter|reply|e?mail|visitors?"
    r"|answer"
    r"|response|refund|lot|bit|miracle|guests?|payment|bill)\b|\blike (?:my|our|your) (?:chances|odds)\b"
    r"|\bprefer not to (?:say|disclose|answer|discuss|share|talk|think|know|comment)\b"
    r"|\b(?:in spirit|in disguise|by osmosis|by proxy|of sorts|in all but name|so to speak|as it were"
    r"|or so it (?:feels|seems))\b"
    r"|\ballergic to (?:mondays?|mornings?|nonsense|(?:hard |house)?work|drama|bullshit|bs|stupid\w*|exercise|people"
    r"|commitment|small talk|fun|responsibilit\w+|rules|meetings|silence|failure|bad (?:coffee|code|vibes|wine)"
    r"|maths?)\b"
    r"|\b(?:phd|doctorate|degree|diploma|black belt|masters?|major|majored|graduated|expert|gold medal) (?:in"
    r"|at) (?:over"
    r"|nap|procrastinat|sarcasm|worry|avoid|googl|being|doing nothing|disappoint|common sense|life\b|chaos|mess|snooz"
    r"|complain|wast|losing|sleep(?:ing)? in)"
    r"|\b(?:fluent in|speak fluent|speak) (?:sarcasm|silence|nonsense|emoji|excuses|gibberish|movie quotes)\b"
    r"|\bschool of (?:hard knocks|life)\b"
    r"|\b(?:have|own|got) (?:\w+ )?(?:a |like )(?:million|zillion|gazillion|billion|thousand)\b(?! (?:dollar|euro|pound"
    r"|view|follower|user|customer|subscriber|reader|employee))"
    r"|\blive in (?:strange|dark|interesting|hard|crazy|modern|uncertain|troubled|weird) times\b"
    r"|\blive in an? (?:society"
    r"|world|age|era|time|culture|democracy)\b|\bin kansas any ?more\b|\bown (?:the|this) (?:night|room|stage|day"
    r"|moment)\b"
    r"|\bteach \w+(?: \w+)? a lesson\b|\b(?:drive|head|go|walk) home (?:now|soon|then)\b"
    r"|\b(?:previous|above|following|preceding) (?:message|comment|post|question|paragraph|text|mail)\b"
    r"|\bin mysterious ways\b|\bwork (?:like a (?:dog|horse|slave|mule)|my (?:butt|ass|tail|fingers|socks)"
    r"|for peanuts|wonders|miracles)\b"
)
"""Ways of speaking that do not mean what they say."""
UNDONE = regex.compile(
    r"\b(?:was|were) (?:\w+ly |just |originally |once )?(?:going|about|supposed|meant|hoping|planning|due|tempted) to\b"
    r"|\b(?:model|classifier|network|regression) on\b|\blearning rates?\b|\b\d+ ?(?:px|rem|vh|vw)\b"
)
"""What was to be and is not told to have been, and the numbers of work at hand."""
TAKEN_BACK = regex.compile(r"\s+(?:\(?not|as if|said (?:nobody|no one)|yeah,? right|lol,? no|just kidding)\b[.!…)]+")
"""A sentence of its own behind the statement, which says that it was not meant."""
QUOTING = regex.compile(
    r"\b(?:was|were|is|are|am|'s|'re|'m) (?:all|like)[,:]? [\"'“‘]?(?=(?:i|i'm|i've|my|we|no|nah|yes|yeah|oh|ok|okay"
    r"|hey|why|what|dude|omg|um|well|you|you're)\b)"
    r"|\b(?:he|she|they|it|who|i|we|\w+) (?:goes|go|went)(?:,|:| and| like)* [\"'“‘]?(?=(?:i|i'm|i've|my|no|yes|oh"
    r"|we|hey)\b)"
)
"""Somebody's words without quotation marks: "he was like, I'm ..."."""
