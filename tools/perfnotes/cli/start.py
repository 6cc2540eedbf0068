"""Where the program begins. From here on Ctrl-C and SIGTERM end it without a traceback.

Nothing but ``sys`` is imported at the top, because loading the commands takes a while and a signal
may come meanwhile: until a command runs there is nothing to tidy up, and the signal ends the
process as it ends any program.
"""

import sys


def main() -> int:
    """Run the command that the arguments name; its exit status, 128 + n after signal n."""
    sys.excepthook = _show
    import signal  # noqa: PLC0415

    # Where the parent ignores Ctrl-C, as shells do for what runs in the background, so do we.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from perfnotes.cli.main import main as run  # noqa: PLC0415
    from perfnotes.storage.interruption import INTERRUPTED, Interruption  # noqa: PLC0415

    interruption = Interruption()
    try:
        with interruption:
            return run()
    except BaseException:
        # What came to the top may be what some library made of the interruption.
        if not interruption.number:
            raise
    if interruption.number == signal.SIGINT:
        print(INTERRUPTED, file=sys.stderr)
    return 128 + interruption.number


def _show(kind, error, trace):  # type: ignore[no-untyped-def]  # the types would be an import
    """Show an error that nobody caught. After Ctrl-C Python ends by that signal, without a word."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
