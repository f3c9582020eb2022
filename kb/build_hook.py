"""Puts a freshly built msmap.db into every wheel, and into the tree for editable installs."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DatabaseHook(BuildHookInterface[Any]):
    """Builds the database from data/ with the checkout's own code."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build before the wheel is put together; an editable one reads it from the tree."""
        root = Path(self.root)
        sys.path.insert(0, str(root / "kb"))
        from msmap.store import build as store

        if version == "editable":
            # Where a place is named for it, an install goes on from what the last one joined.
            kept = os.environ.get("MSMAP_CACHE")
            path = root / "kb" / "msmap" / "msmap.db"
            store.build(root / "data", path, Path(kept) if kept else None)
            return
        self.folder = tempfile.TemporaryDirectory(prefix="msmap-")
        path = Path(self.folder.name) / "msmap.db"
        store.build(root / "data", path)
        build_data["force_include"][str(path)] = "msmap/msmap.db"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was only needed while building."""
        if version != "editable":
            self.folder.cleanup()
