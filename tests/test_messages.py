"""What people are told, in English and in Chinese: one catalogue, complete, for the command line, pages and layout."""

from __future__ import annotations

import ast
import json
import re
import socket
import string
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from culdesac import __version__
from culdesac.db.codes import CODES
from culdesac.db.messages import preferred, translations
from culdesac.db.page_layout import FIELD_KEYS, HEAD, SECTION_KEYS, SECTIONS, label_key
from tests import catalogue
from tests.conftest import Run

COMMANDS = ("search", "show", "ingest", "check", "export", "stats", "remove", "serve", "evaluate", "completion")
OOM = "pytorch/cuda-out-of-memory-training"


def pairs() -> Iterator[tuple[str, str, str]]:
    """English, its plural ("" without), Chinese."""
    for message, found in catalogue.messages(catalogue.stored()).items():
        one, many = (message, "") if isinstance(message, str) else message
        yield one, many, found.string if isinstance(found.string, str) else found.string[0]


def test_the_catalogue_is_in_step_with_the_source() -> None:
    assert list(catalogue.wrong()) == []


def test_every_text_that_is_marked_is_extracted() -> None:
    """Also those inside the arguments of another one, which an extractor can overlook."""
    known = {text for one, many, _chinese in pairs() for text in (one, many)}
    for folder in ("app", "db", "ingest", "queries", "plugins"):
        for path in sorted((catalogue.ROOT / folder).rglob("*.py")):
            for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(call, ast.Call):
                    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
                    places = catalogue.KEYWORDS[name] or (1,) if name in catalogue.KEYWORDS else ()
                    given = [call.args[at - 1] for at in places if at <= len(call.args)]
                    texts = [text.value for text in given if isinstance(text, ast.Constant)]
                    assert set(texts) <= known, f"{path}:{call.lineno}"
    layout = [*HEAD, *(field for section in SECTIONS for field in section.fields)]
    assert {label.en for label in (*(field.label for field in layout), *(part.label for part in SECTIONS))} <= known


def test_a_catalogue_out_of_step_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = catalogue.PO.read_text(encoding="utf-8")
    monkeypatch.setattr(catalogue, "PO", tmp_path / "culdesac.po")
    for damaged, complaint in (
        (text.replace('msgid "Nothing found"', 'msgid "Something found"'), "missing: 'Nothing found'"),
        (text + '\nmsgid "nobody says this"\nmsgstr "没人这么说"\n', "unused: 'nobody says this'"),
        (text.replace('msgstr "没有找到"', 'msgstr ""'), "fuzzy or not translated: 'Nothing found'"),
        (text.replace('msgid "Nothing found"', '#, fuzzy\nmsgid "Nothing found"'), "fuzzy or not translated: 'Nothing"),
        (text.replace('msgstr "没有找到"', 'msgstr "未找到"'), "culdesac.mo isn't culdesac.po compiled"),
    ):
        assert damaged != text
        catalogue.PO.write_text(damaged, encoding="utf-8")
        assert [found for found in catalogue.wrong() if found.startswith(complaint)], complaint


def fields(text: str) -> set[str]:
    return {name for _literal, name, _spec, _conversion in string.Formatter().parse(text) if name is not None}


def test_translations_have_the_placeholders_of_their_messages() -> None:
    for one, many, chinese in pairs():
        known = fields(one) | fields(many)
        assert all(known), f"{one}: a placeholder without a name"
        assert fields(chinese) == (fields(one) if not many else fields(chinese) & known), one


def test_a_name_has_one_translation_however_it_is_written() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for one, _many, chinese in pairs():
        found[one.casefold().rstrip(":. ")].add(chinese.rstrip("：。"))
    # A question and its answer; the word of click and the column of versions; the file's tables and a document's form.
    two_things = {"resolvable", "deprecated", "schema version"}
    assert {name for name, texts in found.items() if len(texts) > 1} == two_things
    say = translations("zh").gettext
    for short, long in (("Verification", "Verification Tier"), ("fix rate", "Fix Rate"), ("Root cause", "Root Cause")):
        assert say(short) == say(long)


def test_chinese_is_set_as_chinese_is() -> None:
    han = "[\u4e00-\u9fff]"
    for one, _many, chinese in pairs():
        chinese = re.sub(r"“.*?”|\{\".*\}\}", "", chinese)  # what is quoted is written as it is typed
        assert not re.search(rf"{han}[,;:?!]|[,;:?!]{han}|{han} ?[()]|[()] ?{han}", chinese), chinese
        apart = re.sub(r"\{(kind|number_type)\}", "", chinese)  # what stands for these is Chinese, too
        assert not re.search(rf"{han}[A-Za-z0-9{{]|[A-Za-z0-9%}}]{han}", apart), chinese
        assert not re.search(rf"{han} {han}", chinese), chinese
        if re.search("[A-Za-z]{3,} [a-z]{3,} [a-z]{3,}", one):
            assert re.search(han, chinese), one


def test_words_of_the_glossary_are_the_ones_used() -> None:
    """The head of the catalogue chooses one word for each thing; these are the ones that were not chosen."""
    for _one, _many, chinese in pairs():
        assert not re.search("解决办法|变通|死路|死胡同|解决率|可信度|词条|错误信息|分类", chinese), chinese


#: What Chinese pages were written with: they must stay readable, whatever the catalogue says one day.
PAGE_LABELS = {
    "编号": "id", "错误签名": "signature", "中文签名": "signature_zh", "领域": "domain", "类别": "category",
    "子类别": "subcategory", "验证级别": "verification_tier", "可解决": "resolvable", "能否解决": "resolvable",
    "修复率": "fix_success_rate", "置信度": "confidence", "证据数": "evidence_count", "首次出现": "first_seen",
    "错误码": "error_code", "匹配模式": "regex", "操作系统": "os", "国家或地区": "country",
}  # fmt: skip
PAGE_SECTIONS = {
    "版本兼容性": "versions", "根本原因": "root_cause", "中文": "root_cause_zh", "官方文档": "documentation",
    "解决方法": "workarounds", "中文步骤": "workarounds_zh", "无效做法": "dead_ends", "关联错误": "transition_graph",
    "会导致": "leads_to", "之前常见": "preceded_by", "易混淆": "frequently_confused_with", "各系统说明": "os_specific",
    "运行环境": "environment", "硬件": "hardware", "其他条件": "additional", "标签": "tags", "别名": "aliases",
    "条目信息": "about", "同一错误的其他条目": "variants", "检查发现的问题": "problems",
}  # fmt: skip


def test_labels_of_older_chinese_pages_are_still_read() -> None:
    head = {label_key(text): field.key for field in HEAD for text in (field.label.text("zh"), *field.label.also)}
    assert {text: head.get(label_key(text)) for text in PAGE_LABELS} == PAGE_LABELS
    assert {text: SECTION_KEYS[label_key(text)].key for text in PAGE_SECTIONS} == PAGE_SECTIONS
    assert all(label_key(field.label.text("zh")) in FIELD_KEYS[part.key] for part in SECTIONS for field in part.fields)


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh"}, "zh"),
        ({"LANG": "zh_TW.UTF-8", "LC_MESSAGES": ""}, "zh"),
        ({"LANG": "zha_CN"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "zh_CN:en"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "en:zh"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "fr:de"}, "zh"),
        ({"LC_ALL": "C", "LANGUAGE": "zh"}, "en"),
        ({"LC_ALL": "POSIX", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
    ],
)
def test_the_locale_decides_as_posix_and_gnu_say(environment: dict[str, str], lang: str) -> None:
    assert preferred(environment) == lang


@pytest.mark.parametrize(
    "arguments",
    [
        ["--lang", "zh", "stats"],
        ["--lang=zh", "stats"],
        ["stats", "--lang", "zh"],
        ["--lang", "en", "stats", "--lang=zh"],
    ],
)
def test_lang_stands_before_or_after_the_command(culdesac: Run, sample_db: Path, arguments: list[str]) -> None:
    done = culdesac(*arguments, "--db", sample_db, LANG="en_US.UTF-8")
    assert done.returncode == 0
    assert "解决方法数" in done.stdout


def test_lang_in_front_of_a_query_is_no_part_of_it(culdesac: Run, sample_db: Path) -> None:
    first, second = (
        culdesac(*arguments, "--db", sample_db).stdout
        for arguments in (["--lang", "zh", "显存不足"], ["search", "显存不足", "--lang", "zh"])
    )
    assert first == second
    assert "不要尝试" in first
    # After -- it is what was asked for.
    assert "Usage" not in culdesac("search", "--db", sample_db, "--", "--lang", "zh").stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_in_chinese(culdesac: Run, command: str) -> None:
    said = culdesac(command, "--help", LC_ALL="zh_CN.UTF-8").stdout
    assert said.startswith(f"用法：culdesac {command} [选项]")
    examples = [line for line in said.splitlines() if re.match(r" *(culdesac|pip|make|eval) ", line)]
    prose = "\n".join(line for line in said.splitlines() if line not in examples)
    assert examples
    assert not re.search(r"\b[a-z]+ [a-z]+ [a-z]+\b", re.sub(r"\{.*?\}", "", prose)), prose


def test_the_commands_own_help_lists_them_in_chinese(culdesac: Run) -> None:
    said = culdesac("--lang", "zh", "--help").stdout
    assert "选项：" in said
    assert "命令：" in said
    for command in COMMANDS:
        assert re.search(rf"^  {command} +[\u4e00-\u9fff]", said, re.M)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["search", "--nope"], "错误：没有 '--nope' 这个选项。"),
        (["search", "-n", "0", "x"], "错误：'-n' 的值无效：0 不在范围 1<=x<=100 内。"),
        (["check"], "错误：请指定 SOURCE，或加上 --sample"),
        (["ingest", "--max-record", "many", "--sample"], "错误：'--max-record' 的值无效：'many' 不是有效的大小；"),
        (["show", "a/b", "--db", "none.db"], "错误：none.db：这里还没有数据库；可以这样创建："),
        (["ingest", "no-such-file", "--db", "x.db"], "错误：no-such-file：没有这个文件或文件夹；请检查路径"),
        (["completion", "tcsh"], "错误：'{bash|zsh|fish}' 的值无效：'tcsh' 无效，可选：'bash', 'zsh', 'fish'。"),
        (["search", "--nosuch"], "错误：没有 '--nosuch' 这个选项。\n"),
        (["--bogus"], "错误：没有 '--bogus' 这个选项。\n"),
        (["search", "--domian", "x"], "错误：没有 '--domian' 这个选项。你是不是想用 '--domain'？\n"),
        (["search", "-n", "abc", "x"], "错误：'-n' 的值无效：'abc' 不是整数。\n"),
        (["serve", "--port", "1x"], "错误：'--port' 的值无效：'1x' 不是整数。\n"),
        (["show"], "错误：缺少参数 'ID'。\n"),
        (["evaluate", "no-such-file.jsonl"], "错误：no-such-file.jsonl：无法读取：没有这个文件或文件夹\n"),
        (["evaluate", "/"], "错误：/：无法读取：这是文件夹\n"),
    ],
)  # fmt: skip
def test_errors_are_in_chinese_and_exit_with_2(culdesac: Run, arguments: list[str], complaint: str) -> None:
    done = culdesac(*arguments, LANG="zh_CN.UTF-8")
    assert done.returncode == 2
    assert complaint in done.stderr
    assert complaint not in culdesac(*arguments).stderr


def test_a_source_that_is_missing_is_named_once(culdesac: Run, tmp_path: Path) -> None:
    labels = tmp_path / "queries.jsonl"
    labels.write_text(json.dumps({"qid": "1", "query": "x", "relevant": {}}), encoding="utf-8")
    said = culdesac("evaluate", labels, "--within", "no-such-file", "--lang", "zh").stderr
    assert said == "错误：no-such-file：没有这个文件或文件夹；请检查路径\n"


def test_the_version_is_told_in_chinese(culdesac: Run) -> None:
    assert culdesac("--version").stdout == f"culdesac, version {__version__}\n"
    assert culdesac("--version", LC_ALL="zh_CN.UTF-8").stdout == f"culdesac，版本 {__version__}\n"


def test_why_an_address_is_refused_is_told_in_chinese(culdesac: Run, sample_db: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        said = culdesac("serve", "--db", sample_db, "--port", str(taken.getsockname()[1]), "--lang", "zh").stderr
    assert "：无法监听：地址已被占用；" in said
    said = culdesac("serve", "--db", sample_db, "--host", "256.0.0.1", "--port", "0", "--lang", "zh").stderr
    assert "：无法监听：没有这个主机；" in said


def test_names_of_values_are_the_same_in_both_languages(culdesac: Run) -> None:
    """As in the usage line: QUERY, SOURCE."""

    def names(*more: str) -> set[str]:
        said = [culdesac(command, "--help", *more).stdout for command in COMMANDS]
        return set(re.findall(r"^  +(?:-\S, )?--?\S+ (\S+)  ", "\n".join(said), re.M))

    assert names() >= {"FILE", "TEXT", "INTEGER", "DATE", "SIZE"}
    assert names("--lang", "zh") == names()


def test_broken_records_are_told_in_chinese(culdesac: Run) -> None:
    lines = ['{"id": "a/b", "signature": "one"}', '{"id": "a/c"}', '{"id": 5, "signature": "x"}', "{]"]
    done = culdesac("ingest", "-", "--db", "x.db", "--lang", "zh", input="\n".join(lines))
    assert done.returncode == 1
    assert done.stdout == "x.db：新增 1，更新 0，未变 0，删除 0，拒收 3；共 1 条\n"
    told = done.stderr.splitlines()
    assert told[0] == "<stdin>:2: signature: 不是错误条目：既没有 `signature`，也没有 `error.signature`"
    assert told[1] == "<stdin>:3: id: 应为字符串，实际是数字"
    assert told[2].startswith("<stdin>:4: record: JSON 格式错误：应为双引号括起的键（第 4 行第 2 列）")


def test_findings_say_in_chinese_what_their_code_means(culdesac: Run, tmp_path: Path) -> None:
    source = tmp_path / "entries.jsonl"
    source.write_text('{"id": "a/b", "signature": "boom", "regex": "(?=x)"}\nnonsense\n', encoding="utf-8")
    said = culdesac("check", source, "--lang", "zh")
    title = translations("zh").gettext(CODES["regex-unsupported"].title)
    assert f"a/b: regex：错误：{title}：(?= [" in said.stdout
    assert "[regex-unsupported]" in said.stdout
    assert re.search("错误 2 个，|，错误 2 个", said.stderr)
    # What a program reads is the same in every language, and so is what the file stores.
    assert culdesac("check", source, "--json", "--lang", "zh").stdout == culdesac("check", source, "--json").stdout
    culdesac("ingest", source, "--db", "zh.db", "--lang", "zh")
    culdesac("ingest", source, "--db", "en.db")
    assert (tmp_path / "here" / "zh.db").read_bytes() == (tmp_path / "here" / "en.db").read_bytes()


def test_what_programs_read_is_the_same_in_every_language(culdesac: Run, sample_db: Path) -> None:
    for arguments in (["stats", "--json"], ["export"], ["show", OOM, "--format", "json"]):
        english = culdesac(*arguments, "--db", sample_db).stdout
        assert english == culdesac(*arguments, "--db", sample_db, LANG="zh_CN.UTF-8").stdout
    answer = json.loads(culdesac("search", "CUDA", "--json", "--lang", "zh", "--db", sample_db).stdout)
    assert {"query", "confident", "results"} <= answer.keys()


def test_what_evaluate_says_is_in_chinese(culdesac: Run, sample_db: Path, tmp_path: Path) -> None:
    labels = [
        {"qid": "1", "query": "CUDA out of memory", "kind": "log", "lang": "en", "relevant": {OOM: 2}},
        {"qid": "2", "query": "酸面包有丙酮味", "kind": "none", "lang": "zh", "relevant": {}},
    ]
    path = tmp_path / "queries.jsonl"
    path.write_text("\n".join(map(json.dumps, labels)), encoding="utf-8")
    said = culdesac("evaluate", path, "--db", sample_db, "--lang", "zh").stdout
    assert "有答案 1 条，无答案 1 条" in said
    assert "语言 zh" in said
    assert "首条结果的得分" in said
