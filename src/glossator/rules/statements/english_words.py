"""Which small English words bend a statement, and which nouns name people, animals and things of one's own?"""

ADVERBS = frozenset(
    """
    really also just still actually definitely absolutely totally personally recently finally already only mostly
    generally currently now truly simply honestly always usually normally typically often frequently sometimes
    occasionally regularly mainly kinda rather quite particularly especially naturally officially basically
    certainly ever even then both all originally previously formerly happily proudly completely strongly highly
    deeply dearly genuinely lately much today so very too gladly strictly eventually almost constantly secretly
    firmly primarily
    """.split()
)
NEVER = frozenset("never rarely seldom hardly scarcely barely".split())
HABITUAL = frozenset("always usually normally typically generally often frequently regularly mostly".split())
NEGATIONS = frozenset("not n't".split())
BE = frozenset("am is are was were 'm 're 's be been being".split())
BE_PAST = frozenset("was were".split())
HAVE = frozenset("have has had 've".split())
DO = frozenset("do does did".split())
HEDGED = frozenset("would could might may should 'd".split())
FUTURE = frozenset("will 'll shall".split())
INFORMAL = {
    "im": ("i", "'m"), "ive": ("i", "'ve"), "dont": ("do", "n't"), "doesnt": ("does", "n't"), "didnt": ("did", "n't"),
    "cant": ("can", "n't"), "cannot": ("can", "not"), "isnt": ("is", "n't"), "arent": ("are", "n't"),
    "wasnt": ("was", "n't"), "havent": ("have", "n't"), "hasnt": ("has", "n't"), "wont": ("will", "n't"),
    "couldnt": ("could", "n't"), "wouldnt": ("would", "n't"), "mustnt": ("must", "n't"),
}  # fmt: skip
FULL = {"ca": "can", "wo": "will", "sha": "shall"}
"""What stands before "n't" where the full word was changed."""

FAMILY = frozenset(
    """
    mother mom mum mama mommy father dad papa daddy parents parent sister brother sisters brothers sibling
    siblings son sons daughter daughters kid kids child children wife husband spouse partner girlfriend
    boyfriend fiance fiancé fiancee fiancée ex grandmother grandma grandfather grandpa granny gran nana
    grandparents aunt uncle cousin cousins niece nephew stepmother stepfather stepsister stepbrother stepson
    stepdaughter godmother godfather twin twins baby mother-in-law father-in-law sister-in-law brother-in-law
    son-in-law daughter-in-law in-laws family grandson granddaughter grandchildren toddler hubby stepdad stepmum
    stepmom fella missus eldest oldest youngest firstborn wifey
    """.split()
)
OTHERS = frozenset(
    """
    friend friends roommate roommates flatmate flatmates housemate neighbour neighbor neighbours neighbors boss manager
    colleague colleagues coworker co-worker coworkers teacher tutor coach doctor therapist dentist landlord landlady
    mentor supervisor client customer assistant lawyer accountant trainer professor advisor adviser teammate bandmate
    buddy bestie pal
    """.split()
)
PETS = frozenset(
    """
    dog dogs cat cats puppy puppies kitten kittens pet pets parrot hamster rabbit bunny horse horses pony fish goldfish
    turtle turtles tortoise bird budgie snake lizard ferret goat chicken chickens canary gecko retriever spaniel
    terrier labrador poodle beagle corgi shepherd collie dachshund tabby
    """.split()
)
PEOPLE = FAMILY | OTHERS | PETS

NAME_STOPPERS = frozenset(
    """
    i a an the and or but if then than so as of at by for with about into to from in on off over under we you he she it
    they this that these those there here what which who whom whose when where why how my your his her its our their me
    him us them no not yes yeah yep nope ok okay well hi hello hey thanks thank please sorry maybe perhaps also just
    always never today yesterday tomorrow tonight now currently recently actually sure great good nice wow oh ah hmm
    let can could would should will may might must do does did is are was were am be been have has had because since
    while although though after before during until every each some any all both most many much more few one two three
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december spring summer autumn fall winter christmas easter everyone everybody someone
    somebody nobody nothing something anything everything people sometimes usually often first second third next last
    finally however anyway instead still too even once only another other such same dear love honestly basically
    correction update note ps btw fyi edit until unless whenever wherever whoever whatever
    tons lots loads plenty heaps
    apparently reportedly little big small new old young several few many various most fewer
    user assistant system bot ai chatgpt claude gemini alexa siri
    """.split()
)
"""Words that are no name of anybody even where a sentence begins with them."""

NATIONALITIES = frozenset(
    """
    american british english scottish irish welsh french german dutch belgian swiss austrian italian spanish portuguese
    greek turkish polish czech slovak hungarian romanian bulgarian serbian croatian slovenian ukrainian russian finnish
    swedish norwegian danish icelandic estonian latvian lithuanian canadian mexican brazilian argentinian chilean
    colombian peruvian cuban jamaican australian indian pakistani bangladeshi chinese japanese korean taiwanese thai
    vietnamese filipino indonesian malaysian egyptian moroccan algerian tunisian nigerian ghanaian kenyan ethiopian
    somali israeli lebanese syrian iraqi iranian persian afghan nepali arab african asian european latino latina
    """.split()
)
LANGUAGES = NATIONALITIES | frozenset(
    "mandarin cantonese arabic hindi urdu bengali punjabi tamil telugu swahili yoruba igbo hausa hebrew farsi tagalog "
    "malay catalan basque galician esperanto latin gaelic asl python rust".split()
)
