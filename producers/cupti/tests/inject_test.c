/*
 * The whole library in a process, with the stand-in for CUPTI. Each scenario is a process of its own: the library starts
 * once in a process. Arguments: the stand-in, the stand-in of an old CUPTI, the built library; a scenario's name runs only that.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../src/argus_cupti.h"
#include "../src/cupti_facts.h"
#include "check.h"
#include "fake_cupti.h"
#include "inspect.h"
#include "records.h"

enum { PATIENCE = 10000 };

static char *folder;
static const char *library; /* the built one */
static ring_view view;

static void (*emit)(const void *, size_t);
static void (*complete)(size_t);
static void (*complete_address)(uint8_t *, size_t, size_t);
static uint8_t *(*request)(size_t *);
static void (*other_takes)(void), (*other_leaves)(void), (*drop)(size_t), (*refuse)(uint32_t), (*flush_sleeps)(uint32_t);
static uint64_t (*other_records)(void), (*flushes)(void), (*external)(void);
static int (*enabled)(uint32_t), (*launch_calls)(void);

static void bind(const char *fake) {
    void *handle = dlopen(fake, RTLD_NOW | RTLD_GLOBAL);
    CHECK(handle != NULL);
#define BIND(name) *(void **)&name = dlsym(handle, "fake_" #name)
    BIND(emit);
    BIND(complete);
    BIND(complete_address);
    BIND(request);
    BIND(other_takes);
    BIND(other_leaves);
    BIND(other_records);
    BIND(drop);
    BIND(refuse);
    BIND(flush_sleeps);
    BIND(flushes);
    BIND(external);
    BIND(enabled);
    BIND(launch_calls);
}

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void sleep_millis(long millis) { nanosleep(&(struct timespec){millis / 1000, millis % 1000 * 1000000}, NULL); }

static void kernels(const char *name, int count) {
    for (int i = 0; i < count; i++) {
        uint64_t t = now();
        whole_kernel k = a_kernel(name, t, t + 10, (uint32_t)i + 1);
        emit(&k, sizeof k);
    }
}

static void start(void) { CHECK_EQ(InitializeInjection(), 1); }

static void open_ring(void) {
    const char *path = view_find(folder, PATIENCE);
    CHECK(path != NULL);
    view = view_open(path);
}

static void start_with_kernels(void) {
    start();
    CHECK_EQ(argus_cupti_status(), 1);
    kernels("first", 3);
    open_ring();
    CHECK(view_await_count(&view, 1, 3, PATIENCE));
    CHECK_EQ(argus_cupti_status(), 2);
}

static seen find(unsigned type, unsigned b1) {
    for (uint64_t p = view_written(&view); p-- > 0;) {
        seen s = view_record(&view, p);
        if (s.type == type && s.b1 == b1) {
            return s;
        }
    }
    fprintf(stderr, "no record of type %u, %u\n", type, b1);
    exit(1);
}

static int await(int (*holds)(void)) {
    for (int i = 0; i < PATIENCE / 5; i++) {
        if (holds()) {
            return 1;
        }
        sleep_millis(5);
    }
    return 0;
}

/* Sum of all LOSS records of a reason. */
static uint64_t told(unsigned reason) {
    uint64_t sum = 0;
    for (uint64_t p = 0; p < view_written(&view); p++) {
        seen s = view_record(&view, p);
        sum += s.type == 14 && s.b1 == reason ? s.q24 : 0;
    }
    return sum;
}

/* ---- scenarios ---- */

static uint64_t obeyed_wanted;
static int obeyed(void) { return view_obeyed(&view) == obeyed_wanted; }
static int kernels_on(void) { return enabled(ARGUS_KIND_CONCURRENT_KERNEL); }
static int kernels_off(void) { return !enabled(ARGUS_KIND_CONCURRENT_KERNEL) && !enabled(ARGUS_KIND_MEMCPY); }
static int graph_nodes(void) { return !enabled(ARGUS_KIND_GRAPH_TRACE); }

static void events(void) {
    setenv("RANK", "5", 1);
    setenv("WORLD_SIZE", "16", 1);
    uint64_t begin = now();
    start_with_kernels();
    CHECK_EQ(view_clock(&view), 2);
    CHECK_EQ(view_rank(&view), 5);
    CHECK_EQ(view_state(&view), 1);
    CHECK_EQ(view_control_now(&view), 0xff7f);
    seen first = view_record(&view, 0);
    CHECK(first.type == 13 && first.q8 == first.q16 && first.q8 > begin && first.q8 < now());
    CHECK(enabled(ARGUS_KIND_MEMSET) && enabled(ARGUS_KIND_GRAPH_TRACE) && enabled(ARGUS_KIND_EXTERNAL_CORRELATION));
    CHECK(!enabled(3) && !enabled(ARGUS_KIND_RUNTIME) && !enabled(ARGUS_KIND_DRIVER));
    CHECK_EQ(launch_calls(), 25);
    CHECK_EQ(find(10, 1).q8, 5);
    CHECK_EQ(find(10, 3).q8, 16);
    CHECK_TEXT(view_text(&view, find(10, 7).w4, view_written(&view)), "cupti=130001");
    for (int i = 0; i < 400 && view_count(&view, 10, 0, view_written(&view)) < 7; i++) {
        sleep_millis(5);
    }
    CHECK_TEXT(view_text(&view, find(10, 8).w4, view_written(&view)), "NVIDIA Pretended GPU");
    CHECK_TEXT(view_text(&view, find(10, 9).w4, view_written(&view)), "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f");

    argus_cupti_push_external(77);
    CHECK_EQ(external(), 77);
    argus_cupti_pop_external();
    CHECK_EQ(external(), 0);
    argus_cupti_external x = an_external(ARGUS_EXTERNAL_KIND, 77, 900);
    uint64_t t = now();
    argus_cupti_api_call call = a_call(ARGUS_KIND_RUNTIME, 211, t, t + 5, 900);
    whole_memcpy copy = a_copy(ARGUS_KIND_MEMCPY, 1, 64, t, t + 5);
    emit(&x, sizeof x);
    emit(&call, sizeof call);
    emit(&copy, sizeof copy);
    CHECK(view_await_count(&view, 4, 1, PATIENCE) && view_await_count(&view, 2, 1, PATIENCE));
    CHECK_EQ(find(4, 0).w28, 77);

    uint64_t beat = view_heartbeat(&view);
    CHECK(beat >= begin);
    for (int i = 0; i < 1000 && view_heartbeat(&view) == beat; i++) {
        sleep_millis(5);
    }
    CHECK(view_heartbeat(&view) > beat);

    /* Off, graph nodes, on, and an agent that attaches anew. */
    view_control(&view, UINT64_C(1) << 56);
    CHECK(view_await_state(&view, 2, 1, PATIENCE) && await(kernels_off));
    CHECK_EQ(launch_calls(), 0);
    CHECK_EQ(view_obeyed(&view), UINT64_C(1) << 56);
    view_control(&view, UINT64_C(2) << 56 | 0xffff);
    CHECK(view_await_state(&view, 1, 0, PATIENCE) && await(kernels_on) && await(graph_nodes));
    uint64_t before = view_written(&view);
    obeyed_wanted = UINT64_C(2) << 56 | UINT64_C(1) << 48 | 0xffff;
    view_control(&view, obeyed_wanted);
    CHECK(await(obeyed));
    kernels("first", 1);
    CHECK(view_await_count(&view, 1, 4, PATIENCE));
    int defined = 0, identity = 0;
    for (uint64_t p = before; p < view_written(&view); p++) {
        seen s = view_record(&view, p);
        defined |= s.type == 11 && memcmp(s.bytes + 8, "first", 6) == 0;
        identity |= s.type == 10 && s.b1 == 1;
    }
    CHECK(defined && identity);
}

/* What the environment forbids, the agent cannot switch on. */
static void forbidden(void) {
    setenv("ARGUS_CUPTI_LAUNCHES", "0", 1);
    start_with_kernels();
    CHECK_EQ(launch_calls(), 0);
    CHECK_EQ(view_control_now(&view), 0xff5f);
    view_control(&view, UINT64_C(1) << 56 | 0xffff);
    obeyed_wanted = UINT64_C(1) << 56 | 0xffdf;
    CHECK(await(obeyed));
    CHECK_EQ(launch_calls(), 0);
}

/* CUDA 11.8: no timestamp callback, so another clock; launches only with all other calls, so none. */
static void old(void) {
    start_with_kernels();
    CHECK_EQ(view_clock(&view), 3);
    seen pair = find(13, 0);
    int64_t ahead = (int64_t)(pair.q8 - pair.q16);
    CHECK(ahead > 4999000000 && ahead < 5001000000);
    CHECK(!enabled(ARGUS_KIND_RUNTIME));
    CHECK_EQ(view_obeyed(&view), 0xff5f);
    argus_cupti_push_external(5);
    argus_cupti_pop_external();
}

static void old_all_calls(void) {
    setenv("ARGUS_CUPTI_LAUNCHES", "all", 1);
    start_with_kernels();
    CHECK(enabled(ARGUS_KIND_RUNTIME));
    argus_cupti_api_call launch = a_call(ARGUS_KIND_RUNTIME, 211, 5000, 6000, 50), other = a_call(ARGUS_KIND_RUNTIME, 3, 1, 2, 51);
    emit(&other, sizeof other);
    emit(&launch, sizeof launch);
    CHECK(view_await_count(&view, 4, 1, PATIENCE));
    CHECK_EQ(find(4, 0).w24, 50);
}

static int refused_told(void) { return told(2) > 0; }
static int five_told(void) { return told(1) == 5; }

static void no_buffer(void) {
    setenv("ARGUS_CUPTI_BUFFERS", "2", 1);
    setenv("ARGUS_CUPTI_BUFFER_KIB", "4", 1);
    start_with_kernels();
    drop(5);
    CHECK(await(five_told));
    CHECK_EQ(view_dropped(&view, 1), 5);
    flush_sleeps(300); /* the converter is busy, as on a host without a free core */
    uint64_t before = flushes();
    while (flushes() == before) {
        sleep_millis(1);
    }
    kernels("many", 500);
    flush_sleeps(0);
    CHECK(await(refused_told));
    uint64_t kept = view_count(&view, 1, 0, view_written(&view));
    CHECK(kept < 503);
    kernels("after", 1);
    CHECK(view_await_count(&view, 1, kept + 1, PATIENCE));
    sleep_millis(50);
    /* Nobody is missing: what is not in the ring is in a count. */
    CHECK_EQ(view_count(&view, 1, 0, view_written(&view)) + view_dropped(&view, 2) + view_dropped(&view, 1) - 5, 504);
}

/* A profiler of the user takes the callbacks, without a word; steps go on. */
static void takeover(void) {
    start_with_kernels();
    whole_kernel k = a_kernel("in flight", 1000, 1001, 1);
    flush_sleeps(50);
    emit(&k, sizeof k); /* lies in a buffer of ours when the other one comes */
    other_takes();
    flush_sleeps(0);
    for (int step = 0; view_state(&view) == 1 && step < 400; step++) {
        argus_cupti_step(step);
        kernels("theirs", 2);
        sleep_millis(50);
    }
    CHECK_EQ(view_state(&view), 2);
    CHECK_EQ(view_why(&view), 2);
    CHECK(enabled(ARGUS_KIND_CONCURRENT_KERNEL)); /* theirs now: not touched */
    kernels("theirs", 500);
    other_leaves();
    CHECK(other_records() >= 500);
    uint64_t before = view_count(&view, 1, 0, view_written(&view));
    sleep_millis(300);
    CHECK_EQ(view_state(&view), 2);
    CHECK(!enabled(ARGUS_KIND_CONCURRENT_KERNEL)); /* nor after */
    argus_cupti_resume();
    CHECK(view_await_state(&view, 1, 0, PATIENCE) && await(kernels_on));
    kernels("ours", 10);
    CHECK(view_await_count(&view, 1, before + 10, PATIENCE));
    CHECK_EQ(told(5), 1);
    CHECK_EQ(view_dropped(&view, 5), 1);
    seen gap = find(14, 5);
    CHECK(gap.q16 - gap.q8 > 1000000000);
}

/* The same, but nobody says when it is over. */
static void retaken(void) {
    setenv("ARGUS_CUPTI_RETAKE_S", "4", 1);
    start_with_kernels();
    kernels("first", 3);
    other_takes();
    for (int step = 0; view_state(&view) == 1 && step < 400; step++) {
        argus_cupti_step(step);
        sleep_millis(50);
    }
    CHECK(view_await_state(&view, 2, 2, PATIENCE));
    other_leaves();
    CHECK(view_await_state(&view, 1, 0, PATIENCE));
    kernels("ours", 10);
    CHECK(view_await_count(&view, 1, 13, PATIENCE));
}

static void paused(void) {
    start_with_kernels();
    argus_cupti_pause();
    CHECK(view_await_state(&view, 2, 2, PATIENCE));
    view_control(&view, 0xffff); /* not a new generation: nothing changes */
    other_takes();
    kernels("theirs", 5);
    other_leaves();
    kernels("nobody's", 5);
    sleep_millis(200);
    CHECK_EQ(view_state(&view), 2);
    argus_cupti_resume();
    CHECK(view_await_state(&view, 1, 0, PATIENCE) && await(kernels_on));
    kernels("ours", 4);
    CHECK(view_await_count(&view, 1, 7, PATIENCE));
    CHECK_EQ(told(5), 1);
    argus_cupti_pause();
    CHECK(view_await_state(&view, 2, 2, PATIENCE));
    view_control(&view, UINT64_C(1) << 56 | 0xffff); /* the agent insists */
    CHECK(view_await_state(&view, 1, 0, PATIENCE));
}

static void sampled(void) {
    start_with_kernels();
    view_control(&view, UINT64_C(1) << 56 | UINT64_C(4) << 16 | 0xffff);
    obeyed_wanted = UINT64_C(1) << 56 | UINT64_C(4) << 16 | 0xffff;
    CHECK(await(obeyed));
    int recorded = 0, between = 0;
    for (int step = 100; step < 120; step++) {
        argus_cupti_step(step);
        for (int i = 0; i < 400 && (step % 4 == 0 || step % 4 == 3) != kernels_on(); i++) {
            sleep_millis(5);
        }
        CHECK_EQ(kernels_on(), step % 4 == 0 || step % 4 == 3);
        static char names[200][32]; /* a name must live as long as its module does, as CUPTI's names do */
        snprintf(names[step], sizeof names[step], "step %d", step);
        kernels(names[step], 5);
        sleep_millis(20);
    }
    CHECK(view_await_count(&view, 1, 3 + 25, PATIENCE));
    for (uint64_t p = 0; p < view_written(&view); p++) {
        seen s = view_record(&view, p);
        int step;
        if (s.type == 1 && sscanf(view_text(&view, s.w4, view_written(&view)), "step %d", &step) == 1) {
            recorded += step % 4 == 0;
            between += step % 4 != 0;
        }
    }
    CHECK_EQ(recorded, 25);
    CHECK_EQ(between, 0);
    CHECK(view_dropped(&view, 8) >= 14);
}

static void refused(void) {
    refuse(ARGUS_CUPTI_INSUFFICIENT_PRIVILEGES);
    start();
    CHECK_EQ(argus_cupti_status(), 0);
    kernels("none", 3);
    argus_cupti_step(1);
    argus_cupti_pause();
    argus_cupti_resume();
    argus_cupti_push_external(1);
    argus_cupti_pop_external();
    CHECK(view_find(folder, 100) == NULL);
}

static void refused_later(void) {
    start_with_kernels();
    view_control(&view, UINT64_C(1) << 56);
    CHECK(view_await_state(&view, 2, 1, PATIENCE));
    refuse(ARGUS_CUPTI_INSUFFICIENT_PRIVILEGES);
    view_control(&view, UINT64_C(2) << 56 | 0xffff);
    CHECK(view_await_state(&view, 2, 3, PATIENCE));
    refuse(0);
    view_control(&view, UINT64_C(3) << 56 | 0xffff);
    CHECK(view_await_state(&view, 1, 0, PATIENCE));
    view_control(&view, UINT64_C(4) << 56);
    CHECK(view_await_state(&view, 2, 1, PATIENCE));
    refuse(ARGUS_CUPTI_MULTIPLE_SUBSCRIBERS);
    view_control(&view, UINT64_C(5) << 56 | 0xffff);
    CHECK(view_await_state(&view, 2, 2, PATIENCE));
}

static void filtered(void) {
    setenv("ARGUS_CUPTI", "0", 1);
    start();
    CHECK_EQ(argus_cupti_status(), 0);
    kernels("none", 3);
    CHECK(view_find(folder, 50) == NULL);
}

static void unknown_version(void) {
    setenv("FAKE_VERSION", "140000", 1);
    start();
    CHECK_EQ(argus_cupti_status(), 0);
}

static void unused(void) {
    start();
    sleep_millis(200);
    CHECK_EQ(argus_cupti_status(), 1);
    CHECK(view_find(folder, 50) == NULL);
}

static void bad_folder(void) {
    CHECK(chmod(folder, 0755) == 0);
    start();
    kernels("none", 300);
    CHECK(await(kernels_off));
    kernels("none", 300);
    CHECK(view_find(folder, 50) == NULL);
    CHECK(chmod(folder, 0700) == 0);
}

/* After fork the child writes nothing, and its end is not the parent's. */
static void forked(void) {
    start_with_kernels();
    pid_t child = fork();
    if (child == 0) {
        size_t size = 1;
        CHECK_EQ(argus_cupti_status(), 0);
        CHECK(request(&size) == NULL && size == 0);
        complete_address((uint8_t *)&size, 8, 8);
        argus_cupti_step(5);
        argus_cupti_pause();
        argus_cupti_resume();
        InitializeInjection();
        exit(0); /* with all that runs at the end */
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK_EQ(view_state(&view), 1);
    kernels("after", 2);
    CHECK(view_await_count(&view, 1, 5, PATIENCE));
}

/* Buffers with lies about them, twice, from nowhere, empty. */
static void lies(void) {
    start_with_kernels();
    size_t size;
    uint8_t *taken = request(&size), *empty = request(&size);
    CHECK(taken != NULL && empty != NULL && size == 1 << 20);
    memset(taken, 0xff, 4096);
    complete_address(taken, size, 4096);
    complete_address(taken, size, SIZE_MAX);
    complete_address(empty, size, 0);
    complete_address(empty + 64, size, 100);
    complete_address(NULL, 0, 0);
    kernels("true", 3);
    complete(SIZE_MAX - 1);
    CHECK(view_await_count(&view, 1, 6, PATIENCE));
    for (int i = 0; i < 400 && told(7) < 4; i++) {
        sleep_millis(5);
    }
    CHECK(told(7) >= 3 && told(3) >= 1);
    kernels("after", 2);
    CHECK(view_await_count(&view, 1, 8, PATIENCE));
}

enum { THREADS = 6, EACH = 4000 };

static void *emitter(void *number) {
    static char names[THREADS][32];
    char *name = names[(long)number];
    snprintf(name, sizeof names[0], "thread %ld", (long)number);
    for (int i = 0; i < EACH; i++) {
        if (i % 100 == 0) {
            argus_cupti_step(i);
            argus_cupti_push_external((uint64_t)i);
            sleep_millis(1);
        }
        uint64_t t = now();
        whole_kernel k = a_kernel(name, t, t + 1, (uint32_t)i);
        emit(&k, sizeof k);
        if (i % 100 == 99) {
            argus_cupti_pop_external();
        }
    }
    return NULL;
}

/* All at once, with an agent that reads. Whatever was emitted is in the ring or in a count. */
static void threads(void) {
    setenv("ARGUS_CUPTI_BUFFER_KIB", "32", 1);
    setenv("ARGUS_RING_RECORDS", "4096", 1);
    start_with_kernels();
    pthread_t thread[THREADS];
    for (long i = 0; i < THREADS; i++) {
        CHECK_EQ(pthread_create(&thread[i], NULL, emitter, (void *)i), 0);
    }
    uint64_t position = 0, seen_kernels = 0;
    for (int idle = 0; idle < 2000 && seen_kernels + view_dropped(&view, 0) + view_dropped(&view, 1) + view_dropped(&view, 2)
                                          < THREADS * EACH + 3;) {
        uint64_t to = view_written(&view);
        seen_kernels += view_count(&view, 1, position, to);
        idle = to == position ? idle + 1 : 0;
        position = to;
        view_take(&view, position);
        sleep_millis(5);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
    }
    CHECK_EQ(seen_kernels + view_dropped(&view, 0) + view_dropped(&view, 1) + view_dropped(&view, 2), THREADS * EACH + 3);
    CHECK_EQ(view_dropped(&view, 3) + view_dropped(&view, 7), 0);
}

/* The converter is a quiet thread: low priority, no signals. */
static void thread_manners(void) {
    int usual = getpriority(PRIO_PROCESS, 0);
    start_with_kernels();
    int found = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *e; (e = readdir(tasks)) != NULL;) {
        char path[300], line[256];
        int ours = 0;
        unsigned long long blocked = 0;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", e->d_name);
        FILE *file = fopen(path, "r");
        while (file != NULL && fgets(line, sizeof line, file) != NULL) {
            ours |= strcmp(line, "Name:\targus-cupti\n") == 0;
            sscanf(line, "SigBlk:\t%llx", &blocked);
        }
        if (file != NULL) {
            fclose(file);
        }
        if (ours) {
            found++;
            CHECK_EQ(getpriority(PRIO_PROCESS, (id_t)atoi(e->d_name)), 19);
            CHECK((blocked >> (SIGTERM - 1) & 1) && (blocked >> (SIGXFSZ - 1) & 1) && (blocked >> (SIGPROF - 1) & 1));
        }
    }
    closedir(tasks);
    CHECK_EQ(found, 1);
    CHECK_EQ(getpriority(PRIO_PROCESS, 0), usual);
}

/* Ends in order: the rest is written, and the ring says closed. */
static void exits(void) {
    setenv("ARGUS_CUPTI_FLUSH_MS", "60000", 1);
    pid_t child = fork();
    if (child == 0) {
        start();
        kernels("last words", 1234);
        while (argus_cupti_status() != 2) {
            sleep_millis(1);
        }
        exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    open_ring();
    CHECK_EQ(view_state(&view), 3);
    CHECK_EQ(view_count(&view, 1, 0, view_written(&view)), 1234);
}

/* A driver that hangs at the end does not hold up the process. The 30 seconds are a hang, not a measure. */
static void exits_bounded(void) {
    setenv("ARGUS_CUPTI_EXIT_MS", "100", 1);
    pid_t child = fork();
    if (child == 0) {
        start_with_kernels();
        flush_sleeps(30000);
        sleep_millis(100);
        exit(0);
    }
    uint64_t begin = now();
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(now() - begin < UINT64_C(20) * 1000000000);
    open_ring();
    CHECK_EQ(view_state(&view), 1); /* not in order, and it does not say so */
}

/* kill -9 at any moment: what is published is whole. */
static void killed(void) {
    for (int round = 0; round < 10; round++) {
        pid_t child = fork();
        if (child == 0) {
            static char names[100][64];
            for (int i = 0; i < 100; i++) {
                snprintf(names[i], sizeof names[i], "a name long enough for several records, number %d", i);
            }
            start();
            for (uint32_t i = 0;; i++) {
                whole_kernel k = a_kernel(names[i % 100], 1000 + i, 1000 + i + 7, i);
                emit(&k, sizeof k);
                if (i % 1000 == 999) {
                    sleep_millis(1);
                }
            }
        }
        open_ring();
        CHECK(view_await_count(&view, 1, 100, PATIENCE));
        for (int i = 0; i < 20 + 3 * round; i++) { /* an agent reads meanwhile, so the ring goes round */
            view_take(&view, view_written(&view));
            sleep_millis(2);
        }
        kill(child, SIGKILL);
        int status;
        CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
        uint64_t to = view_written(&view), from = to > view.capacity ? to - view.capacity : 0, part = 0, whole = 0;
        for (uint64_t p = from; p < to; p++) {
            seen s = view_record(&view, p);
            CHECK(s.type >= 1 && s.type <= 14);
            CHECK(s.type != 1 || (s.duration == 7 && s.q8 == 1000 + s.w24));
            if (s.type == 11) {
                part = (uint64_t)(s.h2 + 23) / 24 - 1;
            } else if (s.type == 12) {
                CHECK(part > 0 || p < from + 3);
                part -= part > 0;
                whole++;
            } else {
                CHECK_EQ(part, 0);
            }
        }
        CHECK_EQ(part, 0);
        (void)whole;
        char path[1024];
        snprintf(path, sizeof path, "%s", view_find(folder, 0));
        view_close(&view);
        CHECK(unlink(path) == 0);
    }
}

static int finds(const char *const *argv, const char *preload) {
    pid_t child = fork();
    if (child == 0) {
        setenv(preload, library, 1);
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Preloaded, or named for injection, in programs without CUDA: nothing happens. */
static void harmless(void) {
    CHECK_EQ(finds((const char *const[]){"/bin/sh", "-c", "exit 7", NULL}, "LD_PRELOAD"), 7);
    CHECK_EQ(finds((const char *const[]){"/bin/sh", "-c", "exit 7", NULL}, "CUDA_INJECTION64_PATH"), 7);
    void *handle = dlopen(library, RTLD_NOW);
    CHECK(handle != NULL);
    int (*status)(void), (*inject)(void);
    void (*step)(int64_t);
    *(void **)&status = dlsym(handle, "argus_cupti_status");
    *(void **)&step = dlsym(handle, "argus_cupti_step");
    *(void **)&inject = dlsym(handle, "InitializeInjection");
    CHECK(dlsym(handle, "argus_pool_take") == NULL); /* nothing else is seen from outside */
    step(1);
    CHECK_EQ(status(), 0);
    setenv("ARGUS_CUPTI_LIB", "/nowhere/libcupti.so", 1);
    CHECK_EQ(inject(), 1);
    CHECK_EQ(status(), 0);
    dlclose(handle);
    CHECK(view_find(folder, 0) == NULL);
}

/* The real libcupti without a GPU refuses, and that is all. */
static void real_cupti(void) {
    const char *real = getenv("TEST_REAL_CUPTI");
    setenv("ARGUS_CUPTI_LIB", real == NULL ? "/nowhere" : real, 1);
    start();
    sleep_millis(100);
    CHECK(view_find(folder, 0) == NULL);
    argus_cupti_push_external(3);
    argus_cupti_pop_external();
}

/* For information: what a training thread pays for a buffer. */
static void cost(void) {
    setenv("ARGUS_CUPTI_BUFFER_KIB", "4", 1);
    setenv("ARGUS_CUPTI_BUFFERS", "64", 1);
    start_with_kernels();
    enum { ROUNDS = 300, AT_ONCE = 32 };
    uint64_t spent = 0, given = 0;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t begin = now();
        for (int j = 0; j < AT_ONCE; j++) {
            size_t size;
            uint8_t *buffer = request(&size);
            if (buffer != NULL) {
                complete_address(buffer, size, 0);
                given++;
            }
        }
        spent += now() - begin;
        sleep_millis(2);
    }
    printf("information: %.0f ns for a training thread to take a buffer and hand it over (%llu times)\n",
           (double)spent / (double)(given == 0 ? 1 : given), (unsigned long long)given);
}

static const struct {
    const char *name;
    void (*run)(void);
    int old, alone; /* with the old stand-in; not under the thread sanitizer, since it forks with threads */
} SCENARIOS[] = {
    {"events", events, 0, 0}, {"forbidden", forbidden, 0, 0}, {"old", old, 1, 0}, {"old-all-calls", old_all_calls, 1, 0},
    {"no-buffer", no_buffer, 0, 0}, {"takeover", takeover, 0, 0}, {"retaken", retaken, 0, 0}, {"paused", paused, 0, 0},
    {"sampled", sampled, 0, 0}, {"refused", refused, 0, 0}, {"refused-later", refused_later, 0, 0},
    {"filtered", filtered, 0, 0}, {"unknown-version", unknown_version, 0, 0}, {"unused", unused, 0, 0},
    {"bad-folder", bad_folder, 0, 0}, {"forked", forked, 0, 1}, {"lies", lies, 0, 0}, {"threads", threads, 0, 0},
    {"thread-manners", thread_manners, 0, 0}, {"exits", exits, 0, 1}, {"exits-bounded", exits_bounded, 0, 1},
    {"killed", killed, 0, 1}, {"harmless", harmless, 0, 1}, {"real-cupti", real_cupti, 0, 1}, {"cost", cost, 0, 0},
};
enum { SCENARIO_COUNT = sizeof SCENARIOS / sizeof *SCENARIOS };

/* Whatever the environment says of ranks and of Argus is none of the scenario's. */
static void clean_environment(void) {
    extern char **environ;
    char name[128];
    for (size_t i = 0; environ[i] != NULL;) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(environ[i], "="), environ[i]);
        bool ours = strncmp(name, "ARGUS", 5) == 0 || strncmp(name, "SLURM_", 6) == 0 || strncmp(name, "OMPI_", 5) == 0
                    || strncmp(name, "PMI_", 4) == 0 || strcmp(name, "RANK") == 0 || strcmp(name, "WORLD_SIZE") == 0
                    || strcmp(name, "LOCAL_RANK") == 0 || strcmp(name, "TORCHELASTIC_RUN_ID") == 0;
        if (!ours || unsetenv(name) != 0) {
            i++;
        }
    }
}

static int run_one(size_t i, char **arguments) {
    clean_environment();
    folder = test_folder();
    library = arguments[3];
    setenv("ARGUS_RING_DIR", folder, 1);
    setenv("ARGUS_CUPTI_FLUSH_MS", "10", 1);
    setenv("ARGUS_CUPTI_LIB", arguments[SCENARIOS[i].old ? 2 : 1], 1);
    bind(arguments[SCENARIOS[i].old ? 2 : 1]);
    SCENARIOS[i].run();
    test_folder_remove(folder);
    return 0;
}

int main(int count, char **arguments) {
    CHECK(count >= 4);
    int failures = 0, ran = 0;
    char base[512];
    snprintf(base, sizeof base, "%s", count > 4 && arguments[4][0] != '-' ? "" : test_folder());
    if (base[0] != '\0') {
        setenv("TMPDIR", base, 1); /* so that a scenario that fails leaves nothing behind either */
    }
    for (size_t i = 0; i < SCENARIO_COUNT; i++) {
        if (count > 4 && strcmp(arguments[4], "--no-fork") != 0) {
            if (strcmp(arguments[4], SCENARIOS[i].name) == 0) {
                return run_one(i, arguments);
            }
            continue;
        }
        if (count > 4 && SCENARIOS[i].alone) {
            continue;
        }
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            alarm(120); /* against a hang */
            execl("/proc/self/exe", arguments[0], arguments[1], arguments[2], arguments[3], SCENARIOS[i].name, (char *)NULL);
            _exit(127);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child);
        ran++;
        if (status != 0) {
            fprintf(stderr, "inject: %s FAILED (%s %d)\n", SCENARIOS[i].name, WIFSIGNALED(status) ? "signal" : "status",
                    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
            failures++;
        }
    }
    test_folder_remove(base);
    printf("inject: %d of %d scenarios ok\n", ran - failures, ran);
    return failures != 0;
}
