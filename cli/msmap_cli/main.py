"""The ``msmap`` command."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line and leave with its exit status."""
    try:
        status = _run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # `msmap list | head` closes the pipe early: nothing more can be said into it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    if status:
        sys.exit(status)


def _run(arguments: list[str]) -> int:
    names = arguments[1:]
    plain = names and not any(name.startswith("-") for name in names)
    if arguments[:1] == ["lookup"] and plain and not sys.stdout.isatty():
        from msmap_cli import quick

        if quick.lookup(names, quick.language(None)):
            return 0
    from msmap.errors import MsmapError
    from msmap_cli import app, output

    try:
        return app.run()
    except output.Leave as leave:
        return leave.status
    except MsmapError as error:
        output.say(f"msmap: {error}")
        return 1


if __name__ == "__main__":
    main()
