"""The one recorder of a process: its ring, what is recorded now, errors, the heartbeat. Everything else asks it.

Opened by the first sign of training, not by the import: launchers, compile workers and data loader workers never get a ring.
"""

from __future__ import annotations

import atexit
import os
import socket
import sys
import threading
import time
from typing import Any, Callable, List, Optional

from . import _layout as L
from ._config import Config
from ._ring import Ring
from ._ringfile import Head, create, directory, pid_namespace, start_ticks

_BEAT_SECONDS = 1.0


class Recorder:
    """State of the producer. The booleans say what is recorded at this moment; hooks look at them first and do nothing else."""

    def __init__(self) -> None:
        self.config = Config()
        self.ring: Optional[Ring] = None
        #: Hooks may record: a ring is open, or may be opened by the next sign of training.
        self.live = False
        self.steps_on = False
        self.phases_on = False
        self.collectives_on = False
        self.operators_on = False
        self.errors = 0
        self.path = ""
        #: Called once a second and at each step; each guarded.
        self.on_beat: List[Callable[[], None]] = []
        self._on_open: List[Callable[[], None]] = []
        self._control = L.ALL_SIGNALS
        self._on = 0
        self._off = 0
        self._interleaved = False
        self._stopped = False
        self._opening = threading.Lock()
        self._wake = threading.Event()
        self._step = 0

    # -- life ----------------------------------------------------------------------------------------------------------

    def arm(self, config: Config) -> None:
        """Hooks may record from now on; the ring is made when they first do."""
        self.config = config
        self._stopped = False
        self.live = True
        if self.ring is not None:
            self.ring.state(L.STATE_RUNNING)
            self._apply()

    def open(self) -> bool:
        """Makes the ring if there is none yet. Where that fails it says so once and the producer stays off."""
        if self.ring is not None:
            return self.live
        if not self.live:
            return False
        with self._opening:
            if self.ring is None and self.live:
                try:
                    self._open()
                except Exception as e:
                    self.live = False
                    sys.stderr.write("argus: stays off: %s\n" % e)
        return self.live

    def _open(self) -> None:
        c = self.config
        ticks = start_ticks()
        head = Head(L.PRODUCER_PYTHON, c.capacity, time.time_ns(), os.getpid(), L.CLOCK_MONOTONIC, ticks, c.rank, c.local_rank,
                    c.world_size, pid_namespace())
        folder = directory(c.ring_dir)
        name = "%d-%d.python.ring" % (os.getpid(), ticks)
        ring = Ring(create(folder, name, head), c.capacity)
        self.path = os.path.join(folder, name)
        ring.beat()
        self.ring = ring
        self._apply()
        ring.identity(L.ID_HOST, 0, socket.gethostname())
        for key, value in ((L.ID_RANK, c.rank), (L.ID_LOCAL_RANK, c.local_rank), (L.ID_WORLD_SIZE, c.world_size)):
            if value >= 0:
                ring.identity(key, value)
        if c.job:
            ring.identity(L.ID_JOB, 0, c.job)
        ring.identity(L.ID_ATTEMPT, c.attempt)
        ring.identity(L.ID_MAIN_THREAD, threading.main_thread().native_id or os.getpid())
        ring.identity(L.ID_SOFTWARE, 0, "python=%d.%d.%d" % sys.version_info[:3])
        os.register_at_fork(after_in_child=self._forked)
        atexit.register(self.close)
        for each in self._on_open:
            self.guarded(each)
        threading.Thread(target=self._beat, name="argus-heartbeat", daemon=True).start()

    def when_open(self, call: Callable[[], None]) -> None:
        """Calls when there is a ring: now, or later."""
        self._on_open.append(call)
        if self.ring is not None:
            self.guarded(call)

    def stop(self) -> None:
        """Records nothing more until it is armed again. The file stays."""
        self._stopped = True
        self.live = False
        self._all_off()
        if self.ring is not None:
            self.ring.state(L.STATE_OFF, L.WHY_CONTROL)

    def close(self) -> None:
        """At the end of the process: closed in order. A ring that no agent ever looked at is taken away."""
        self.live = False
        self._all_off()
        ring = self.ring
        if ring is None or not ring.live:
            return
        seen = ring.agent_seen()
        ring.close()
        self._wake.set()
        if not seen and not self.config.keep:
            try:
                os.unlink(self.path)
            except OSError:
                pass

    def _forked(self) -> None:
        self.live = False
        self._all_off()
        if self.ring is not None:
            self.ring.abandon()

    def _all_off(self) -> None:
        self.steps_on = self.phases_on = self.collectives_on = self.operators_on = False

    def _beat(self) -> None:
        while not self._wake.wait(_BEAT_SECONDS):
            ring = self.ring
            if ring is None or not ring.live:
                return
            self.poll()

    # -- errors ----------------------------------------------------------------------------------------------------------

    def failed(self) -> None:
        """An error of our own: counted; after too many the producer goes off. Training goes on."""
        try:
            self.errors += 1
            if self.ring is not None:
                self.ring.count(L.LOST_ERROR)
            if self.errors == 1 and os.environ.get("ARGUS_DEBUG"):
                import traceback

                traceback.print_exc()
            if self.errors == self.config.most_errors:
                self.live = False
                self._all_off()
                if self.ring is not None:
                    self.ring.state(L.STATE_OFF, L.WHY_ERROR)
                sys.stderr.write("argus: goes off after %d errors of its own\n" % self.errors)
        except Exception:
            self.live = False

    def guarded(self, call: Callable[..., Any], *args: Any) -> Any:
        """The result, or None where it raised."""
        try:
            return call(*args)
        except Exception:
            self.failed()
            return None

    # -- control ---------------------------------------------------------------------------------------------------------

    def poll(self) -> None:
        """Heartbeat and control word; once a second and with each step."""
        ring = self.ring
        if ring is None:
            return
        try:
            for each in self.on_beat:
                each()
            ring.beat()
            control = ring.control()
            if control != self._control:
                self._control = control
                self._apply()
        except Exception:
            self.failed()

    def _apply(self) -> None:
        c = self._control
        self._on, self._off = c >> 32 & 0xFF, c >> 40 & 0xFF
        if not self.live:
            return
        signals = 0 if self._interleaved else c
        self.steps_on = bool(c & L.SIGNAL_STEPS)
        self.phases_on = bool(signals & L.SIGNAL_PHASES)
        self.collectives_on = bool(signals & L.SIGNAL_COLLECTIVES)
        every = max(1, c >> 16 & 0xFFFF)
        self.operators_on = bool(self.config.operators and signals & L.SIGNAL_OPERATORS and self._step % every == 0)
        ring = self.ring
        if ring is not None and self.errors < self.config.most_errors:
            ring.state(*((L.STATE_RUNNING, L.WHY_NOT) if c & L.ALL_SIGNALS else (L.STATE_OFF, L.WHY_CONTROL)))

    def step_begins(self, number: int) -> int:
        """Looks at the control word before a step; returns the flags of its records."""
        self._step = number
        ring = self.ring
        if ring is None or not self.live:
            return 0
        control = ring.control()
        period = (control >> 32 & 0xFF) + (control >> 40 & 0xFF)
        off = bool(control >> 40 & 0xFF) and number % period >= (control >> 32 & 0xFF)
        sampled = self.config.operators and (control >> 16 & 0xFFFF) > 1
        if sampled and not off and number % (control >> 16 & 0xFFFF):
            ring.count(L.LOST_OFF)
        if control != self._control or off != self._interleaved or sampled:
            self._control, self._interleaved = control, off
            self._apply()
        return L.STEP_INTERLEAVED if off else 0


recorder = Recorder()
