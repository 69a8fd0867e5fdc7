"""What the environment asks for. A value that makes no sense counts as not given."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import List, Mapping, Optional, Tuple

#: Named parts of a model: words in the name of a module's class (small letters), the name of the span, the dimension of its peers
#: ("tp" counts as "dp" where there is no tensor parallelism). The first that fits counts.
PARTS: Tuple[Tuple[Tuple[str, ...], str, str], ...] = (
    (("router", "gating"), "router", "dp"),
    (("expert", "moe"), "moe_experts", "ep"),
    (("crossattention",), "cross_attention", "tp"),
    (("attention", "attn"), "self_attention", "tp"),
    (("mlp", "feedforward", "ffn", "swiglu"), "mlp", "tp"),
    (("lmhead", "parallellmlogits"), "lm_head", "tp"),
    (("embedding",), "embedding", "tp"),
)


def truth(value: Optional[str]) -> bool:
    return value is not None and value.strip().lower() not in ("", "0", "false", "no", "off")


def _number(env: Mapping[str, str], names: Tuple[str, ...], default: int) -> int:
    for name in names:
        try:
            return int(env[name])
        except (KeyError, ValueError):
            continue
    return default


def _parts(text: Optional[str]) -> List[Tuple[Tuple[str, ...], str, str]]:
    """`ARGUS_PARTS=rotary:rotary_embedding:tp,mixer:self_attention` before the built-in ones; `none` for no parts at all."""
    if text is not None and text.strip().lower() in ("none", "0", "off"):
        return []
    own: List[Tuple[Tuple[str, ...], str, str]] = []
    for item in (text or "").split(","):
        words = item.strip().split(":")
        if len(words) >= 2 and words[0] and words[1]:
            own.append(((words[0].lower(),), words[1], words[2] if len(words) > 2 else "dp"))
    return own + list(PARTS)


@dataclass
class Config:
    """Settings of one process. Durations in nanoseconds."""

    ring_dir: Optional[str] = None
    capacity: int = 1 << 16
    keep: bool = False
    rank: int = -1
    local_rank: int = -1
    world_size: int = -1
    job: str = ""
    attempt: int = 0
    ddp_hook: bool = True
    operators: bool = False
    ptracer: str = ""
    gc_least_nanos: int = 1_000_000
    most_errors: int = 100
    first_step: int = 0
    parts: List[Tuple[Tuple[str, ...], str, str]] = field(default_factory=lambda: _parts(None))

    @staticmethod
    def read(env: Optional[Mapping[str, str]] = None) -> "Config":
        e: Mapping[str, str] = os.environ if env is None else env
        capacity = _number(e, ("ARGUS_RING_RECORDS",), 1 << 16)
        if capacity & (capacity - 1) or not 1 << 10 <= capacity <= 1 << 26:
            capacity = 1 << 16
        job = e.get("ARGUS_JOB") or e.get("SLURM_JOB_ID") or e.get("TORCHELASTIC_RUN_ID", "")
        return Config(
            ring_dir=e.get("ARGUS_RING_DIR") or None,
            capacity=capacity,
            keep=truth(e.get("ARGUS_RING_KEEP")),
            rank=_number(e, ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK"), -1),
            local_rank=_number(e, ("LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK"), -1),
            world_size=_number(e, ("WORLD_SIZE", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE"), -1),
            job="" if job == "none" else job,
            attempt=_number(e, ("ARGUS_ATTEMPT", "TORCHELASTIC_RESTART_COUNT", "SLURM_RESTART_COUNT"), 0),
            ddp_hook=truth(e.get("ARGUS_DDP_HOOK", "1")),
            operators=truth(e.get("ARGUS_OPERATORS")),
            ptracer=e.get("ARGUS_PTRACER", "").strip(),
            gc_least_nanos=max(0, _number(e, ("ARGUS_GC_LEAST_US",), 1000)) * 1000,
            parts=_parts(e.get("ARGUS_PARTS")),
        )

