#!/usr/bin/env bash
# Checks the library on a machine with a GPU: builds it, runs work of known size under injection and compares what the ring
# holds; then, where PyTorch is, what it costs and whether it steps aside for torch.profiler. Not part of `make test`.
#   CUDA_HOME   the CUDA toolkit (nvcc); default /usr/local/cuda
#   PYTHON      a Python with torch; default python3
set -euo pipefail
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"
cuda=${CUDA_HOME:-/usr/local/cuda} python=${PYTHON:-python3}
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failures=0

say() { printf '%s\n' "$*"; }
# The value of a key in the last dump.
value() { awk -v key="$1" '$1 == key { print $2; exit }' "$work/dump"; }

# expect NAME KEY VALUE
expect() {
  local is; is=$(value "$2")
  if [[ $is == "$3" ]]; then say "ok      $1: $is"; else say "FAILED  $1: $is, expected $3"; failures=$((failures + 1)); fi
}

# under NAME COMMAND...: runs it with the library and dumps its ring; more variables through the environment.
under() {
  rm -rf -- "$work/$1"; mkdir -m 700 "$work/$1"
  ARGUS_RING_DIR="$work/$1" ARGUS_VERBOSE=1 ARGUS_RING_RECORDS=1048576 CUDA_INJECTION64_PATH="$PWD/$build/libargus_cupti.so" "${@:2}"
  local file; file=$(find "$work/$1" -name '*.cupti.ring' | head -1)
  if [[ -z $file ]]; then say "FAILED  $1: no ring was made (see above why)"; failures=$((failures + 1)); : >"$work/dump"; return; fi
  "$build/ring_dump" "$file" >"$work/dump"
}

make BUILD="$build" CUDA_HOME="$cuda" all "$build/ring_dump" >/dev/null
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || say "no nvidia-smi: going on"

if [[ -x $cuda/bin/nvcc ]] || command -v nvcc >/dev/null; then
  nvcc=$cuda/bin/nvcc; [[ -x $nvcc ]] || nvcc=nvcc
  "$nvcc" -O2 -o "$work/known" tests/gpu_check.cu -ldl
  say "-- known work: 20 steps of 101 kernels, 10 graphs of 5 kernels"
  under known "$work/known" 20 100 10
  expect "kernels and whole graphs" kernels $((20 * 101 + 10))
  expect "nodes of graphs" graph_kernels 0
  expect "whole graphs" whole_graphs 10
  expect "copies" copies 40
  expect "sets" sets 20
  expect "launches" launches $((20 * 101 + 10))
  expect "kernels with correlation" kernels_with_correlation $((20 * 101 + 10))
  for reason in ring_full driver no_buffer impossible names_full other_owner internal; do expect "lost, $reason" "dropped_$reason" 0; done
  expect "closed in order" state 3
  say "-- the nodes of graphs"
  ARGUS_CUPTI_GRAPH_NODES=1 under nodes "$work/known" 20 100 10
  expect "kernels, those of graphs one by one" kernels $((20 * 101 + 50))
  expect "kernels of graphs" graph_kernels 50
  say "-- what a step of 101 small kernels costs (microseconds; off, on, off, on)"
  for _ in 1 2; do
    say "off $("$work/known" 2000 100 0 | awk '{print $2}')"
    under cost "$work/known" 2000 100 0 >"$work/out" && say "on  $(awk '/^step/ {print $2}' "$work/out") (lost: $(value dropped_no_buffer) $(value dropped_driver) $(value dropped_ring_full))"
  done
else
  say "no nvcc: the known work was not run"
fi

if "$python" -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2>/dev/null; then
  say "-- PyTorch: 60 steps, torch.profiler in the middle, told to the library before and after"
  cat >"$work/train.py" <<'PY'
import ctypes, os, time, torch
lib = ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"]) if "CUDA_INJECTION64_PATH" in os.environ else None
model = torch.nn.Sequential(*[torch.nn.Linear(2048, 2048) for _ in range(8)]).cuda()
optimizer = torch.optim.AdamW(model.parameters())
data = torch.randn(256, 2048, device="cuda")
def steps(first, last):
    begin = time.perf_counter()
    for step in range(first, last):
        if lib: lib.argus_cupti_step(ctypes.c_int64(step))
        optimizer.zero_grad(); model(data).square().mean().backward(); optimizer.step()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / (last - first) * 1e6
steps(0, 10)
print("step_microseconds %.1f" % steps(10, 200))
if lib:
    lib.argus_cupti_pause()
    with torch.profiler.profile() as profile:
        steps(200, 210)
    print("profiler_kernels", sum(1 for e in profile.events() if e.device_type == torch.autograd.DeviceType.CUDA))
    lib.argus_cupti_resume()
    time.sleep(1)
    print("status", lib.argus_cupti_status())
    steps(210, 220)
PY
  say "off $("$python" "$work/train.py" | awk '/^step/ {print $2}')"
  under torch "$python" "$work/train.py" | tee "$work/out"
  expect "gaps told" dropped_other_owner 1
  expect "closed in order" state 3
  profiled=$(awk '/^profiler_kernels/ {print $2}' "$work/out")
  if [[ ${profiled:-0} -gt 100 ]]; then say "ok      the user's profiler saw $profiled GPU events"; else say "FAILED  the user's profiler saw ${profiled:-no} GPU events"; failures=$((failures + 1)); fi
  say "kernels in the ring: $(value kernels), of them most often:"; grep '^kernel ' "$work/dump" | head -5
else
  say "no PyTorch with CUDA: not run"
fi

if [[ $failures -eq 0 ]]; then say "gpu-check: all as expected"; else say "gpu-check: $failures expectations failed"; exit 1; fi
