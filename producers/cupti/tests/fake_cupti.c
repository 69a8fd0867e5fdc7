#define _GNU_SOURCE
#include "fake_cupti.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../src/cupti_facts.h"

#define API __attribute__((visibility("default")))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static argus_buffer_requested on_request;
static argus_buffer_completed on_complete;
static argus_timestamp on_timestamp;
static unsigned char enabled[256], calls[2][1024];
static uint8_t *current;
static size_t current_size, current_fill, dropped;
static uint32_t refusal, flush_sleep;
static uint64_t flushes, other_records;
static __thread uint64_t external_id;

/* What the iterator knows: bytes of a record by kind, as in CUDA 13.0; 0 for what it does not know. */
static size_t record_bytes(uint32_t kind) {
    switch (kind) {
    case ARGUS_KIND_CONCURRENT_KERNEL: return 216;
    case ARGUS_KIND_MEMCPY: return 96;
    case ARGUS_KIND_MEMCPY2: return 96;
    case ARGUS_KIND_MEMSET: return 88;
    case ARGUS_KIND_RUNTIME:
    case ARGUS_KIND_DRIVER: return 40;
    case ARGUS_KIND_EXTERNAL_CORRELATION: return 24;
    case ARGUS_KIND_GRAPH_TRACE: return 56;
    case 12: return 56; /* a marker: known to CUPTI, unknown to us */
    default: return 0;
    }
}

/* Whether it would be recorded now; what the test made up is always. */
static int recorded(const void *record) {
    uint32_t kind = *(const uint32_t *)record;
    if (kind == ARGUS_KIND_RUNTIME || kind == ARGUS_KIND_DRIVER) {
        uint32_t call = ((const argus_cupti_api_call *)record)->cbid;
        return enabled[kind] || (call < 1024 && calls[kind == ARGUS_KIND_DRIVER][call]);
    }
    return record_bytes(kind) == 0 || kind == 12 || enabled[kind];
}

/* ---- told by the test ---- */

static void ask(void) {
    size_t most = 0;
    current = NULL;
    current_size = current_fill = 0;
    on_request(&current, &current_size, &most);
}

static void hand_over(size_t valid) {
    uint8_t *buffer = current;
    size_t size = current_size;
    if (buffer == NULL) {
        return;
    }
    if (valid == SIZE_MAX) {
        valid = current_fill;
    }
    current = NULL;
    on_complete(NULL, 0, buffer, size, valid);
}

API void fake_emit(const void *record, size_t bytes) {
    pthread_mutex_lock(&lock);
    if (on_request != NULL && recorded(record)) {
        if (current != NULL && current_size - current_fill < bytes) {
            hand_over(SIZE_MAX);
        }
        if (current == NULL) {
            ask();
        }
        if (current == NULL || current_size < bytes) {
            dropped++;
        } else {
            memcpy(current + current_fill, record, bytes);
            current_fill += bytes;
        }
    }
    pthread_mutex_unlock(&lock);
}

API void fake_complete(size_t valid) {
    pthread_mutex_lock(&lock);
    hand_over(valid);
    pthread_mutex_unlock(&lock);
}

API void fake_complete_address(uint8_t *buffer, size_t size, size_t valid) { on_complete(NULL, 0, buffer, size, valid); }

API uint8_t *fake_request(size_t *size) {
    uint8_t *buffer = NULL;
    size_t most = 0;
    on_request(&buffer, size, &most);
    return buffer;
}

static void other_request(uint8_t **buffer, size_t *size, size_t *most) {
    static uint64_t memory[65536 / 8]; /* it has one buffer, again and again */
    *size = sizeof memory;
    *buffer = (uint8_t *)memory;
    *most = 0;
}

static void other_complete(argus_cuda_context context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid) {
    (void)context, (void)stream, (void)buffer, (void)size;
    other_records += valid / 216; /* as PyTorch's profiler: a buffer that it does not know is left alone */
}

API void fake_other_takes(void) {
    pthread_mutex_lock(&lock);
    on_request = other_request;
    on_complete = other_complete;
    enabled[ARGUS_KIND_CONCURRENT_KERNEL] = 1;
    pthread_mutex_unlock(&lock);
}

API void fake_other_leaves(void) {
    pthread_mutex_lock(&lock);
    hand_over(SIZE_MAX);
    memset(enabled, 0, sizeof enabled);
    pthread_mutex_unlock(&lock);
}

API uint64_t fake_other_records(void) {
    pthread_mutex_lock(&lock);
    uint64_t n = other_records;
    pthread_mutex_unlock(&lock);
    return n;
}

API void fake_drop(size_t records) {
    pthread_mutex_lock(&lock);
    dropped += records;
    pthread_mutex_unlock(&lock);
}

API void fake_refuse(uint32_t result) { __atomic_store_n(&refusal, result, __ATOMIC_SEQ_CST); }
API void fake_flush_sleeps(uint32_t millis) { __atomic_store_n(&flush_sleep, millis, __ATOMIC_SEQ_CST); }

API int fake_enabled(uint32_t kind) {
    pthread_mutex_lock(&lock);
    int on = enabled[kind & 255];
    pthread_mutex_unlock(&lock);
    return on;
}

API int fake_launch_calls(void) {
    int count = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 1024; i++) {
        count += calls[0][i] + calls[1][i];
    }
    pthread_mutex_unlock(&lock);
    return count;
}

API uint64_t fake_flushes(void) { return __atomic_load_n(&flushes, __ATOMIC_SEQ_CST); }
API uint64_t fake_external(void) { return external_id; }

API uint64_t fake_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)(t.tv_sec + 5) * 1000000000u + (uint64_t)t.tv_nsec;
}

API uint64_t fake_timestamp(void) { return on_timestamp == NULL ? fake_clock() : on_timestamp(); }

/* ---- called by the library ---- */

#ifdef FAKE_OLD
#define VERSION 18
#else
#define VERSION 130001
#endif

API uint32_t cuptiGetVersion(uint32_t *version) {
    *version = getenv("FAKE_VERSION") == NULL ? VERSION : (uint32_t)atoi(getenv("FAKE_VERSION"));
    return 0;
}

API uint32_t cuptiActivityRegisterCallbacks(argus_buffer_requested request, argus_buffer_completed complete) {
    uint32_t no = __atomic_load_n(&refusal, __ATOMIC_SEQ_CST);
    if (no != 0) {
        return no;
    }
    pthread_mutex_lock(&lock);
    on_request = request;
    on_complete = complete;
    pthread_mutex_unlock(&lock);
    return 0;
}

static uint32_t enable(uint32_t kind, int on) {
    uint32_t no = __atomic_load_n(&refusal, __ATOMIC_SEQ_CST);
    if (on && no != 0) {
        return no;
    }
    pthread_mutex_lock(&lock);
    enabled[kind & 255] = (unsigned char)on;
    pthread_mutex_unlock(&lock);
    return 0;
}

API uint32_t cuptiActivityEnable(uint32_t kind) { return enable(kind, 1); }
API uint32_t cuptiActivityDisable(uint32_t kind) { return enable(kind, 0); }

API uint32_t cuptiActivityFlushAll(uint32_t flag) {
    __atomic_fetch_add(&flushes, 1, __ATOMIC_SEQ_CST);
    uint32_t millis = __atomic_load_n(&flush_sleep, __ATOMIC_SEQ_CST);
    if (millis > 0) {
        nanosleep(&(struct timespec){millis / 1000, (long)(millis % 1000) * 1000000}, NULL);
    }
    pthread_mutex_lock(&lock);
    if (current_fill > 0 || flag == ARGUS_FLUSH_FORCED) {
        hand_over(SIZE_MAX);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

API uint32_t cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, argus_cupti_any **record) {
    uint8_t *at = buffer;
    if (*record != NULL) {
        at = (uint8_t *)*record + record_bytes((*record)->kind);
    }
    size_t left = (size_t)(buffer + valid - at);
    if (at > buffer + valid || left < sizeof(argus_cupti_any)) {
        return ARGUS_CUPTI_MAX_LIMIT_REACHED;
    }
    if (record_bytes(((argus_cupti_any *)(void *)at)->kind) == 0) {
        return ARGUS_CUPTI_INVALID_KIND;
    }
    /* Less careful than the real one: a torn record is given out, and whoever reads it must look. */
    *record = (argus_cupti_any *)(void *)at;
    return 0;
}

API uint32_t cuptiActivityGetNumDroppedRecords(argus_cuda_context context, uint32_t stream, size_t *count) {
    (void)context, (void)stream;
    pthread_mutex_lock(&lock);
    *count = dropped;
    dropped = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

API uint32_t cuptiGetTimestamp(uint64_t *now) {
    *now = fake_timestamp();
    return 0;
}

API uint32_t cuptiSetThreadIdType(uint32_t type) { return type == 1 ? 0 : 1; }

API uint32_t cuptiGetCallbackName(uint32_t domain, uint32_t call, const char **name) {
    if (domain == ARGUS_DOMAIN_RUNTIME && call == 211) {
        *name = "cudaLaunchKernel_v7000";
        return 0;
    }
    if (domain == ARGUS_DOMAIN_DRIVER && call == 307) {
        *name = "cuLaunchKernel";
        return 0;
    }
    return 1;
}

API uint32_t cuptiGetResultString(uint32_t result, const char **text) {
    *text = result == ARGUS_CUPTI_INSUFFICIENT_PRIVILEGES ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES" : "some error";
    return 0;
}

#ifndef FAKE_OLD
API uint32_t cuptiActivityRegisterTimestampCallback(argus_timestamp timestamp) {
    on_timestamp = timestamp;
    return 0;
}

static uint32_t call(int domain, uint32_t cbid, uint8_t on) {
    if (cbid >= 1024) {
        return 1;
    }
    pthread_mutex_lock(&lock);
    calls[domain][cbid] = on;
    pthread_mutex_unlock(&lock);
    return 0;
}

API uint32_t cuptiActivityEnableRuntimeApi(uint32_t cbid, uint8_t on) { return call(0, cbid, on); }
API uint32_t cuptiActivityEnableDriverApi(uint32_t cbid, uint8_t on) { return call(1, cbid, on); }

API uint32_t cuptiActivityPushExternalCorrelationId(uint32_t kind, uint64_t id) {
    external_id = id;
    return kind == ARGUS_EXTERNAL_KIND ? 0 : 1;
}

API uint32_t cuptiActivityPopExternalCorrelationId(uint32_t kind, uint64_t *last) {
    *last = external_id;
    external_id = 0;
    return kind == ARGUS_EXTERNAL_KIND ? 0 : 1;
}
#endif

/* ---- a driver with one GPU ---- */

API int cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return ordinal == 0 ? 0 : 101;
}

API int cuDeviceGetName(char *name, int bytes, int device) {
    (void)device;
    strncpy(name, "NVIDIA Pretended GPU", (size_t)bytes);
    return 0;
}

API int cuDeviceGetUuid(unsigned char *uuid, int device) {
    for (int i = 0; i < 16; i++) {
        uuid[i] = (unsigned char)(device + i);
    }
    return 0;
}
