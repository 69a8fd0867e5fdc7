/* The clock of the records, and pairs of it with the clocks of the host. */
#ifndef ARGUS_CLOCK_H
#define ARGUS_CLOCK_H

#include "cupti_load.h"
#include "ring.h"

typedef struct {
    const argus_cupti *api; /* NULL: the records are on CLOCK_MONOTONIC */
    int64_t ahead;          /* own - monotonic, of the last pair */
    uint64_t doubt;         /* nanoseconds, half the width of the last pair; 0 on CLOCK_MONOTONIC */
} argus_clock;

uint64_t argus_monotonic(void);
uint64_t argus_realtime(void);

/* The library's clock if api is given, else CLOCK_MONOTONIC. */
void argus_clock_init(argus_clock *clock, const argus_cupti *api);

/*
 * A pair as CLOCK record. CUPTI's clock is read between two readings of the monotonic one, the narrowest of 8 tries is taken.
 * {@return false when no try was narrower than a millisecond: then there is no pair this time}
 */
bool argus_clock_pair(argus_clock *clock, argus_record *record);

/* Now, on the clock of the records, by the last pair. */
uint64_t argus_clock_now(const argus_clock *clock);

static inline uint64_t argus_clock_own(const argus_clock *clock, uint64_t monotonic) {
    return monotonic + (uint64_t)clock->ahead;
}

#endif
