"""What does an instruction to the model look like? A table of signs, which another language can extend.

Patterns read a plain view of a text: lower case, nothing invisible in it, straight apostrophes.
"""

from dataclasses import dataclass

import regex

from glossator.rules.patterns import late

CLOSES_THE_FENCE = "closes the fence"
HIDES_CHARACTERS = "hides characters"
SPEAKS_AS_THE_SYSTEM = "speaks as the system"
LOOKS_LIKE_A_TOOL_CALL = "looks like a tool call"
IGNORES_THE_RULES = "ignores the rules"
GIVES_A_NEW_ROLE = "gives the assistant a new role"
ASKS_FOR_SECRETS = "asks for secrets"
SENDS_THINGS_OUT = "sends things out"
HIDES_FROM_THE_USER = "hides something from the user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A pattern, searched within `before` and `after` characters of each of its marks.

    With `commands`, only words that command the reader count: what somebody was told, does or must never do does not.
    """

    reason: str
    marks: tuple[str, ...]
    pattern: "regex.Pattern[str]"
    before: int = 0
    after: int = 160
    commands: bool = True


NO_COMMAND = late(
    r"(?:\b(?:never|not|dont|cannot|without)\s+(?:ever\s+|just\s+|simply\s+)?"
    r"|n't\s+(?:ever\s+|just\s+|simply\s+)?"
    r"|\b(?:told|asked|advised|instructed|ordered|taught|wanted|wants|expects|tells|asks|said|says|allowed|forced)"
    r"\s+(?:me|us|him|her|them|everyone|everybody|people|staff|employees)?\s*(?:not\s+)?to\s+(?:just\s+|simply\s+)?"
    r"|\b(?:i|we|they|people|who|students|users|developers|(?:he|she|it)\s+(?:will|would|can|could|should|may"
    r"|might|does|did)"
    r"|(?:it|i|we|they|he|she)'(?:ll|d|ve|m|re))\s+(?:(?!(?:you|that|and|then|so|please|also|now|say"
    r"|said)\b)[\w']+\s+){0,2}"
    r"|\b(?:how|whether|when|where|why|safe|ok|okay|possible|easy|tempting|want|need|try|tried|used|tend|able)\s+to\s+"
    r"|\bhow (?:do|can|could|would|should) (?:i|we|one)\s+)\Z"
)
"""What stands before words that are no command to the reader."""

_GAP = r"[^\w.!?;]{1,8}"
_OLD = (
    r"(?:previous(?:ly)?|prior|above|preceding|earlier|foregoing|former|past|aforementioned|system|initial|original"
    r"|safety|developer)"
)
_RULES = (
    r"(?:instructions|rules|prompts|directions|guidelines|commands|directives|orders|constraints|restrictions"
    r"|polic(?:y|ies)|programming|training|guardrails|safeguards|context|(?<!\bmy\W.{0,30})(?:instruction|prompt))\b"
)
_WHOSE = rf"(?:{_GAP}(?:all|any|every|each|of|the|these|those|this|that|your|my|our|its)){{0,4}}"
_TOLD_BEFORE = (
    r"(?:you(?:{g}(?:were|are)|'ve{g}been|{g}have{g}been){g}(?:told|taught|instructed|given|trained)"
    r"|you{g}(?:know|learned)"
    r"|above|before{g}this|prior{g}to{g}this|the{g}(?:user|system|developer){g}(?:said|says|told|wrote))\b"
).replace("{g}", _GAP)
_GIVE_AWAY = r"(?:reveal|leak|disclose|dump|expose|exfiltrate|hand over|send|give|tell|share)"
_SAY = (
    r"(?:reveal|print|output|leak|disclose|dump|expose|recite|display|show|repeat|share|tell|give|write|return|send"
    r"|hand over|exfiltrate)"
)

_CHAT_MARKS = Sign(
    reason=SPEAKS_AS_THE_SYSTEM,
    marks=("<", "["),
    pattern=late(
        r"<\|(?:im_start|im_end|im_sep|system|user|assistant|start_header_id|end_header_id|eot_id|endoftext"
        r"|begin_of_text"
        r"|end_of_text|channel|start|end)\|>|\[/?inst\]|<</?sys>>|<start_of_turn>"
        r"|(?<!\w)</?system(?:[-_ ](?:prompt|message|reminder|instructions?))?>"
        r"|\[system(?: (?:message|prompt|override))?\]"
    ),
    after=40,
    commands=False,
)
_SYSTEM = Sign(
    reason=SPEAKS_AS_THE_SYSTEM,
    marks=("system", "developer"),
    pattern=late(
        r"(?<=(?:^|\n)[ \t>#*\[(<-]{0,6})(?:system|developer)(?:[ \t](?:prompt|message|instructions?|override|note"
        r"|notice|update|alert))?[ \t]?[\])>*]{0,3}[ \t]?(?:[:：]|#{2,4})[*\]]{0,2}[^\n]{0,200}?\b(?:you|your|must"
        r"|should|always"
        r"|never|ignore|disregard|do not|don't|user|assistant|model|instructions|override|admin|administrator"
        r"|obey|comply|reveal|from now|grant(?:ed)?|approved?|authori[sz]ed?)\b"
        r"|(?<=\b(?:new|updated|begin|begin new|end of|end of the) )(?:system|developer) "
        r"(?:prompt|message|instructions?|rules|directives?)\b"
        r"(?=[ \t]{0,2}(?:[:：.!\n]|-|is\b|begins?\b|follows?\b|\Z))"
    ),
    after=260,
    commands=False,
)
_TOOL_TAGS = Sign(
    reason=LOOKS_LIKE_A_TOOL_CALL,
    marks=("<", "[tool_calls]"),
    pattern=late(
        r"</?(?:tool_calls?|tool_use|function_calls?|function_results?|tool_results?|tool_response"
        r"|antml:\w{1,20})\b[^<>]{0,99}>"
        r"|<(?:invoke|parameter) name=|<function=\w|<\|(?:tool|python_tag)|<｜tool|\[tool_calls\]"
    ),
    after=140,
    commands=False,
)
_TOOL_OBJECT = Sign(
    reason=LOOKS_LIKE_A_TOOL_CALL,
    marks=('"arguments"', '"args"', '"input"', '"parameters"', '"tool_input"', '"tool_calls"', '"function_call"'),
    pattern=late(
        r"(?<=^[\s\[`json]{0,40})\{\s{0,20}(?:\"(?:name|tool|tool_name"
        r"|function)\"\s{0,4}:\s{0,4}\"[\w.-]{1,80}\"\s{0,4},"
        r"\s{0,20}\"(?:arguments|args|input|parameters|tool_input)\"|\"tool_calls\"|\"function_call\")\s{0,4}:"
    ),
    before=180,
    after=8,
    commands=False,
)
"""Only a text that begins with it: within a talk about code it is an example."""
_IGNORE = Sign(
    reason=IGNORES_THE_RULES,
    marks=("ignor", "disregard", "forget", "attention to", "stop following", "t follow", "obey", "override", "bypass",
           "circumvent"),
    pattern=late(
        r"(?<!\w)(?:(?:ignore|disregard|forget(?: about)?|pay no attention to|stop (?:following|obeying)"
        r"|(?:do not|don't) (?:follow|obey))"
        rf"(?:{_WHOSE}(?:{_GAP}{_OLD}){{1,2}}(?:{_GAP}\w{{2,20}})?{_GAP}{_RULES}"
        rf"|{_GAP}(?:all|any|every)(?:{_GAP}of)?(?:{_GAP}(?:the|these|those))?{_GAP}{_RULES}"
        rf"|{_WHOSE}{_GAP}{_RULES}{_GAP}(?:that{_GAP}|which{_GAP})?(?:above|before|prior|so far|given|you (?:were"
        rf"|are|have been|got)|came|in your"
        r"|from (?:your|the system|the developer))\b"
        rf"|{_GAP}(?:everything|anything|all|whatever|what)(?:{_GAP}(?:that|else))?{_GAP}{_TOLD_BEFORE}"
        rf"|{_GAP}(?:all|any|every)(?:{_GAP}(?:of|the|these))*{_GAP}{_OLD}{_GAP}(?:messages?|conversations?"
        rf"|chats?|text|input)\b"
        rf"|(?:{_GAP}the)?{_GAP}system{_GAP}message\b"
        rf"|(?:{_GAP}(?:the|all|of))*{_GAP}above(?:{_GAP}text)?{_GAP}(?:and{_GAP})?(?:instead|output|print|say"
        rf"|reply|respond|reveal"
        r"|send|tell)\b)"
        r"|(?:ignore|disregard|forget(?: about)?|override|bypass|circumvent|stop (?:following|obeying))"
        rf"(?:{_GAP}(?:all|any|every|of)){{0,2}}{_GAP}(?:your(?:{_GAP}\w{{2,20}}){{0,2}}?"
        rf"|(?:(?:the|all){_GAP})?(?:system|safety|content|previous|prior))"
        rf"{_GAP}(?:{_RULES}|limitations\b|filters\b|system prompt))"
    ),
    before=24,
)  # fmt: skip
_NEW_ROLE = Sign(
    reason=GIVES_A_NEW_ROLE,
    marks=("re now", "from now on", "pretend", "act as", "no longer", "developer mode", "restrictions"),
    pattern=late(
        r"(?<!\w)(?:(?<!\b(?:congrat\w{0,9}\W|that|if|since|when|because|as|where|so)\W{1,2})you(?: are"
        r"|'re) now(?:,? (?:a|an|in|my|acting|free|going to act|operating|called|known as|no longer"
        r"|unrestricted|dan|root|admin)\b)"
        r"|from now on,? (?:you(?: are|'re)(?! (?:allowed|welcome|free to))|you(?: will| must| shall)? (?:act|behave"
        r"|obey|ignore|pretend|operate)|act as|pretend)"
        r"|(?:pretend|act as) (?:that |if |though |like )?(?:you (?:have|had|are|were) )?(?:no"
        r"|without(?: any)?|not bound by|free (?:of|from)|an? (?:unrestricted|uncensored|unfiltered|jailbroken))"
        r" ?(?:\w+ ){0,2}(?:restrictions|rules|limits|limitations|filters?|guidelines|ai|assistant|model|bot|chatbot)\b"
        r"|you are no longer (?:bound|restricted|limited|an? (?:ai|assistant|language model))|enter developer mode"
        r"|you are (?:\w+,? ){0,3}an? (?:\w+ )?(?:ai|assistant|model|bot|chatbot) (?:with no"
        r"|without(?: any)?) restrictions)"
    ),
    before=70,
    after=80,
)
_SECRETS = Sign(
    reason=ASKS_FOR_SECRETS,
    marks=("prompt", "instructions", "system message", "guidelines", " above"),
    pattern=late(
        r"(?<!\w)(?:what(?:'s| is| are| was| were) your (?:system|hidden|secret|initial|original) (?:prompt"
        r"|instructions|message)\b"
        rf"|{_SAY}(?:{_GAP}(?:me|us|out|back|to|down|verbatim|all|of|the|exact|full|complete|entire|whole|here)){{0,4}}"
        rf"(?:{_GAP}(?:your|its)(?:{_GAP}(?:own|full|exact|entire|complete|original|current)){{0,2}}"
        rf"{_GAP}(?:system|hidden|secret|internal|developer|confidential|initial|underlying)(?:{_GAP}(?:system"
        rf"|developer))?"
        rf"{_GAP}(?:prompt|instructions|message|guidelines)\b"
        rf"|{_GAP}(?:system|hidden|secret|developer){_GAP}(?:prompt|instructions)\b(?! (?:templates?|examples?"
        rf"|ideas?|for)\b))"
        rf"|(?:reveal|print|output|leak|disclose|dump|expose|recite|repeat)(?:{_GAP}(?:me|us|out|back|all|of)){{0,3}}"
        rf"{_GAP}your(?:{_GAP}(?:own|full|exact|entire|complete|original)){{0,2}}{_GAP}(?:prompt|instructions)\b"
        rf"|(?:repeat|print|output|recite){_GAP}(?:(?:all|everything){_GAP})?(?:of{_GAP})?(?:the{_GAP})?"
        rf"(?:words|text|prompt|everything){_GAP}above\b(?=\W*\Z|[.!\n]|\s(?:this|starting|beginning|verbatim|and)\b))"
    ),
    before=120,
    after=20,
)
_CREDENTIALS = Sign(
    reason=ASKS_FOR_SECRETS,
    marks=("password", "credential", "api key", "secret", "access token", "private key", "credit card",
           "social security"),
    pattern=late(
        rf"(?<!\w){_GIVE_AWAY}(?:{_GAP}(?:me|us|over)){{0,2}}"
        rf"{_GAP}(?:all{_GAP}(?:of{_GAP})?(?:(?:the|your|their|user){_GAP})?|your{_GAP}|(?:the{_GAP})?user(?:s?'"
        rf"|'?s|s)?{_GAP}"
        rf"|every{_GAP}|any{_GAP})(?:(?:stored|saved|known|admin|login|secret|private){_GAP})?"
        rf"(?:passwords?|credentials|api{_GAP}keys?|secret{_GAP}keys?|access{_GAP}tokens?|private{_GAP}keys?"
        rf"|(?<!your{_GAP})secrets|credit{_GAP}card|social{_GAP}security)\b"
    ),
    before=80,
    after=20,
)  # fmt: skip
_SENDS = Sign(
    reason=SENDS_THINGS_OUT,
    marks=("://", "www.", "@"),
    pattern=late(
        r"(?<!\w)(?:send|post|forward|e-?mail|upload|transmit|exfiltrate|submit|leak|append|deliver|include|copy)"
        rf"(?:{_GAP}[\w']{{1,30}}){{0,8}}?{_GAP}(?<!\bmy\W{{1,3}})(?:conversations?|(?:user's"
        rf"|users'){_GAP}\w{{3,20}}|(?:chat|message|conversation|browsing){_GAP}(?:history|logs?)"
        rf"|memor(?:y|ies)(?! of (?:the|our|your|that)\b)|(?:user|personal|private|sensitive|confidential"
        rf"|customer|stored|user's|users'|their|all){_GAP}"
        rf"(?:data|information|info|details|messages|files|e-?mails|facts|notes)|secrets?|passwords?"
        rf"|(?:api|access|private|secret|ssh|encryption){_GAP}(?:keys?|tokens?)|credentials?|(?:system{_GAP})?prompt"
        rf"|everything(?:{_GAP}(?:you|above|in))|cookies|environment{_GAP}variables)\b[^\n]{{0,100}}?"
        r"(?:https?://|\bwww\.\w|\b[\w.+-]{1,64}@[\w-]{1,63}\.\w)"
        r"|!\[[^\]\n]{0,99}\]\(https?://[^)\s]{1,200}[?=&/][\[{<$%]{1,4}[^)\n]{0,40}"
        r"(?:conversation|history|secret|data|memor|prompt|password|message|user)"
    ),
    before=300,
    after=280,
)
_FROM_THE_USER = Sign(
    reason=HIDES_FROM_THE_USER,
    marks=("user", "human", "operator"),
    pattern=late(
        rf"(?<!\w)(?:(?:do not|don't|dont|never|must not|you should(?:n't| not))(?:{_GAP}(?:ever"
        rf"|under any circumstances))?{_GAP}"
        rf"(?:tell|inform|alert|warn|notify|let|(?:mention|reveal|disclose)(?:{_GAP}[\w']{{1,20}}){{0,4}}?{_GAP}to)"
        rf"{_GAP}(?:the|your|any|this){_GAP}(?:users?|human|operator)\b(?!')"
        rf"|without{_GAP}the{_GAP}user(?:'s)?{_GAP}(?:knowing|knowledge|noticing)"
        rf"|(?:keep|hide){_GAP}this(?:{_GAP}\w{{1,20}}){{0,4}}?{_GAP}from{_GAP}(?:the|your){_GAP}(?:user|human)\b)"
    ),
    before=130,
    after=30,
)
_OTHER_LANGUAGES = Sign(
    reason=IGNORES_THE_RULES,
    marks=("ignor", "vergiss", "olvid", "oubli", "игнорир", "забудь", "忽", "无视", "無視", "忘", "무시"),
    pattern=late(
        r"(?<!\w)(?:ignorieren? sie|ignoriere?|vergiss|vergessen sie)(?: \w+){0,3} (?:vorherigen|bisherigen|obigen"
        r"|früheren|vorigen)(?: \w+)? (?:anweisungen|regeln|instruktionen|befehle)\b"
        r"|(?<!\w)(?:ignor[ae]|olvid[ae])(?: \w+){0,3} (?:instrucciones|reglas|instruções|regras|istruzioni|regole)"
        r"(?: \w+)? (?:anteriores|previas|de arriba|precedenti|acima)\b"
        r"|(?<!\w)(?:ignore[zr]?|oublie[zr]?)(?: \w+){0,3} (?:instructions|consignes|règles|regles)(?: \w+)? "
        r"(?:pr[ée]c[ée]dentes|ant[ée]rieures|ci-dessus)\b"
        r"|(?:игнорируй(?:те)?|забудь(?:те)?)(?: \w+){0,3} (?:предыдущие|прошлые|прежние|прошлых)(?: \w+)? "
        r"(?:инструкции|указания|правила|команды)"
        r"|(?:忽略|忽视|忽視|无视|無視|忘记)[^。\n]{0,8}(?:之前|以上|前面|先前|上述|所有)[^。\n]{0,6}(?:指令|指示|规则|規則|提示|规定)"
        r"|(?:以前|これまで|上記|上|前)の[^。\n]{0,8}(?:指示|命令|ルール|指令)[^。\n]{0,6}(?:無視|忘れ)"
        r"|(?:이전|위의|앞의)[^.\n]{0,8}(?:지시|명령|규칙)[^.\n]{0,8}무시"
    ),
    before=30,
    after=80,
)

SIGNS = (
    *(_CHAT_MARKS, _SYSTEM, _TOOL_TAGS, _TOOL_OBJECT, _IGNORE, _OTHER_LANGUAGES, _NEW_ROLE),
    *(_SECRETS, _CREDENTIALS, _SENDS, _FROM_THE_USER),
)
