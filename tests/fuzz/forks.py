"""Cases one by one, each in a process of its own that may crash, hang or take memory."""

from __future__ import annotations

import os
import resource
import signal
import sys
import traceback
import warnings
from collections import Counter

from jourdain.errors import JourdainError

RAN, OURS, FOREIGN = 0, 10, 11


def sweep(cases, *, seconds=30, megabytes=None):
    """Run (label, action) pairs; print what is wrong; return the counts of the outcomes."""
    found = Counter()
    for label, action in cases:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            _child(action, seconds, megabytes)
        status = os.waitpid(child, 0)[1]
        if os.WIFSIGNALED(status):
            outcome = f"signal {signal.Signals(os.WTERMSIG(status)).name}"
        else:
            outcome = {RAN: "ran", OURS: "refused"}.get(os.WEXITSTATUS(status), "foreign error")
        found[outcome] += 1
        if outcome not in ("ran", "refused"):
            print(f"{outcome}: {label}")  # noqa: T201
    return found


def _child(action, seconds, megabytes):
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(seconds)  # ends machine code, too
    if megabytes is not None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 2**20,) * 2)
    code = RAN
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            action()
    except JourdainError:
        code = OURS
    except BaseException:
        traceback.print_exc(file=sys.stdout)
        sys.stdout.flush()
        code = FOREIGN
    os._exit(code)


def finish(found):
    """Tell the counts; a sweep with anything else than runs and errors of ours has failed."""
    print(", ".join(f"{n} {outcome}" for outcome, n in sorted(found.items())))  # noqa: T201
    sys.exit(bool(set(found) - {"ran", "refused"}))
