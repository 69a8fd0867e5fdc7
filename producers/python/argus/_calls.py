"""What is known of the functions of torch.distributed: the operation each is, and where its arguments say what."""

from __future__ import annotations

import inspect
from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple

from . import _layout as L


class Spec(NamedTuple):
    """How a function says what it does: its operation, the argument whose bytes count, the argument that names root or peer."""

    op: int
    word: str
    data: str = ""
    #: Bytes are of the whole operation: where the argument is one member's part, it is taken times the members.
    times_members: bool = False
    root: str = ""
    always_async: bool = False
    parameters: Tuple[str, ...] = ()


SPECS: Dict[str, Spec] = {
    "all_reduce": Spec(L.ALL_REDUCE, "all_reduce", "tensor"),
    "all_reduce_coalesced": Spec(L.ALL_REDUCE, "all_reduce", "tensors"),
    "all_gather": Spec(L.ALL_GATHER, "all_gather", "tensor", True),
    "all_gather_into_tensor": Spec(L.ALL_GATHER, "all_gather", "output_tensor"),
    "_all_gather_base": Spec(L.ALL_GATHER, "all_gather", "output_tensor"),
    "all_gather_coalesced": Spec(L.ALL_GATHER, "all_gather", "input_tensor_list", True),
    "reduce_scatter": Spec(L.REDUCE_SCATTER, "reduce_scatter", "output", True),
    "reduce_scatter_tensor": Spec(L.REDUCE_SCATTER, "reduce_scatter", "input"),
    "_reduce_scatter_base": Spec(L.REDUCE_SCATTER, "reduce_scatter", "input"),
    "all_to_all": Spec(L.ALL_TO_ALL, "all_to_all", "input_tensor_list"),
    "all_to_all_single": Spec(L.ALL_TO_ALL, "all_to_all", "input"),
    "barrier": Spec(L.BARRIER, "barrier"),
    "monitored_barrier": Spec(L.BARRIER, "barrier"),
    "broadcast": Spec(L.BROADCAST, "broadcast", "tensor", root="src"),
    "_broadcast_coalesced": Spec(L.BROADCAST, "broadcast", "tensors", root="src",
                                 parameters=("group", "tensors", "buffer_size", "src")),
    "reduce": Spec(L.REDUCE, "reduce", "tensor", root="dst"),
    "gather": Spec(L.GATHER, "gather", "tensor", True, root="dst"),
    "scatter": Spec(L.SCATTER, "scatter", "tensor", True, root="src"),
    "send": Spec(L.SEND, "send", "tensor", root="dst"),
    "recv": Spec(L.RECV, "recv", "tensor", root="src"),
    "isend": Spec(L.SEND, "send", "tensor", root="dst", always_async=True),
    "irecv": Spec(L.RECV, "recv", "tensor", root="src", always_async=True),
}


def bytes_of(x: Any) -> int:
    """Bytes of a tensor or a list of them, -1 where it is neither."""
    if x is None:
        return -1
    if isinstance(x, (list, tuple)):
        return sum(t.numel() * t.element_size() for t in x)
    return x.numel() * x.element_size()  # type: ignore[no-any-return]


def on_gpu(x: Any) -> Optional[bool]:
    if x is None:
        return None
    first = x[0] if isinstance(x, (list, tuple)) and x else x
    return getattr(first, "is_cuda", None)


def uneven(sizes: Any) -> bool:
    return bool(sizes) and any(s != sizes[0] for s in sizes)


class Arguments:
    """Finds an argument by name, whether it was given by place or by name."""

    def __init__(self, names: Sequence[str]) -> None:
        self._places = {n: i for i, n in enumerate(names)}

    @staticmethod
    def of(function: Any, spec: Spec) -> "Arguments":
        return Arguments(spec.parameters or list(inspect.signature(function).parameters))

    def get(self, name: str, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        if name in kwargs:
            return kwargs[name]
        place = self._places.get(name)
        return args[place] if place is not None and place < len(args) else None
