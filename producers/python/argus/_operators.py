"""Each operator of a step as a record, on the CPU. Costs tens of microseconds an operator: only where `ARGUS_OPERATORS=1` allows it and
the control word asks for it, in one step of n. Seen by a dispatch mode around forward and backward passes."""

from __future__ import annotations

import time
from typing import Any, Callable, Optional

from . import _layout as L
from ._phases import Phases
from ._recorder import Recorder


def observer(mode: Any, to: Recorder, spans: Phases) -> Callable[..., Any]:
    """A function that makes a call under a mode of its own; `mode` is torch's TorchDispatchMode."""

    class Operators(mode):  # type: ignore[misc]
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Optional[Any] = None) -> Any:
            start = time.monotonic_ns()
            try:
                return func(*args, **(kwargs or {}))
            finally:
                to.guarded(spans.span, _name(func), start, time.monotonic_ns(), L.KIND_OPERATOR)

    def observed(call: Any, *args: Any, **kwargs: Any) -> Any:
        mine = to.guarded(Operators)
        if mine is None:
            return call(*args, **kwargs)
        with mine:
            return call(*args, **kwargs)

    return observed


def _name(func: Any) -> str:
    schema = getattr(func, "_schema", None)
    return str(getattr(schema, "name", None) or getattr(func, "__name__", "operator"))
