/*
 * Whose callbacks CUPTI calls. It has one pair per process and tells nobody when another profiler replaces it, so what can
 * be known is this: our callbacks fall silent although work goes on, and even a forced flush does not bring back the
 * buffers that CUPTI holds of ours. Pure: time and counts come in.
 */
#ifndef ARGUS_OWNER_H
#define ARGUS_OWNER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t progress;     /* calls of our callbacks, when last looked at */
    uint64_t progress_at;  /* CLOCK_MONOTONIC of the last time that it had grown */
    uint64_t steps_then;   /* steps told then */
    uint64_t probe_at;     /* no probe before */
    uint64_t probe_pause;  /* doubles while probes find nothing */
    bool aside;            /* another one has the callbacks */
    bool asked;            /* by argus_cupti_pause: only argus_cupti_resume or the agent ends it */
    uint64_t aside_since;  /* the last sign of life before, CLOCK_MONOTONIC */
} argus_owner;

void argus_owner_init(argus_owner *owner, uint64_t now);

/* Looks at the counts. {@return whether there was a sign of life since the last look} */
bool argus_owner_look(argus_owner *owner, uint64_t progress, uint64_t steps, uint64_t now);

/* Nothing is recorded now, so silence says nothing. */
void argus_owner_rest(argus_owner *owner, uint64_t steps, uint64_t now);

/* {@return whether the silence is long enough, and work seems to go on, for a probe by a forced flush} */
bool argus_owner_suspects(const argus_owner *owner, uint64_t steps, uint64_t now);

/* After the probe: still_held are buffers given out before it that did not come back. {@return whether it is now aside} */
bool argus_owner_probed(argus_owner *owner, bool progressed, uint32_t still_held, uint64_t now);

void argus_owner_step_aside(argus_owner *owner, bool asked);
void argus_owner_return(argus_owner *owner, uint64_t now);

/* {@return whether it may take the callbacks again by itself; 0 seconds: never} */
bool argus_owner_may_retake(const argus_owner *owner, uint32_t seconds, uint64_t now);

#endif
