"""What people are told, in their language: the one catalogue of the command line, the pages and the entry layout.

English is the source: a message is its own key, and Chinese stands in locale/zh/LC_MESSAGES/culdesac.po (`make
messages` brings it up to date and compiles it). A page says which language it wants (`translations`). A process that
speaks to one person says so once (`speak`), and `_` is in that language from then on; a program that uses Culdesac as
a library doesn't, and is told everything in English. What programs read isn't translated: JSON, codes, stored text.
"""

from __future__ import annotations

import errno
import gettext as standard
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = ("en", "zh")
DOMAIN = "culdesac"
LOCALE = Path(__file__).parent / "locale"


@cache
def translations(lang: Lang) -> standard.NullTranslations:
    """The messages in a language; English ones are what they are."""
    return standard.translation(DOMAIN, LOCALE, [lang]) if lang != "en" else standard.NullTranslations()


_spoken: Lang = "en"


def speak(lang: Lang) -> None:
    """Tell this process's one person everything in a language from now on, the messages of click included."""
    global _spoken
    _spoken = lang
    # Libraries ask the default domain, which asks the environment.
    os.environ["LANGUAGE"] = lang
    standard.bindtextdomain(DOMAIN, str(LOCALE))
    standard.textdomain(DOMAIN)


def spoken() -> Lang:
    """The language that this process speaks."""
    return _spoken


def _(message: str) -> str:
    """The message in the language that this process speaks."""
    return translations(_spoken).gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    """The message for a count, in the language that this process speaks."""
    return translations(_spoken).ngettext(one, many, count)


def noted(message: str) -> str:
    """The message itself: marks a text for the catalogue that is translated where it is shown."""
    return message


#: What the system says most often. The rest, and what libraries say, stays English.
_REASONS = {
    errno.ENOENT: noted("no such file or folder"),
    errno.EISDIR: noted("it is a folder"),
    errno.ENOTDIR: noted("a part of the path is no folder"),
    errno.EACCES: noted("permission denied"),
    errno.EPERM: noted("permission denied"),
    errno.EROFS: noted("the file system is read-only"),
    errno.ENOSPC: noted("no space left on the disk"),
    errno.EADDRINUSE: noted("address already in use"),
    errno.EADDRNOTAVAIL: noted("this machine has no such address"),
}


def reason(error: BaseException) -> str:
    """Why a file or an address can't be used, on one line, without naming it."""
    if isinstance(error, UnicodeDecodeError):
        return _("it isn't UTF-8")
    if not isinstance(error, OSError):
        return next(iter(str(error).splitlines()), "")
    known = _REASONS.get(error.errno or 0)
    return _(known) if known else (error.strerror or str(error)).lower()


#: What `resolvable` says.
VERDICTS = {
    "true": noted("resolvable"),
    "partial": noted("partly resolvable"),
    "false": noted("not resolvable"),
}


def preferred(environment: Mapping[str, str]) -> Lang:
    """The language that the variables of the locale ask for: LC_ALL, LC_MESSAGES or LANG, the first that is set.

    LANGUAGE, a list in order of preference, goes before it, unless the locale is C
    (https://www.gnu.org/software/gettext/manual/html_node/The-LANGUAGE-variable.html).
    """
    locale = next((found for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (found := environment.get(name))), "")
    if locale in ("C", "POSIX"):
        return "en"
    for name in (*environment.get("LANGUAGE", "").split(":"), locale):
        match name[:2].lower(), name[2:3]:
            case "zh", "" | "_" | "-" | "." | "@":
                return "zh"
            case "en", "" | "_" | "-" | "." | "@":
                return "en"
    return "en"
