#define _GNU_SOURCE
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ring.h"

/* A number in bounds; what is no number counts as not set. */
static uint64_t number(const char *name, uint64_t otherwise, uint64_t least, uint64_t most) {
    const char *text = getenv(name);
    if (text == NULL || *text < '0' || *text > '9') {
        return otherwise;
    }
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (*end != '\0') {
        return otherwise;
    }
    return value < least ? least : value > most ? most : value;
}

static bool is(const char *name, const char *value) {
    const char *text = getenv(name);
    return text != NULL && strcmp(text, value) == 0;
}

/* The first of several variables that holds a number: torchrun's, then those of Slurm, Open MPI and MPICH. */
static int32_t rank_of(const char *const *names) {
    for (; *names != NULL; names++) {
        uint64_t value = number(*names, UINT64_MAX, 0, INT32_MAX);
        if (value != UINT64_MAX) {
            return (int32_t)value;
        }
    }
    return -1;
}

static void signal_switch(argus_config *c, const char *name, uint32_t signal, bool on) {
    if (is(name, "0")) {
        c->signals &= ~signal;
        c->allowed &= ~signal;
    } else if (is(name, "1") || is(name, "all")) {
        c->signals |= signal;
    } else if (!on) {
        c->signals &= ~signal;
    }
}

static uint64_t power_of_two(uint64_t value) {
    uint64_t power = 1;
    while (power < value) {
        power *= 2;
    }
    return power;
}

void argus_config_read(argus_config *c) {
    static const char *const ranks[] = {"RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK", NULL};
    static const char *const locals[] = {"LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                         NULL};
    static const char *const worlds[] = {"WORLD_SIZE", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", NULL};
    static const char *const jobs[] = {"ARGUS_JOB", "SLURM_JOB_ID", "TORCHELASTIC_RUN_ID", NULL};
    memset(c, 0, sizeof *c);
    c->verbose = is("ARGUS_VERBOSE", "1");
    c->any_version = is("ARGUS_CUPTI_ANY_VERSION", "1");
    c->cupti_path = getenv("ARGUS_CUPTI_LIB");
    const char *dir = getenv("ARGUS_RING_DIR");
    if (dir != NULL && *dir != '\0') {
        snprintf(c->ring_dir, sizeof c->ring_dir, "%s", dir);
    } else {
        snprintf(c->ring_dir, sizeof c->ring_dir, "/dev/shm/argus-%u", (unsigned)geteuid());
    }
    c->ring_records = power_of_two(number("ARGUS_RING_RECORDS", 1 << 16, ARGUS_CAPACITY_MIN, ARGUS_CAPACITY_MAX));
    c->buffers = (uint32_t)number("ARGUS_CUPTI_BUFFERS", 16, 2, 64);
    c->buffer_bytes = 1024 * (size_t)number("ARGUS_CUPTI_BUFFER_KIB", 1024, 4, 16384);
    c->flush_millis = (uint32_t)number("ARGUS_CUPTI_FLUSH_MS", 1000, 10, 60000);
    c->exit_millis = (uint32_t)number("ARGUS_CUPTI_EXIT_MS", 500, 0, 10000);
    c->settle_seconds = (uint32_t)number("ARGUS_CUPTI_SETTLE_S", 25, 0, 1000000);
    c->retake_seconds = (uint32_t)number("ARGUS_CUPTI_RETAKE_S", 600, 0, 1000000);
    c->name_slots = (uint32_t)power_of_two(number("ARGUS_CUPTI_NAMES", 8192, 8, 1 << 20));
    c->signals = c->allowed = ARGUS_SIGNALS_ALL;
    signal_switch(c, "ARGUS_CUPTI_KERNELS", ARGUS_SIGNAL_KERNELS, true);
    signal_switch(c, "ARGUS_CUPTI_COPIES", ARGUS_SIGNAL_COPIES, true);
    signal_switch(c, "ARGUS_CUPTI_LAUNCHES", ARGUS_SIGNAL_LAUNCHES, true);
    /* Off to begin with: tracing every node of a graph slows the graph. */
    signal_switch(c, "ARGUS_CUPTI_GRAPH_NODES", ARGUS_SIGNAL_GRAPH_NODES, false);
    c->cupti_clock = is("ARGUS_CUPTI_CLOCK", "cupti");
    c->all_calls = is("ARGUS_CUPTI_LAUNCHES", "all");
    c->rank = rank_of(ranks);
    c->local_rank = rank_of(locals);
    c->world_size = rank_of(worlds);
    for (size_t i = 0; jobs[i] != NULL && c->job[0] == '\0'; i++) {
        const char *job = getenv(jobs[i]);
        snprintf(c->job, sizeof c->job, "%s", job == NULL ? "" : job);
    }
}

void argus_say(const argus_config *config, const char *format, ...) {
    if (!config->verbose) {
        return;
    }
    char line[1024];
    int at = snprintf(line, sizeof line, "argus cupti[%d]: ", (int)getpid());
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + at, sizeof line - (size_t)at - 1, format, arguments);
    va_end(arguments);
    strcat(line, "\n");
    /* One write, so that lines of many ranks do not mix; if it fails nothing more can be said. */
    ssize_t ignored = write(STDERR_FILENO, line, strlen(line));
    (void)ignored;
}
