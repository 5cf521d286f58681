"""docs/checks.md and docs/checks.zh.md, written from the codes.

`python -m culdesac.ingest.checks.reference en > docs/checks.md`, and zh for the other.
"""

from __future__ import annotations

import sys

from culdesac.db.codes import severity
from culdesac.db.messages import Lang, translations
from culdesac.ingest.checks import broad, entry, patterns, regexes, texts, values
from culdesac.ingest.checks.codes import CODES, QUOTED, CheckOptions

_HEAD = f"""\
# What the checks find

[中文](checks.zh.md)

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

| code | severity | what is wrong | what to do |
|---|---|---|---|
"""


_HEAD_ZH = f"""\
# 数据检查

[English](checks.md)

`culdesac check SOURCE...` 打印下列问题，
`culdesac ingest` 把它们写进表 `problems`（entry、code、severity、field、message）。有问题的条目照样导入：
只有值的类型不对，或缺少 id 或签名的记录才会被拒收。检查结果只取决于文档本身，与时间、机器和文件顺序无关。

本页由 `culdesac.ingest.checks.CODES` 生成，有测试核对两者一致。代码不会改名，今后可能增加新的。

## 限制

- **正则**只在 RE2 里运行，不分大小写，内存上限 1 MB，只匹配签名的前 {regexes.LONGEST_TEXT:,} 个字符。
  超过 {regexes.LONGEST_PATTERN:,} 个字符的正则不编译。超过 {regexes.LARGEST_PROGRAM:,} 条 RE2 指令，
  或者无上限地嵌套重复、连续重复同一内容，算作代价过高。必需的字面文本至少 {patterns.SHORTEST} 个字符，
  中日韩文字 {patterns.SHORTEST_CJK} 个。
- **误中其他错误**：在质量最高的 {broad.MOST_SIGNATURES:,} 个条目的签名里查找，
  每个签名最多看 {broad.LONGEST_SIGNATURE} 个字符。
  先用三字符序列的索引找出含有正则必需文本的签名（取前 {broad.MOST_CLAUSES} 个分支，
  每段文本 {broad.LONGEST_REQUIRED} 个字符），再从好到差尝试至多 {broad.MOST_CANDIDATES} 个，
  总计不超过 {broad.MOST_STEPS // 10_000:,} 万步（RE2 指令数乘以字符数）。
  误中 {broad.TOO_MANY_MATCHES} 个其他错误就算太多。工作量因此随条目数线性增长，但在很大的文件里，过宽的正则可能漏网。
  本身已经过宽的正则不再比较。
- **日期**超出 {values.FIRST_YEAR} 至 {values.LAST_YEAR} 年会被报告，也不参与任何比较。没有给出检查日期时，
  不判断日期是否在将来。
- **陈旧**：把文件里完整的 `last_confirmed` 从新到旧排列，取最新的二十分之一处（至少有三个日期时至少取第二个），
  比它早 {CheckOptions().stale_days} 天以上即为陈旧。不合理的和将来的日期不计入，
  所以个别错得离谱的日期不会让别的条目变陈旧。
- **能否解决**：“false”与高于 {values.FALSE_AT_MOST} 的修复率矛盾，“true”与不超过 {values.TRUE_ABOVE} 的修复率矛盾。
- **关联**按错误比较：对方的任何一个变体都算数。
- **文本**超过 {texts.LONGEST:,} 个字符算过长。制表符、换行和回车不算控制字符；双向覆盖符和隔离符算。
- 每个条目最多列出自身的 {entry.MOST} 个问题。消息中引用的值最多 {QUOTED} 个字符。

## 代码

| 代码 | 级别 | 问题 | 怎么改 |
|---|---|---|---|
"""


def markdown(lang: Lang = "en") -> str:
    """The text of docs/checks.md, or of docs/checks.zh.md."""
    say = translations(lang).gettext
    rows = (
        f"| `{name}` | {severity(code.severity, lang)} | {say(code.title)} | {say(code.advice)} |"
        for name, code in CODES.items()
    )
    return (_HEAD if lang == "en" else _HEAD_ZH) + "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(markdown("zh" if sys.argv[1:] == ["zh"] else "en"), end="")
