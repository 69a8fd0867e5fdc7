/* What is recorded, and what switches it: events, signals, versions, sampling, buffers that lie, threads, cost. */
#include "scenario.h"

#include <pthread.h>

static int graph_nodes(void) { return !enabled(ARGUS_KIND_GRAPH_TRACE); }

SCENARIO(events) {
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
    for (int i = 0; i < 2000 && view_count(&view, 10, 0, view_written(&view)) < 7; i++) {
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
    uint64_t control = UINT64_C(2) << 56 | UINT64_C(1) << 48 | 0xffff;
    view_control(&view, control);
    await_obeyed(control);
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
SCENARIO(forbidden) {
    setenv("ARGUS_CUPTI_LAUNCHES", "0", 1);
    setenv("ARGUS_CUPTI_CLOCK", "cupti", 1);
    start_with_kernels();
    CHECK_EQ(view_clock(&view), 3);
    CHECK_EQ(launch_calls(), 0);
    CHECK_EQ(view_control_now(&view), 0xff5f);
    view_control(&view, UINT64_C(1) << 56 | 0xffff);
    uint64_t control = UINT64_C(1) << 56 | 0xffdf;
    await_obeyed(control);
    CHECK_EQ(launch_calls(), 0);
}

/* CUDA 11.8: no timestamp callback, so another clock; launches only with all other calls, so none. */
SCENARIO(old) {
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

SCENARIO(old_all_calls) {
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

/* What is not in the ring is in a count. */
static int nobody_missing(void) {
    return view_count(&view, 1, 0, view_written(&view)) + view_dropped(&view, 2) + view_dropped(&view, 1) - 5 == 504;
}

SCENARIO(no_buffer) {
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
    CHECK(await(nobody_missing));
}

SCENARIO(sampled) {
    start_with_kernels();
    view_control(&view, UINT64_C(1) << 56 | UINT64_C(4) << 16 | 0xffff);
    uint64_t control = UINT64_C(1) << 56 | UINT64_C(4) << 16 | 0xffff;
    await_obeyed(control);
    int recorded = 0, between = 0;
    for (int step = 100; step < 120; step++) {
        argus_cupti_step(step);
        for (int i = 0; i < 2000 && (step % 4 == 0 || step % 4 == 3) != kernels_on(); i++) {
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

/* Buffers with lies about them, twice, from nowhere, empty. */
SCENARIO(lies) {
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
    for (int i = 0; i < 2000 && told(7) < 4; i++) {
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
SCENARIO(threads) {
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

/* For information: what a training thread pays for a buffer. */
SCENARIO(cost) {
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
