"""Which English words make a sentence no statement, lead into one, or set words of others apart?"""

import regex

_PRONOUN = r"(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|my|our)"
MARKER = regex.compile(
    r"(?:(?:since you(?:'re| are)? (?:asked|asking|wondered|wondering|mentioned it)(?: about it)?"
    r"|(?:a )?(?:quick|small|little|short) (?:update|note|heads[- ]up|background|context)|some (?:background"
    r"|context)"
    r"|background|context|frankly|seriously|not gonna lie|ngl|truth be told|truth is|the truth is"
    r"|the fact is|believe "
    r"it or not|that said|having said that|long story short|turns out|as it happens"
    r"|in other news|to be fair|i mean"
    r"|no,? wait|before i forget|(?:i'm )?not sure if (?:this|it|that) (?:helps"
    r"|matters|is relevant),? but|(?:it )?turns out(?: that)?"
    r"|guess what|besides|apart from that|on (?:another"
    r"|a related|a personal|a side|that) note|either way|in any case"
    r"|thankfully|happily|weirdly|funnily enough"
    r"|funny enough|surprisingly|mind you|bear in mind(?: that)?|don't forget"
    r"|if you(?:'re| are| were) (?:wondering|curious|interested)|if it (?:helps|matters)|if you (?:remember|recall)"
    r"|i'm (?:just |only )?asking because|the reason i(?:'m asking| ask) is(?: that)?|please be aware(?: that)?"
    r"|(?:did|have) i (?:tell you|mention|told you|mentioned)(?: yet| already)?(?: that)?"
    r"|i (?:also )?(?:should|want to|need to|wanted to|have to|must|forgot to|can|could) (?:also |just )?(?:add"
    r"|mention"
    r"|say|admit|share|tell you|let you know|point out)(?: that)?|i(?:'m| am) (?:so |very "
    r"|really )?(?:happy|glad|excited"
    r"|proud|pleased|thrilled|sad|sorry) to (?:say|report|announce|share"
    r"|tell you)(?: that)?|more precisely|specifically"
    r"|it(?:'s| is) (?:worth (?:knowing|mentioning|noting)|true"
    r"|just) that|what you should know is(?: that)?"
    r"|you (?:may|might|should) (?:know|remember|recall)(?: that)?"
    r"|hear me out|i(?:'ve| have)? (?:also )?(?:find|found|reali[sz]ed|learned|learnt|discovered) that|side note"
    r"|on top of that|in addition"
    r"|additionally|moreover|furthermore|meanwhile|(?:about|a bit about) me|ok now"
    r"|if (?:at all )?possible|when(?:ever)? possible|lol|haha|yup|nah|ugh|phew|yay(?=,)"
    r"|well|oh|ok|okay|so|and|but|also|plus|hi|hey|hello|hi there|hey there|good morning|morning"
    r"|good evening|thanks|thank you|sure|actually|honestly|btw"
    r"|by the way|fyi|just so you know|for the record"
    r"|for context|as you know|to be honest|to be clear"
    r"|tbh|in fact|anyway"
    r"|right|yes|yeah|yep|no(?=\s*[,.!:;–—-])|nope|sorry|not [\w ]{2,20}?(?=\s*,)|correction|note that"
    r"|remember that|please remember(?: that)?|please note(?: that)?|keep in mind that"
    r"|keep in mind|just to let you know|ps|like i said|as i said|as i mentioned|as mentioned|in "
    r"general|overall|speaking of which|good news|update|also|wait"
    r"|oops|hmm|um|uh|ah|wow|great|cool|nice"
    r"|perfect|awesome|fun fact|reminder|don't forget that"
    r"|remember|you know|look|listen"
    r"|personally|because|since|although|though|that's wrong|that is wrong|not quite|you should "
    r"know(?: that)?|i should mention(?: that)?|i forgot to mention(?: that)?|heads up|big news|small "
    r"thing|a small thing|one more thing|as for me|for what it's worth|fwiw|the thing is|i have to say"
    r"|i must say|i should say|in case it helps|in case it matters|luckily|unfortunately|fortunately"
    r"|sadly|interestingly"
    r"|absolutely|definitely|exactly|totally|true|agreed|got it|of course|at first|first"
    r"|second|finally|then|now"
    r"|(?:hi|hey|hello|thanks|thank you) (?!i\b|my\b|we\b)\w+)\b[\s,:!.–—-]*)+"
)
"""What may stand before a statement and is no part of it."""
LEAD = regex.compile(
    r"(?:(?:(?:on|in|at|since|for|during|after|before|around|back in|until|as of|by|as|out "
    r"of)\b(?:(?:\s(?!(?:i|we|my|our)\b)[\w'’-]+){1,8},|(?:\s(?!(?:i|we|my|our)\b)[\w'’-]+){1,3}))\s+"
    rf"(?={_PRONOUN}\b)"
    r"|(?:(?:(?:earlier )?(?:last|next|this|every|each|one|two|three|a few|a couple of|about (?:a|one"
    r"|two|three|\d+)|over (?:a|one|two)|\d+) (?:other )?(?:day|days|week|weeks|weekend|month"
    r"|months|year|years|night|morning|evening|afternoon|summer|winter|spring|fall|autumn|monday"
    r"|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|january|february|march|april|may|june|july|august|september|october|november|december)(?: ago| "
    r"morning| evening| night| afternoon)?)"
    r"|(?:most )?(?:mornings|evenings|weekends|nights|summers|winters|saturdays|sundays)|normally"
    r"|usually|typically|generally|as a rule|nine times out of ten|most days|yesterday|today|tomorrow"
    r"|lately|recently|currently|nowadays|these days|now|right now)(?: (?:morning|evening|night"
    r"|afternoon))?,?\s+"
    rf"(?={_PRONOUN}\b)"
    rf"|(?:when|whenever|while|after|before|since|because|as|although|though)\b[^,;:.!?]{{2,90}},\s+(?={_PRONOUN}\b))"
)
"""When and under which circumstances, before "I": it belongs to the statement."""
BEFORE_SUBJECT = regex.compile(
    r"(?:(?:on|in|at|since|for|during|after|before|around|back|until|as|by|out of|over"
    r"|from|with|thanks to|because of"
    r"|due to|outside of|apart from|besides|despite|starting|growing up"
    r"|back then|someday|one day|mostly|mainly|sometimes|normally|usually|typically|generally|yesterday|today"
    r"|tomorrow|lately|recently|currently|nowadays|now|right now|when|whenever|while|because|although|though|once)\b"
    r"|(?:every|each|last|next|this|these|most|one|two|three|four|five|six|ten|an?|about|earlier|some"
    r"|\d+) (?:[\w-]+ "
    r"){0,2}?(?:days?|weeks?|weekends?|months?|years?|decades?|mornings?|afternoons?|evenings?"
    r"|nights?|summers?|winters?"
    r"|springs?|autumns?|falls?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january"
    r"|february|march|april|may|june|july"
    r"|august|september|october|november|december|christmas|easter|semester"
    r"|term|quarter|while)\b)"
)
"""How an adverbial begins that stands before the subject: "before work Dana ...", "in 2023, my brother ..."."""
SUPPOSED = regex.compile(
    r"\b(?:if|imagine|imagining|suppose|supposing|wish|wishing|hypothetical(?:ly)?|let's say|lets say"
    r"|pretend|pretending"
    r"|as if|what if|had i|were i|in theory|theoretically|assuming|in another life|as though|let's assume"
    r"|would have|could have|should have|for (?:this|the sake of|the) (?:exercise|argument|story|test"
    r"|example)|as a joke"
    r"|in (?:a|an|my|the|this|another) (?:\w+ )?(?:universe|dream|story|novel|game|movie|film|play"
    r"|scenario|exercise))\b|^say i\b|\bit(?:'s| is) not that\b"
)
"""From such a word on a sentence speaks of what is not."""
DOUBT = regex.compile(
    r"\b(?:might|maybe|perhaps|wonder|wondering|probably|possibly|not sure|unsure|supposedly|whether|tempted)\b"
    r"|\bi (?:think|believe|guess|suppose|feel (?:like|that|as)|bet|doubt|assume)\b(?! that we)"
)
"""Such a word makes its own clause doubtful."""
DOUBT_AFTER = regex.compile(
    r",? (?:i (?:think|guess|believe|suppose)|maybe|perhaps|probably|possibly|who knows|not sure|or "
    r"maybe not|or something)\W*$"
)
"""At its end such words make the whole sentence doubtful."""
HEARD = regex.compile(r"\b(?:apparently|supposedly|reportedly|rumou?r)\b")
SARCASM = regex.compile(
    r"\b(?:love|live for|adore|enjoy|dream of)\b.*, obviously\W*$|^\W*(?:yay\b"
    r"|sure,? i (?:just |totally |simply )?(?:love"
    r"|adore|enjoy)|oh great|oh joy|oh "
    r"wonderful|oh sure|oh yay|yeah,? right|yeah,? sure|sure,? (?:because"
    r"|nothing)|just great|great,? another|yay,? another"
    r"|wow,? thanks|how lovely|(?:oh|wow|ah),? i (?:just "
    r"|totally |simply |absolutely )+(?:love|adore|enjoy)|yeah,? i "
    r"(?:just |totally |simply )+(?:love|adore"
    r"|enjoy)|because who doesn't|nothing (?:says|like) \w+ like|oh,? how i love)\b|\bsaid no one\b|,? not[.!]+\s*$"
    r"|\bnot!\s*$|🙄|\bbecause who (?:doesn't|wouldn't)\b|\byeah,? right\b|\bi (?:totally|just|absolutely|simply) "
    r"(?:love|adore|enjoy) (?:mondays|waiting|traffic|being|paying|doing taxes|queues|queueing|getting (?:up|woken))"
    r"|\b(?:yeah|sure),? because\b|\bas much as a (?:hole|root canal)"
    r"|\b(?:just|totally|absolutely) (?:love"
    r"|adore) (?:it )?(?:when|how|waiting|being (?:ignored"
    r"|stuck))\b"
)
JEST = regex.compile(r"\b(?:just kidding|kidding|jk|j/k|just joking|i'm joking|april fools?)\b|(?<!\S)/s(?!\S)")
ROLE_PLAY = regex.compile(
    r"\byou are [\w ]{2,20}, (?:and )?i(?:'m| am)\b|\b(?:act as|acting as|act like|pretend"
    r"|role[- "
    r"]?play(?:ing)?|you are (?:now )?(?:a|an|the|my) "
    r"(?!best|great|good|life ?saver|star|legend"
    r"|genius)"
    r"|imagine (?:that )?you|you be the|you(?:'ll| will) be (?:my|the|a)|in the (?:voice|style"
    r"|persona) of|play the (?:role|part)|in character|your name is"
    r"|in (?:this|the|my|our) (?:\w+ )?(?:story"
    r"|novel|game|play|scene|scenario|film|movie|sketch|campaign),? (?:i|we)"
    r"(?:'m| am|'re| are| play)\b|(?:as|my) (?:a |the |your )?(?:d&d )?character\b(?! (?:of|in))|i(?:'m"
    r"| am) playing an?"
    r" (?!gig|show|game|match|concert|tournament)\w+|let's (?:say|pretend|imagine|suppose)"
    r"|larp(?:ing)?|in this role[- ]?play"
    r"|as an? (?:expert|copywriter|language model|ai)"
    r"|ignore (?:all )?previous|i will (?:act|play) as"
    r"|let's play|play along|i(?:'m| am) the (?:king|queen"
    r"|emperor|pope|president|prince|princess) of|improv|i play the (?:tenant|landlord|role|part|character|user"
    r"|customer|client|guest"
    r"|waiter|king|queen|hero|villain)\b|scenario:"
    r"|write (?:me )?(?:a|an|another|the|some|\w+ )?\s?(?:[\w'-]+ ){0,6}?(?:story|poem|song|script"
    r"|dialogue|scene|lyrics|monologue|novel|screenplay|fanfic|sketch|limerick|haiku|bio|biography"
    r"|persona|testimonial|review|speech|essay|article|blog post|conversation|narrative|chapter))\b"
)
QUESTION_TAIL = regex.compile(
    r"(?:,\s*|\s+[-–—]\s+|,?\s+(?:so|and|but)\s+)(?:so |and |but |then |also )?(?:do you|does|did|what"
    r"|how|where|which|who|why|can|could|should|is there|are there|any|would|will|have you)\b"
)
ASKS = regex.compile(
    r"(?:what|who|whom|whose|where|why|how|which|do|does|did|is|are|am|was|were|can|could|should|would"
    r"|shall|has|isn't|aren't|doesn't"
    r"|wasn't|won't|hasn't|haven't|couldn't|shouldn't|wouldn't|had i|have (?:i|you|we|they))\b(?!\s+not\b)"
)
YOU_SAID = regex.compile(
    r"\b(?:you|u) (?:also )?(?:said|say|told|suggested|mentioned|thought|think|recommended|assumed"
    r"|claimed|wrote|asked)\b|\b(?:he|she|they) (?:said|wrote|says|told)\b"
    r"|\b(?:the (?:article|book|text|author|character|letter|email|mail|review|song|lyrics|poem|movie"
    r"|film|story|post) (?:says|said|states|reads|goes))\b"
)
TRANSIENT = regex.compile(
    r"\b(?:right now|at the moment|today|tonight|this (?:morning|afternoon|evening)|for now|at this "
    r"point|just now|currently (?:running|testing|debugging|looking|trying|reading|waiting)|in a "
    r"(?:meeting|hurry|rush))\b"
)
TEXT_WORK = regex.compile(
    r"\b(?:summari[sz]e|summary of|translate|translation of|proofread|rewrite|re-write|rephrase"
    r"|paraphrase|edit|correct|fix|improve|polish|shorten|expand|grammar"
    r"|analy[sz]e|reply to|respond to|review|evaluate|critique|explain|continue|complete|convert"
    r"|extract|classify|reword|make (?:this|it)|based on|given|using"
    r"|following|below|here(?:'s| is| are|s)|this is|as follows|wrote|write|said|says|text|e?mail"
    r"|message|passage|article|prompt|code|transcript|example|draft|letter|essay"
    r"|read)\b[^\n]{0,160}?:\s*(?:\n|$)"
)
"""A line that announces a text of somebody else's: what follows on the next lines is no speech of the speaker's."""
TEXT_WORK_SAME_LINE = regex.compile(
    r"(?:^|[.!?\n]\s*|\bplease |\b(?:can|could|would) you |\bhelp me )(?:summari[sz]e|translate"
    r"|proofread|rewrite|re-write|rephrase|paraphrase|edit|correct|fix|polish|shorten|reword|reply to"
    r"|respond to|write|draft|compose)\b[^\n:.!?]{0,100}?:\s"
)
MAIL_HEAD = regex.compile(
    r"(?m)^[ \t>*-]*(?:from|to|subject|sent|date|cc|re|fwd?): ?\S|^-{3,} ?(?:forwarded|original)"
    r"|^dear [^\n]{1,40}[,:]\s*$|^(?:best|kind|warm) regards\b"
)
BLOCK_HEAD = regex.compile(
    r"(?m)^[ \t#*\[=-]*(?:durable facts|memory context|memories|recalled (?:facts|memory|memories"
    r"|context)|relevant memor(?:y|ies)|known facts|what i know about|user profile)\b[^\n]*$"
)
REPLY = regex.compile(r"(?m)^(?:assistant|ai|chatgpt|system|bot|user|human|speaker \w+|[A-Z]\w+ \d+)\s*:\s")
HEARSAY = regex.compile(
    r"(?P<who>(?:my|our) [\w'-]+(?: \p{L}[\w'-]+)?|\p{L}[\w'-]+(?: \p{L}[\w'-]+)?) (?:says|said"
    r"|told "
    r"(?:me|us)|tells (?:me|us)|thinks|thought|mentioned|claims|claimed|believes|reckons|reckoned"
    r"|swears)(?: that)?,? (?=\p{L})"
    r"|i(?:'ve| have)? (?:heard|hear|read)(?: from (?P<who2>[\w' -]{2,30}))? that"
    r" (?=\p{L})"
    r"|from what i(?:'ve| have)? (?:hear|heard|gather|understand|can tell),? (?=\p{L})"
    r"|i was told(?: that)?,? (?=\p{L})"
    r"|(?:someone|somebody|people|they) (?:told (?:me|us)|say"
    r"|tell me)(?: that)?,? (?=\p{L})|word has it(?: that)?,? (?=\p{L})"
    r"|(?:apparently|reportedly"
    r"|word is(?: that)?|rumou?r has it(?: that)?|i gather(?: that)?|i'm "
    r"told(?: that)?),? (?=\p{L})"
    r"|according to (?P<who3>[\w' -]{2,40}), (?=\p{L})"
)
NOT_HEARD_FROM = frozenset(
    "i we you he she they it that this who what one people everyone nobody somebody someone doctor".split()
)
