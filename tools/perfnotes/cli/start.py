"""The program's entry point. From here on Ctrl-C and SIGTERM end the program without a traceback.

This module imports only ``sys`` at its top: loading the commands takes a while, and a signal may
arrive meanwhile. Before a command runs there is nothing to tidy up, so a signal may end the process
as it ends any other program.
"""

import sys


def main() -> int:
    """Run the command that the arguments name.

    Returns its exit status, or 128 + n if signal n interrupted it.
    """
    sys.excepthook = _show
    import signal  # noqa: PLC0415

    # A shell makes its background jobs ignore Ctrl-C. Such a job keeps ignoring it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from perfnotes.cli.main import main as run  # noqa: PLC0415
    from perfnotes.storage.interruption import INTERRUPTED, Interruption  # noqa: PLC0415

    interruption = Interruption()
    try:
        with interruption:
            return run()
    except BaseException:
        # A library may have turned the interruption into any other exception.
        if not interruption.number:
            raise
    if interruption.number == signal.SIGINT:
        print(INTERRUPTED, file=sys.stderr)
    return 128 + interruption.number


def _show(kind, error, trace):  # type: ignore[no-untyped-def]  # the types would be an import
    """Print an uncaught exception, but not Ctrl-C, after which Python ends by SIGINT."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
