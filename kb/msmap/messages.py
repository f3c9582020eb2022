"""A message for users: English text that keeps its template and its values for other languages.

This module imports nothing, because a cold `msmap lookup` waits for every import.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


_DATA = (str, int, float, complex, list, tuple, dict)


class Message(str):
    """A message: the English text, made of ``template`` and ``values``.

    A translation of ``template`` is filled with ``values``, of which a message is translated too.
    A template without values isn't filled: its braces stand for themselves.

    >>> message = Message("no check `{}` in {}", "shape", "torch.abs")
    >>> message
    'no check `shape` in torch.abs'
    >>> message.template, message.values
    ('no check `{}` in {}', ('shape', 'torch.abs'))
    """

    __slots__ = ("template", "values")
    template: str
    values: tuple[object, ...]

    def __new__(cls, template: str, *values: object) -> Message:
        """A message; an error among the values stands for the message that it carries."""
        if not values and isinstance(template, Message):
            return template
        plain = tuple(map(_plain, values))
        self = super().__new__(cls, template.format(*plain) if plain else template)
        self.template, self.values = template, plain
        return self

    def __reduce__(self) -> tuple[type[Message], tuple[object, ...]]:
        return Message, (self.template, *self.values)


def _plain(value: object) -> object:
    """What a message keeps of a value: a text, a message or plain data, which may be pickled."""
    if isinstance(value, BaseException) and len(value.args) == 1:
        value = value.args[0]
    return value if value is None or isinstance(value, _DATA) else str(value)


def joined(separator: str, messages: Iterable[str]) -> Message:
    """Messages as one, each of which is translated."""
    values = tuple(messages)
    return Message(separator.join(["{}"] * len(values)), *values)
