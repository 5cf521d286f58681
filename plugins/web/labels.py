"""Which language a page is in, and the names of what its facets narrow by."""

from __future__ import annotations

from typing import Any

from culdesac.db.messages import LANGS, VERDICTS, Lang, noted, translations

#: The facets of the results, by parameter.
FACET_TITLES = {
    "domain": noted("Domain"),
    "category": noted("Category"),
    "resolvable": noted("Resolvable"),
    "verification_tier": noted("Verification"),
    "package": noted("Package"),
    "os": noted("Operating system"),
    "country": noted("Country"),
    "chinese": noted("Chinese"),
}
#: The values that have a name; any other is shown as it is.
FACET_VALUES = {
    ("chinese", "yes"): noted("has Chinese"),
    **{("resolvable", value): name for value, name in VERDICTS.items()},
}


def verdict(resolvable: Any, lang: Lang) -> str | None:
    """What `resolvable` says, in words; None for any other value."""
    name = VERDICTS.get(resolvable) if isinstance(resolvable, str) else None
    return translations(lang).gettext(name) if name else None


def tagged(asked: str | None) -> Lang | None:
    """The language of ours that a tag names (RFC 5646), whatever its script or region is: zh-CN, zh_Hant, en-GB."""
    primary = (asked or "").lower().replace("_", "-").partition("-")[0]
    return next((lang for lang in LANGS if lang == primary), None)


def language(asked: str | None) -> Lang:
    """The language of a page: Chinese when asked for, else English."""
    return tagged(asked) or "en"


def preferred(accepted: str) -> Lang:
    """The language that an Accept-Language header likes best of ours; English when it doesn't say."""
    likes: dict[str, float] = {}
    for part in accepted.split(",")[:20]:
        name, _, rest = part.partition(";")
        lang = name.strip().lower().partition("-")[0]
        try:
            likes[lang] = max(likes.get(lang, 0.0), float(rest.strip().removeprefix("q=") or 1))
        except ValueError:
            continue
    return "zh" if likes.get("zh", 0.0) > likes.get("en", 0.0) else "en"
