"""Files and folders: scanned, ported, compared, in one process or several."""
