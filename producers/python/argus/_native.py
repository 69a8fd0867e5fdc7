"""The two places where C is called: the CUPTI producer in the same process, and the permission to be read."""

from __future__ import annotations

import ctypes
import os
from typing import Callable, Optional

_PR_SET_PTRACER = 0x59616D61
_RTLD_NOLOAD = 4


def allow_reading(who: str) -> bool:
    """Lets exactly the process `who`, or `any`, read this one's memory where the kernel (Yama) restricts that. True if it took."""
    if not who:
        return False
    ptracer = ctypes.c_ulong(-1 if who == "any" else int(who))
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(_PR_SET_PTRACER, ptracer, 0, 0, 0) == 0)


def cupti_step() -> Optional[Callable[[int], object]]:
    """`argus_cupti_step` of the CUPTI producer, if it is loaded into this process already. Never loads it."""
    step = _symbol(None)
    if step is not None:
        return step
    for path in _loaded("argus_cupti"):
        step = _symbol(path)
        if step is not None:
            return step
    return None


def _symbol(path: Optional[str]) -> Optional[Callable[[int], object]]:
    try:
        library = ctypes.CDLL(path, mode=ctypes.DEFAULT_MODE | (_RTLD_NOLOAD if path else 0))
        function = library.argus_cupti_step
    except (OSError, AttributeError):
        return None
    function.argtypes = [ctypes.c_int64]
    function.restype = None
    return function


def _loaded(word: str) -> "list[str]":
    """Libraries of this process with a word in their file's name, or named by CUDA's variable for injection."""
    injected = os.environ.get("CUDA_INJECTION64_PATH", "")
    paths = []
    try:
        with open("/proc/self/maps", errors="replace") as maps:
            for line in maps:
                path = line.rstrip("\n").partition("/")[2]
                path = "/" + path if path else ""
                named = word in os.path.basename(path) or (injected and os.path.realpath(injected) == path)
                if path and named and path not in paths:
                    paths.append(path)
    except OSError:
        pass
    return paths
