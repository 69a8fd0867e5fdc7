#include "kinds.h"

#include "ring.h"

enum { GPU_SIGNALS = ARGUS_SIGNAL_KERNELS | ARGUS_SIGNAL_COPIES | ARGUS_SIGNAL_LAUNCHES | ARGUS_SIGNAL_GRAPH_NODES };

uint32_t argus_kinds_possible(const argus_cupti *api, uint32_t wanted, bool all_calls) {
    uint32_t possible = wanted & GPU_SIGNALS;
    if (!all_calls && (api->ActivityEnableRuntimeApi == NULL || api->ActivityEnableDriverApi == NULL)) {
        possible &= ~(uint32_t)ARGUS_SIGNAL_LAUNCHES; /* else every cudaGetDevice would be recorded too */
    }
    return possible;
}

static uint32_t kind(const argus_cupti *api, uint32_t kind, bool on) {
    return on ? api->ActivityEnable(kind) : api->ActivityDisable(kind);
}

static uint32_t launches(const argus_cupti *api, bool on) {
    kind(api, ARGUS_KIND_EXTERNAL_CORRELATION, on);
    if (api->ActivityEnableRuntimeApi == NULL || api->ActivityEnableDriverApi == NULL) {
        uint32_t result = kind(api, ARGUS_KIND_RUNTIME, on);
        kind(api, ARGUS_KIND_DRIVER, on);
        return result;
    }
    /* A call that this version does not know yet, or no more, is refused: nothing is missed. One must succeed. */
    uint32_t result = 1;
#define X(name, number)                                                                                               \
    {                                                                                                                 \
        uint32_t one = api->ActivityEnableRuntimeApi(number, on);                                                     \
        result = result == ARGUS_CUPTI_SUCCESS ? result : one;                                                        \
    }
    ARGUS_RUNTIME_LAUNCHES
#undef X
#define X(name, number) api->ActivityEnableDriverApi(number, on);
    ARGUS_DRIVER_LAUNCHES
#undef X
    return result;
}

/* Whole graphs are traced when kernels are wanted and nodes are not. */
static bool graphs(uint32_t signals) {
    return (signals & ARGUS_SIGNAL_KERNELS) != 0 && (signals & ARGUS_SIGNAL_GRAPH_NODES) == 0;
}

static bool changes(uint32_t on, uint32_t wanted, uint32_t signal, bool *to) {
    *to = (wanted & signal) != 0;
    return ((on ^ wanted) & signal) != 0;
}

uint32_t argus_kinds_switch(const argus_cupti *api, uint32_t on, uint32_t wanted, bool all_calls, uint32_t *result) {
    bool to;
    uint32_t now = argus_kinds_possible(api, wanted, all_calls);
    *result = ARGUS_CUPTI_SUCCESS;
    if (graphs(on) != graphs(now)) {
        kind(api, ARGUS_KIND_GRAPH_TRACE, graphs(now)); /* versions without it trace nodes */
    }
    if (changes(on, now, ARGUS_SIGNAL_KERNELS, &to)) {
        uint32_t said = kind(api, ARGUS_KIND_CONCURRENT_KERNEL, to);
        if (to && said != ARGUS_CUPTI_SUCCESS) {
            now &= ~(uint32_t)ARGUS_SIGNAL_KERNELS;
            *result = said;
        }
    }
    if (changes(on, now, ARGUS_SIGNAL_COPIES, &to)) {
        uint32_t said = kind(api, ARGUS_KIND_MEMCPY, to);
        kind(api, ARGUS_KIND_MEMCPY2, to);
        kind(api, ARGUS_KIND_MEMSET, to);
        if (to && said != ARGUS_CUPTI_SUCCESS) {
            now &= ~(uint32_t)ARGUS_SIGNAL_COPIES;
            *result = *result == ARGUS_CUPTI_SUCCESS ? said : *result;
        }
    }
    if (changes(on, now, ARGUS_SIGNAL_LAUNCHES, &to) && launches(api, to) != ARGUS_CUPTI_SUCCESS && to) {
        now &= ~(uint32_t)ARGUS_SIGNAL_LAUNCHES; /* kernels alone are worth having */
    }
    return now;
}

void argus_kinds_graphs_off(const argus_cupti *api) { kind(api, ARGUS_KIND_GRAPH_TRACE, false); }

void argus_kinds_off(const argus_cupti *api, bool all_calls) {
    uint32_t ignored;
    /* Graphs are on or off apart from the signals: so both ways. */
    argus_kinds_graphs_off(api);
    argus_kinds_switch(api, GPU_SIGNALS, 0, all_calls, &ignored);
}
