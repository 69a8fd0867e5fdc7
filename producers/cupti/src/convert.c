#define _GNU_SOURCE
#include "convert.h"

#include <stdio.h>
#include <stdlib.h>

int argus_convert_init(argus_convert *convert, const argus_cupti *api, argus_ring *ring, argus_clock *clock,
                       argus_gate *gate, uint32_t name_slots) {
    memset(convert, 0, sizeof *convert);
    convert->api = api;
    convert->ring = ring;
    convert->clock = clock;
    convert->gate = gate;
    convert->signals = ARGUS_SIGNALS_ALL;
    convert->correlations = calloc(ARGUS_CORRELATIONS, sizeof *convert->correlations);
    if (convert->correlations == NULL || argus_names_init(&convert->names, name_slots) != 0) {
        argus_convert_free(convert);
        return -1;
    }
    return 0;
}

void argus_convert_free(argus_convert *convert) {
    free(convert->correlations);
    convert->correlations = NULL;
    argus_names_free(&convert->names);
}

void argus_convert_attach(argus_convert *convert) {
    argus_names_attach(&convert->names);
    convert->new_device = true;
}

static void lose(argus_convert *c, enum argus_loss reason, uint64_t from, uint64_t to) {
    argus_lose(&c->losses, c->ring, reason, 1, from, to);
}

bool argus_convert_emit(argus_convert *c, const argus_record *record, uint64_t now) {
    if (argus_losses_pending(&c->losses, ARGUS_LOSS_RING_FULL)) {
        argus_losses_tell(&c->losses, c->ring); /* the place of the gap, before what comes after it */
    }
    if (argus_losses_pending(&c->losses, ARGUS_LOSS_RING_FULL) || !argus_ring_write(c->ring, record, 1)) {
        lose(c, ARGUS_LOSS_RING_FULL, now, now);
        return false;
    }
    return true;
}

bool argus_convert_name(argus_convert *c, const char *text, uint32_t *id, uint64_t now) {
    switch (argus_name(&c->names, c->ring, text, id)) {
    case ARGUS_NAME_NO_ROOM:
        lose(c, ARGUS_LOSS_RING_FULL, now, now);
        return false;
    case ARGUS_NAME_FULL:
        lose(c, ARGUS_LOSS_NAMES_FULL, now, now); /* the record stays, its name is "(other names)" */
        return true;
    case ARGUS_NAME_OK:
        break;
    }
    return true;
}

/* {@return whether the times can be; CUPTI leaves them 0 where it could not measure} */
static bool times_possible(argus_convert *c, uint64_t start, uint64_t end, uint32_t device, uint64_t now) {
    if (c->settling && end == 0) {
        c->unfinished++;
        return false;
    }
    if (start != 0 && end >= start && device < ARGUS_DEVICES) {
        return true;
    }
    lose(c, ARGUS_LOSS_IMPOSSIBLE, now, now);
    return false;
}

static bool kept(const argus_convert *c, uint32_t signal, uint64_t start) {
    return (c->signals & signal) != 0 && argus_gate_keeps(c->gate, start - (uint64_t)c->clock->ahead);
}

static void see_device(argus_convert *c, uint32_t device) {
    unsigned char bit = (unsigned char)(1u << device % 8);
    if ((c->devices[device / 8] & bit) == 0) {
        c->devices[device / 8] |= bit;
        c->new_device = true;
    }
}

static void kernel(argus_convert *c, const argus_cupti_kernel *k, uint64_t now) {
    uint32_t name;
    if (!times_possible(c, k->start, k->end, k->device, now) || !kept(c, ARGUS_SIGNAL_KERNELS, k->start)
        || !argus_convert_name(c, k->name, &name, k->start)) {
        return;
    }
    see_device(c, k->device);
    float threads = (float)k->grid[0] * (float)k->grid[1] * (float)k->grid[2] * (float)k->block[0] * (float)k->block[1]
                    * (float)k->block[2];
    argus_record r = argus_kernel(k->device, k->graph_node != 0 ? ARGUS_FLAG_GRAPH : 0, name, k->start, k->end - k->start,
                                  k->stream, k->correlation, threads < 0 ? 0 : threads);
    argus_convert_emit(c, &r, k->start);
}

/* A whole graph, where its nodes are not told one by one: a kernel of that graph's name. The flag is for the nodes. */
static void graph(argus_convert *c, const argus_cupti_graph *g, uint64_t now) {
    char text[32];
    uint32_t name;
    snprintf(text, sizeof text, "CUDA graph %u", g->graph);
    if (!times_possible(c, g->start, g->end, g->device, now) || !kept(c, ARGUS_SIGNAL_KERNELS, g->start)
        || !argus_convert_name(c, text, &name, g->start)) {
        return;
    }
    see_device(c, g->device);
    argus_record r = argus_kernel(g->device, 0, name, g->start, g->end - g->start, g->stream, g->correlation, 0);
    argus_convert_emit(c, &r, g->start);
}

/* CUpti_ActivityMemcpyKind to the ring's directions: unknown, HtoD, DtoH, HtoA, AtoH, AtoA, AtoD, DtoA, DtoD, HtoH, PtoP. */
static const unsigned char DIRECTIONS[] = {0, 1, 2, 1, 2, 3, 3, 3, 3, 5, 4};

static void copy(argus_convert *c, const argus_cupti_memcpy *m, uint64_t now) {
    if (!times_possible(c, m->start, m->end, m->device, now) || !kept(c, ARGUS_SIGNAL_COPIES, m->start)) {
        return;
    }
    see_device(c, m->device);
    bool peer = m->kind == ARGUS_KIND_MEMCPY2;
    unsigned direction = peer ? 4 : m->copy_kind < sizeof DIRECTIONS ? DIRECTIONS[m->copy_kind] : 0;
    argus_record r = argus_move(ARGUS_COPY, m->device, direction, 0, m->bytes, m->start, m->end - m->start, m->stream,
                                peer ? m->peer_correlation : m->correlation);
    argus_convert_emit(c, &r, m->start);
}

static void set(argus_convert *c, const argus_cupti_memset *m, uint64_t now) {
    if (!times_possible(c, m->start, m->end, m->device, now) || !kept(c, ARGUS_SIGNAL_COPIES, m->start)) {
        return;
    }
    see_device(c, m->device);
    argus_record r = argus_move(ARGUS_SET, m->device, 0, 0, m->bytes, m->start, m->end - m->start, m->stream,
                                m->correlation);
    argus_convert_emit(c, &r, m->start);
}

static argus_correlation *correlation(argus_convert *c, uint32_t id) {
    argus_correlation *entry = &c->correlations[id & (ARGUS_CORRELATIONS - 1)];
    if (entry->correlation != id) {
        *entry = (argus_correlation){.correlation = id};
    }
    return entry;
}

static void external(argus_convert *c, const argus_cupti_external *e) {
    /* CUPTI writes it before the call it belongs to. Ids of others (PyTorch's profiler) are none of ours. */
    if (e->external_kind == ARGUS_EXTERNAL_KIND) {
        correlation(c, e->correlation)->external = (uint32_t)e->external;
    }
}

static bool is_launch(uint32_t kind, uint32_t cbid) {
#define X(name, number) case number:
    if (kind == ARGUS_KIND_RUNTIME) {
        switch (cbid) { ARGUS_RUNTIME_LAUNCHES return true; default: return false; }
    }
    switch (cbid) { ARGUS_DRIVER_LAUNCHES return true; default: return false; }
#undef X
}

/* "cudaLaunchKernel_v7000" to "cudaLaunchKernel", as profilers show it. */
static void call_name(const argus_convert *c, const argus_cupti_api_call *call, char *text, size_t bytes) {
    const char *name = NULL;
    uint32_t domain = call->kind == ARGUS_KIND_RUNTIME ? ARGUS_DOMAIN_RUNTIME : ARGUS_DOMAIN_DRIVER;
    if (c->api->GetCallbackName == NULL || c->api->GetCallbackName(domain, call->cbid, &name) != ARGUS_CUPTI_SUCCESS
        || name == NULL) {
        snprintf(text, bytes, "%s call %u", domain == ARGUS_DOMAIN_RUNTIME ? "runtime" : "driver", call->cbid);
        return;
    }
    snprintf(text, bytes, "%s", name);
    char *version = strrchr(text, '_');
    if (version != NULL && version[1] == 'v' && strspn(version + 2, "0123456789") == strlen(version + 2)) {
        *version = '\0';
    }
}

static void launch(argus_convert *c, const argus_cupti_api_call *call, uint64_t now) {
    if (!is_launch(call->kind, call->cbid)) {
        c->unknown++;
        return;
    }
    if (!times_possible(c, call->start, call->end, 0, now) || !kept(c, ARGUS_SIGNAL_LAUNCHES, call->start)) {
        return;
    }
    argus_correlation *known = correlation(c, call->correlation);
    char text[128];
    uint32_t name;
    call_name(c, call, text, sizeof text);
    if (known->launched || !argus_convert_name(c, text, &name, call->start)) {
        return;
    }
    argus_record r = argus_launch(0, name, call->start, call->end - call->start, call->thread, call->correlation,
                                  known->external);
    known->launched = argus_convert_emit(c, &r, call->start);
}

/* {@return bytes that must be there to read a record of a kind, as many as of any record for kinds that are not read} */
static size_t needed(uint32_t kind) {
    switch (kind) {
    case ARGUS_KIND_CONCURRENT_KERNEL: return sizeof(argus_cupti_kernel);
    case ARGUS_KIND_MEMCPY:
    case ARGUS_KIND_MEMCPY2: return sizeof(argus_cupti_memcpy);
    case ARGUS_KIND_MEMSET: return sizeof(argus_cupti_memset);
    case ARGUS_KIND_RUNTIME:
    case ARGUS_KIND_DRIVER: return sizeof(argus_cupti_api_call);
    case ARGUS_KIND_EXTERNAL_CORRELATION: return sizeof(argus_cupti_external);
    case ARGUS_KIND_GRAPH_TRACE: return sizeof(argus_cupti_graph);
    default: return sizeof(argus_cupti_any);
    }
}

static void convert(argus_convert *c, const argus_cupti_any *any, uint64_t now) {
    const void *record = any;
    switch (any->kind) {
    case ARGUS_KIND_CONCURRENT_KERNEL: kernel(c, record, now); break;
    case ARGUS_KIND_MEMCPY:
    case ARGUS_KIND_MEMCPY2: copy(c, record, now); break;
    case ARGUS_KIND_MEMSET: set(c, record, now); break;
    case ARGUS_KIND_RUNTIME:
    case ARGUS_KIND_DRIVER: launch(c, record, now); break;
    case ARGUS_KIND_EXTERNAL_CORRELATION: external(c, record); break;
    case ARGUS_KIND_GRAPH_TRACE: graph(c, record, now); break;
    default: c->unknown++; break;
    }
}

void argus_convert_buffer(argus_convert *c, unsigned char *buffer, size_t bytes, size_t valid, uint64_t now) {
    if (valid > bytes) {
        lose(c, ARGUS_LOSS_INTERNAL, now, now); /* more than the buffer holds: what there is, is read */
        valid = bytes;
    }
    const unsigned char *end = buffer + valid;
    const unsigned char *least = buffer;
    argus_cupti_any *record = NULL;
    while (valid != 0) {
        uint32_t result = c->api->ActivityGetNextRecord(buffer, valid, &record);
        if (result == ARGUS_CUPTI_MAX_LIMIT_REACHED) {
            return;
        }
        const unsigned char *at = (const unsigned char *)record;
        /* Forward and inside, whatever the iterator says; so the loop ends. */
        bool readable = result == ARGUS_CUPTI_SUCCESS && at >= least && at <= end
                        && (size_t)(end - at) >= sizeof(argus_cupti_any) && (size_t)(end - at) >= needed(record->kind)
                        && (uintptr_t)at % 8 == 0;
        if (!readable) {
            /* Torn: how many records are behind is not known, so it counts as one. */
            lose(c, result == ARGUS_CUPTI_SUCCESS || result == ARGUS_CUPTI_INVALID_KIND ? ARGUS_LOSS_IMPOSSIBLE
                                                                                      : ARGUS_LOSS_INTERNAL, now, now);
            return;
        }
        c->records++;
        convert(c, record, now);
        least = at + sizeof(argus_cupti_any);
    }
}
