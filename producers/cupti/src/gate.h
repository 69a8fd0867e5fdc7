/*
 * When GPU work is recorded: the control word's sampling and interleaving, over the steps that argus_cupti_step told, or,
 * where nobody tells steps, over slices of a second.
 *
 * Steps are told by training threads (argus_gate_step: three stores); everything else belongs to the converter.
 */
#ifndef ARGUS_GATE_H
#define ARGUS_GATE_H

#include <stdbool.h>
#include <stdint.h>

#define ARGUS_GATE_STEPS 64
#define ARGUS_GATE_SLICE_NANOS UINT64_C(1000000000)

/* Steps that are not told for so long are taken for not told at all. */
#define ARGUS_GATE_PATIENCE_NANOS (UINT64_C(60) * 1000000000)

typedef struct {
    int64_t step;
    uint64_t begin; /* CLOCK_MONOTONIC; 0 while it is being written */
} argus_gate_mark;

typedef struct {
    argus_gate_mark marks[ARGUS_GATE_STEPS];
    uint64_t told; /* steps told, ever */
    uint64_t control;
    int64_t counted; /* the last step of which it was decided whether it counts as not recorded */
    bool by_steps, started;
} argus_gate;

/* What sampling and interleaving say of one step (or slice). */
bool argus_gate_step_on(uint64_t control, int64_t step);

/* {@return whether the control word lets all steps through} */
bool argus_gate_open(uint64_t control);

/* A step begins. Any thread, but one at a time; never waits. */
void argus_gate_step(argus_gate *gate, int64_t step, uint64_t monotonic);

/* The step, or slice, at a time; false: a step before all that are remembered. */
bool argus_gate_at(const argus_gate *gate, uint64_t monotonic, int64_t *step);

/*
 * Moves on. Recording runs in the step before one that is recorded too, so that the wanted one is complete.
 * unrecorded: steps that went by since the last call and were left out.
 * {@return whether CUPTI should record now}
 */
bool argus_gate_tick(argus_gate *gate, uint64_t control, uint64_t monotonic, uint64_t *unrecorded);

/* Whether what happened at a time is kept. */
bool argus_gate_keeps(const argus_gate *gate, uint64_t monotonic);

#endif
