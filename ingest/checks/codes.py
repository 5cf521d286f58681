"""The vocabulary of the checks: codes, severities, and how a finding is worded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from types import MappingProxyType

#: A quoted value is cut to this many characters, in messages and in fields.
QUOTED = 80


class Severity(StrEnum):
    """How bad it is. `culdesac check` fails at or above `--fail-on`, ERROR unless told otherwise."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Code:
    """What a code means: one line in English and in Chinese, and what an author does about it."""

    severity: Severity
    title: str
    title_zh: str
    advice: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. `field` is a dotted path in the flat dialect's names: "regex", "workarounds[0].success_rate"."""

    code: str
    severity: Severity
    field: str
    message: str


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What the checks can't know by themselves, since they never read the clock.

    `as_of`: the day (YYYY-MM-DD) that counts as today; without it no date is in the future. `stale_days`: how many
    days an entry may be behind the file's newest confirmations. Raises ValueError for anything else.
    """

    as_of: str | None = None
    stale_days: int = 365

    def __post_init__(self) -> None:
        if self.as_of is not None and not _is_day(self.as_of):
            raise ValueError(f"as_of: expected a day as YYYY-MM-DD, got {quote(self.as_of)}")
        if self.stale_days < 0:
            raise ValueError(f"stale_days: expected 0 or more, got {self.stale_days}")


def _is_day(text: str) -> bool:
    try:
        # fromisoformat takes other forms too.
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def quote(value: object) -> str:
    """A stranger's value for a message: on one line, at most 80 characters, unprintable ones escaped."""
    text = str(value)[: QUOTED + 1]
    if not text.isprintable():
        text = "".join(
            character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
            for character in text
        )
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…"


def problem(code: str, field: str, message: str) -> Problem:
    """A finding with the severity of its code."""
    return Problem(code, CODES[code].severity, field, message)


_E, _W, _I = Severity.ERROR, Severity.WARNING, Severity.INFO

#: Every code, in the order of the documentation.
CODES: Mapping[str, Code] = MappingProxyType(
    {
        "id-form": Code(
            _E,
            "The id is not of the form domain/slug or domain/slug/environment",
            "id 不符合 domain/slug 或 domain/slug/environment 的格式",
            "Use two or three parts of lower-case letters, digits, `.`, `_` and `-`, each from a letter or digit on.",
        ),
        "domain-differs": Code(
            _W,
            "The domain is not the one in the id",
            "domain 字段与 id 中的不一致",
            "Give both the same domain: the entry's page is found by the id, the facet by the field.",
        ),
        "regex-invalid": Code(
            _E,
            "The regex does not compile",
            "正则表达式无法编译",
            "Correct the syntax (https://github.com/google/re2/wiki/Syntax), or leave the regex out.",
        ),
        "regex-unsupported": Code(
            _E,
            "The regex needs look-around, a backreference or another feature that RE2 lacks",
            "正则表达式使用了 RE2 不支持的环视、反向引用等特性",
            "Write it without: patterns of strangers only run in linear time.",
        ),
        "regex-misses-signature": Code(
            _W,
            "The regex does not match the entry's own signature",
            "正则表达式匹配不到条目自己的错误信息",
            "Correct the regex or the signature. A search that is given the signature must find the entry.",
        ),
        "regex-too-broad": Code(
            _W,
            "The regex requires no literal text, or matches the empty text",
            "正则表达式不含必需的字面文本，或能匹配空文本",
            "Add three characters or more (two Chinese, Japanese or Korean ones) to every alternative.",
        ),
        "regex-matches-others": Code(
            _W,
            "The regex matches the signatures of five or more other errors",
            "正则表达式匹配到五个或更多其他错误的错误信息",
            "Add the words that tell this error from those, or word boundaries (`\\b`).",
        ),
        "regex-costly": Code(
            _W,
            "The regex is costly to run",
            "正则表达式的运行代价过高",
            "Drop repetitions of repetitions (`(a+)+`) and doubled gaps (`.*.*`), make counted repetitions smaller.",
        ),
        "no-steps": Code(
            _W,
            "The entry has neither a workaround nor a dead end",
            "条目既没有解决办法，也没有无效做法",
            "Say what to do, or what not to try.",
        ),
        "workaround-without-action": Code(
            _W,
            "A workaround has no action",
            "解决办法缺少 action",
            "Say in one line what to do.",
        ),
        "dead-end-without-action": Code(
            _I,
            "A dead end has no action, only the reason",
            "无效做法缺少 action，只有原因",
            "Say in one line what people try.",
        ),
        "not-chinese": Code(
            _W,
            "A Chinese text has no Chinese character",
            "中文字段中没有汉字",
            "Translate it, or leave it out: a search in Chinese can't find it.",
        ),
        "chinese-steps-count": Code(
            _W,
            "workarounds_zh and workarounds differ in number",
            "workarounds_zh 与 workarounds 的数量不一致",
            "Give one Chinese step for each workaround, in the same order.",
        ),
        "rate-out-of-range": Code(
            _E,
            "A rate is outside 0..1",
            "比率不在 0 到 1 之间",
            "Write a share from 0 to 1: 85 % is 0.85.",
        ),
        "count-negative": Code(
            _E,
            "A count is negative",
            "计数为负数",
            "Write 0 or more.",
        ),
        "number-not-stored": Code(
            _E,
            "A number is too large or too precise for SQLite",
            "数值超出 SQLite 能存储的范围或精度",
            "Write the number that is meant. This one stands in `extra` alone: no query sees it.",
        ),
        "resolvable-unknown": Code(
            _W,
            "resolvable is none of true, partial, false",
            "resolvable 不是 true、partial 或 false",
            'Write "true", "partial" or "false", as a string.',
        ),
        "resolvable-contradicts-rate": Code(
            _W,
            "resolvable and fix_success_rate contradict each other",
            "resolvable 与 fix_success_rate 相互矛盾",
            'Correct one of them: "false" goes with a rate up to 0.5, "true" with one above 0.1.',
        ),
        "date-form": Code(
            _E,
            "A date is not ISO 8601",
            "日期不符合 ISO 8601 格式",
            "Write YYYY-MM-DD, YYYY-MM or YYYY: other forms can't be compared.",
        ),
        "date-implausible": Code(
            _W,
            "A date lies outside 1950..2100",
            "日期不在 1950 至 2100 年之间",
            "Correct it. No other date is compared with it.",
        ),
        "date-in-future": Code(
            _W,
            "A date lies after the day of the check",
            "日期晚于检查当天",
            "Correct it, or check as of a later day.",
        ),
        "date-order": Code(
            _W,
            "first_seen lies after last_confirmed or last_updated",
            "first_seen 晚于 last_confirmed 或 last_updated",
            "Correct one of the two.",
        ),
        "stale": Code(
            _I,
            "last_confirmed is far behind the newest confirmations in the file",
            "last_confirmed 远早于文件中最新的确认日期",
            "Confirm that the entry still holds and renew last_confirmed.",
        ),
        "version-unparsed": Code(
            _I,
            "A version is neither a version number nor a range",
            "版本既不是版本号，也不是版本范围",
            "Write a range such as `>=2.1,<3`. The text is kept and shown, but versions can't be compared with it.",
        ),
        "link-refused": Code(
            _E,
            "A link is not http or https",
            "链接不是 http 或 https",
            "Give a full http(s) URL. This one is shown as text, never as a link.",
        ),
        "control-characters": Code(
            _W,
            "A text has control characters",
            "文本含有控制字符",
            "Remove them: terminals and pages may act on them, and bidirectional ones reorder what is read.",
        ),
        "long-text": Code(
            _I,
            "A text is longer than 100,000 characters",
            "文本超过 100,000 个字符",
            "Keep what helps and link to the rest.",
        ),
        "edge-to-itself": Code(
            _W,
            "An edge leads from the entry to its own error",
            "关联边指向条目自身的错误",
            "Remove the edge or name the other error.",
        ),
        "edge-dangling": Code(
            _W,
            "An edge names an entry that the file lacks",
            "关联边指向文件中不存在的条目",
            "Correct the id, or ingest the entry that it names.",
        ),
        "edge-one-sided": Code(
            _I,
            "An edge is declared on one side only",
            "关联边只在一侧声明",
            "Add the other side: leads_to answers preceded_by, and frequently_confused_with answers itself.",
        ),
        "duplicate-signature": Code(
            _W,
            "Another error has the same signature",
            "另一个错误有相同的错误信息",
            "Merge the two, or make one signature more specific.",
        ),
        "duplicate-regex": Code(
            _I,
            "Another error has the same regex",
            "另一个错误有相同的正则表达式",
            "Merge the two, or make one regex more specific.",
        ),
    }
)
