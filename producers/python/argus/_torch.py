"""Puts everything into torch, once, when it has been imported."""

from __future__ import annotations

import os
import sys
from typing import Any

from . import _frameworks, _native, _patch
from . import _layout as L
from ._collectives import collectives
from ._compilation import compilation
from ._cuda import Gpu
from ._ddp import ddp_modules
from ._groups import groups
from ._imports import after
from ._modules import modules
from ._operators import observer
from ._phases import phases
from ._recorder import recorder
from ._steps import steps
from ._training import optimizers, training

_installed = False


def install(torch: Any) -> None:
    """Each part by itself: what this torch lacks costs only that part."""
    global _installed
    if _installed:
        return
    _installed = True
    compiler = getattr(torch, "compiler", None)
    _patch.compiling = getattr(compiler, "is_compiling", _patch.never)
    to = recorder
    to.when_open(lambda: _describe(torch))
    to.guarded(_distributed, torch)
    to.guarded(modules.install, torch)
    to.guarded(optimizers.install, sys.modules.get("torch.optim.optimizer"))
    to.guarded(training.install, torch)
    to.guarded(compilation.install_torch, torch)
    to.guarded(_gpu, torch.cuda)
    to.guarded(_operators)
    if os.environ.get("CUDA_INJECTION64_PATH") or torch.cuda.is_available():
        steps.on_begin.append(_Native())
    after("torch.utils.cpp_extension", compilation.install_extensions)
    after("torch._dynamo.convert_frame", compilation.install_dynamo)
    after("torch._inductor.compile_fx", compilation.install_inductor)
    after("triton", compilation.install_triton)
    after("triton.runtime.autotuner", compilation.install_autotuner)
    after("torch.distributed.device_mesh", _mesh)
    _frameworks.install()


def _distributed(torch: Any) -> None:
    dist = torch.distributed
    if not dist.is_available():
        return
    groups.install(dist)
    collectives.install(dist)
    ddp_modules.install(dist, torch.nn.parallel.DistributedDataParallel)
    c10d = groups.c10d
    for name, make in (("init_process_group", _on_init), ("new_group", _on_group), ("destroy_process_group", _on_destroy)):
        _patch.replace(c10d, name, make)
        _patch.alias(dist, name, c10d)
    steps.on_begin.append(_Seldom())
    steps.on_end.append(collectives.sweep)


def _on_init(original: Any) -> Any:
    def init_process_group(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        if recorder.live and recorder.open():
            recorder.guarded(_grouped)
        return result

    return init_process_group


def _grouped() -> None:
    groups.describe()
    groups.of(None)
    if groups.dist.get_world_size() > 1:
        phases.dimension = L.DIM_DP


def _on_group(original: Any) -> Any:
    def new_group(*args: Any, **kwargs: Any) -> Any:
        pg = original(*args, **kwargs)
        if recorder.live:
            recorder.guarded(groups.of, pg)
        return pg

    return new_group


def _on_destroy(original: Any) -> Any:
    def destroy_process_group(group: Any = None) -> Any:
        result = original(group)
        whole = group is None or not recorder.guarded(groups.dist.is_initialized)
        recorder.guarded(groups.forget, None if whole else group)
        return result

    return destroy_process_group


def _mesh(module: Any) -> None:
    def on_mesh(original: Any) -> Any:
        def init_device_mesh(*args: Any, **kwargs: Any) -> Any:
            mesh = original(*args, **kwargs)
            if recorder.live:
                recorder.guarded(groups.mesh, mesh)
            return mesh

        return init_device_mesh

    _patch.replace(module, "init_device_mesh", on_mesh)
    dist = sys.modules.get("torch.distributed")
    if dist is not None:
        _patch.alias(dist, "init_device_mesh", module)


class _Seldom:
    """Frameworks make their groups before the first steps, not always before ours are described: looked at in steps 0, 1, 2, 4, 8, ..."""

    def __init__(self) -> None:
        self._n = 0

    def __call__(self, _number: int) -> None:
        n = self._n
        self._n = n + 1
        if n & (n - 1) == 0:
            groups.describe()
            if groups.rank >= 0 and phases.dimension == L.DIM_NONE:
                _grouped()


class _Native:
    """Tells the CUPTI producer of the same process which step runs. Looked for in the first steps only."""

    def __init__(self) -> None:
        self._n = 0
        self._call: Any = None

    def __call__(self, number: int) -> None:
        if self._call is None and self._n < 3:
            self._n += 1
            self._call = _native.cupti_step()
        if self._call is not None:
            self._call(number)


def _gpu(cuda: Any) -> None:
    if not cuda.is_available():
        return
    gpu = Gpu(cuda, recorder, phases)
    phases.gpu = gpu
    steps.on_begin.append(lambda number: gpu.step_begins(number, steps.start))
    steps.on_end.append(lambda _: gpu.poll())


def _operators() -> None:
    if recorder.config.operators:
        from torch.utils._python_dispatch import TorchDispatchMode

        modules.observed = observer(TorchDispatchMode, recorder, phases)


def _describe(torch: Any) -> None:
    """Who this is: software, device. Initialises nothing."""
    ring = recorder.ring
    if ring is None:
        return
    ring.identity(L.ID_SOFTWARE, 0, "torch=" + str(torch.__version__))
    ring.identity(L.ID_FRAMEWORK, 0, "pytorch")
    cuda = getattr(getattr(torch, "version", None), "cuda", None)
    if cuda:
        ring.identity(L.ID_SOFTWARE, 0, "cuda=" + str(cuda))
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        device = torch.cuda.current_device()
        ring.identity(L.ID_DEVICE, device)
        properties = torch.cuda.get_device_properties(device)
        ring.identity(L.ID_GPU_MODEL, device, str(properties.name))
        uuid = getattr(properties, "uuid", None)
        if uuid:
            ring.identity(L.ID_GPU_UUID, device, "GPU-" + str(uuid))
