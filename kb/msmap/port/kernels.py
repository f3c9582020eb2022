"""Where targets run: none is written for a device that it lacks, and the file says where."""

from __future__ import annotations

from collections.abc import Sequence

from msmap.model import Record, Target, Text

# What a port without a device is written for. MindSpore's newer operators aren't documented for
# GPU: who has one names it.
USUAL = ("Ascend", "CPU")


def order(targets: Sequence[Target], device: str) -> Sequence[Target]:
    """The targets in the order in which a call is tried under them.

    For a device they are in the best order already. For all devices the best comes first, then
    those that run everywhere.
    """
    if device or len(targets) < 3:
        return targets
    best, *others = targets
    return [best, *sorted(others, key=lambda target: bool(lacking(target)))]


def lacking(target: Target) -> list[str]:
    """The devices, of those that a port without a device is for, on which a target can't run."""
    return [device for device in USUAL if target.lacks(device)]


def said(record: Record, target: Target, devices: Sequence[str], tried: Text | None) -> Text:
    """That a target can't run on some devices, and what to write there.

    Args:
        record: what is called.
        target: what takes the call.
        devices: those that it lacks.
        tried: why a better target didn't take the call, and what to write so that it does.
    """
    en = [f"{record.torch}: "]
    zh = [f"{record.torch}："]
    en.append("; ".join(_lacks(target, device)[0] for device in devices))
    zh.append("；".join(_lacks(target, device)[1] for device in devices))
    instead = tried or _instead(record, target, devices)
    if instead is not None:
        en.append("; " + instead.en.removeprefix(en[0]))
        zh.append("；" + instead.zh.removeprefix(zh[0]))
    return Text("".join(en), "".join(zh))


def _lacks(target: Target, device: str) -> tuple[str, str]:
    """That a target has no kernel on a device, or is documented for others only."""
    name = target.api or target.key
    if device in target.runs_on or (device == "CPU" and target.verification == "untestable"):
        return f"no kernel on {device}: {name}", f"{device} 上没有内核：{name}"
    others = ", ".join(target.runs_on)
    return (
        f"no kernel on {device} is documented: {name} runs on {others}",
        f"文档未列出 {device} 上的内核：{name} 的运行平台为 {others}",
    )


def _instead(record: Record, target: Target, devices: Sequence[str]) -> Text | None:
    """What the record says to write where a target raises."""
    for caveat in record.caveats:
        here = not caveat.device or not {*caveat.device}.isdisjoint(devices)
        if caveat.impact == "error" and caveat.target == target.key and here:
            return caveat.text
    return target.note
