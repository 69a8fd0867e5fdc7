"""Process groups of torch.distributed: who is in them, what dimension they are, how many calls each has seen."""

from __future__ import annotations

import sys
import threading
import weakref
from typing import Any, Dict, Iterable, List, Optional, Tuple

from . import _layout as L
from ._recorder import Recorder, recorder

#: Words in the name or description that frameworks give a group, longest meaning first. "DATA" also stands in Megatron's
#: EXPERT_DATA_PARALLEL_GROUP and DATA_PARALLEL_GROUP_WITH_CP: their members hold the same parameters, which is what dp says.
_WORDS: Tuple[Tuple[str, int], ...] = (
    ("data", L.DIM_DP), ("dp", L.DIM_DP), ("fsdp", L.DIM_DP), ("replicate", L.DIM_DP), ("shard", L.DIM_DP),
    ("tensor", L.DIM_TP), ("tp", L.DIM_TP), ("pipeline", L.DIM_PP), ("pp", L.DIM_PP), ("expert", L.DIM_EP), ("ep", L.DIM_EP),
    ("context", L.DIM_CP), ("cp", L.DIM_CP))

_MEGATRON = ("megatron.core.parallel_state", "megatron.mpu", "megatron.core.mpu")
_MEGATRON_GROUPS = (("get_tensor_model_parallel_group", L.DIM_TP), ("get_data_parallel_group", L.DIM_DP),
                    ("get_pipeline_model_parallel_group", L.DIM_PP), ("get_expert_model_parallel_group", L.DIM_EP),
                    ("get_context_parallel_group", L.DIM_CP))
_MEGATRON_SIZES = (("tp", "get_tensor_model_parallel_world_size"), ("cp", "get_context_parallel_world_size"),
                   ("ep", "get_expert_model_parallel_world_size"), ("dp", "get_data_parallel_world_size"),
                   ("pp", "get_pipeline_model_parallel_world_size"))


def ranges(ranks: Iterable[int]) -> str:
    """Ranks as text: `0-7,16`."""
    out: List[str] = []
    run: List[int] = []
    for r in sorted(set(ranks)) + [-1]:
        if run and r == run[-1] + 1:
            run.append(r)
            continue
        if run:
            out.append(str(run[0]) if len(run) == 1 else "%d-%d" % (run[0], run[-1]))
        run = [r]
    return ",".join(out)


def dimension_of(text: str) -> int:
    """What a name of a group says of its dimension; 0 where it does not."""
    words = text.lower().replace("-", "_").split("_")
    for word, dimension in _WORDS:
        if word in words:
            return dimension
    return L.DIM_NONE


class Group:
    """A process group as this process knows it."""

    def __init__(self, ident: int, members: List[int], backend: str, name: str, description: str) -> None:
        self.id = ident
        self.members = members
        self.size = len(members)
        self.backend = backend
        self.name = name
        self.description = description
        self.dimension = dimension_of(description) or dimension_of(name)
        self.calls = 0
        self.pairs: Dict[Tuple[int, int], int] = {}
        #: By operation and device: whether work runs on the host, and the id of its name in the ring.
        self.names: Dict[Tuple[str, Optional[bool]], Tuple[bool, int]] = {}

    def next_call(self) -> int:
        n = self.calls
        self.calls = n + 1
        return n

    def next_pair(self, source: int, destination: int) -> int:
        """Sends and receives are counted for each pair, so that both ends count alike whatever else they do."""
        n = self.pairs.get((source, destination), 0)
        self.pairs[(source, destination)] = n + 1
        return n

    def backend_for(self, cuda: bool) -> str:
        """`cpu:gloo,cuda:nccl` is two backends."""
        if ":" not in self.backend:
            return self.backend
        for part in self.backend.split(","):
            device, _, backend = part.partition(":")
            if (device == "cuda") == cuda:
                return backend
        return self.backend.rpartition(":")[2]


class Groups:
    """All groups seen. Looked up by the object, which is not kept alive."""

    def __init__(self, to: Recorder) -> None:
        self._to = to
        self._known: Dict[int, Tuple[Any, Group]] = {}
        self._lock = threading.Lock()
        self._next = 1
        self._topology = ""
        self.dist: Any = None
        self.c10d: Any = None
        self.rank = -1

    def install(self, dist: Any) -> None:
        self.dist = dist
        self.c10d = sys.modules.get("torch.distributed.distributed_c10d", dist)

    def of(self, pg: Any) -> Optional[Group]:
        """The group behind what was given to a call; None for one that this rank is not in."""
        if pg is None or pg is self.c10d.GroupMember.WORLD:
            pg = self.c10d._get_default_group()
        known = self._known.get(id(pg))
        if known is not None and known[0]() is pg:
            return known[1]
        if not callable(getattr(pg, "size", None)):
            return None
        return self._register(pg)

    def _register(self, pg: Any) -> Group:
        with self._lock:
            members = self._members(pg)
            name = str(getattr(pg, "group_name", "") or self._internal("pg_names", pg) or "")
            description = str(getattr(pg, "group_desc", "") or "")
            description = "" if description == "undefined" else description
            g = Group(self._next, members, str(self.dist.get_backend(pg)), name, description)
            self._next += 1
            self._known[id(pg)] = (weakref.ref(pg), g)
        if self.rank < 0:
            self.rank = self.dist.get_rank()
        self.announce(g)
        return g

    def _internal(self, name: str, pg: Any) -> Any:
        world = getattr(self.c10d, "_world", None)
        table = getattr(world, name, None) or getattr(self.c10d, "_" + name, None)
        return table.get(pg) if table else None

    def _members(self, pg: Any) -> List[int]:
        by_rank = self._internal("pg_group_ranks", pg)
        if by_rank:
            return sorted(by_rank, key=lambda r: by_rank[r])
        try:
            return list(self.dist.get_process_group_ranks(pg))
        except Exception:
            return list(range(pg.size()))

    def announce(self, g: Group) -> None:
        ring = self._to.ring
        if ring is not None:
            ring.define_group(g.id, g.dimension, ring.name(g.name), ring.name(g.description), ring.name(ranges(g.members)),
                              g.size)

    def set_dimension(self, pg: Any, dimension: int) -> None:
        """What a framework knows of a group and its name does not say. The first word holds."""
        g = self.of(pg)
        if g is not None and g.dimension == L.DIM_NONE:
            g.dimension = dimension
            self.announce(g)

    def forget(self, pg: Any = None) -> None:
        """After destroy_process_group: the object's place may be taken by another group."""
        if pg is None:
            self._known.clear()
            self.rank = -1
        else:
            self._known.pop(id(pg), None)

    # -- topology ------------------------------------------------------------------------------------------------------

    def describe(self) -> None:
        """Identity and topology as torch.distributed and Megatron tell them now."""
        ring = self._to.ring
        dist = self.dist
        if ring is None or dist is None or not dist.is_available() or not dist.is_initialized():
            return
        self.rank = dist.get_rank()
        ring.identity(L.ID_RANK, self.rank)
        ring.identity(L.ID_WORLD_SIZE, dist.get_world_size())
        ring.identity(L.ID_BACKEND, 0, str(dist.get_backend()))
        self._megatron()

    def _megatron(self) -> None:
        for module in _MEGATRON:
            state = sys.modules.get(module)
            if state is None or not getattr(state, "model_parallel_is_initialized", lambda: False)():
                continue
            sizes = []
            for dim, getter in _MEGATRON_SIZES:
                n = self._to_int(state, getter)
                if n > 1 or (n == 1 and dim in ("tp", "dp", "pp")):
                    sizes.append("%s=%d" % (dim, n))
            self.topology(",".join(sizes))
            for getter, dimension in _MEGATRON_GROUPS:
                try:
                    self.set_dimension(getattr(state, getter)(), dimension)
                except Exception:
                    continue
            return

    @staticmethod
    def _to_int(state: Any, getter: str) -> int:
        try:
            return int(getattr(state, getter)())
        except Exception:
            return 0

    def topology(self, text: str) -> None:
        """`tp=2,dp=4`, fastest dimension first."""
        ring = self._to.ring
        if ring is not None and text and text != self._topology:
            self._topology = text
            ring.identity(L.ID_TOPOLOGY, 0, text)

    def mesh(self, mesh: Any) -> None:
        """A device mesh with names: its slowest dimension is written first there, last here."""
        names = getattr(mesh, "mesh_dim_names", None)
        if not names:
            return
        shape = tuple(mesh.mesh.shape)
        known = [(dimension_of(n), n, s) for n, s in zip(names, shape)]
        if all(d for d, _, _ in known):
            word = {v: k for k, v in L.DIMENSIONS.items()}
            self.topology(",".join("%s=%d" % (word[d], s) for d, _, s in reversed(known)))
        for dimension, name, _ in known:
            if dimension:
                self.set_dimension(mesh.get_group(name), dimension)

    def has(self, dimension: str) -> bool:
        """True if the topology has more than one rank along a dimension."""
        return any(p.startswith(dimension + "=") and not p.endswith("=1") for p in self._topology.split(","))


groups = Groups(recorder)
