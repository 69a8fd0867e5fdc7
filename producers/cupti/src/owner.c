#include "owner.h"

#include <string.h>

#define SECOND UINT64_C(1000000000)

/* Silent for so long while so many steps went by: every training step launches kernels. */
static const uint64_t SILENCE_WITH_STEPS = 3 * SECOND, STEPS_WITHOUT_SIGN = 3;
/* Without steps the silence may be an evaluation on the CPU; then the probe costs one flush, and finds nothing. */
static const uint64_t SILENCE_WITHOUT_STEPS = 30 * SECOND;
static const uint64_t PROBE_PAUSE_MOST = 600 * SECOND;

void argus_owner_init(argus_owner *owner, uint64_t now) {
    memset(owner, 0, sizeof *owner);
    owner->progress_at = now;
    owner->probe_pause = SECOND;
}

bool argus_owner_look(argus_owner *owner, uint64_t progress, uint64_t steps, uint64_t now) {
    if (progress == owner->progress) {
        return false;
    }
    owner->progress = progress;
    owner->progress_at = now;
    owner->steps_then = steps;
    owner->probe_at = 0;
    owner->probe_pause = SECOND;
    return true;
}

void argus_owner_rest(argus_owner *owner, uint64_t steps, uint64_t now) {
    if (!owner->aside) {
        owner->progress_at = now;
        owner->steps_then = steps;
    }
}

bool argus_owner_suspects(const argus_owner *owner, uint64_t steps, uint64_t now) {
    if (owner->aside || owner->progress == 0 || now < owner->probe_at) {
        return false;
    }
    uint64_t silence = now - owner->progress_at;
    return (silence >= SILENCE_WITH_STEPS && steps - owner->steps_then >= STEPS_WITHOUT_SIGN)
           || silence >= SILENCE_WITHOUT_STEPS;
}

bool argus_owner_probed(argus_owner *owner, bool progressed, uint32_t still_held, uint64_t now) {
    if (!progressed && still_held > 0) {
        argus_owner_step_aside(owner, false);
        return true;
    }
    owner->probe_at = now + owner->probe_pause;
    owner->probe_pause = owner->probe_pause * 2 > PROBE_PAUSE_MOST ? PROBE_PAUSE_MOST : owner->probe_pause * 2;
    return false;
}

void argus_owner_step_aside(argus_owner *owner, bool asked) {
    if (!owner->aside) {
        owner->aside_since = owner->progress_at;
    }
    owner->aside = true;
    owner->asked = asked;
}

void argus_owner_return(argus_owner *owner, uint64_t now) {
    owner->aside = false;
    owner->asked = false;
    owner->progress_at = now;
    owner->probe_at = 0;
    owner->probe_pause = SECOND;
}

bool argus_owner_may_retake(const argus_owner *owner, uint32_t seconds, uint64_t now) {
    return owner->aside && !owner->asked && seconds > 0 && now - owner->progress_at >= seconds * SECOND;
}
