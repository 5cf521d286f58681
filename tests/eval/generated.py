"""A generated test beside the labelled one: every error's signature with other values in its placeholders, in a log.

Three forms: `clean`; `typo`, with two edits at random letters of content words; `cut`, only 60 % of its words in a
row. Each stands among 20 lines of the logs of other domains. One seed: the same corpus always gives the same queries.
The values and the lines were written for this and occur in no corpus.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from typing import Any

from culdesac.db.rows import split_id
from culdesac.db.text import signature_key

_SEED = 271828
_LINES = 20
_NAMES = (
    "quillbeam", "zorvex", "tallowfen", "brindlecap", "mossgate", "harrowick", "pelluvian", "dunmarrow", "ostrevar",
    "winklethorn", "cobblemere", "farrowdelta", "sandrift", "lumenport", "gristlewood", "ravelstone",
)  # fmt: skip
_PLACES = (
    "/srv/quillbeam/mossgate",
    "/mnt/zorvex/tallowfen.d",
    "/home/ostrevar/dunmarrow",
    "/opt/brindlecap/lumenport",
)
_NOISE = {
    "web": (
        "{time} INFO  [worker-{small}] GET /quillbeam/{small} 200 {small}ms",
        "{time} INFO  [worker-{small}] POST /mossgate 201 {small}ms",
        "{time} DEBUG session {hex} renewed for pelluvian",
    ),
    "build": (
        "[{small}/{number}] compiling ravelstone/part{small}.o",
        "> Task :harrowick:processResources UP-TO-DATE",
        "added {number} packages in {small}s",
        "Step {small}/24 : COPY cobblemere /srv/cobblemere",
    ),
    "data": (
        "{time} INFO winklethorn: flushed {number} rows to segment {hex}",
        "{time} INFO winklethorn: compaction of level {small} done",
        "LOG:  checkpoint complete: wrote {number} buffers",
    ),
    "train": (
        "epoch {small} step {number} loss 0.{number} lr 3e-05",
        "{time} gristlewood | saved snapshot {hex}",
        "throughput {number} samples/s, eta {small} min",
    ),
    "system": (
        "{time} farrowdelta systemd[1]: Started sandrift-{small}.service.",
        "{time} farrowdelta kernel: eth{small}: link is up, {number} Mbit",
        "{time} farrowdelta cron[{number}]: (ostrevar) CMD (true)",
    ),
}  # fmt: skip
_OWN = {
    "web": {"nextjs", "react", "node", "nginx", "api", "networking", "cors", "php", "java", "typescript"},
    "build": {"gradle", "cmake", "docker", "android", "npm", "pip", "cicd", "rust", "go", "flutter", "dotnet", "node"},
    "data": {"database", "postgresql", "mysql", "redis", "mongodb", "kafka", "elasticsearch", "data"},
    "train": {"pytorch", "tensorflow", "cuda", "huggingface", "llm"},
    "system": {"linux", "systemd", "kubernetes", "embedded", "networking", "docker"},
}
_QUOTED = re.compile(r"(['\"`‘“])([^'\"`’”]{1,60})(['\"`’”])")
_ANGLED = re.compile(r"<[^<>]{1,40}>|\{[a-z_]{1,30}\}|\[[a-z_]{2,30}\]")
_PATH = re.compile(r"(?<![\w.])/(?:[\w.-]+/)+[\w.-]+")
# A number that stands alone; three digits and less may be a status or an exit code, and stay.
_NUMBER = re.compile(r"(?<![\w.:-])\d{4,}(?![\w.:-])|(?<![\w.])\d+\.\d+(?= ?(?:GiB|MiB|GB|MB|s|ms)\b)")
_CODE = re.compile(
    r"\b((?:[A-Z]{1,8}-?|(?:[Ee]xit |[Ss]tatus |error )?code:? |[Ee]rror |errno |HTTP |status )0?)(\d{2,5})\b"
)
_LETTER = re.compile(r"[A-Za-z]{5,}")
_BEFORE = ("app: ", "ERROR ", "worker-1: ", "Error: ", "2026-02-03 12:03:11 FATAL ", "[main] ", "deploy failed: ")


def queries(documents: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A labelled query for each error and form; errors that share a signature are each other's right answer."""
    source = random.Random(_SEED)
    for error_id, (signature, twins) in _messages(documents):
        filled = fill(signature, source)
        for form, line in (("clean", filled), ("typo", misspell(filled, source)), ("cut", cut(filled, source))):
            yield {
                "qid": f"{form}:{error_id}",
                "kind": form,
                "query": bury(line, error_id.split("/")[0], source),
                "relevant": twins,
            }


def _messages(documents: Iterable[dict[str, Any]]) -> list[tuple[str, tuple[str, dict[str, int]]]]:
    """Each error with its signature and the errors that have the same."""
    signatures = {}
    for document in documents:
        signature = document["error"]["signature"] if "error" in document else document["signature"]
        signatures.setdefault(split_id(document["id"]).error_id, signature)
    twins: dict[str, dict[str, int]] = {}
    for error_id, signature in signatures.items():
        twins.setdefault(signature_key(signature), {})[error_id] = 2
    return sorted(
        (error_id, (signature, twins[signature_key(signature)])) for error_id, signature in signatures.items()
    )


def alone(documents: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The same messages, each on a line of its own behind what programs put before one."""
    source = random.Random(_SEED)
    forms = {
        "clean": lambda line: line,
        "typo": lambda line: misspell(line, source),
        "cut": lambda line: cut(line, source),
    }
    for error_id, (signature, twins) in _messages(documents):
        filled = fill(signature, source)
        for form, change in forms.items():
            line = source.choice(_BEFORE) + change(filled)
            yield {"qid": f"alone {form}:{error_id}", "kind": form, "query": line, "relevant": twins}


def other_codes(documents: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A query without an answer for each error whose signature has a code (E0502, exit code 137): its signature with
    another number of the same length that no signature of the corpus has in that place. One alone, one in a log."""
    signatures = {}
    for document in documents:
        signature = document["error"]["signature"] if "error" in document else document["signature"]
        signatures.setdefault(split_id(document["id"]).error_id, signature)
    known = {found[0].lower() for signature in signatures.values() for found in _CODE.finditer(signature)}
    source = random.Random(_SEED)
    for error_id, signature in sorted(signatures.items()):
        code = _CODE.search(signature)
        while code:
            digits = len(code[2])
            other = code[1] + str(source.randint(10 ** (digits - 1), 10**digits - 1))
            if other.lower() not in known:
                changed = signature[: code.start()] + other + signature[code.end() :]
                for form, query in (("line", changed), ("log", bury(changed, error_id.split("/")[0], source))):
                    yield {"qid": f"code {form}:{error_id}", "kind": "none", "query": query, "relevant": {}}
                break


def fill(signature: str, source: random.Random) -> str:
    """Put other values where a signature has an example: quoted and angled names, paths, long numbers."""
    text = _PATH.sub(lambda _: source.choice(_PLACES), signature)
    text = _QUOTED.sub(lambda found: f"{found[1]}{_value(found[2], source)}{found[3]}", text)
    text = _ANGLED.sub(lambda _: source.choice(_NAMES), text)
    return _NUMBER.sub(lambda _: str(source.randint(1000, 99999)), text)


def _value(example: str, source: random.Random) -> str:
    """A new name for a name; what looks like a sentence or a code is part of the message and stays."""
    if " " in example.strip() or not re.search(r"[a-z]", example):
        return example
    return source.choice(_NAMES)


def misspell(text: str, source: random.Random) -> str:
    """Two edits at random letters of words of five letters or more: one dropped, doubled, swapped or replaced."""
    for _ in range(2):
        found = list(_LETTER.finditer(text))
        if not found:
            return text
        word = source.choice(found)
        place = source.randrange(word.start() + 1, word.end() - 1)
        letter, following = text[place], text[place + 1]
        changed = source.choice(["", letter * 2, source.choice("etaoinsr")])
        text = (
            text[:place] + changed + text[place + 1 :]
            if source.random() < 0.75
            else (text[:place] + following + letter + text[place + 2 :])
        )
    return text


def cut(text: str, source: random.Random) -> str:
    """60 % of the words, in a row."""
    words = text.split()
    kept = max(1, round(len(words) * 0.6))
    start = source.randrange(len(words) - kept + 1)
    return " ".join(words[start : start + kept])


def bury(line: str, domain: str, source: random.Random) -> str:
    """The line among lines of other domains' logs."""
    others = [line for name, lines in _NOISE.items() if domain not in _OWN[name] for line in lines]
    lines = [source.choice(others).format_map(_values(source)) for _ in range(_LINES)]
    lines.insert(source.randrange(_LINES + 1), line)
    return "\n".join(lines)


def _values(source: random.Random) -> dict[str, object]:
    time = f"2031-0{source.randint(1, 9)}-1{source.randint(0, 9)}T0{source.randint(0, 9)}:4{source.randint(0, 9)}:17Z"
    return {
        "time": time,
        "small": source.randint(2, 23),
        "number": source.randint(1000, 99999),
        "hex": f"{source.getrandbits(40):010x}",
    }
