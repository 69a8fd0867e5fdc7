/* Records as CUPTI 13.0 lays them out, in full length. */
#ifndef RECORDS_H
#define RECORDS_H

#include <string.h>

#include "../src/cupti_facts.h"

typedef union {
    argus_cupti_kernel is;
    unsigned char bytes[216];
} whole_kernel;

typedef union {
    argus_cupti_memcpy is;
    unsigned char bytes[96];
} whole_memcpy;

typedef union {
    argus_cupti_memset is;
    unsigned char bytes[88];
} whole_memset;

typedef union {
    argus_cupti_graph is;
    unsigned char bytes[56];
} whole_graph;

static inline whole_kernel a_kernel(const char *name, uint64_t start, uint64_t end, uint32_t correlation) {
    whole_kernel k;
    memset(&k, 0, sizeof k);
    k.is.kind = ARGUS_KIND_CONCURRENT_KERNEL;
    k.is.start = start;
    k.is.end = end;
    k.is.stream = 7;
    k.is.correlation = correlation;
    k.is.name = name;
    for (int i = 0; i < 3; i++) {
        k.is.grid[i] = 2;
        k.is.block[i] = 4;
    }
    return k;
}

static inline whole_memcpy a_copy(uint32_t kind, uint8_t direction, uint64_t moved, uint64_t start, uint64_t end) {
    whole_memcpy m;
    memset(&m, 0, sizeof m);
    m.is.kind = kind;
    m.is.copy_kind = direction;
    m.is.bytes = moved;
    m.is.start = start;
    m.is.end = end;
    m.is.stream = 9;
    m.is.correlation = 31;
    m.is.peer_correlation = 32;
    return m;
}

static inline whole_memset a_set(uint64_t moved, uint64_t start, uint64_t end) {
    whole_memset m;
    memset(&m, 0, sizeof m);
    m.is.kind = ARGUS_KIND_MEMSET;
    m.is.bytes = moved;
    m.is.start = start;
    m.is.end = end;
    m.is.stream = 9;
    m.is.correlation = 33;
    return m;
}

static inline whole_graph a_graph(uint32_t graph, uint64_t start, uint64_t end, uint32_t correlation) {
    whole_graph g;
    memset(&g, 0, sizeof g);
    g.is.kind = ARGUS_KIND_GRAPH_TRACE;
    g.is.graph = graph;
    g.is.start = start;
    g.is.end = end;
    g.is.stream = 5;
    g.is.correlation = correlation;
    return g;
}

static inline argus_cupti_api_call a_call(uint32_t kind, uint32_t call, uint64_t start, uint64_t end,
                                          uint32_t correlation) {
    return (argus_cupti_api_call){.kind = kind, .cbid = call, .start = start, .end = end, .thread = 4711,
                                  .correlation = correlation};
}

static inline argus_cupti_external an_external(uint32_t external_kind, uint64_t id, uint32_t correlation) {
    return (argus_cupti_external){.kind = ARGUS_KIND_EXTERNAL_CORRELATION, .external_kind = external_kind,
                                  .external = id, .correlation = correlation};
}

#endif
