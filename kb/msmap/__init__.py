"""How PyTorch's APIs map to MindSpore's, in records whose every claim can be run."""

from msmap.query import DatabaseError, KnowledgeBase, MsmapError, NotFound

__all__ = ["DatabaseError", "KnowledgeBase", "MsmapError", "NotFound", "__version__", "open"]

__version__ = "0.1.0"

open = KnowledgeBase.open
