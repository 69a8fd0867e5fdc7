#include "loss.h"

void argus_lose(argus_losses *losses, argus_ring *ring, enum argus_loss reason, uint64_t count, uint64_t from,
                uint64_t to) {
    if (count == 0) {
        return;
    }
    argus_ring_dropped(ring, reason, count);
    if (!argus_losses_pending(losses, reason)) {
        losses->pending |= 1u << reason;
        losses->count[reason] = 0;
        losses->from[reason] = from;
        losses->to[reason] = to;
    }
    losses->count[reason] += count;
    losses->from[reason] = from < losses->from[reason] ? from : losses->from[reason];
    losses->to[reason] = to > losses->to[reason] ? to : losses->to[reason];
}

bool argus_losses_tell(argus_losses *losses, argus_ring *ring) {
    bool told = false;
    for (unsigned reason = 0; losses->pending >> reason != 0; reason++) {
        if (!argus_losses_pending(losses, reason)) {
            continue;
        }
        argus_record r =
            argus_loss_record(reason, losses->from[reason], losses->to[reason], losses->count[reason]);
        if (!argus_ring_write(ring, &r, 1)) {
            return told; /* stays pending */
        }
        losses->pending &= ~(1u << reason);
        told = true;
    }
    return told;
}
