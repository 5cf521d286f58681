"""Questions that ask how to do something, and in which nothing fails: they ask for no error.

Of the 699 labelled queries with an answer four are such, all about other countries, where a question is no error; of
those without one 44.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from culdesac.queries.lines import listed

_ENGLISH = re.compile(
    r"(?:(?:hi|hey|hello|so)[ ,]+)?(?:how (?:do|to|can|should|does|would|is|much|many|long|big)|what|which|where|when"
    r"|who|is there|is it|should|can i|can you|do i|does|do you|convert|difference)\b",
    re.I,
)
_CHINESE = re.compile(
    "(?:怎么|如何|怎样|咋)(?!办|解决|回事|处理|修|排查|恢复|都|老|总|一直|又|还)|什么是|是什么|区别|哪个好|哪种|有没有"
)
#: Words that fail in a log's last line, but are how a question begins.
_BEGINNING = {"can"}


def asks_how(text: str, words: Collection[str]) -> bool:
    """Whether a question only asks how to do something. `words` are its words, folded, those inside names included."""
    if not _ENGLISH.match(text.lstrip()) and not _CHINESE.search(text):
        return False
    fails = listed("failure.txt") - _BEGINNING
    return not any(word in words if word.isascii() else word in text for word in fails)
