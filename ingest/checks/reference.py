"""docs/checks.md, written from the codes: `python -m culdesac.ingest.checks.reference > docs/checks.md`."""

from __future__ import annotations

from culdesac.db.messages import translations
from culdesac.ingest.checks import broad, entry, patterns, regexes, texts, values
from culdesac.ingest.checks.codes import CODES, QUOTED, CheckOptions

_HEAD = f"""\
# What the checks find

`culdesac check SOURCE...` prints these findings, and `culdesac ingest` writes them to the table `problems` (entry,
code, severity, field, message). An entry with findings is loaded all the same: only a record with a value of the wrong
type, or without id or signature, is kept out. Findings depend on the documents alone: not on the clock, the machine or
the order of files.

This page is made from `culdesac.ingest.checks.CODES`; a test compares the two. Codes stay; new ones may come.

## Limits

- **Regexes** run in RE2 only, whatever the case of letters, with 1 MB each, on the first {regexes.LONGEST_TEXT:,}
  characters of a signature. A pattern of more than {regexes.LONGEST_PATTERN:,} characters is not compiled. It is costly
  above {regexes.LARGEST_PROGRAM:,} RE2 instructions, or when it repeats a repetition, or one thing twice side by side,
  without bound. Required text counts from {patterns.SHORTEST} characters, or {patterns.SHORTEST_CJK} Chinese, Japanese
  or Korean ones.
- **Matches of other errors** are looked for in the signatures of the best {broad.MOST_SIGNATURES:,} entries, in up to
  {broad.LONGEST_SIGNATURE} characters of each. An index of three-character sequences gives those that hold text which
  the regex requires (its first {broad.MOST_CLAUSES} alternatives, {broad.LONGEST_REQUIRED} characters of each text); at
  most {broad.MOST_CANDIDATES} of them are tried, best entries first, in at most {broad.MOST_STEPS // 1_000_000} million
  steps (RE2 instructions times characters). {broad.TOO_MANY_MATCHES} other errors are too many. So the work grows with
  the number of entries, not with its square, and in a large file a broad regex can escape. One that is too broad by
  itself isn't compared.
- **Dates** outside {values.FIRST_YEAR}..{values.LAST_YEAR} are reported and compared with nothing. Without a day to
  check as of, no date is in the future.
- **Stale**: more than {CheckOptions().stale_days} days before the day that one in twenty of the full `last_confirmed`
  dates in the file reaches, and at least two where there are three. Implausible and future dates don't count, so a few
  false ones far ahead make nothing stale.
- **Resolvable**: "false" contradicts a rate above {values.FALSE_AT_MOST}, "true" one of {values.TRUE_ABOVE} or less.
- **Edges** are compared between errors: any variant of the other error can answer.
- **Texts** are long above {texts.LONGEST:,} characters. Tab, line feed and carriage return are no control characters
  here; bidirectional overrides and isolates are.
- An entry shows the first {entry.MOST} problems that it has by itself. Messages quote at most {QUOTED} characters of a
  value.

## Codes

| code | severity | what is wrong | 问题 | what to do |
|---|---|---|---|---|
"""


def markdown() -> str:
    """The text of docs/checks.md."""
    chinese = translations("zh").gettext
    rows = (
        f"| `{name}` | {code.severity} | {code.title} | {chinese(code.title)} | {code.advice} |"
        for name, code in CODES.items()
    )
    return _HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(markdown(), end="")
