"""What the checks can find: each code's severity and meaning. The checks themselves stand in culdesac.ingest.checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from culdesac.db.messages import Lang, noted, translations


class Severity(StrEnum):
    """How bad it is. `culdesac check` fails at or above `--fail-on`, ERROR unless told otherwise."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Code:
    """What a code means, and what an author does about it: messages of the catalogue, a line each."""

    severity: Severity
    title: str
    advice: str


#: How bad a finding is, in words.
SEVERITIES = {
    Severity.ERROR: noted("error"),
    Severity.WARNING: noted("warning"),
    Severity.INFO: noted("info"),
}

_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

#: Every code, in the order of the documentation.
CODES: Mapping[str, Code] = MappingProxyType(
    {
        "id-form": Code(
            _E,
            noted("The id is not of the form domain/slug or domain/slug/environment"),
            noted(
                "Use two or three parts of lower-case letters, digits, `.`, `_`, `-`, each from a letter or digit on."
            ),
        ),
        "domain-differs": Code(
            _W,
            noted("The domain is not the one in the id"),
            noted("Give both the same domain: the entry's page is found by the id, the facet by the field."),
        ),
        "regex-invalid": Code(
            _E,
            noted("The regex does not compile"),
            noted("Correct the syntax (https://github.com/google/re2/wiki/Syntax), or leave the regex out."),
        ),
        "regex-unsupported": Code(
            _E,
            noted("The regex needs look-around, a backreference or another feature that RE2 lacks"),
            noted("Write it without: patterns of strangers only run in linear time."),
        ),
        "regex-misses-signature": Code(
            _W,
            noted("The regex does not match the entry's own signature"),
            noted("Correct the regex or the signature. A search that is given the signature must find the entry."),
        ),
        "regex-too-broad": Code(
            _W,
            noted("The regex requires no literal text, or matches the empty text"),
            noted("Add three characters or more (two Chinese, Japanese or Korean ones) to every alternative."),
        ),
        "regex-matches-others": Code(
            _W,
            noted("The regex matches the signatures of five or more other errors"),
            noted("Add the words that tell this error from those, or word boundaries (`\\b`)."),
        ),
        "regex-costly": Code(
            _W,
            noted("The regex is costly to run"),
            noted(
                "Drop repetitions of repetitions (`(a+)+`) and doubled gaps (`.*.*`), make counted repetitions smaller."
            ),
        ),
        "no-steps": Code(
            _W,
            noted("The entry has neither a workaround nor a dead end"),
            noted("Say what to do, or what not to try."),
        ),
        "workaround-without-action": Code(
            _W,
            noted("A workaround has no action"),
            noted("Say in one line what to do."),
        ),
        "dead-end-without-action": Code(
            _I,
            noted("A dead end has no action, only the reason"),
            noted("Say in one line what people try."),
        ),
        "not-chinese": Code(
            _W,
            noted("A Chinese text has no Chinese character"),
            noted("Translate it, or leave it out: a search in Chinese can't find it."),
        ),
        "chinese-steps-count": Code(
            _W,
            noted("workarounds_zh and workarounds differ in number"),
            noted("Give one Chinese step for each workaround, in the same order."),
        ),
        "rate-out-of-range": Code(
            _E,
            noted("A rate is outside 0..1"),
            noted("Write a share from 0 to 1: 85 % is 0.85."),
        ),
        "count-negative": Code(
            _E,
            noted("A count is negative"),
            noted("Write 0 or more."),
        ),
        "number-not-stored": Code(
            _E,
            noted("A number is too large or too precise for SQLite"),
            noted("Write the number that is meant. This one stands in `extra` alone: no query sees it."),
        ),
        "resolvable-unknown": Code(
            _W,
            noted("resolvable is none of true, partial, false"),
            noted('Write "true", "partial" or "false", as a string.'),
        ),
        "resolvable-contradicts-rate": Code(
            _W,
            noted("resolvable and fix_success_rate contradict each other"),
            noted('Correct one of them: "false" goes with a rate up to 0.5, "true" with one above 0.1.'),
        ),
        "date-form": Code(
            _E,
            noted("A date is not ISO 8601"),
            noted("Write YYYY-MM-DD, YYYY-MM or YYYY: other forms can't be compared."),
        ),
        "date-implausible": Code(
            _W,
            noted("A date lies outside 1950..2100"),
            noted("Correct it. No other date is compared with it."),
        ),
        "date-in-future": Code(
            _W,
            noted("A date lies after the day of the check"),
            noted("Correct it, or check as of a later day."),
        ),
        "date-order": Code(
            _W,
            noted("first_seen lies after last_confirmed or last_updated"),
            noted("Correct one of the two."),
        ),
        "stale": Code(
            _I,
            noted("last_confirmed is far behind the newest confirmations in the file"),
            noted("Confirm that the entry still holds and renew last_confirmed."),
        ),
        "version-unparsed": Code(
            _I,
            noted("A version is neither a version number nor a range"),
            noted(
                "Write a range such as `>=2.1,<3`. The text is kept and shown, but versions can't be compared with it."
            ),
        ),
        "link-refused": Code(
            _E,
            noted("A link is not http or https"),
            noted("Give a full http(s) URL. This one is shown as text, never as a link."),
        ),
        "control-characters": Code(
            _W,
            noted("A text has control characters"),
            noted("Remove them: terminals and pages may act on them, and bidirectional ones reorder what is read."),
        ),
        "long-text": Code(
            _I,
            noted("A text is longer than 100,000 characters"),
            noted("Keep what helps and link to the rest."),
        ),
        "edge-to-itself": Code(
            _W,
            noted("An edge leads from the entry to its own error"),
            noted("Remove the edge or name the other error."),
        ),
        "edge-dangling": Code(
            _W,
            noted("An edge names an entry that the file lacks"),
            noted("Correct the id, or ingest the entry that it names."),
        ),
        "edge-one-sided": Code(
            _I,
            noted("An edge is declared on one side only"),
            noted("Add the other side: leads_to answers preceded_by, and frequently_confused_with answers itself."),
        ),
        "duplicate-signature": Code(
            _W,
            noted("Another error has the same signature"),
            noted("Merge the two, or make one signature more specific."),
        ),
        "duplicate-regex": Code(
            _I,
            noted("Another error has the same regex"),
            noted("Merge the two, or make one regex more specific."),
        ),
    }
)


#: Where the values stand in the messages of a code, the first frame that fits counts. What isn't here has none.
_FRAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "id-form": ('"{}" is not domain/slug',),
        "domain-differs": ('"{}", but the id says "{}": use one',),
        "regex-invalid": ("does not compile ({}): correct {}",),
        "regex-unsupported": (" ({}…), which RE2 lacks",),
        "regex-misses-signature": ("the signature is {}",),
        "regex-too-broad": ("every match has to {}",),
        "regex-matches-others": ("other errors, such as {}: make ",),
        "regex-costly": (": simplify {}", "{} characters; at most"),
        "not-chinese": ('"{}" has no Chinese character',),
        "chinese-steps-count": ("{} for {} workarounds",),
        "rate-out-of-range": ("{} is outside 0..1",),
        "count-negative": ("{} is negative",),
        "number-not-stored": ("SQLite can't hold {} exactly",),
        "resolvable-unknown": ('"{}" is none of',),
        "resolvable-contradicts-rate": ('"{}" contradicts a fix_success_rate of {}: ',),
        "date-form": ('"{}" is no date',),
        "date-implausible": ("{} lies outside",),
        "date-in-future": ("{} lies after {}: ",),
        "date-order": ("{} lies after {}, {}: ",),
        "stale": ("{} is more than",),
        "version-unparsed": ('"{}" has no version number',),
        "link-refused": ('"{}" is no http(s) link',),
        "control-characters": ('control character in "{}": ',),
        "long-text": ("{} characters, over",),
        "edge-to-itself": ("{} is the entry itself",),
        "edge-dangling": ('no entry "{}" in the file',),
        "edge-one-sided": ("{} does not name this error under {}: ",),
        "duplicate-signature": ("the same signature as {} and ", "the same signature as {}: "),
        "duplicate-regex": ("the same regex as {} and ", "the same regex as {}: "),
    }
)


def _values(code: str, message: str) -> list[str]:
    """The values in a finding's message; none where it isn't worded as ours are, in a stranger's file."""
    found = (_between(frame, message) for frame in _FRAMES.get(code, ()))
    return next((values for values in found if values), [])


def _between(frame: str, message: str) -> list[str]:
    first, *others = frame.split("{}")
    at = message.find(first) + len(first)
    values = []
    for literal in others:
        end = message.find(literal, at) if literal else len(message)
        if end < 0 or first not in message:
            return []
        values.append(message[at:end])
        at = end + len(literal)
    return values


def severity(name: str, lang: Lang) -> str:
    """A severity as people read it; what isn't one stays as it is."""
    known = next((text for value, text in SEVERITIES.items() if value == name), None)
    return translations(lang).gettext(known) if known else name


def described(code: str, grave: str, lang: Lang) -> str:
    """How bad a code is and what it means."""
    say = translations(lang).gettext
    known = CODES.get(code)
    name = severity(grave, lang)
    return say("{name}: {value}").format(name=name, value=say(known.title)) if known else name


def explained(code: str, message: str, lang: Lang) -> str:
    """A finding's message, which is in English; in another language what its code means, and the values found."""
    known = CODES.get(code)
    if lang == "en" or known is None:
        return message
    say = translations(lang).gettext
    meaning, values = say(known.title), say(", ").join(_values(code, message))
    return say("{name}: {value}").format(name=meaning, value=values) if values else meaning
