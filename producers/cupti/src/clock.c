#define _GNU_SOURCE
#include "clock.h"

#include <time.h>

enum { TRIES = 8 };
static const uint64_t WIDEST_NANOS = 1000000;

static uint64_t read_clock(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

uint64_t argus_monotonic(void) { return read_clock(CLOCK_MONOTONIC); }
uint64_t argus_realtime(void) { return read_clock(CLOCK_REALTIME); }

void argus_clock_init(argus_clock *clock, const argus_cupti *api) {
    clock->api = api;
    clock->ahead = 0;
    clock->doubt = 0;
    argus_record ignored;
    argus_clock_pair(clock, &ignored);
}

bool argus_clock_pair(argus_clock *clock, argus_record *record) {
    uint64_t narrowest = UINT64_MAX, own = 0, monotonic = 0, real = 0;
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = argus_monotonic(), theirs = before;
        if (clock->api != NULL && clock->api->GetTimestamp(&theirs) != ARGUS_CUPTI_SUCCESS) {
            return false;
        }
        uint64_t now = argus_realtime();
        uint64_t after = argus_monotonic();
        if (after - before < narrowest) {
            narrowest = after - before;
            monotonic = before + narrowest / 2;
            own = clock->api == NULL ? monotonic : theirs;
            real = now;
        }
    }
    if (narrowest > WIDEST_NANOS) {
        return false;
    }
    clock->ahead = (int64_t)(own - monotonic);
    clock->doubt = clock->api == NULL ? 0 : (narrowest + 1) / 2;
    *record = argus_clock_record(own, monotonic, real);
    return true;
}

uint64_t argus_clock_now(const argus_clock *clock) { return argus_clock_own(clock, argus_monotonic()); }
