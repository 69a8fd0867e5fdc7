"""Megatron, DeepSpeed: their training step is the step, where they are imported; nothing here imports them."""

from __future__ import annotations

import time
from typing import Any

from . import _layout as L
from . import _patch
from ._imports import after
from ._recorder import recorder
from ._steps import steps


def _as_step(original: Any) -> Any:
    def train_step(*args: Any, **kwargs: Any) -> Any:
        if not recorder.live:
            return original(*args, **kwargs)
        steps.explicit = True
        recorder.guarded(steps.begin, None, time.monotonic_ns())
        try:
            return original(*args, **kwargs)
        finally:
            recorder.guarded(steps.end)

    return train_step


def _name(text: str) -> None:
    def tell() -> None:
        if recorder.ring is not None:
            recorder.ring.identity(L.ID_FRAMEWORK, 0, text)

    recorder.when_open(tell)


def _megatron(module: Any) -> None:
    _name("megatron")
    _patch.replace(module, "train_step", _as_step)


def _deepspeed(module: Any) -> None:
    _name("deepspeed")
    engine = getattr(module, "PipelineEngine", None)
    if engine is not None:
        _patch.replace(engine, "train_batch", _as_step)


def install() -> None:
    for name in ("megatron.training.training", "megatron.training"):
        after(name, _megatron)
    after("deepspeed.runtime.pipe.engine", _deepspeed)
