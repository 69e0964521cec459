"""English sentences by what they wish."""

from typing import Final

from bot.playground.planner.lexicon.sentences import Lexicon

_INTO = r"(?:into|in to|into the|in|to|for|on to|onto|on|at|up for)"
_SHOW = r"(?:(?:show(?: me)?|list|give me|what are|check|get) )?(?:all )?(?:the |our |my )?"
_CANCEL = r"(?:cancel|delete|remove|drop)"
_CHANGE = r"(?:change|swap|replace|switch|set)"
_VERBS = (
    r"cancel|book|put|add|move|create|schedule|open|remove|delete|show|list|find|change|set|swap"
    r"|drop|take|who|what|sign|reschedule|call|register"
)

_NO_VERB = rf"(?!(?:{_VERBS}|freeze|give|text|mark|send|copy|tell)\b)"

_RULES = (
    ("thanks", r"(?:thanks|thank you|thx|great|perfect|cool|nice)\b.{0,20}"),
    ("hello", r"(?:hi|hello|hey|good (?:morning|evening)|hi @\d)(?: there| spotter)?"),
    ("help", r"help|what can you do|(?:who|what) are you|how does this work|are you .*"),
    ("undo", r"(?:undo|revert|put it back|take (?:that|it) back)\b.{0,20}"),
    ("beyond", rf"{_CANCEL} (?:this|that|these|those)\b.*"),
    ("unpaid", r"(?:who|which members|members who|list who)\b.*(?:paid|owes?|pay)\b.*|unpaid.*"),
    (
        "at_risk",
        (
            r"(?:who|which members|members who|list who)\b.*\b(?:leave|leaving|quit|quitting|churn"
            r"|at risk)\b.*"
        ),
    ),
    ("at_risk", rf"{_SHOW}(?:members )?at[ -]risk(?: members)?"),
    ("tasks", rf"{_SHOW}(?:open )?(?:tasks|to-?dos?|to-?do list)"),
    (
        "tasks",
        r"(?:what|which|any) tasks\b.*|what do i have to do\b.*|do i have (?:any )?tasks\b.*",
    ),
    ("new_leads", rf"(?:who are |do we have |are there |any )*{_SHOW}new leads\b.*"),
    ("leads", rf"{_SHOW}(?:open )?leads"),
    (
        "figures",
        rf"{_SHOW}(?:@\d+(?:'s)? )?(?:figures|numbers|overview|stats)\b(?: (?:for|of))? ?(?:@\d+)?",
    ),
    ("figures", r"how (?:are|did) we do(?:ing)?(?: @\d+)?"),
    (
        "programmed",
        (
            rf"(?:what's |whats |what is )?{_SHOW}(?:@\d+(?:'s)? )?"
            r"(?:workout(?: of the day)?|wod)(?: (?:for|of|on))?(?: @\d+)?"
        ),
    ),
    ("expiring", r".*memberships?\b.*\b(?:end|expir|run)\w*\b.*|expiring memberships?.*"),
    ("class_types", rf"{_SHOW}(?:class types|types of class(?:es)?)"),
    (
        "class_types",
        r"what (?:class types|types of class|kinds of class|classes do we (?:have|offer)$).*",
    ),
    ("staff", rf"{_SHOW}(?:staff|coaches|trainers|team)|who (?:works|coaches|trains) here"),
    ("staff", r"who (?:are|is) (?:the|our|my) (?:staff|coaches|trainers|team)"),
    (
        "coach",
        (
            rf"{_CHANGE} (?:the )?coach (?P<what>.*?) ?(?:from \S+ )?(?:to|with|for) "
            r"(?P<coach>[^@]+)"
        ),
    ),
    (
        "coach",
        rf"{_CHANGE} (?P<what>.*?)(?:'s)? coach (?:from \S+ )?(?:to|with|for) (?P<coach>[^@]+)",
    ),
    ("coach", r"(?:put|set) (?P<coach>[^@]+?) on (?P<what>.+?) instead\b.*"),
    ("coach", r"(?:put|let) (?P<coach>[^@]+?) (?:coach|teach|take|run|lead) (?P<what>.+)"),
    (
        "who",
        (
            r"who(?:'s| is| are|s|'re)? (?:in|booked|coming|signed up|registered|on|going)\b ?"
            r"(?P<what>.*)"
        ),
    ),
    ("who", rf"{_SHOW}(?:roster|attendees|participants)(?: (?:of|for|in|at))? ?(?P<what>.*)"),
    ("show", r"what(?:'s| is|s)? (?:on|happening|scheduled|planned|there|up)\b ?(?P<what>.*)"),
    ("show", r"(?:what|which|any) (?:classes|sessions)\b(?P<what>.*)"),
    (
        "show",
        (
            rf"{_SHOW}(?P<what>(?:@\d+ ?)*)(?:'s)? ?(?:schedule|timetable|classes|sessions)\b"
            r"(?P<more>(?: (?:for|of|on|at|in|the))* ?(?:@\d+ ?)*)"
        ),
    ),
    (
        "credits",
        (
            r"how many \w+ (?:does|has|did|do) (?P<who>.+?)(?: (?:have|has|got))?(?: left| "
            r"remaining)?"
        ),
    ),
    (
        "ledger",
        rf"{_SHOW}(?:credit )?(?:ledger|history|credit movements) (?:of|for) (?P<who>[^@]+)",
    ),
    (
        "ledger",
        rf"{_SHOW}{_NO_VERB}(?P<who>[^@]+?)(?:'s)? (?:credit )?(?:ledger|history|movements)",
    ),
    ("credits", rf"{_SHOW}(?:credits?|balance|membership) (?:of|for) (?P<who>[^@]+)"),
    (
        "credits",
        (
            rf"(?:what's |what is )?{_SHOW}{_NO_VERB}(?P<who>[^@]+?)(?:'s)? (?:credits?|balance"
            r"|membership)"
            r"(?: left)?"
        ),
    ),
    (
        "unbook",
        rf"{_CANCEL} (?P<who>[^@]+?)'s? (?P<more>.*?)(?:booking|spot|place)\b(?P<what>.*)",
    ),
    (
        "unbook",
        (
            rf"{_CANCEL} (?!the )(?P<who>[^@]+?) (?P<more>(?:@\d+ )*)(?:booking|spot|place)\b"
            r"(?P<what>.*)"
        ),
    ),
    (
        "unbook",
        (
            rf"{_CANCEL} (?:the )?(?:booking|spot|place) (?:of|for) (?P<who>[^@]+?)(?: (?:{_INTO}"
            r"|from)\b(?P<what>.*)| (?P<more>@.*))?"
        ),
    ),
    (
        "unbook",
        (
            r"(?:take|remove|kick|drop|pull|get) (?P<who>[^@]+?) (?:out of|off|from|out)\b"
            r"(?P<what>.*)"
        ),
    ),
    ("unbook", r"unbook (?P<who>[^@]+?)(?: (?:from|out of|in)\b(?P<what>.*)| (?P<more>@.*))?"),
    ("unbook", r"cancel (?P<who>[^@]+?)'s? (?P<what>@.+)"),
    ("cancel", r"(?:cancel|call off|delete|drop|scrap) (?P<what>.+)"),
    (
        "rebook",
        (
            r"(?:move|transfer|switch|change) (?P<who>[^@]+?)(?:'s)? booking\b(?: from)?"
            r"(?P<what>.*?) (?:to|into) (?P<to>.+)"
        ),
    ),
    (
        "move",
        (
            r"(?:move|transfer|shift|switch) (?P<who>[^@]+?) from (?P<what>.+?) (?:to|into) "
            r"(?P<to>.+)"
        ),
    ),
    (
        "move",
        (
            r"(?:@\d+ )?(?:move|reschedule|push|shift|postpone|bring forward) (?P<what>.+) to "
            r"(?P<to>.+)"
        ),
    ),
    ("move_span", r"(?:@\d+ )?(?:move|reschedule|push|shift|postpone) (?P<what>.+)"),
    (
        "book",
        (
            rf"(?:book|sign up|register|enrol|enroll|sign) (?P<who>[^@]+?)(?: {_INTO}\b"
            r"(?P<what>.+)| (?P<more>@.*))?"
        ),
    ),
    ("book", r"(?:put|add|get) (?P<who>[^@]+?) (?:into|in|to|down for)\b(?P<what>.+)"),
    (
        "create",
        (
            r"(?:put|add|schedule|create|open(?! gym)|set up|make|plan|start)(?: up| on)? "
            r"(?P<what>.*@.*)"
        ),
    ),
    ("create", r"(?:schedule|create|set up|plan) (?P<what>.+)"),
    (
        "find",
        (
            r"(?:find|look up|search(?: for)?|who is|who's|show|show me|open)(?: (?:a |the )?"
            r"(?:member|client))? (?P<who>[^@]+)"
        ),
    ),
    ("create", r"(?P<what>[a-z][^@]* @\d+(?: (?:at |from |on )?@\d+)+)"),
)

ENGLISH: Final = Lexicon(
    rules=_RULES,
    before=r"(?:(?:please|pls|hey|hi|ok|okay|um|so|can you|could you|i want to|let's|just|also) )*",
    splits=rf" (?:, )?(?:and then|and also|and|then|,) (?=(?:{_VERBS})\b)",
    joins=r" (?:, and|and|,|&) ",
    every=r"\b(?:all|every|everything)\b",
    no_name=(
        r"the|an?|class(?:es)?|sessions?|on|at|of|for|in|to|into|from|one|slot|o'clock|'?s|booking"
        r"|my|our|this|that|please|next|again|it|every|everything|there|up|with|all|is|are|new"
        r"|another|do|we|have"
    ),
    capacity=(
        r"\bcapacity\b"
        r"|^(?:make|set|change|limit|raise|lower|allow)\b.*\b\d+ (?:places|spots|people|seats)"
    ),
    places=(
        r"(?:\bto )?\b(?P<n>\d{1,3}) (?:places?|spots?|people|seats?)|(?:\bto|=) (?P<m>\d{1,3})$"
    ),
    capacity_verbs=(
        r"\b(?:set|change|make|raise|lower|limit|update|increase|reduce|allow|capacity|to|have)\b"
    ),
)
