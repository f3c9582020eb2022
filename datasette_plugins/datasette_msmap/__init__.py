"""The site of msmap, its API, and what keeps both from being used up; a plugin of Datasette too."""

import sys

# Datasette looks for the hooks here. Who serves the site needs them only for Datasette's own pages,
# and to import Datasette takes longer than all else that comes before the first answer.
if "datasette.plugins" in sys.modules:
    from datasette_msmap.plugin import (
        asgi_wrapper,
        handle_exception,
        prepare_connection,
        startup,
    )

    __all__ = ["asgi_wrapper", "handle_exception", "prepare_connection", "startup"]
