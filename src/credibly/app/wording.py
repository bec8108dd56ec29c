"""What Python says, in the words of the page: there are fields to choose in and no arguments."""

from __future__ import annotations

import re

from credibly.io.roles import NAMES

ARGUMENT = re.compile(
    r"(?<![\w.-])(with )?([a-z_]+)=('\w+'|\.\.\.|\[\.\.\.\])?(?: (?=\.(?:\s|$)))?(?=[\s,.;:)]|$)"
)
PASS = re.compile(r"\b([Pp])ass(?= (?:the positive|the classes|the role|frequency|importance))")
WORDS = {
    "positive": "the positive class",
    "classes": "the classes",
    "threshold": "a threshold",
    "tolerance": "the tolerance",
    **{role: f"the role {role}" for role in NAMES},
}


def for_page(text: str) -> str:
    """Write arguments as what is chosen on the page; those that it does not know stay.

    >>> for_page("Which of 'a', 'b' is it? Pass positive=... (and classes=[...] if one is missing).")
    "Which of 'a', 'b' is it? Choose the positive class (and the classes if one is missing)."
    >>> for_page("Name it with positive= to be sure. Name them: truth=..., row=... .")
    'Name it as the positive class to be sure. Name them: the role truth, the role row.'
    >>> for_page("Pass weight_kind='frequency' if a weight counts repeated cases.")
    'Choose frequency weights (on the command line) if a weight counts repeated cases.'
    """

    def plain(found: re.Match[str]) -> str:
        before, name, value = found.groups()
        if name == "weight_kind" and value:
            return (before or "") + value.strip("'") + " weights (on the command line)"
        if name not in WORDS:
            return found[0]
        return ("as " if before else "") + WORDS[name]

    said = ARGUMENT.sub(plain, text)
    return PASS.sub(lambda found: "Choose" if found[1] == "P" else "choose", said)
