"""The ``msmap`` command."""

from __future__ import annotations

import io
import os
import sys


def main() -> None:
    """Run the command line and leave with its exit status."""
    unread = _streams()
    try:
        status = _run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # `msmap list | head` closes the pipe early: nothing more can be said into it.
        _discard()
        return
    except OSError as error:
        _discard()
        _say(error)
        status = 1
    if unread is not None and unread.getvalue():
        _say(OSError("closed"))
        status = status or 1
    if status:
        sys.exit(status)


def _streams() -> io.StringIO | None:
    """Make the three streams fit to be used; what takes the output where there is none.

    What an encoding lacks is shown as escapes, and bytes that aren't text are read as they are. A
    stream that was closed must not be mistaken for the next file that is opened.
    """
    closed = sys.stdout is None
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(number)
    unread = io.StringIO() if closed else None
    if unread is not None:
        sys.stdout = unread
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    if sys.stdin is None:
        sys.stdin = io.StringIO()
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)
    return unread


def _discard() -> None:
    """Throw away what standard output still holds: it would be written again at the end."""
    if not isinstance(sys.stdout, io.StringIO):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(error: OSError) -> None:
    from msmap_cli import output

    output.report(output.reason(error))


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["--complete"]:
        from msmap_cli import completing

        sys.stdout.write(completing.run(arguments[1:]))
        return 0
    from msmap_cli import quick, settings

    settings.read(arguments)
    asked = quick.meant(arguments)
    status = quick.run(asked)
    if status is None:
        status = _whole(asked)
    if status in (1, 2) and asked == ["lookup", *arguments]:
        _perhaps_a_command(arguments)
    return status


def _whole(arguments: list[str]) -> int:
    """The exit status of what needs all of the program."""
    from msmap.errors import MsmapError, UnknownEnvironment
    from msmap_cli import app, output

    try:
        return app.run(arguments)
    except output.Leave as leave:
        return leave.status
    except MsmapError as error:
        output.report(error.message)
        return 2 if isinstance(error, UnknownEnvironment) else 1


def _perhaps_a_command(arguments: list[str]) -> None:
    """Say which command was meant, where a word that was looked up looks like one."""
    from msmap_cli import quick

    if meant := quick.near_command(arguments):
        from msmap_cli import output
        from msmap_cli.speech import said

        output.say(said("did you mean the command {}?", meant))


if __name__ == "__main__":
    main()
