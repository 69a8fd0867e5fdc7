/*
 * The library's door: loaded by the CUDA driver inside cuInit, called by CUPTI inside training threads. What runs there
 * does not lock, allocate (after the loading), call the system (but to wake the converter) or fail. Whoever merely has the
 * library in LD_PRELOAD has loaded a file that does nothing.
 */
#define _GNU_SOURCE
#include "argus_cupti.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "filter.h"
#include "kinds.h"
#include "worker.h"

#define EXPORTED __attribute__((visibility("default")))

enum { STARTED = 1 };

static argus_worker the_worker;
static uint32_t started; /* STARTED while the library works in this process */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool working(void) { return __atomic_load_n(&started, __ATOMIC_ACQUIRE) == STARTED; }

/* ---- called by CUPTI ---- */

static void requested(uint8_t **buffer, size_t *size, size_t *most_records) {
    *most_records = 0; /* as many as fit */
    *buffer = working() ? argus_pool_take(&the_worker.pool) : NULL;
    *size = *buffer == NULL ? 0 : the_worker.pool.buffer_bytes;
    if (working() && (*buffer == NULL || argus_count(&the_worker.pool.takes) == 1)) {
        argus_bell_ring(&the_worker.bell);
    }
}

static void completed(argus_cuda_context context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid) {
    (void)context, (void)stream, (void)size;
    if (working() && argus_pool_done(&the_worker.pool, buffer, valid)) {
        argus_bell_ring(&the_worker.bell);
    }
}

/* While we are paused, what CUPTI says by itself: a profiler that sets no clock of its own expects it. */
static uint64_t timestamp(void) {
    return __atomic_load_n(&the_worker.foreign_clock, __ATOMIC_RELAXED) ? argus_realtime() : argus_monotonic();
}

/* ---- start and end ---- */

/* The child has no converter, and the ring is its parent's: everything off, and nothing that waits. */
static void in_child(void) { __atomic_store_n(&started, 0, __ATOMIC_RELEASE); }

/* The last second of events, if they come in time. The process ends when it wants to. */
static void at_exit(void) {
    if (!working()) {
        return;
    }
    argus_worker *w = &the_worker;
    uint64_t until = argus_monotonic() + w->config.exit_millis * UINT64_C(1000000);
    __atomic_store_n(&w->stop, 1, __ATOMIC_SEQ_CST);
    argus_bell_ring(&w->bell);
    for (;;) {
        uint32_t seen = argus_bell_seen(&w->bell);
        uint64_t now = argus_monotonic();
        if (__atomic_load_n(&w->finished, __ATOMIC_SEQ_CST) || now >= until) {
            break;
        }
        argus_bell_wait(&w->bell, seen, until - now < 20000000 ? until - now : 20000000);
    }
    __atomic_store_n(&started, 0, __ATOMIC_RELEASE); /* CUPTI may go on calling: it gets nothing, and nothing is read */
}

/* The thread blocks all signals: the program's handlers run on the program's threads, as without us. */
static int start_thread(argus_worker *w) {
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_t thread;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int error = pthread_create(&thread, &attributes, argus_worker_run, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

static void start(void) {
    argus_worker *w = &the_worker;
    char problem[512];
    argus_config_read(&w->config);
    if (!argus_filter_self(problem, sizeof problem)) {
        argus_say(&w->config, "off: %s", problem);
        return;
    }
    if (argus_cupti_load(&w->api, w->config.cupti_path, w->config.any_version, problem, sizeof problem) != 0) {
        argus_say(&w->config, "off: %s", problem);
        return;
    }
    w->requested = requested;
    w->completed = completed;
    w->timestamp = timestamp;
    /* Before the callbacks can come. */
    __atomic_store_n(&started, STARTED, __ATOMIC_RELEASE);
    if (argus_worker_setup(w, problem, sizeof problem) != 0 || start_thread(w) != 0) {
        __atomic_store_n(&started, 0, __ATOMIC_RELEASE);
        argus_say(&w->config, "off: %s", problem);
        return;
    }
    pthread_atfork(NULL, NULL, in_child);
    atexit(at_exit);
}

EXPORTED int InitializeInjection(void) {
    int before = errno;
    pthread_once(&once, start);
    errno = before;
    return 1;
}

/* ---- called by the process ---- */

EXPORTED void argus_cupti_step(int64_t step) {
    if (!working()) {
        return;
    }
    argus_gate_step(&the_worker.gate, step, argus_monotonic());
    if (!argus_gate_open(__atomic_load_n(&the_worker.control, __ATOMIC_RELAXED))) {
        argus_bell_ring(&the_worker.bell); /* recording may have to be switched on or off */
    }
}

EXPORTED void argus_cupti_push_external(uint64_t id) {
    if (working() && the_worker.api.ActivityPushExternalCorrelationId != NULL) {
        the_worker.api.ActivityPushExternalCorrelationId(ARGUS_EXTERNAL_KIND, id);
    }
}

EXPORTED void argus_cupti_pop_external(void) {
    uint64_t last;
    if (working() && the_worker.api.ActivityPopExternalCorrelationId != NULL) {
        the_worker.api.ActivityPopExternalCorrelationId(ARGUS_EXTERNAL_KIND, &last);
    }
}

static void nap(void) { nanosleep(&(struct timespec){0, 1000000}, NULL); }

EXPORTED void argus_cupti_pause(void) {
    if (!working()) {
        return;
    }
    argus_worker *w = &the_worker;
    __atomic_store_n(&w->pause, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 50 && __atomic_load_n(&w->changing, __ATOMIC_SEQ_CST); i++) {
        nap();
    }
    argus_kinds_off(&w->api, w->config.all_calls);
    uint32_t number = __atomic_add_fetch(&w->pauses, 1, __ATOMIC_SEQ_CST);
    argus_bell_ring(&w->bell);
    if (!__atomic_load_n(&w->attached, __ATOMIC_ACQUIRE)) {
        __atomic_store_n(&w->foreign_clock, 1, __ATOMIC_SEQ_CST); /* nothing of ours was recorded yet */
        return;
    }
    for (int i = 0; i < 200 && (int32_t)(__atomic_load_n(&w->pauses_done, __ATOMIC_SEQ_CST) - number) < 0; i++) {
        nap();
    }
}

EXPORTED void argus_cupti_resume(void) {
    if (working()) {
        __atomic_store_n(&the_worker.pause, 0, __ATOMIC_SEQ_CST);
        __atomic_store_n(&the_worker.resume, 1, __ATOMIC_SEQ_CST);
        argus_bell_ring(&the_worker.bell);
    }
}

EXPORTED int argus_cupti_status(void) {
    return !working() ? 0 : __atomic_load_n(&the_worker.attached, __ATOMIC_ACQUIRE) ? 2 : 1;
}
