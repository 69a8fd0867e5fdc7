/*
 * The converter: one thread of low priority that owns the ring, reads CUPTI's buffers, flushes, obeys the control word and
 * steps aside for other profilers. Training threads meet it only in the pool, the gate and a few flags.
 */
#ifndef ARGUS_WORKER_H
#define ARGUS_WORKER_H

#include "bell.h"
#include "config.h"
#include "convert.h"
#include "owner.h"
#include "pool.h"

typedef struct {
    /* Set before the thread starts. */
    argus_config config;
    argus_cupti api;
    argus_buffer_requested requested;
    argus_buffer_completed completed;
    argus_timestamp timestamp;

    /* Shared with training threads: atomics only. */
    argus_pool pool;
    argus_gate gate;
    argus_bell bell;
    uint32_t stop;     /* 1: finish and end */
    uint32_t finished; /* 1: the thread has ended */
    uint32_t pause, resume; /* asked for by the functions of argus_cupti.h */
    uint32_t pauses, pauses_done; /* how often it was asked to pause, and up to which of them it has flushed */
    uint32_t foreign_clock; /* 1: timestamps are for another profiler now */
    uint32_t changing; /* 1 while kinds or callbacks are being changed */

    /* The converter's own, after the start. */
    argus_ring ring;
    argus_clock clock;
    argus_convert convert;
    argus_owner owner;
    bool attached, failed;
    bool own_clock;      /* CUPTI takes our timestamps: CLOCK_MONOTONIC */
    uint32_t on;         /* signals that CUPTI records now */
    uint64_t control;    /* the control word as last obeyed */
    uint32_t kinds_error;
    uint64_t flushed_at, paired_at, beat_at;
    uint64_t refusals, strays;
    uint64_t settled_at, settled_takes; /* when everything was last fetched by force, and the buffers taken by then */
    bool refused; /* since records were last found dropped */
    bool identity_due, pair_due;
} argus_worker;

/* Registers with CUPTI and switches the kinds on, in the loading thread. {@return 0, or -1 with one sentence in problem} */
int argus_worker_setup(argus_worker *worker, char *problem, size_t problem_bytes);

/* The thread's function; its argument is the worker. */
void *argus_worker_run(void *worker);

/* One round, at a time of CLOCK_MONOTONIC. */
void argus_worker_tick(argus_worker *worker, uint64_t now);

#endif
