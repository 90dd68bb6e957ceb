"""How does English say who somebody is: name, age, family, health, languages, things of their own?"""

from glossator.rules.statements import english_words as words
from glossator.rules.statements.rule import (
    ANY_NOUN,
    ANYBODY,
    CAN,
    GROUPS,
    NO_WAY,
    NOT,
    NOUNS,
    NOW,
    OWN,
    PAST,
    PERSON,
    PLACE_STOP,
    PRESENT,
    SIMPLE,
    SPEAKER,
    STANDING,
    STOP,
    Rule,
    rule,
    upto,
)

_NUMBER = (
    r"(?:\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|some"
    r"|a few|a couple of|many)"
)
_DATE_AHEAD = (
    r"(?=.*(?:\d|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|day\b|\beve\b|easter|halloween|christmas|summer|winter"
    r"|spring|autumn|(?:first|second|third|fourth|th) ))"
)
"""A birthday is a date; "soon" or "ruined" is none."""
_ANIMALS = "|".join(sorted(words.PETS, key=len, reverse=True))
_KIN = "|".join(sorted(words.FAMILY - {"family", "baby"}, key=len, reverse=True))
_OTHERS = "|".join(sorted(words.OTHERS, key=len, reverse=True))
_LANGUAGE = "|".join(sorted(words.LANGUAGES, key=len, reverse=True))
_NATION = "|".join(sorted(words.NATIONALITIES, key=len, reverse=True))
_DIETS = (
    r"vegan|veg[ei]t[ae]rian|pescatarian|pescetarian|a vegan|a vegetarian|a pescatarian|keto"
    r"|gluten[- ]free|halal|kosher"
)
_ILLS = (
    r"(?:kidney|liver|lung|crohn's|graves'?|addison's|gum|coronary artery) disease|tourette'?s(?: syndrome)?"
    r"|an eating disorder"
    r"|parkinson's(?: disease)?|alzheimer's(?: disease)?|dementia|cancer|(?:breast|lung"
    r"|prostate|skin|colon) cancer"
    r"|cystic fibrosis|ms\b|copd|heart disease|down(?:'s)? syndrome|a stutter"
    r"|a pacemaker|sciatica|gout|rosacea"
    r"|long covid|raynaud's(?: syndrome)?|narcolepsy"
    r"|carpal tunnel(?: syndrome)?|a peanut intolerance|ehlers-danlos"
    r"|asthma|diabetes|type [12] diabetes|adhd"
    r"|add|autism|asd|epilepsy|migraines?|hypertension"
    r"|high blood pressure|low blood pressure"
    r"|celiac disease|coeliac disease|celiac|crohn's(?: disease)?|ibs|arthritis|rheumatoid "
    r"arthritis|eczema|psoriasis|insomnia"
    r"|anxiety|an anxiety disorder|depression|ptsd|ocd|bipolar disorder"
    r"|dyslexia|tinnitus"
    r"|scoliosis|hypothyroidism|sleep apnea"
    r"|sleep apnoea|a heart condition|a bad knee"
    r"|a bad back|bad knees|chronic [\w ]{3,30}"
    r"|lupus|fibromyalgia|endometriosis|pcos"
    r"|multiple sclerosis|acid reflux|gerd|hay fever|lactose intolerance|vertigo|glaucoma"
    r"|osteoporosis|anaemia|anemia"
)
_STATES = (
    r"diabetic|asthmatic|epileptic|dyslexic|autistic|colou?r[- ]?blind|left[- ]handed|right[- "
    r"]handed|deaf|blind|near-?sighted"
    r"|short-?sighted|pregnant(?: with .{3,30})?|an introvert|an extrovert|introverted"
    r"|extroverted|a morning person|a night owl|an early bird"
    r"|not a morning person|a smoker|a non-smoker|sober|teetotal|a teetotaler|muslim|christian"
    r"|catholic|jewish|hindu|buddhist"
    r"|an atheist|atheist|protestant|sikh|religious|transgender|non-?binary|bisexual|gay"
    r"|lesbian|an only child|a twin"
    r"|a cat person|a dog person|self-employed|unemployed|retired|freelance|freelancing|on "
    r"parental leave|lefthanded|(?:definitely |more |of )*an? (?:cat|dog|night|morning|tea"
    r"|coffee|beach|city|people|summer|winter) person|bilingual|an early riser|a light sleeper"
    r"|near-?sighted|hard of hearing(?: in .{3,25})?|(?:more |definitely |a bit |of )*an? (?:\w+ "
    r")?(?:tea drinker|coffee drinker|light eater|picky eater|slow reader|fast reader|heavy sleeper"
    r"|homebody|introvert|extrovert|optimist|pessimist|perfectionist)|the (?:youngest|oldest|eldest"
    r"|middle child|only child|only girl|only boy)(?: of \w+)?"
)
_LACTOSE = r"lactose|gluten|fructose|histamine"
_POSSESSIONS = (
    r"timeshare|slow cooker|blender|air fryer|rice cooker|bread machine|oven|freezer|summer house"
    r"|orchard|hot tub|drone|synth"
    r"|accordion|kayak|canoe|treadmill|rowing machine|studio|workshop|garden|house"
    r"|cottage|cabin|boat|sailing boat|car|bike|bicycle|piano"
    r"|guitar|violin|cello|trailer|allotment|flat"
    r"|apartment|condo|farm"
    r"|balcony|greenhouse|van|motorcycle|motorbike|tattoo|tattoos|driver's licen[sc]e"
    r"|driving "
    r"licen[sc]e|passport|fax machine|3d printer|telescope|kiln|loom"
    r"|sewing machine|tv|television|smartphone|microwave|dishwasher|printer|record player"
    r"|camper|caravan|scooter|fireplace|pool|sauna|vineyard|beehives?|hearing aid|pacemaker"
    r"|prosthesis|holiday home|second home"
)

ONESELF: tuple[Rule, ...] = (
    rule("answer", r"to (?P<who>\p{L}[\p{L}'-]{1,30})" + STOP, "name", "{who}", "identity", tenses=SIMPLE,
         subjects=SPEAKER, negation="refused"),
    rule("follow", r"an? (?P<diet>[\w -]{3,30}? diet)\b", "diet", "{diet}", "identity", tenses=NOW),
    rule("be", r"on an? (?P<diet>[\w -]{3,30}? diet)\b", "diet", "{diet}", "identity", tenses=SIMPLE),
    rule("keep eat", r"(?P<diet>kosher|halal|vegan|vegetarian|gluten[- ]free|keto)\b", "diet", "{diet}", "identity",
         tenses=SIMPLE),
    rule("be", r"(?:severely |very |quite |partially |legally |completely )(?P<state>short-?sighted"
         r"|near-?sighted|deaf|blind|colou?r[- ]?blind|dyslexic|asthmatic|hard of hearing)\b", "is:{state}", "yes",
         "identity", tenses=SIMPLE, opposite="no"),
    rule("be", r"(?P<state>on (?:maternity|paternity|parental|sick) leave|between jobs)\b", "is:{state}", "yes",
         "identity", tenses=SIMPLE, opposite="no"),
    rule("be", r"(?:called|known as) (?P<who>\p{L}[\p{L}'. -]{0,40}?)" + PLACE_STOP, "name", "{who}", "identity",
         tenses=PRESENT),
    rule("go", r"by (?:the name )?(?P<who>\p{L}[\p{L}'. -]{0,30}?)" + PLACE_STOP, "name", "{who}", "identity",
         tenses=SIMPLE, subjects=SPEAKER),
    rule("be", r"(?P<age>\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:[- ]\w+)?|"
         r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh"
         r"|nine)teen)(?= years? old))(?: " r"(?:years|yrs?) (?:old|of age)|yo| y/o|-years?-old|)\s*(?:$|[,;)]"
         r"|\.(?!\d)|and\b|now\b" r"|btw\b)", "age", "{age}", "identity", kind="exact_value", tenses=PRESENT,
         negation="refused"),
    rule("be", r"(?P<age>\d{1,3}) (?:years|yrs?) old\b", "age", "{age}", "identity", kind="exact_value",
         tenses=SIMPLE, negation="refused"),
    rule("be", r"(?P<height>\d[\d.,]* ?(?:m|cm|ft|feet|foot|')(?: ?\d+\"?)?) tall\b", "height", "{height}",
         "identity", kind="exact_value", tenses=SIMPLE, negation="refused"),
    rule("turn", r"(?P<age>\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ]\w+)?|eighteen"
         r"|nineteen)(?! (?:pages|corners|%))" + STOP, "age", "{age}", "identity", kind="exact_value",
         tenses=frozenset({"past", "perfect"}), negation="refused"),
    rule("turn", r"(?P<age>\d{2})\b(?P<when>.{0,30}?)" + STOP, "turns", "{age}", "identity", kind="exact_value",
         tenses=frozenset({"present", "progressive", "future"}), negation="refused"),
    rule("be", r"an? (?:(?:single|proud|stay-at-home|new) )?(?P<role>mother|father|mum|mom|dad"
         r"|grandfather|grandmother|grandpa|grandma|parent|stepmother|stepfather|godmother"
         r"|godfather)(?: of (?P<count>[\w ]{1,20}?))?" + STOP, "is:{role}", "yes", "identity", tenses=SIMPLE,
         opposite="no"),
    rule("be", rf"(?:an? )?(?P<nation>(?:half[- ])?(?:{_NATION})(?:[- ](?:{_NATION}))?)(?: by birth| "
         rf"citizen| national)?(?:{STOP}|(?=\s(?:on|by|and)\s))", "nationality", "{nation}", "identity",
         tenses=PRESENT),
    rule("be", r"(?P<marital>married|single|divorced|engaged|widowed|separated|a widow|a widower)(?: to "
         r"(?P<who>\p{L}[\p{L}'. -]{0,30}?))?" + STOP, "marital status", "{marital}", "identity", tenses=PRESENT),
    rule("be", r"(?P<marital>married|engaged) to (?P<who>\S.{0,40}?)" + STOP, "marital status", "{marital}",
         "identity", tenses=PRESENT),
    rule("get", r"(?P<marital>married|engaged|divorced)\b", "marital status", "{marital}", "identity", tenses=PAST,
         negation="refused"),
    rule("have own", rf"(?:just )?(?P<count>{_NUMBER}) (?:(?!good |great |best |lot |love |passion |fear "
         rf"|thing |for |of |about |in |with |like |from |to |at |on |the )[\p{{L}}\d-]+ "
         rf"){{0,4}}?(?P<kin>{_KIN}|{_ANIMALS})\b(?! (?:question|issue|problem|food|project"
         rf"|friendly|idea|room|bed|toy|party|show|walk|sitter|video|emergency)|.{{0,40}}\bthis\b)", "has:{kin}",
         "{count}", "identity", opposite="no", rank=0),
    rule("have", rf"no (?P<kin>{_KIN}|{_ANIMALS})\b(?! (?:question|issue|problem))", "has:{kin}", "no", "identity",
         tenses=PRESENT, is_negative=True, negation="refused", rank=0),
    rule("have", rf"(?:any |an? )?(?P<kin>{_KIN}|{_ANIMALS})" + STOP, "has:{kin}", "yes", "identity", tenses=PRESENT,
         opposite="no", needs=NOT, rank=0),
    rule("speak", rf"(?P<language>(?:(?:fluent|some|a (?:little|bit of)|basic|native|only|both) "
         rf")?(?:{_LANGUAGE})(?:(?:,? and|,| or) .{{1,40}})?)(?:{STOP}|(?=\s(?:at|to|with|in|fluently|since)\b))",
         "speaks:{language}", "yes", "identity", tenses=frozenset({"present", "can", "ended"}), opposite="no"),
    rule("be", rf"(?:a )?(?:fluent in|native) (?P<language>(?:{_LANGUAGE})\b.{{0,30}}?){STOP}", "speaks:{language}",
         "yes", "identity", tenses=PRESENT, opposite="no"),
    rule("be", r"(?:(?:severely|very|deathly|also|highly|mildly) )?al+ergic to " + upto("thing", longest=60),
         "allergy:{thing}", "yes", "identity", tenses=PRESENT, opposite="no"),
    rule("have", r"(?:an? |really bad |bad |severe )?(?:(?:severe|bad|serious|mild) "
         r")?(?P<thing>[\p{L}-]+(?: [\p{L}-]+)?) (?:allergy|allergies|intolerance)\b", "allergy:{thing}", "yes",
         "identity", tenses=PRESENT, opposite="no"),
    rule("have", r"(?:an allergy|an intolerance|a bad reaction) to " + upto("thing", longest=50), "allergy:{thing}",
         "yes", "identity", tenses=PRESENT, opposite="no"),
    rule("be", rf"(?P<thing>{_LACTOSE})[- ]intolerant\b", "allergy:{{thing}}".replace("{{", "{").replace("}}", "}"),
         "yes", "identity", tenses=STANDING, opposite="no"),
    rule("be", r"(?:intolerant|hypersensitive|sensitive) to " + upto("thing", longest=40), "allergy:{thing}", "yes",
         "identity", tenses=PRESENT, opposite="no"),
    rule("carry", r"(?P<thing>an epipen|insulin|an inhaler)\b", "carries:{thing}", "yes", "identity", tenses=SIMPLE,
         opposite="no"),
    rule("break come", r"out in (?:a rash|hives|spots) (?:from|when|after) (?:i (?:eat|touch|drink) )?" + upto(
         "thing", longest=40), "allergy:{thing}", "yes", "identity", tenses=SIMPLE, negation="refused"),
    rule("give", r"me (?P<ill>hives|a rash|migraines|headaches|an allergic reaction|heartburn)" + STOP,
         "allergy:{noun}", "yes", "identity", subjects=NOUNS, tenses=SIMPLE, noun=ANY_NOUN, negation="refused"),
    rule("be", rf"(?:(?:a )?(?:strict|lifelong|mostly|fully) )?(?P<diet>{_DIETS})(?: (?:for|since) .*)?" + STOP,
         "diet", "{diet}", "identity", tenses=STANDING),
    rule("go become turn", rf"(?:a )?(?P<diet>{_DIETS})" + STOP, "diet", "{diet}", "identity", tenses=PAST,
         negation="refused"),
    rule("eat have drink tolerate", r"(?!(?:it|that|this|them|anything(?! (?:with|containing|made|from))|much|more"
         r"|enough|another)\b)" + upto("thing", longest=50), "eats:{thing}", "yes", "identity", tenses=CAN,
         opposite="no", needs=NO_WAY),
    rule("have", rf"(?:been diagnosed with |a history of |severe |mild |bad )?(?P<ill>{_ILLS})\b(?! "
         rf"(?:about|over" rf"|that|because|when))", "health:{ill}", "yes", "identity", tenses=PRESENT, opposite="no"),
    rule("suffer", r"from (?P<ill>(?!this|that|it\b).{2,40}?)" + STOP, "health:{ill}", "yes", "identity", tenses=NOW,
         opposite="no"),
    rule("be get", r"(?:recently )?diagnosed with (?!it\b|this\b|that\b)" + upto("ill", longest=50), "health:{ill}",
         "yes", "identity", tenses=PAST, negation="refused"),
    rule("be", rf"(?P<state>{_STATES})" + STOP, "is:{state}", "yes", "identity", tenses=STANDING, opposite="no"),
    rule("take", r"(?P<dose>\d+(?:\.\d+)? ?(?:mg|mcg|ml|g|units) (?:of )?.{2,60}?)" + STOP, "takes:{dose}", "yes",
         "context", kind="exact_value", tenses=PRESENT),
    rule("get", r"(?P<ill>migraines?|hives|a rash|headaches|sick|heartburn|cramps|seasick|carsick) from " + upto(
         "thing", longest=40), "allergy:{thing}", "yes", "identity", tenses=SIMPLE, negation="refused"),
    rule("react", r"(?:badly |strongly |very badly )?to " + upto("thing", longest=40), "allergy:{thing}", "yes",
         "identity", tenses=SIMPLE, opposite="no"),
    rule("have own", rf"(?:just )?(?P<thing>(?:an?|my own|our own|two|three|\d+) (?:[\w'-]+ )?(?:[\w'-]+ "
         rf")?(?:{_POSSESSIONS})s?\b.{{0,50}}?)" + STOP, "owns:{thing}", "yes", "context", tenses=PRESENT,
         opposite="no"),
    rule("use", r"(?P<thing>(?:an? |my )?(?:\w+ )?(?:wheelchair|hearing aids?|cane|walking stick|walker"
         r"|insulin pump|screen reader|inhaler|prosthesis|linux|ubuntu|macbook|mac|windows|iphone"
         r"|android|vim|emacs|vs ?code))\b", "uses:{thing}", "yes", "context", tenses=PRESENT, opposite="no"),
    rule("wear", r"(?P<thing>(?:reading )?glasses|contact lenses|contacts|hearing aids?|braces|a hijab|a "
         r"kippah|a turban|size [\w.]+)\b", "wears:{thing}", "yes", "identity", tenses=PRESENT, opposite="no"),
    rule("go", r"to (?P<school>(?:the |a |an )?(?:[\w'.-]+ ){0,4}?(?:school|college|university|uni"
         r"|kindergarten|nursery|daycare|day care|preschool|academy)\b.{0,40}?)" + STOP, "attends:{school}", "yes",
         "context", tenses=PRESENT, opposite="no"),
    rule("commute", r"(?P<how>(?:by|on|from|to|via|with|in) .{2,50}?)" + STOP, "commute", "{how}", "context",
         tenses=PRESENT, negation="refused"),
    rule("drive own have ride", r"(?P<car>an? (?:(?:19|20)\d\d )?(?:skoda|toyota|honda|ford|bmw|audi|tesla|volvo|vw"
         r"|volkswagen|subaru|mazda|kia|hyundai|nissan|fiat|renault|peugeot|jeep|mercedes|lexus"
         r"|chevrolet|chevy|opel|mini|dacia|prius|corolla|civic)\b.{0,30}?)" + STOP, "car", "{car}", "identity",
         tenses=PRESENT),
    rule("have", r"(?P<thing>an? mortgage\b.{0,40}?)" + STOP, "mortgage", "{thing}", "identity", tenses=PRESENT,
         opposite="no"),
    rule("smoke", r"(?:$|a pack|cigarettes)", "habit:smoking", "yes", "identity", tenses=PRESENT, opposite="no",
         subjects=ANYBODY),
    rule("quit stop give", r"(?:up )?(?P<habit>smoking|drinking(?! \w)|vaping|coffee|alcohol|sugar|caffeine|meat"
         r"|gambling" r"|dairy|gluten|chocolate|soda|tv|television|facebook|instagram|twitter|tiktok|social "
         r"media|driving)\b", "habit:{habit}", "no", "identity", tenses=PAST, is_negative=True, negation="refused"),
)  # fmt: skip

BELONGINGS: tuple[Rule, ...] = (
    rule("be", rf"(?:called |named )?(?!(?:{_NATION}|{_STATES})\b)(?P<proper>\p{{L}}[\w'.-]*(?: " rf"[\w'.-]+)?)" +
         STOP, "{noun}", "{proper}", "identity", subjects=PERSON, noun=rf"^(?P<noun>{_KIN}|{_ANIMALS})$",
         tenses=SIMPLE, negation="refused"),
    rule("be", rf"(?!(?:{_NATION}|{_STATES})\b)(?P<proper>\p{{L}}[\w'.-]*(?: [\w'.-]+)?)" + STOP,
         "{noun}", "{proper}", "context", subjects=PERSON, noun=rf"^(?P<noun>{_OTHERS})$", tenses=SIMPLE,
         negation="refused", rank=1),
    rule("be", upto("who", stop=PLACE_STOP, longest=40), "name", "{who}", "identity", subjects=OWN, noun=
         r"^(?:(?:full|first|last|real|middle) )?name$", tenses=SIMPLE),
    rule("be", upto("who", stop=PLACE_STOP, longest=40), "{noun}", "{who}", "context", subjects=OWN, noun=
         rf"^(?P<noun>(?:{_OTHERS}))'s (?:\w+ )?name$", tenses=SIMPLE, rank=1),
    rule("be", upto("who", stop=PLACE_STOP, longest=40), "{noun}", "{who}", "identity", subjects=OWN, noun=
         rf"^(?P<noun>(?:{_KIN}|{_ANIMALS}))'?s? (?:\w+ )?name$", tenses=SIMPLE),
    rule("be", r"(?:on |the )*" + _DATE_AHEAD + upto("date", longest=40), "birthday", "{date}", "identity",
         kind="exact_value", subjects=OWN, tenses=SIMPLE, negation="refused",
         noun=r"^(?:birthday|bday|b-day|birth ?date|date of birth)$"),
    rule("be", upto("value", longest=50), "{noun}", "{value}", "identity", subjects=OWN, noun=
         r"^(?P<noun>(?:day job|job|work|last name|surname|nickname|pronouns|hometown|home town"
         r"|nationality|native language|mother tongue|first language|job title|profession"
         r"|occupation|major|religion|star sign|zodiac sign|blood type|ethnicity|gender|time ?zone"
         r"|native tongue|degree))$", tenses=SIMPLE),
    rule("be", r"(?P<value>\d[\w .,'%/-]{0,20})" + STOP, "{noun}", "{value}", "identity", kind="exact_value",
         subjects=OWN, noun=r"^(?P<noun>(?:\w+ size|inseam|collar|waist|shoe size|height|weight|age|phone number"
         r"|number|zip code|postcode|address|dress size|ring size))$", tenses=SIMPLE, negation="refused"),
    rule("be", r"(?P<car>an? .{2,50}?)" + STOP, "{noun}", "{car}", "identity", subjects=OWN, noun=
         r"^(?P<noun>car|bike|bicycle|motorbike|motorcycle|laptop|phone|camera|guitar|instrument)$", tenses=SIMPLE),
    rule("be", r"(?:called|named) " + upto("who", stop=PLACE_STOP, longest=40), "{noun} name", "{who}", "context",
         subjects=GROUPS, noun=r"^(?P<noun>[\w -]+)$", tenses=SIMPLE, rank=2),
    rule("be", r"(?P<proper>\p{L}[\w&'.-]*(?: [\w&'.-]+){0,3}?)" + STOP, "{noun}", "{proper}", "context",
         subjects=OWN, noun=r"^(?!.*\b(?:favou?rite|question|questions|concern|point|idea|guess|problem|issue|name"
         r"|answer|plan|understanding|text|code|prompt|request|response|query|task|next|topic|title"
         r"|version)\b)(?P<noun>[\w -]+)$", tenses=SIMPLE, negation="refused", rank=3),
    rule("be", r"(?:located |based |situated )?(?:in|at|on) " + upto("place", stop=PLACE_STOP, longest=40),
         "{noun} place", "{place}", "context", subjects=OWN, noun=r"^(?P<noun>(?:\w+ )?(?:office|headquarters|house"
         r"|home|school|studio|shop|company|family" r"|clinic|lab|university|farm|flat|apartment|gym|church"
         r"|warehouse|factory|store" r"|business))$", tenses=SIMPLE, negation="refused", rank=2),
    rule("have", rf"(?P<count>an?|two|three|four|\d+) (?:[\w-]+ ){{0,2}}?(?P<kin>{_KIN}|{_ANIMALS}"
         rf"|{_OTHERS}) (?:called|named) (?P<names>.{{2,40}}?)" + STOP, "has:{kin}", "{names}", "identity"),
)  # fmt: skip
