"""What the command line says, in both languages: one catalogue."""

from __future__ import annotations

_ZH = {
    "Nothing known fits. The nearest:": "没有匹配的已知错误。最接近的：",
    "Nothing known fits.": "没有匹配的已知错误。",
    "Cause": "原因",
    "Do": "可行的办法",
    "Don't": "不要尝试",
    "Resolvable": "能否解决",
    "fix rate": "修复率",
    "as its authors claim": "作者自述",
    "also": "另见",
    "variants": "变体",
    "true": "能",
    "partial": "部分能",
    "false": "不能",
    "(no action given)": "（未写明做法）",
    "No Chinese text; shown in English.": "此条目没有中文，以下为英文。",
    "confidence": "置信度",
    "Domain": "领域",
    "Category": "类别",
    "Error code": "错误码",
    "OS": "操作系统",
    "Country": "国家",
    "First seen": "首次出现",
    "Last confirmed": "最近确认",
    "Evidence": "证据数",
    "Verification": "验证级别",
    "Review": "审核状态",
    "Documentation": "官方文档",
    "Versions": "版本",
    "Condition": "适用条件",
    "Tradeoff": "代价",
    "Common misconception": "常见误解",
    "Source": "来源",
    "Leads to": "会导致",
    "Preceded by": "此前常见",
    "Often confused with": "容易混淆",
    "Problems in this entry's data": "此条目的数据问题",
    "More: culdesac show": "详情：culdesac show",
}


def say(text: str, chinese: bool) -> str:
    """The message in the language asked for; English is its own key."""
    return _ZH.get(text, text) if chinese else text
