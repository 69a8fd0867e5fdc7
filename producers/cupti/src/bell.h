/* Wakes one thread. Ringing never waits, and calls the system only when somebody listens; waiting is bounded. */
#ifndef ARGUS_BELL_H
#define ARGUS_BELL_H

#include <stdint.h>

typedef struct {
    uint32_t rings;
    uint32_t listening;
} argus_bell;

void argus_bell_ring(argus_bell *bell);

/* Waits until the bell rang since rings were seen, or for so many nanoseconds at most, whatever the wall clock does. */
void argus_bell_wait(argus_bell *bell, uint32_t seen, uint64_t nanos);

static inline uint32_t argus_bell_seen(const argus_bell *bell) {
    return __atomic_load_n(&bell->rings, __ATOMIC_SEQ_CST);
}

#endif
