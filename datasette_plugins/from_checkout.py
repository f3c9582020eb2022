"""Makes `datasette --plugins-dir datasette_plugins` work in a checkout without installing."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (HERE, HERE.parent / "kb"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from datasette_msmap import server  # noqa: E402

server.register()
