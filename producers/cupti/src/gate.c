#include "gate.h"

static uint64_t field(uint64_t control, unsigned shift, unsigned bits) {
    return control >> shift & ((UINT64_C(1) << bits) - 1);
}

static int64_t rest(int64_t step, int64_t of) {
    int64_t r = step % of;
    return r < 0 ? r + of : r;
}

bool argus_gate_open(uint64_t control) { return field(control, 16, 16) <= 1 && field(control, 40, 8) == 0; }

bool argus_gate_step_on(uint64_t control, int64_t step) {
    int64_t one_in = (int64_t)field(control, 16, 16), on = (int64_t)field(control, 32, 8);
    int64_t off = (int64_t)field(control, 40, 8);
    if (off > 0 && rest(step, on + off) >= on) {
        return false;
    }
    return one_in <= 1 || rest(step, one_in) == 0;
}

void argus_gate_step(argus_gate *gate, int64_t step, uint64_t monotonic) {
    const int64_t most = INT64_C(1) << 62; /* so that differences of steps do not overflow */
    step = step > most ? most : step < -most ? -most : step;
    uint64_t number = __atomic_load_n(&gate->told, __ATOMIC_RELAXED);
    argus_gate_mark *mark = &gate->marks[number % ARGUS_GATE_STEPS];
    __atomic_store_n(&mark->begin, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&mark->step, step, __ATOMIC_RELEASE);
    __atomic_store_n(&mark->begin, monotonic, __ATOMIC_RELEASE);
    __atomic_store_n(&gate->told, number + 1, __ATOMIC_RELEASE);
}

bool argus_gate_at(const argus_gate *gate, uint64_t monotonic, int64_t *step) {
    if (!gate->by_steps) {
        *step = (int64_t)(monotonic / ARGUS_GATE_SLICE_NANOS);
        return true;
    }
    uint64_t told = __atomic_load_n(&gate->told, __ATOMIC_ACQUIRE);
    /* One mark less than there are: the oldest may just be written anew. */
    for (uint64_t back = 1; back < ARGUS_GATE_STEPS && back <= told; back++) {
        const argus_gate_mark *mark = &gate->marks[(told - back) % ARGUS_GATE_STEPS];
        uint64_t begin = __atomic_load_n(&mark->begin, __ATOMIC_ACQUIRE);
        if (begin != 0 && begin <= monotonic) {
            *step = __atomic_load_n(&mark->step, __ATOMIC_ACQUIRE);
            return true;
        }
    }
    return false;
}

static bool steps_are_told(const argus_gate *gate, uint64_t monotonic) {
    uint64_t told = __atomic_load_n(&gate->told, __ATOMIC_ACQUIRE);
    if (told == 0) {
        return false;
    }
    uint64_t begin = __atomic_load_n(&gate->marks[(told - 1) % ARGUS_GATE_STEPS].begin, __ATOMIC_ACQUIRE);
    return monotonic < begin || monotonic - begin < ARGUS_GATE_PATIENCE_NANOS;
}

bool argus_gate_tick(argus_gate *gate, uint64_t control, uint64_t monotonic, uint64_t *unrecorded) {
    *unrecorded = 0;
    bool by_steps = steps_are_told(gate, monotonic);
    if (by_steps != gate->by_steps) {
        gate->by_steps = by_steps;
        gate->started = false;
    }
    int64_t step;
    if (!argus_gate_at(gate, monotonic, &step)) {
        return true;
    }
    /* Bounded: who jumps ahead by thousands of steps (a restart from a checkpoint) did not run them. */
    if (gate->started && step > gate->counted && step - gate->counted <= ARGUS_GATE_STEPS) {
        for (int64_t s = gate->counted + 1; s <= step; s++) {
            *unrecorded += !argus_gate_step_on(control, s);
        }
    }
    gate->started = true;
    gate->counted = step;
    gate->control = control;
    return argus_gate_step_on(control, step) || argus_gate_step_on(control, step + 1);
}

bool argus_gate_keeps(const argus_gate *gate, uint64_t monotonic) {
    int64_t step;
    return argus_gate_open(gate->control) || !argus_gate_at(gate, monotonic, &step)
           || argus_gate_step_on(gate->control, step);
}
