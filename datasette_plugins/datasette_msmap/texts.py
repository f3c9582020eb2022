"""What the site itself says, in both languages."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "site.title": ("msmap", "msmap"),
    "site.tagline": (
        "How PyTorch's APIs map to MindSpore's, every claim run",
        "PyTorch API 与 MindSpore API 的对应关系，每条结论都经过运行验证",
    ),
    "switch.language": ("中文", "English"),
    "missing.title": ("{} is not here", "没有 {}"),
}


def get(key: str, language: str) -> str:
    """A text of the site in a language."""
    return TEXTS[key][language == "zh"]
