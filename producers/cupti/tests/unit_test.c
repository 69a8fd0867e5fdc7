/* The parts that know no CUPTI: which processes, when to record, whose callbacks, the environment, the pool. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include "../src/config.h"
#include "../src/filter.h"
#include "../src/gate.h"
#include "../src/host.h"
#include "../src/owner.h"
#include "../src/pool.h"
#include "../src/ring.h"
#include "check.h"

#define SECOND UINT64_C(1000000000)

/* ---- filter ---- */

static char why[512];

static bool watched(const char *line, argus_process p) {
    static char words[1024];
    static const char *argv[64];
    size_t count = 0;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[count++] = word;
    }
    argv[count] = NULL;
    p.argv = argv;
    return argus_filter(&p, why, sizeof why);
}

#define WATCHED(line, ...) CHECK(watched(line, (argus_process){__VA_ARGS__}))
#define LEFT(line, because, ...) \
    CHECK(!watched(line, (argus_process){__VA_ARGS__}) && strstr(why, because) != NULL)

static void filter(void) {
    WATCHED("/usr/bin/python3 train.py --lr 1", NULL);
    WATCHED("/usr/bin/python3 -u -X dev -W ignore train.py torchrun", NULL);
    WATCHED("python -m my.training torchrun", NULL);
    WATCHED("python -c pass torchrun", NULL);
    WATCHED("./llm-train", NULL);
    WATCHED("", NULL);
    LEFT("python -m torch.distributed.run --nproc 8 train.py", "a launcher: torch.distributed.run", NULL);
    LEFT("/opt/venv/bin/python3.11 /opt/venv/bin/torchrun --nproc 8 train.py", "a launcher: torchrun", NULL);
    LEFT("python /opt/bin/accelerate launch train.py", "a launcher: accelerate", NULL);
    LEFT("python -m accelerate.commands.launch train.py", "a launcher", NULL);
    LEFT("srun -n 8 python train.py", "a launcher: srun", NULL);
    LEFT("/usr/lib64/openmpi/bin/mpirun -np 2 ./train", "a launcher: mpirun", NULL);
    /* Somebody's training script of that name, started by a launcher. */
    WATCHED("python accelerate", .local_rank = "0");
    LEFT("python accelerate", "a launcher", .local_rank = "");
    LEFT("nvcc -O3 kernel.cu", "a compiler: nvcc", NULL);
    LEFT("/usr/local/cuda/bin/ptxas -arch sm_90 a.ptx", "a compiler: ptxas", .local_rank = "3");
    LEFT("cicc a", "a compiler", NULL);
    LEFT("python /site/torch/_inductor/compile_worker/__main__.py --workers=8", "a helper", .local_rank = "1");
    LEFT("python -m torch._inductor.compile_worker", "a helper", NULL);
    LEFT("python -c from_multiprocessing.resource_tracker_import_main;main(5)", "a helper", NULL);
    LEFT("python -c from_multiprocessing.forkserver_import_main", "a helper", NULL);
    WATCHED("python -c from_multiprocessing.spawn_import_spawn_main;spawn_main(tracker_fd=5)", NULL);

    LEFT("python train.py", "ARGUS=0", .argus = "0");
    LEFT("python train.py", "ARGUS_CUPTI=0", .argus_cupti = "0");
    WATCHED("python train.py", .argus = "1", .argus_cupti = "1");
    LEFT("python train.py", "ARGUS_SKIP", .skip = "eval.py,train.py");
    LEFT("python train.py --debug", "ARGUS_SKIP", .skip = "--debug");
    WATCHED("python train.py", .skip = "eval*,,");
    WATCHED("python train.py", .only = "train*");
    LEFT("python other.py", "ARGUS_ONLY", .only = "train*");
    WATCHED("torchrun train.py", .only = "torchrun");
    WATCHED("python x.py", .only = "");
    LEFT("python train.py", "ARGUS_SKIP", .only = "train.py", .skip = "python");
}

/* ---- gate ---- */

static void gate(void) {
    uint64_t one_in_4 = UINT64_C(4) << 16, interleaved = UINT64_C(3) << 32 | UINT64_C(2) << 40;
    CHECK(argus_gate_open(0xffff));
    CHECK(argus_gate_open(UINT64_C(1) << 16));
    CHECK(!argus_gate_open(one_in_4) && !argus_gate_open(interleaved));
    for (int64_t step = -8; step < 8; step++) {
        CHECK_EQ(argus_gate_step_on(one_in_4, step), step % 4 == 0);
        CHECK_EQ(argus_gate_step_on(interleaved, step), ((step % 5) + 5) % 5 < 3);
        CHECK(argus_gate_step_on(0, step));
        CHECK(!argus_gate_step_on(UINT64_C(2) << 40, step));
    }

    argus_gate g = {0};
    uint64_t unrecorded, total = 0;
    int64_t step;
    /* Slices of a second, since nobody tells steps. */
    CHECK(argus_gate_tick(&g, one_in_4, 8 * SECOND, &unrecorded));
    CHECK(argus_gate_keeps(&g, 8 * SECOND + 5) && !argus_gate_keeps(&g, 9 * SECOND));
    CHECK(!argus_gate_tick(&g, one_in_4, 9 * SECOND, &unrecorded) && unrecorded == 1);
    CHECK(argus_gate_tick(&g, one_in_4, 11 * SECOND, &unrecorded) && unrecorded == 2); /* the next one is wanted */
    CHECK(argus_gate_tick(&g, 0, 12 * SECOND, &unrecorded) && unrecorded == 0);

    /* Steps of 10 ms. */
    for (int64_t s = 100; s < 200; s++) {
        uint64_t now = 20 * SECOND + (uint64_t)s * 10000000;
        argus_gate_step(&g, s, now);
        bool record = argus_gate_tick(&g, one_in_4, now + 1000, &unrecorded);
        CHECK_EQ(record, s % 4 == 0 || s % 4 == 3);
        total += unrecorded;
        CHECK(argus_gate_at(&g, now + 2000, &step) && step == s);
        CHECK_EQ(argus_gate_keeps(&g, now + 2000), s % 4 == 0);
        CHECK(s == 100 || (argus_gate_at(&g, now - 1, &step) && step == s - 1));
    }
    CHECK_EQ(total, 75 - 0);
    /* Before all that are remembered: kept. */
    CHECK(!argus_gate_at(&g, SECOND, &step) && argus_gate_keeps(&g, SECOND));
    /* A jump is no run of steps left out, and numbers at the ends of 64 bits are numbers. */
    argus_gate_step(&g, 1000000, 30 * SECOND);
    argus_gate_tick(&g, one_in_4, 30 * SECOND, &unrecorded);
    CHECK_EQ(unrecorded, 0);
    argus_gate_step(&g, INT64_MAX, 31 * SECOND);
    argus_gate_tick(&g, one_in_4, 31 * SECOND, &unrecorded);
    argus_gate_step(&g, INT64_MIN, 32 * SECOND);
    argus_gate_tick(&g, one_in_4, 32 * SECOND, &unrecorded);
    CHECK_EQ(unrecorded, 0);
    /* Nobody tells any more: slices again. */
    argus_gate_tick(&g, one_in_4, 100 * SECOND, &unrecorded);
    CHECK(argus_gate_at(&g, 100 * SECOND, &step) && step == 100);
}

/* ---- owner ---- */

static void owner(void) {
    argus_owner o;
    argus_owner_init(&o, 100 * SECOND);
    CHECK(!argus_owner_suspects(&o, 50, 500 * SECOND)); /* never any GPU work: nothing to miss */
    CHECK(argus_owner_look(&o, 1, 10, 101 * SECOND));
    CHECK(!argus_owner_look(&o, 1, 11, 102 * SECOND));
    CHECK(!argus_owner_suspects(&o, 13, 103 * SECOND)); /* just not long enough */
    CHECK(!argus_owner_suspects(&o, 12, 104 * SECOND)); /* just not enough steps */
    CHECK(argus_owner_suspects(&o, 13, 104 * SECOND));
    CHECK(!argus_owner_suspects(&o, 10, 130 * SECOND));
    CHECK(argus_owner_suspects(&o, 10, 131 * SECOND));

    CHECK(!argus_owner_probed(&o, false, 0, 131 * SECOND)); /* nothing of ours is out: cannot be told */
    CHECK(!argus_owner_suspects(&o, 99, 131 * SECOND));
    CHECK(argus_owner_suspects(&o, 99, 132 * SECOND));
    CHECK(!argus_owner_probed(&o, true, 3, 132 * SECOND)); /* buffers came back: ours */
    CHECK(!argus_owner_suspects(&o, 99, 133 * SECOND));
    for (int i = 0; i < 40; i++) {
        argus_owner_probed(&o, true, 0, 200 * SECOND);
    }
    CHECK(argus_owner_suspects(&o, 99, 800 * SECOND)); /* the pause is bounded */
    argus_owner_rest(&o, 99, 800 * SECOND);
    CHECK(!argus_owner_suspects(&o, 99, 801 * SECOND));

    CHECK(argus_owner_look(&o, 5, 99, 900 * SECOND));
    CHECK(argus_owner_suspects(&o, 102, 904 * SECOND));
    CHECK(argus_owner_probed(&o, false, 1, 904 * SECOND));
    CHECK(o.aside && o.aside_since == 900 * SECOND);
    CHECK(!argus_owner_suspects(&o, 200, 990 * SECOND));
    CHECK(!argus_owner_may_retake(&o, 0, 99999 * SECOND));
    CHECK(!argus_owner_may_retake(&o, 600, 1499 * SECOND));
    CHECK(argus_owner_may_retake(&o, 600, 1500 * SECOND));
    argus_owner_return(&o, 1500 * SECOND);
    CHECK(!o.aside && !argus_owner_may_retake(&o, 600, 99999 * SECOND));
    argus_owner_step_aside(&o, true);
    CHECK(!argus_owner_may_retake(&o, 600, 99999 * SECOND)); /* asked to: until it is told */
}

/* ---- the rest ---- */

static void config(void) {
    argus_config c;
    clearenv();
    argus_config_read(&c);
    CHECK(!c.verbose && c.cupti_path == NULL);
    CHECK_EQ(c.ring_records, 65536);
    CHECK_EQ(c.signals, 0xff7f);
    CHECK_EQ(c.allowed, 0xffff);
    CHECK_EQ(c.rank, -1);
    CHECK(strncmp(c.ring_dir, "/dev/shm/argus-", 15) == 0);
    setenv("ARGUS_RING_RECORDS", "5000", 1);
    setenv("ARGUS_CUPTI_BUFFERS", "99999", 1);
    setenv("ARGUS_CUPTI_BUFFER_KIB", "nonsense", 1);
    setenv("ARGUS_CUPTI_FLUSH_MS", "5x", 1);
    setenv("ARGUS_CUPTI_LAUNCHES", "0", 1);
    setenv("ARGUS_CUPTI_GRAPH_NODES", "1", 1);
    setenv("RANK", "-3", 1);
    setenv("SLURM_PROCID", "12", 1);
    setenv("SLURM_JOB_ID", "77", 1);
    setenv("WORLD_SIZE", "99999999999999999999", 1);
    argus_config_read(&c);
    CHECK_EQ(c.ring_records, 8192);
    CHECK_EQ(c.buffers, 64);
    CHECK_EQ(c.buffer_bytes, 1 << 20);
    CHECK_EQ(c.flush_millis, 1000);
    CHECK_EQ(c.signals, 0xffdf);
    CHECK_EQ(c.allowed, 0xffdf);
    CHECK_EQ(c.rank, 12);
    CHECK_EQ(c.world_size, INT32_MAX);
    CHECK_TEXT(c.job, "77");
}

static void host(void) {
    CHECK_EQ(argus_parse_start_ticks("7 (a) b) (c) S 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 123456 23"), 123456);
    CHECK_EQ(argus_parse_start_ticks("7 (a) S 4 5"), 0);
    CHECK_EQ(argus_parse_start_ticks(""), 0);
    CHECK(argus_start_ticks() > 0);
    CHECK(argus_pid_namespace() > 0);
    char model[16], uuid[64];
    argus_gpu(0, model, sizeof model, uuid, sizeof uuid); /* without a driver: empty */
    CHECK_TEXT(model, "");
    CHECK_TEXT(uuid, "");
}

static void pool(void) {
    static argus_pool p;
    CHECK_EQ(argus_pool_init(&p, 3, 4096, 1), 0);
    unsigned char *a = argus_pool_take(&p), *b = argus_pool_take(&p), *c = argus_pool_take(&p);
    CHECK(a != NULL && b != NULL && c != NULL && a != b && b != c);
    CHECK(argus_pool_take(&p) == NULL && p.refusals == 1);
    CHECK(argus_pool_done(&p, b, 100));
    CHECK(!argus_pool_done(&p, b, 100)); /* twice */
    CHECK(!argus_pool_done(&p, b + 8, 100) && !argus_pool_done(&p, NULL, 0));
    CHECK_EQ(p.strays, 3);
    CHECK(argus_pool_done(&p, a, 50));
    argus_slot *slot = argus_pool_next(&p);
    CHECK(slot->memory == b && slot->valid == 100); /* in the order of handing over */
    argus_pool_release(slot);
    slot = argus_pool_next(&p);
    CHECK(slot->memory == a);
    argus_pool_release(slot);
    CHECK(argus_pool_next(&p) == NULL);
    CHECK_EQ(argus_pool_outstanding(&p, p.takes), 1);
    CHECK_EQ(argus_pool_outstanding(&p, 2), 0); /* c was the third */

    /* Lost to another owner, replaced, and then it comes back after all. */
    CHECK_EQ(argus_pool_forget(&p, p.takes), 1);
    CHECK_EQ(argus_pool_usable(&p), 2);
    CHECK_EQ(argus_pool_grow(&p, 1), 1);
    CHECK_EQ(argus_pool_usable(&p), 3);
    CHECK(argus_pool_done(&p, c, 7));
    CHECK(argus_pool_next(&p)->memory == c);
    CHECK_EQ(argus_pool_usable(&p), 4);
    CHECK_EQ(argus_pool_grow(&p, 100000), ARGUS_POOL_SLOTS_MAX - 4);
    CHECK_EQ(argus_pool_grow(&p, 1), 0);
    argus_pool_touch(&p);
    argus_pool_free(&p);
}

int main(void) {
    filter();
    gate();
    owner();
    host();
    pool();
    config();
    printf("units: ok\n");
    return 0;
}
