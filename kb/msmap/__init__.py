"""How PyTorch's APIs map to MindSpore's, in records whose every claim can be run."""

from __future__ import annotations

# From typing it would cost a tenth of a cold start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from msmap.errors import DatabaseError, MsmapError, NotFound
    from msmap.query.knowledge_base import KnowledgeBase

    # Else it is Python's own to type checkers.
    open = KnowledgeBase.open

__all__ = ["DatabaseError", "KnowledgeBase", "MsmapError", "NotFound", "__version__", "open"]

__version__ = "0.1.0"


def load_ipython_extension(shell: object) -> None:
    """``%load_ext msmap`` in IPython or a notebook: the magics %msmap and %%msmap."""
    from msmap.notebook import magics

    magics.load(shell)


def __getattr__(name: str) -> object:
    """Import on first use: `msmap lookup` must not wait for what it doesn't need."""
    if name not in __all__:
        raise AttributeError(f"module 'msmap' has no attribute {name!r}")
    from msmap import errors

    if hasattr(errors, name):
        return getattr(errors, name)
    from msmap.query.knowledge_base import KnowledgeBase

    return KnowledgeBase.open if name == "open" else KnowledgeBase
