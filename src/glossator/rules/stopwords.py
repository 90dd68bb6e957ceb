"""Which words say nothing about what a text is about?

Question words belong here: "what did she say when ..." should search for neither "what" nor "when". Measured on
LoCoMo, keeping them costs six points of Recall@10. Words are folded (lower case, no accents, no apostrophes).
Another language joins by another table; words of scripts without spaces are cut out of a question as they stand.
"""

ENGLISH = frozenset(
    """
    a an the and or but if then than so as of at by for with about into onto from to in on off over under up down out
    is am are was were be been being do does did doing done have has had having will would shall should can could may
    might must i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers
    herself it its itself they them their theirs themselves this that these those there here what which who whom whose
    when where why how all any both each few more most other some such no nor not only own same too very just also
    im ive ill id youre youve youll youd hes shes weve were theyre theyve thats whats wheres whos hows lets
    dont doesnt didnt isnt wasnt arent werent wont wouldnt shouldnt couldnt cant hasnt havent hadnt
    let get got gets ever many much long s t re ve ll d m
    """.split()
)

UNSPACED = (
    *("什么时候", "是什么", "什么", "哪一个", "哪一", "哪个", "哪里", "哪些", "哪天", "哪儿", "多少", "几个", "怎么"),
    *("怎样", "如何", "为什么", "请问", "是谁", "吗", "呢", "的是"),
    *("いつ", "どこ", "だれ", "誰が", "何を", "なぜ", "ですか", "ますか", "でしたか", "ましたか"),
)
"""Question words of Chinese and Japanese, longest first."""
