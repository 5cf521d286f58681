"""Entry pages of other sites, read as far as they can be understood."""

from __future__ import annotations

import re

import pytest

from culdesac.ingest.page import looks_like_page, read_page
from tests.needs import shared
from tests.test_pages import PAGES, pruned

# -- Pages of other sites ----------------------------------------------------------------------------------------------


def _seed_page() -> str:
    return shared("seeds/000_56a9016b445d641d.txt").read_text(encoding="utf-8")


def test_the_page_of_the_seed() -> None:
    text = _seed_page()
    document = read_page(text)
    fences = re.findall(r"^```\n(.*?)\n```$", text, re.DOTALL | re.MULTILINE)
    assert len(fences) == 3
    rest = {"introduced": None, "deprecated": None, "removed": None, "behavior_change": None, "status": "active"}
    expected = {
        "id": "pytorch/nccl-communicator-aborted-watchdog-timeout",
        "domain": "pytorch",
        "category": "network_error",
        "verification_tier": "ai_generated",
        "resolvable": "true",
        "fix_success_rate": 0.78,
        "confidence": 0.86,
        "evidence_count": 1,
        "first_seen": "2023-07-01",
        "root_cause_type": "generic",
        "official_doc_url": "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/troubleshooting.html",
        "versions": [{"version": v} | rest for v in ("torch>=1.13", "NCCL 2.16", "CUDA 11.8", "Slurm 23.02")],
        "workarounds": [
            {"action": fence, "success_rate": rate, "how": fence, "sources": []}
            for fence, rate in zip(fences, (0.85, 0.8, 0.75), strict=True)
        ],
        "workarounds_zh": fences,
    }
    assert {key: document[key] for key in expected} == expected
    assert document["signature"].startswith("RuntimeError: NCCL communicator was aborted on rank 2. Original")
    assert document["signature"].endswith("watchdog callback timed out.")
    assert document["root_cause"].endswith("or a single slow node.")
    assert document["root_cause_zh"].startswith("NCCL 看门狗回调超时")
    assert [end["fail_rate"] for end in document["dead_ends"]] == [0.8, 0.9, 0.95]
    assert document["dead_ends"][0]["action"] == "Increasing NCCL_TIMEOUT environment variable to a very large value"
    assert document["dead_ends"][2]["why_fails"].startswith("Disabling the watchdog hides the error")
    assert looks_like_page(text)


def _sections(text: str) -> dict[str, str]:
    titles = "Version Compatibility|Root Cause|Official Documentation|Workarounds|中文步骤|Dead Ends"
    pieces = re.split(rf"^({titles})\n", text, flags=re.MULTILINE)
    return {"": pieces[0]} | dict(zip(pieces[1::2], pieces[2::2], strict=True))


def test_other_forms_of_the_same_page() -> None:
    text = _seed_page()
    expected = read_page(text)
    pieces = _sections(text)
    turned = pieces[""] + "".join(f"{title}\n{body.rstrip()}\n\n" for title, body in reversed(pieces.items()) if title)
    chrome = "Error Library\nHome · Search\n\npytorch\n\n"
    forms = {
        "line ends": text.replace("\n", "\r\n"),
        "hard blanks": text.replace("% success ", "%\u00a0success\u00a0").replace("78%Fix Rate", "78%\u00a0Fix Rate"),
        "value above name": re.sub(r"^(\S+?)(Fix|Confid|Evid|First)", r"\1\n\2", text, flags=re.MULTILINE),
        "chrome before": chrome + text,
        "chrome after": text.rstrip() + "\n\nWas this helpful?\nYes No\n\n© 2024 Error Library\n",
        "another order": turned,
    }
    for name, form in forms.items():
        assert read_page(form) == expected, name


def test_a_page_with_little_on_it() -> None:
    page = "pytorch true\n\nBoom\n\nID: pytorch/boom\n\n85.5%Fix Rate\n\nDead Ends\n\n80% fail\nBecause\nof this.\n"
    expected = {
        "id": "pytorch/boom",
        "signature": "Boom",
        "domain": "pytorch",
        "resolvable": "true",
        "fix_success_rate": 0.855,
        "dead_ends": [{"fail_rate": 0.8, "why_fails": "Because\nof this."}],
    }
    assert pruned(read_page(page)) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pip", {"domain": "pip"}),
        ("pip false", {"domain": "pip", "resolvable": "false"}),
        ("pip human_verified", {"domain": "pip", "verification_tier": "human_verified"}),
        ("pip build_error", {"domain": "pip", "category": "build_error"}),
        ("pip build_error true", {"domain": "pip", "category": "build_error", "resolvable": "true"}),
        ("Some site", {}),
    ],
)
def test_first_lines(line: str, expected: dict[str, str]) -> None:
    assert pruned(read_page(f"{line}\n\nBoom\n\nID: pip/boom\n")) == expected | {"id": "pip/boom", "signature": "Boom"}


def test_html_of_another_site() -> None:
    how = "Raise the limit:\n\nsudo sysctl fs.inotify.max_user_watches=524288"
    page = (PAGES / "foreign.html").read_text(encoding="utf-8")
    assert looks_like_page(page)
    assert pruned(read_page(page)) == {
        "id": "node/enospc-watchers",
        "signature": "ENOSPC: System limit for number of file watchers reached",
        "domain": "node",
        "category": "disk_error",
        "verification_tier": "ai_generated",
        "resolvable": "partial",
        "fix_success_rate": 0.855,
        "evidence_count": 4,
        "first_seen": "2021-05",
        "versions": [{"version": "node>=12", "status": "active", "behavior_change": "a & b"}, {"version": "node 8"}],
        "root_cause": "Every watched file takes one of fs.inotify.max_user_watches.",
        "root_cause_type": "generic",
        "official_doc_url": "https://nodejs.org/api/fs.html",
        "dead_ends": [
            {"action": "Free disk space", "fail_rate": 0.8, "why_fails": "The limit is on watches,\nnot on space."}
        ],
        "workarounds": [
            {"action": how, "how": how, "success_rate": 0.9},
            {"action": "Poll instead", "how": "Set CHOKIDAR_USEPOLLING=1.", "success_rate": 0.7},
        ],
    }


def test_chinese_page_of_another_site() -> None:
    page = (PAGES / "foreign_zh.txt").read_text(encoding="utf-8")
    assert pruned(read_page(page)) == {
        "id": "docker/tls-handshake-timeout",
        "signature": "Error response from daemon: Get https://registry-1.docker.io/v2/: TLS handshake timeout",
        "domain": "docker",
        "category": "network_error",
        "resolvable": "false",
        "fix_success_rate": 0.6,
        "evidence_count": 2,
        "dead_ends": [
            {"fail_rate": 0.8, "why_fails": "重启不会改变网络。\n第二行说明。"},
            {"action": "反复重试", "fail_rate": 0.955, "why_fails": "网络没有恢复之前，每次都会失败。"},
        ],
        "root_cause": "到镜像仓库的连接太慢。",
        "workarounds": [{"action": "配置镜像加速", "how": "配置镜像加速", "success_rate": 0.9}],
        # One workaround and two paragraphs: which of them is the site's, nobody can tell.
        "workarounds_zh": ["在 daemon.json 里\n写入镜像地址。\n\n版权所有 2024"],
    }


def test_a_fence_inside_of_a_step_ends_where_the_heading_ends() -> None:
    how = "Run:\n```bash\nmake\n```\nThen:\n```\nmake test\n```"
    flat = " ".join(how.split())
    page = f"x\n\nBoom\n\nID: x/y\n\nWorkarounds\n\n85% success {flat}\n```\n{how}\n```\n70% success b\n```\nb\n```\n"
    assert [item["how"] for item in read_page(page)["workarounds"]] == [how, "b"]


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("一\n\n二\n\n三", ["一", "二", "三"]),
        ("a\n\nb\n\n二\n\nc", ["a\n\nb", "二", "c"]),
        ("一\n\n甲\n\n二\n\n乙", ["一\n\n甲\n\n二\n\n乙"]),
        ("a\n\nb\n\n二\n\n乙\n\n丙", ["a\n\nb", "二\n\n乙\n\n丙"]),
        ("a\n\nb", ["a\n\nb"]),
    ],
)
def test_chinese_steps_are_told_apart_by_the_workarounds(steps: str, expected: list[str]) -> None:
    fences = "\n".join(f"80% success {' '.join(h.split())}\n```\n{h}\n```" for h in ("a\n\nb", "two", "c"))
    page = f"x\n\nBoom\n\nID: x/y\n\nWorkarounds\n\n{fences}\n\n中文步骤\n\n{steps}\n\nRoot Cause\n\nx\n"
    assert read_page(page)["workarounds_zh"] == expected
