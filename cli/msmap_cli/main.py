"""The ``msmap`` command."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line and leave with its exit status."""
    try:
        _run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # `msmap list | head` closes the pipe early: nothing more can be said into it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _run(arguments: list[str]) -> None:
    names = arguments[1:]
    plain = names and not any(name.startswith("-") for name in names)
    if arguments[:1] == ["lookup"] and plain and not sys.stdout.isatty():
        from msmap_cli import quick

        if quick.lookup(names, quick.language(None)):
            return
    from msmap_cli.app import app
    from msmap_cli.output import Leave

    try:
        app()
    except Leave as leave:
        sys.exit(leave.status)


if __name__ == "__main__":
    main()
