/* Other profilers, refusals, and processes that are left alone. */
#include "scenario.h"

#include <sys/stat.h>

/* A profiler of the user takes the callbacks, without a word; steps go on. */
SCENARIO(takeover) {
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
    for (int i = 0; i < 2000 && enabled(ARGUS_KIND_GRAPH_TRACE); i++) {
        sleep_millis(5); /* ours, and would hide kernels of graphs from them */
    }
    CHECK(!enabled(ARGUS_KIND_GRAPH_TRACE));
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
SCENARIO(retaken) {
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

/* A kernel that does not end: the others of its buffer are told after a silence, and that there are no more. */
SCENARIO(settled) {
    setenv("ARGUS_CUPTI_SETTLE_S", "1", 1);
    setenv("ARGUS_CUPTI_FLUSH_MS", "100000", 1);
    start_with_kernels();
    uint64_t before = view_count(&view, 1, 0, view_written(&view)), from = now();
    uint64_t settled = view_count(&view, 15, 0, view_written(&view)); /* the first kernels came that way, too */
    kernels("ended", 3);
    whole_kernel hangs = a_kernel("hangs", now(), 0, 9);
    emit(&hangs, sizeof hangs);
    CHECK(view_await_count(&view, 15, settled + 1, PATIENCE));
    CHECK_EQ(view_count(&view, 1, 0, view_written(&view)), before + 3);
    CHECK(find(15, 0).q8 >= from && find(15, 0).q8 <= now());
    CHECK_EQ(told(1) + told(3), 0); /* it may still end */
    CHECK_EQ(view_state(&view), 1);
    kernels("goes on", 1);
    complete(SIZE_MAX);
    CHECK(view_await_count(&view, 1, before + 4, PATIENCE));
    CHECK(view_await_count(&view, 14, 1, PATIENCE));
    CHECK_EQ(told(1), 1); /* it did, perhaps, and nobody will say when */
}

SCENARIO(paused) {
    start_with_kernels();
    CHECK(timestamp() < UINT64_C(1000000000000000000));
    kernels("just before", 3);
    argus_cupti_pause();
    CHECK(kernels_off() && launch_calls() == 0 && !enabled(ARGUS_KIND_GRAPH_TRACE) && !enabled(ARGUS_KIND_EXTERNAL_CORRELATION));
    CHECK(view_await_state(&view, 2, 2, PATIENCE));
    CHECK(view_await_count(&view, 1, 6, PATIENCE));
    CHECK(timestamp() > UINT64_C(1000000000000000000)); /* CUPTI's usual clock: since 1970 */
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
    CHECK(view_await_count(&view, 1, 10, PATIENCE));
    CHECK_EQ(told(5), 1);
    CHECK(timestamp() < UINT64_C(1000000000000000000));
    argus_cupti_pause();
    CHECK(view_await_state(&view, 2, 2, PATIENCE));
    view_control(&view, UINT64_C(1) << 56 | 0xffff); /* the agent insists */
    CHECK(view_await_state(&view, 1, 0, PATIENCE));
}

/* Before there is a ring: nothing of ours was recorded, and afterwards all is. */
SCENARIO(paused_early) {
    start();
    argus_cupti_pause();
    CHECK(kernels_off());
    other_takes();
    kernels("theirs", 3);
    other_leaves();
    argus_cupti_resume();
    CHECK(await(kernels_on));
    CHECK(view_find(folder, 0) == NULL);
    kernels("ours", 3);
    open_ring();
    CHECK(view_await_count(&view, 1, 3, PATIENCE));
    CHECK_EQ(view_clock(&view), 2);
}

SCENARIO(refused) {
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

SCENARIO(refused_later) {
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

SCENARIO(filtered) {
    setenv("ARGUS_CUPTI", "0", 1);
    start();
    CHECK_EQ(argus_cupti_status(), 0);
    kernels("none", 3);
    CHECK(view_find(folder, 50) == NULL);
}

SCENARIO(unknown_version) {
    setenv("FAKE_VERSION", "140000", 1);
    start();
    CHECK_EQ(argus_cupti_status(), 0);
}

SCENARIO(unused) {
    start();
    sleep_millis(200);
    CHECK_EQ(argus_cupti_status(), 1);
    CHECK(view_find(folder, 50) == NULL);
}

SCENARIO(bad_folder) {
    CHECK(chmod(folder, 0755) == 0);
    start();
    kernels("none", 300);
    CHECK(await(kernels_off));
    kernels("none", 300);
    CHECK(view_find(folder, 50) == NULL);
    CHECK(chmod(folder, 0700) == 0);
}
