"""Argus inside a training process: records steps, phases and collectives into a ring that the agent of the host reads.

    import argus
    argus.start()

or `ARGUS=1` in the environment, with the package installed. Nothing else needs to change; see README.md.
"""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Optional, Type

from . import _native
from ._config import Config
from ._gc import collections
from ._imports import after
from ._phases import Open, phases
from ._recorder import recorder
from ._steps import steps

__all__ = ["start", "stop", "step", "phase", "active", "__version__"]
__version__ = "0.1.0"

_start = threading.Lock()


def start(*, first_step: int = 0, _open: bool = True) -> bool:
    """Begins to record: torch's hooks now, or when torch is imported. Returns whether a ring is open. Never raises.

    first_step: the number of the first step, for a job that goes on from a checkpoint.
    """
    try:
        with _start:
            recorder.arm(Config.read())
            if first_step:
                steps.number = first_step
            collections.install()
            after("torch", _install)
            recorder.guarded(_native.allow_reading, recorder.config.ptracer)
            return recorder.open() if _open else False
    except Exception:
        recorder.failed()
        return False


def _install(torch: object) -> None:
    from ._torch import install

    install(torch)


def stop() -> None:
    """Records nothing more, until `start` is called again."""
    try:
        recorder.stop()
    except Exception:
        recorder.failed()


def active() -> bool:
    """Whether records are written."""
    return recorder.live and recorder.ring is not None


class step:
    """A step begins here, and ends where the `with` ends or the next begins. From the first use on steps are yours: none is found automatically.

        for batch in loader:                 with argus.step(number):
            argus.step()                         ...
    """

    def __init__(self, number: Optional[int] = None) -> None:
        steps.explicit = True
        recorder.guarded(self._begin, number)

    @staticmethod
    def _begin(number: Optional[int]) -> None:
        steps.end()
        steps.begin(number)

    def __enter__(self) -> "step":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        recorder.guarded(steps.end)


class phase:
    """A phase or a part of one, by name: `with argus.phase("data_loading"):`. `dimension`: tp, dp, pp, ep, cp: whose peers do the same work."""

    def __init__(self, name: str, dimension: str = "dp") -> None:
        self._name = name
        self._dimension = dimension
        self._span: Optional[Open] = None

    def __enter__(self) -> "phase":
        from ._layout import DIMENSIONS

        self._span = phases.begin(self._name, DIMENSIONS.get(self._dimension, 0))
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        phases.end(self._span)
