"""The ``msmap`` command."""

from __future__ import annotations

import sys

from msmap_cli.output import Leave


def main() -> None:
    """Run the command line and leave with its exit status."""
    try:
        _run(sys.argv[1:])
    except Leave as leave:
        sys.exit(leave.status)
    except BrokenPipeError:
        # `msmap list | head` closes the pipe early; say nothing more into it.
        sys.stderr.close()
        sys.exit(0)


def _run(arguments: list[str]) -> None:
    names = arguments[1:]
    if arguments[:1] == ["lookup"] and names and not any(n.startswith("-") for n in names):
        # The commonest call doesn't wait for Typer to be imported.
        from msmap_cli import reading

        reading.lookup(names, "text", reading.language(None))
        return
    from msmap_cli.app import app

    app()


if __name__ == "__main__":
    main()
