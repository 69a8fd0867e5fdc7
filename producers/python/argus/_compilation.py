"""Compilation inside training: tracing, scripting, dynamo, inductor, Triton, building extensions. Each is a span; the outermost counts."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

from . import _layout as L
from . import _patch
from ._phases import Phases, phases
from ._recorder import Recorder, recorder


class _Local(threading.local):
    inside = False


class Compilation:
    """Wraps what compiles, where it is imported."""

    def __init__(self, to: Recorder, spans: Phases) -> None:
        self._to = to
        self._phases = spans
        self._local = _Local()

    def wrap(self, name: str, original: Any) -> Any:
        """The call as a span of that name, whatever it raises."""
        local = self._local
        to = self._to

        def call(*args: Any, **kwargs: Any) -> Any:
            if not to.live or local.inside or _patch.compiling():
                return original(*args, **kwargs)
            span = self._phases.begin(L.STALL + name, L.DIM_NONE, True, L.KIND_PYTHON, False)
            local.inside = True
            self._phases.silence(True)
            try:
                return original(*args, **kwargs)
            finally:
                local.inside = False
                self._phases.silence(False)
                self._phases.end(span)

        return call

    def install_torch(self, torch: Any) -> None:
        for name in ("trace", "trace_module", "script", "freeze", "optimize_for_inference"):
            if hasattr(torch.jit, name):
                _patch.replace(torch.jit, name, partial(self.wrap, "torch.jit." + name))

    def install_extensions(self, cpp_extension: Any) -> None:
        for name in ("load", "load_inline"):
            _patch.replace(cpp_extension, name, partial(self.wrap, "compile torch.utils.cpp_extension." + name))

    def install_dynamo(self, convert_frame: Any) -> None:
        _patch.replace(convert_frame, "_compile", partial(self.wrap, "torch._dynamo compile"))

    def install_inductor(self, compile_fx: Any) -> None:
        _patch.replace(compile_fx, "compile_fx", partial(self.wrap, "torch._inductor compile_fx"))

    def install_triton(self, triton: Any) -> None:
        compiler = getattr(triton, "compiler", None)
        for owner in (triton, compiler):
            if owner is not None:
                _patch.replace(owner, "compile", partial(self.wrap, "triton compile"))

    def install_autotuner(self, autotuner: Any) -> None:
        kind = getattr(autotuner, "Autotuner", None)
        if kind is not None:
            _patch.replace(kind, "_bench", partial(self.wrap, "triton autotune"))


compilation = Compilation(recorder, phases)
