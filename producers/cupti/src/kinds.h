/* Signals to kinds of activity: what CUPTI is told to record. */
#ifndef ARGUS_KINDS_H
#define ARGUS_KINDS_H

#include <stdbool.h>

#include "cupti_load.h"

/* {@return of the wanted signals those that this CUPTI can record; all_calls: launches by recording every call} */
uint32_t argus_kinds_possible(const argus_cupti *api, uint32_t wanted, bool all_calls);

/*
 * Switches from the signals that are on to those that are wanted. result: CUPTI_SUCCESS, or what the first kind that could
 * not be switched on said. {@return the signals that are on now}
 */
uint32_t argus_kinds_switch(const argus_cupti *api, uint32_t on, uint32_t wanted, bool all_calls, uint32_t *result);

/* Everything that may be on is switched off, whatever was; from any thread, for a profiler that is about to begin. */
void argus_kinds_off(const argus_cupti *api, bool all_calls);

/* Only what changes what other profilers see: graphs as a whole in place of their kernels. */
void argus_kinds_graphs_off(const argus_cupti *api);

#endif
