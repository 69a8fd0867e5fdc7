#define _GNU_SOURCE
#include "attach.h"

#include <stdio.h>
#include <unistd.h>

#include "host.h"
#include "kinds.h"

void argus_attach_obeyed(argus_worker *w) {
    uint64_t gpu = ARGUS_SIGNAL_KERNELS | ARGUS_SIGNAL_COPIES | ARGUS_SIGNAL_LAUNCHES | ARGUS_SIGNAL_GRAPH_NODES;
    argus_ring_obeyed(&w->ring, (w->control & ~gpu) | argus_kinds_possible(&w->api, w->convert.signals, w->config.all_calls));
}

int argus_attach(argus_worker *w, uint64_t now, char *problem, size_t bytes) {
    argus_ring_header header = {
        .producer = ARGUS_PRODUCER_CUPTI,
        .clock = w->own_clock ? ARGUS_CLOCK_MONOTONIC : ARGUS_CLOCK_OTHER,
        .capacity = w->config.ring_records,
        .session = argus_realtime(),
        .pid = (uint32_t)getpid(),
        .start_ticks = argus_start_ticks(),
        .rank = w->config.rank,
        .local_rank = w->config.local_rank,
        .world_size = w->config.world_size,
        .pid_namespace = argus_pid_namespace(),
        .control = w->control,
    };
    if (argus_ring_create(&w->ring, w->config.ring_dir, "cupti", &header, problem, bytes) != 0) {
        return -1;
    }
    argus_clock_init(&w->clock, w->own_clock ? NULL : &w->api);
    if (argus_convert_init(&w->convert, &w->api, &w->ring, &w->clock, &w->gate, w->config.name_slots) != 0) {
        argus_ring_unmap(&w->ring);
        unlink(w->ring.path);
        snprintf(problem, bytes, "no memory for the table of names");
        return -1;
    }
    w->convert.signals = w->config.signals;
    argus_attach_obeyed(w);
    argus_pool_touch(&w->pool);
    argus_ring_heartbeat(&w->ring, argus_monotonic());
    __atomic_store_n(&w->attached, true, __ATOMIC_RELEASE);
    w->identity_due = true;
    w->flushed_at = now;
    argus_record pair;
    if (argus_clock_pair(&w->clock, &pair)) {
        argus_ring_write(&w->ring, &pair, 1);
    }
    w->paired_at = now;
    argus_say(&w->config, "on: %s, CUPTI %u, %s", w->ring.path, w->api.version,
              w->own_clock ? "CLOCK_MONOTONIC" : "CUPTI's clock");
    return 0;
}

static bool identity(argus_worker *w, enum argus_identity_key key, const char *text, int64_t value) {
    uint32_t id;
    if (argus_name(&w->convert.names, &w->ring, text, &id) == ARGUS_NAME_NO_ROOM) {
        return false;
    }
    argus_record r = argus_identity(key, id, value);
    return argus_ring_write(&w->ring, &r, 1);
}

static bool number(argus_worker *w, enum argus_identity_key key, int32_t value) {
    return value < 0 || identity(w, key, NULL, value);
}

bool argus_attach_identity(argus_worker *w) {
    char host[256] = "", software[64];
    if (gethostname(host, sizeof host - 1) != 0) {
        host[0] = '\0';
    }
    snprintf(software, sizeof software, "cupti=%u", w->api.version);
    return number(w, ARGUS_ID_RANK, w->config.rank) && number(w, ARGUS_ID_LOCAL_RANK, w->config.local_rank)
           && number(w, ARGUS_ID_WORLD_SIZE, w->config.world_size) && (host[0] == '\0' || identity(w, ARGUS_ID_HOST, host, 0))
           && (w->config.job[0] == '\0' || identity(w, ARGUS_ID_JOB, w->config.job, 0))
           && identity(w, ARGUS_ID_SOFTWARE, software, 0);
}

bool argus_attach_devices(argus_worker *w) {
    bool first = true;
    for (uint32_t device = 0; device < ARGUS_DEVICES; device++) {
        if ((w->convert.devices[device / 8] >> device % 8 & 1) == 0) {
            continue;
        }
        char model[128], uuid[64];
        argus_gpu(device, model, sizeof model, uuid, sizeof uuid);
        if ((model[0] != '\0' && !identity(w, ARGUS_ID_GPU_MODEL, model, device))
            || (uuid[0] != '\0' && !identity(w, ARGUS_ID_GPU_UUID, uuid, device))
            || (first && !identity(w, ARGUS_ID_CURRENT_DEVICE, NULL, device))) {
            return false;
        }
        first = false;
    }
    return true;
}
