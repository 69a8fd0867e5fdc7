/*
 * Buffers to records: every kind, and everything that a buffer can have wrong. Run with the stand-in's iterator and, where
 * a real libcupti is at hand (argument), with that one's: it needs no GPU for it.
 */
#define _GNU_SOURCE
#include <unistd.h>

#include "../src/convert.h"
#include "../src/kinds.h"
#include "check.h"
#include "inspect.h"
#include "records.h"

#define BUFFER_BYTES 65536

static argus_cupti api;
static argus_ring ring;
static argus_clock own_clock;
static argus_gate gate;
static argus_convert convert;
static ring_view view;
static unsigned char buffer[BUFFER_BYTES + 64] __attribute__((aligned(8)));
static size_t fill;
static uint64_t from; /* written before the last conversion */

static void add(const void *record, size_t bytes) {
    CHECK(fill + bytes <= BUFFER_BYTES);
    memcpy(buffer + fill, record, bytes);
    fill += bytes;
}

static void run(size_t valid) {
    from = view_written(&view);
    argus_convert_buffer(&convert, buffer, BUFFER_BYTES, valid, 5000);
    fill = 0;
}

static uint64_t lost(enum argus_loss reason) {
    static uint64_t before[ARGUS_LOSS_REASONS];
    uint64_t now = view_dropped(&view, reason), more = now - before[reason];
    before[reason] = now;
    return more;
}

static seen last(unsigned type) {
    for (uint64_t p = view_written(&view); p-- > from;) {
        if (view_record(&view, p).type == type) {
            return view_record(&view, p);
        }
    }
    fprintf(stderr, "no record of type %u was written\n", type);
    exit(1);
}

static uint64_t written(unsigned type) { return view_count(&view, type, from, view_written(&view)); }

static void every_kind(void) {
    whole_kernel k = a_kernel("gemm", 1000, 1500, 21);
    k.is.device = 3;
    add(&k, sizeof k);
    run(fill);
    seen s = last(1);
    CHECK_EQ(s.b1, 3);
    CHECK_EQ(s.h2, 0);
    CHECK_TEXT(view_text(&view, s.w4, view_written(&view)), "gemm");
    CHECK_EQ(s.q8, 1000);
    CHECK_EQ(s.duration, 500);
    CHECK_EQ(s.lane, 7);
    CHECK_EQ(s.w24, 21);
    CHECK(s.f28 == 8 * 64);
    CHECK(convert.new_device);

    k.is.graph_node = 5;
    k.is.stream = 0xff000001;
    k.is.end = 1000 + (UINT64_C(1) << 40);
    add(&k, sizeof k);
    run(fill);
    s = last(1);
    CHECK_EQ(s.h2, 3);
    CHECK_EQ(s.duration, (UINT64_C(1) << 40) - 1);
    CHECK_EQ(s.lane, 1);

    static const unsigned char directions[] = {0, 1, 2, 1, 2, 3, 3, 3, 3, 5, 4, 0, 0};
    for (unsigned i = 0; i < sizeof directions; i++) {
        whole_memcpy m = a_copy(ARGUS_KIND_MEMCPY, (uint8_t)i, UINT64_C(0x500000007), 2000, 2100);
        add(&m, sizeof m);
        run(fill);
        s = last(2);
        CHECK_EQ(s.b2, directions[i]);
        CHECK_EQ(s.w4, 7);
        CHECK_EQ(s.w28, 5);
        CHECK_EQ(s.w24, 31);
    }
    whole_memcpy peer = a_copy(ARGUS_KIND_MEMCPY2, 0, 64, 2000, 2100);
    add(&peer, sizeof peer);
    run(fill);
    CHECK_EQ(last(2).b2, 4);
    CHECK_EQ(last(2).w24, 32);

    whole_memset m = a_set(4096, 2000, 2010);
    add(&m, sizeof m);
    run(fill);
    CHECK_EQ(last(3).w4, 4096);
    CHECK_EQ(last(3).w24, 33);

    whole_graph g = a_graph(12, 3000, 9000, 44);
    add(&g, sizeof g);
    run(fill);
    CHECK_EQ(last(1).h2, 0);
    CHECK(last(1).f28 == 0);
    CHECK_EQ(last(1).duration, 6000);
    CHECK_TEXT(view_text(&view, last(1).w4, view_written(&view)), "CUDA graph 12");
    CHECK_EQ(lost(ARGUS_LOSS_IMPOSSIBLE), 0);
}

static void launches(void) {
    argus_cupti_external ours = an_external(ARGUS_EXTERNAL_KIND, UINT64_C(0xabc00000123), 61);
    argus_cupti_external theirs = an_external(3, 999, 61);
    argus_cupti_api_call launch = a_call(ARGUS_KIND_RUNTIME, 211, 100, 400, 61);
    argus_cupti_api_call inner = a_call(ARGUS_KIND_DRIVER, 307, 150, 300, 61);
    argus_cupti_api_call other = a_call(ARGUS_KIND_RUNTIME, 165, 100, 400, 62); /* cudaStreamSynchronize or so */
    argus_cupti_api_call plain = a_call(ARGUS_KIND_DRIVER, 307, 500, 600, 63);
    add(&ours, sizeof ours);
    add(&theirs, sizeof theirs);
    add(&launch, sizeof launch);
    add(&inner, sizeof inner);
    add(&other, sizeof other);
    run(fill);
    CHECK_EQ(written(4), 1); /* one launch: not again what the runtime calls inside */
    seen s = last(4);
    CHECK_TEXT(view_text(&view, s.w4, view_written(&view)), "cudaLaunchKernel");
    CHECK_EQ(s.duration, 300);
    CHECK_EQ(s.lane, 4711);
    CHECK_EQ(s.w24, 61);
    CHECK_EQ(s.w28, 0x123);
    add(&plain, sizeof plain);
    run(fill);
    CHECK_TEXT(view_text(&view, last(4).w4, view_written(&view)), "cuLaunchKernel");
    CHECK_EQ(last(4).w28, 0);

    convert.signals = ARGUS_SIGNAL_KERNELS;
    plain.correlation = 64;
    add(&plain, sizeof plain);
    run(fill);
    CHECK_EQ(written(4), 0);
    convert.signals = ARGUS_SIGNALS_ALL;
}

static void torn(void) {
    whole_kernel k = a_kernel("torn", 1000, 1500, 1);
    /* Cut at every byte: whole records before it are read, nothing beyond is touched. */
    for (size_t cut = 0; cut <= 3 * sizeof k; cut++) {
        for (int i = 0; i < 3; i++) {
            add(&k, sizeof k);
        }
        memset(buffer + cut, 0xee, sizeof buffer - cut);
        run(cut);
        CHECK(written(1) >= cut / sizeof k && written(1) <= cut / sizeof k + 1);
        view_take(&view, view_written(&view));
    }
    lost(ARGUS_LOSS_IMPOSSIBLE);

    run(0);
    CHECK_EQ(view_written(&view), from);
    /* More valid bytes than the buffer has. */
    add(&k, sizeof k);
    memset(buffer + fill, 0, sizeof buffer - fill);
    run(SIZE_MAX);
    CHECK_EQ(written(1), 1);
    CHECK_EQ(lost(ARGUS_LOSS_INTERNAL), 1);
    lost(ARGUS_LOSS_IMPOSSIBLE);

    /* A kind that nobody knows: what came before it counts, what is behind it cannot be found. */
    uint32_t unknown[16] = {77};
    add(&k, sizeof k);
    add(unknown, sizeof unknown);
    add(&k, sizeof k);
    run(fill);
    CHECK_EQ(written(1), 1);
    CHECK_EQ(lost(ARGUS_LOSS_IMPOSSIBLE), 1);

    /* A kind that CUPTI knows and we do not (a marker): passed over. */
    uint64_t passed = convert.unknown;
    uint32_t marker[14] = {12};
    add(&k, sizeof k);
    add(marker, sizeof marker);
    add(&k, sizeof k);
    run(fill);
    CHECK_EQ(written(1), 2);
    CHECK_EQ(convert.unknown - passed, 1);
    CHECK_EQ(lost(ARGUS_LOSS_IMPOSSIBLE), 0);
}

static void impossible(void) {
    whole_kernel backwards = a_kernel("k", 1500, 1000, 1), untimed = a_kernel("k", 0, 0, 2), far = a_kernel("k", 1, 2, 3);
    whole_kernel instant = a_kernel("k", 10, 10, 4), last_one = a_kernel(NULL, UINT64_MAX - 1, UINT64_MAX, 5);
    far.is.device = 256;
    argus_losses_tell(&convert.losses, &ring);
    add(&backwards, sizeof backwards);
    add(&untimed, sizeof untimed);
    add(&far, sizeof far);
    add(&instant, sizeof instant);
    add(&last_one, sizeof last_one);
    run(fill);
    CHECK_EQ(written(1), 2); /* in any order, with no time at all, without a name */
    CHECK_EQ(lost(ARGUS_LOSS_IMPOSSIBLE), 3);
    CHECK_EQ(last(1).w4, 0);
    CHECK_EQ(last(1).q8, UINT64_MAX - 1);
    CHECK(argus_losses_tell(&convert.losses, &ring));
    CHECK_EQ(last(14).b1, 3);
    whole_kernel runs = a_kernel("k", 1000, 0, 6);
    convert.settling = true;
    add(&runs, sizeof runs);
    run(fill);
    convert.settling = false;
    CHECK_EQ(written(1), 0);
    CHECK_EQ(convert.unfinished, 1);
    CHECK_EQ(lost(ARGUS_LOSS_IMPOSSIBLE), 0);
}

/* Noise in every field of one record of each kind: nothing may be read or written outside (the sanitizers watch). */
static void garbage(void) {
    static const struct {
        uint32_t kind;
        size_t bytes;
    } kinds[] = {{1, 96}, {2, 88}, {3, 24}, {4, 40}, {5, 40}, {10, 216}, {12, 56}, {22, 96}, {39, 24}, {51, 56}, {77, 24}, {UINT32_MAX, 24}};
    uint64_t seed = UINT64_C(88172645463325252);
    for (int round = 0; round < 6000; round++) {
        for (size_t i = 0; i < 256; i += 8) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            memcpy(buffer + i, &seed, 8);
        }
        int which = round % 12;
        memcpy(buffer, &kinds[which].kind, 4);
        if (kinds[which].kind == ARGUS_KIND_CONCURRENT_KERNEL) {
            /* A name is a pointer, for which CUPTI vouches: the one thing that cannot be checked. */
            memset(buffer + offsetof(argus_cupti_kernel, name), 0, 8);
        }
        run(round % 5 == 0 ? seed % (kinds[which].bytes + 1) : kinds[which].bytes);
        view_take(&view, view_written(&view));
    }
}

static void names(void) {
    static char text[5000][32];
    for (int i = 0; i < 5000; i++) {
        snprintf(text[i], sizeof text[i], "void kernel_%d<float>(int)", i);
        whole_kernel k = a_kernel(text[i], 1000 + (uint64_t)i, 1001 + (uint64_t)i, (uint32_t)i);
        add(&k, sizeof k);
        run(fill);
        if (i == 7) {
            CHECK_TEXT(view_text(&view, last(1).w4, view_written(&view)), "void kernel_7<float>(int)");
        }
        view_take(&view, view_written(&view));
    }
    CHECK(lost(ARGUS_LOSS_NAMES_FULL) > 3000);
    /* After an attach the names are defined again, before their use. */
    argus_convert_attach(&convert);
    whole_kernel k = a_kernel(text[7], 1, 2, 7);
    add(&k, sizeof k);
    add(&k, sizeof k);
    run(fill);
    CHECK_EQ(written(11), 1);
    CHECK_EQ(written(1), 2);
    lost(ARGUS_LOSS_NAMES_FULL);
}

static void full(void) {
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 50; i++) {
            whole_kernel k = a_kernel("k", 10000 + (uint64_t)(50 * round + i), 20000, 1);
            add(&k, sizeof k);
        }
        run(fill);
    }
    uint64_t lost_now = lost(ARGUS_LOSS_RING_FULL);
    CHECK(lost_now > 900);
    CHECK_EQ(view_written(&view) - view_read(&view), 1024);
    view_take(&view, view_written(&view));
    whole_kernel k = a_kernel("k", 77777, 77778, 1);
    add(&k, sizeof k);
    run(fill);
    seen loss = view_record(&view, from);
    CHECK_EQ(loss.type, 14); /* the gap is told in its place */
    CHECK_EQ(loss.b1, 0);
    CHECK_EQ(loss.q24, lost_now);
    CHECK_EQ(loss.q16, 10000 + 40 * 50 - 1);
    CHECK_EQ(last(1).q8, 77777);
}

static void sampled(void) {
    uint64_t unrecorded;
    argus_gate_step(&gate, 3, 100000);
    argus_gate_step(&gate, 4, 200000);
    argus_gate_tick(&gate, UINT64_C(2) << 16, 200000, &unrecorded);
    for (uint64_t t = 100000; t < 300000; t += 10000) {
        whole_kernel k = a_kernel("k", t, t + 1, 1);
        add(&k, sizeof k);
    }
    run(fill);
    CHECK_EQ(written(1), 10); /* those of step 4 */
    CHECK_EQ(last(1).q8, 290000);
}

int main(int count, char **arguments) {
    char *folder = test_folder(), problem[1200];
    CHECK_EQ(argus_cupti_load(&api, count > 1 ? arguments[1] : NULL, 0, problem, sizeof problem), 0);
    argus_ring_header header = {.producer = 1, .clock = 2, .capacity = 1024, .pid = 1, .rank = -1};
    CHECK_EQ(argus_ring_create(&ring, folder, "cupti", &header, problem, sizeof problem), 0);
    view = view_open(ring.path);
    argus_clock_init(&own_clock, NULL);
    own_clock.ahead = 0;
    CHECK_EQ(argus_convert_init(&convert, &api, &ring, &own_clock, &gate, 2048), 0);
    every_kind();
    launches();
    torn();
    impossible();
    garbage();
    names();
    view_take(&view, view_written(&view));
    full();
    sampled();
    argus_convert_free(&convert);
    view_close(&view);
    argus_ring_unmap(&ring);
    test_folder_remove(folder);
    printf("convert with CUPTI %u: ok\n", api.version);
    return 0;
}
