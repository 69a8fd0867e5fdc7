/* What is missing, counted by reason in the header at once, and told by LOSS records when there is room. */
#ifndef ARGUS_LOSS_H
#define ARGUS_LOSS_H

#include "ring.h"

typedef struct {
    uint64_t count[ARGUS_LOSS_REASONS];
    uint64_t from[ARGUS_LOSS_REASONS];
    uint64_t to[ARGUS_LOSS_REASONS];
    uint32_t pending; /* a bit for each reason with something untold */
} argus_losses;

/* from and to: of the ring's clock. */
void argus_lose(argus_losses *losses, argus_ring *ring, enum argus_loss reason, uint64_t count, uint64_t from,
                uint64_t to);

/*
 * Tells what is pending, as far as there is room; the last ring-full loss is told before anything that is written after it.
 * {@return whether something was told: then a CLOCK record is due}
 */
bool argus_losses_tell(argus_losses *losses, argus_ring *ring);

static inline bool argus_losses_pending(const argus_losses *losses, enum argus_loss reason) {
    return (losses->pending >> reason & 1) != 0;
}

#endif
