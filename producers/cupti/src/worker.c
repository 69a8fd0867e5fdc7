#define _GNU_SOURCE
#include "worker.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attach.h"
#include "kinds.h"

#define MILLI UINT64_C(1000000)
#define SECOND UINT64_C(1000000000)

static const uint64_t ROUND_NANOS = 100 * MILLI, BEAT_NANOS = 250 * MILLI, PAIR_NANOS = 10 * SECOND;

static uint64_t progress_of(const argus_pool *pool) {
    return argus_count(&pool->takes) + argus_count(&pool->dones) + argus_count(&pool->refusals);
}

static uint32_t flag(const uint32_t *at) { return __atomic_load_n(at, __ATOMIC_SEQ_CST); }
static void set_flag(uint32_t *at, uint32_t value) { __atomic_store_n(at, value, __ATOMIC_SEQ_CST); }

/*
 * Nothing of CUPTI is changed once another profiler was announced (argus_cupti_pause waits for `changing` to fall, so the
 * order of these two lines and of those there decides).
 */
static bool begin_change(argus_worker *w) {
    set_flag(&w->changing, 1);
    if (flag(&w->pause)) {
        set_flag(&w->changing, 0);
        return false;
    }
    return true;
}

static void end_change(argus_worker *w) { set_flag(&w->changing, 0); }

static uint32_t switch_kinds(argus_worker *w, uint32_t wanted) {
    uint32_t result;
    w->on = argus_kinds_switch(&w->api, w->on, wanted, w->config.all_calls, &result);
    return result;
}

/* Takes CUPTI's callbacks; the timestamps first, so that no record is on another clock. {@return CUPTI's result} */
static uint32_t take_callbacks(argus_worker *w, bool *own_clock) {
    set_flag(&w->foreign_clock, 0);
    *own_clock = !w->config.cupti_clock && w->api.ActivityRegisterTimestampCallback != NULL
                 && w->api.ActivityRegisterTimestampCallback(w->timestamp) == ARGUS_CUPTI_SUCCESS;
    if (w->api.SetThreadIdType != NULL) {
        w->api.SetThreadIdType(ARGUS_THREAD_ID_SYSTEM);
    }
    return w->api.ActivityRegisterCallbacks(w->requested, w->completed);
}

int argus_worker_setup(argus_worker *w, char *problem, size_t bytes) {
    w->control = w->config.signals;
    w->convert.signals = w->config.signals;
    if (argus_pool_init(&w->pool, w->config.buffers, w->config.buffer_bytes, 1) != 0) {
        snprintf(problem, bytes, "no memory for %u buffers of %zu bytes", w->config.buffers, w->config.buffer_bytes);
        return -1;
    }
    uint32_t result = take_callbacks(w, &w->own_clock);
    if (result == ARGUS_CUPTI_SUCCESS) {
        result = switch_kinds(w, w->config.signals);
    }
    if (result != ARGUS_CUPTI_SUCCESS && (w->on & (ARGUS_SIGNAL_KERNELS | ARGUS_SIGNAL_COPIES)) == 0) {
        snprintf(problem, bytes, "CUPTI refuses: %s (%u)%s", argus_cupti_result(&w->api, result), result,
                 result == ARGUS_CUPTI_MULTIPLE_SUBSCRIBERS ? "; another profiler has the process"
                 : result == ARGUS_CUPTI_INSUFFICIENT_PRIVILEGES ? "; the driver allows profiling to root only" : "");
        return -1;
    }
    argus_owner_init(&w->owner, argus_monotonic());
    return 0;
}

/* ---- rounds ---- */

static void drain(argus_worker *w) {
    argus_slot *slot;
    /* Bounded: a flood of buffers must not keep the heartbeat waiting. */
    for (uint32_t i = 0; i < ARGUS_POOL_SLOTS_MAX && (slot = argus_pool_next(&w->pool)) != NULL; i++) {
        argus_convert_buffer(&w->convert, slot->memory, w->pool.buffer_bytes, slot->valid, argus_clock_now(&w->clock));
        argus_pool_release(slot);
    }
}

/* What CUPTI dropped since the last look: its count alone, so that nothing counts twice. Refused buffers only say why. */
static void count_drops(argus_worker *w, uint64_t from, uint64_t to) {
    size_t dropped = 0;
    if (w->owner.aside || w->api.ActivityGetNumDroppedRecords(NULL, 0, &dropped) != ARGUS_CUPTI_SUCCESS) {
        dropped = 0;
    }
    uint64_t refusals = argus_count(&w->pool.refusals), strays = argus_count(&w->pool.strays);
    w->refused |= refusals != w->refusals;
    w->refusals = refusals;
    if (dropped > 0) {
        argus_lose(&w->convert.losses, &w->ring, w->refused ? ARGUS_LOSS_NO_BUFFER : ARGUS_LOSS_DRIVER, dropped, from, to);
        w->refused = false;
    }
    argus_lose(&w->convert.losses, &w->ring, ARGUS_LOSS_INTERNAL, strays - w->strays, from, to);
    w->strays = strays;
}

static void flush(argus_worker *w, uint64_t now, uint32_t how) {
    uint64_t from = argus_clock_own(&w->clock, w->flushed_at);
    w->flushed_at = now;
    w->api.ActivityFlushAll(how);
    count_drops(w, from, argus_clock_now(&w->clock));
}

/* ---- the control word, sampling ---- */

static void show_state(argus_worker *w) {
    uint32_t signals = (uint32_t)w->control & w->config.allowed;
    if (w->owner.aside) {
        argus_ring_state(&w->ring, ARGUS_OFF, ARGUS_OFF_OTHER_OWNER);
    } else if (w->kinds_error != ARGUS_CUPTI_SUCCESS) {
        argus_ring_state(&w->ring, ARGUS_OFF, ARGUS_OFF_ERROR);
    } else if (argus_kinds_possible(&w->api, signals, w->config.all_calls) == 0) {
        argus_ring_state(&w->ring, ARGUS_OFF, ARGUS_OFF_BY_CONTROL);
    } else {
        argus_ring_state(&w->ring, ARGUS_RUNNING, ARGUS_NOT_OFF);
    }
}

static void obey(argus_worker *w) {
    uint64_t control = argus_ring_control(&w->ring);
    if (control == w->control) {
        return;
    }
    uint64_t changed = control ^ w->control;
    __atomic_store_n(&w->control, control, __ATOMIC_RELAXED);
    w->convert.signals = (uint32_t)control & w->config.allowed & ARGUS_SIGNALS_ALL;
    if ((changed >> 48 & 0xff) != 0) {
        argus_convert_attach(&w->convert);
        w->identity_due = true;
        w->pair_due = true;
    }
    if (changed >> 56 != 0) {
        w->kinds_error = ARGUS_CUPTI_SUCCESS; /* somebody wants it tried again */
        if (w->owner.aside && (w->convert.signals & ARGUS_SIGNAL_KERNELS) != 0) {
            set_flag(&w->pause, 0);
            set_flag(&w->resume, 1);
        }
    }
    argus_attach_obeyed(w);
}

static void apply_gate(argus_worker *w, uint64_t now) {
    uint64_t unrecorded;
    bool record = argus_gate_tick(&w->gate, w->control, now, &unrecorded);
    uint64_t own = argus_clock_own(&w->clock, now);
    argus_lose(&w->convert.losses, &w->ring, ARGUS_LOSS_OFF, unrecorded, own, own);
    uint32_t wanted = record ? argus_kinds_possible(&w->api, w->convert.signals, w->config.all_calls) : 0;
    if (wanted == w->on || w->owner.aside || w->kinds_error != ARGUS_CUPTI_SUCCESS || !begin_change(w)) {
        return;
    }
    uint32_t result = switch_kinds(w, wanted);
    end_change(w);
    if (result == ARGUS_CUPTI_MULTIPLE_SUBSCRIBERS) {
        argus_owner_step_aside(&w->owner, false);
    } else if (result != ARGUS_CUPTI_SUCCESS) {
        w->kinds_error = result;
        argus_say(&w->config, "off: CUPTI refuses: %s (%u)", argus_cupti_result(&w->api, result), result);
    }
}

/* ---- other owners ---- */

static void come_back(argus_worker *w, uint64_t now) {
    argus_lose(&w->convert.losses, &w->ring, ARGUS_LOSS_OTHER_OWNER, 1, argus_clock_own(&w->clock, w->owner.aside_since),
               argus_clock_own(&w->clock, now));
    argus_owner_return(&w->owner, now);
    w->pair_due = true;
}

/* Registers again; the other one may have left every kind switched off, and buffers of ours are gone with it. */
static void retake(argus_worker *w, uint64_t now) {
    bool own_clock;
    if (!begin_change(w)) {
        return;
    }
    uint64_t takes = argus_count(&w->pool.takes);
    uint32_t result = take_callbacks(w, &own_clock);
    if (result == ARGUS_CUPTI_SUCCESS && own_clock == w->own_clock) {
        w->on = 0;
        result = switch_kinds(w, argus_kinds_possible(&w->api, w->convert.signals, w->config.all_calls));
    } else if (result == ARGUS_CUPTI_SUCCESS) {
        result = ARGUS_CUPTI_MULTIPLE_SUBSCRIBERS; /* on another clock than the header says the records are worthless */
    }
    end_change(w);
    if (result != ARGUS_CUPTI_SUCCESS) {
        w->owner.progress_at = now; /* and try again later */
        argus_say(&w->config, "still aside: %s (%u)", argus_cupti_result(&w->api, result), result);
        return;
    }
    come_back(w, now);
    flush(w, now, ARGUS_FLUSH_FORCED);
    uint32_t lost = argus_pool_forget(&w->pool, takes);
    if (argus_pool_usable(&w->pool) < w->config.buffers) {
        argus_pool_grow(&w->pool, w->config.buffers - argus_pool_usable(&w->pool));
        argus_pool_touch(&w->pool);
    }
    argus_say(&w->config, "back; the other profiler kept %u buffers", lost);
}

static void watch_owner(argus_worker *w, uint64_t now) {
    uint64_t steps = argus_count(&w->gate.told);
    bool alive = argus_owner_look(&w->owner, progress_of(&w->pool), steps, now);
    if (w->on == 0) {
        argus_owner_rest(&w->owner, steps, now);
    }
    uint32_t pauses = flag(&w->pauses);
    if (pauses != w->pauses_done) {
        /* The kinds are off already (argus_cupti_pause); what is recorded comes back before the other one begins. */
        w->on = 0;
        flush(w, now, ARGUS_FLUSH_FORCED);
        argus_owner_step_aside(&w->owner, true);
        w->owner.aside_since = now;
        set_flag(&w->foreign_clock, 1); /* not before our last records are on our clock */
        set_flag(&w->pauses_done, pauses);
        argus_say(&w->config, "aside, as asked");
    }
    if (flag(&w->resume)) {
        set_flag(&w->resume, 0);
        if (w->owner.aside) {
            retake(w, now);
        }
    } else if (w->owner.aside && alive && !w->owner.asked) {
        come_back(w, now); /* our callbacks are called: it was silence, no other owner */
    } else if (argus_owner_may_retake(&w->owner, w->config.retake_seconds, now)) {
        retake(w, now);
    } else if (w->on != 0 && argus_owner_suspects(&w->owner, steps, now)) {
        uint64_t takes = argus_count(&w->pool.takes), before = progress_of(&w->pool);
        flush(w, now, ARGUS_FLUSH_FORCED);
        bool progressed = progress_of(&w->pool) != before;
        if (argus_owner_probed(&w->owner, progressed, argus_pool_outstanding(&w->pool, takes), now)) {
            argus_kinds_graphs_off(&w->api);
            argus_say(&w->config, "aside: another profiler has taken CUPTI's callbacks");
        }
    }
}

/* ---- silence ---- */

/*
 * A kernel that waits for ever lies in a buffer with others that have ended, and CUPTI gives no buffer in which something
 * has not ended. So after a long silence all are fetched by force, and the reader is told that nothing else has ended. What
 * had not ended is lost to the record, which is counted once work goes on.
 */
static void settle(argus_worker *w, uint64_t now) {
    uint64_t takes = argus_count(&w->pool.takes);
    if (w->convert.unfinished > 0 && takes != w->settled_takes) {
        argus_lose(&w->convert.losses, &w->ring, ARGUS_LOSS_DRIVER, w->convert.unfinished,
                   argus_clock_own(&w->clock, w->settled_at), argus_clock_own(&w->clock, now));
        w->convert.unfinished = 0;
    }
    uint64_t pause = w->config.settle_seconds * SECOND;
    if (pause == 0 || (w->on & ARGUS_SIGNAL_KERNELS) == 0 || w->owner.aside || w->owner.progress == 0 || flag(&w->pause)
        || now - w->owner.progress_at < pause || now - w->settled_at < pause) {
        return;
    }
    w->settled_at = now;
    uint64_t until = argus_clock_own(&w->clock, now);
    drain(w); /* what came in order is read as such */
    w->convert.settling = true;
    flush(w, now, ARGUS_FLUSH_FORCED);
    drain(w);
    w->convert.settling = false;
    w->settled_takes = argus_count(&w->pool.takes);
    if (argus_pool_outstanding(&w->pool, takes) == 0) {
        argus_record r = argus_reported(until);
        argus_convert_emit(&w->convert, &r, until);
    }
}

/* ---- all of it ---- */

static void tell(argus_worker *w, uint64_t now) {
    if (w->identity_due) {
        w->identity_due = !argus_attach_identity(w);
    }
    if (w->convert.new_device) {
        w->convert.new_device = !argus_attach_devices(w);
    }
    w->pair_due |= argus_losses_tell(&w->convert.losses, &w->ring);
    if (w->pair_due || now - w->paired_at >= PAIR_NANOS) {
        argus_record pair;
        w->pair_due = !argus_clock_pair(&w->clock, &pair) || !argus_ring_write(&w->ring, &pair, 1);
        w->paired_at = now;
    }
}

/* Paused and resumed before there was anything to record. */
static void resume_early(argus_worker *w) {
    set_flag(&w->resume, 0);
    if (begin_change(w)) {
        set_flag(&w->pauses_done, flag(&w->pauses));
        w->on = 0;
        if (take_callbacks(w, &w->own_clock) == ARGUS_CUPTI_SUCCESS) {
            switch_kinds(w, w->config.signals);
        }
        end_change(w);
    }
}

void argus_worker_tick(argus_worker *w, uint64_t now) {
    if (!w->attached) {
        if (flag(&w->resume)) {
            resume_early(w);
        }
        /* CUPTI asks for a buffer when there is something to record: then the process uses a GPU. */
        if (w->failed || progress_of(&w->pool) == 0) {
            return;
        }
        char problem[1200];
        if (argus_attach(w, now, problem, sizeof problem) != 0) {
            argus_say(&w->config, "off: %s", problem);
            w->failed = true;
            switch_kinds(w, 0);
            return;
        }
    }
    obey(w);
    apply_gate(w, now);
    watch_owner(w, now);
    drain(w);
    settle(w, now);
    /* Also where another owner is only suspected: if the callbacks are ours after all, this brings the proof. */
    if (!w->owner.asked && now - w->flushed_at >= w->config.flush_millis * MILLI) {
        flush(w, now, 0);
        drain(w);
    }
    tell(w, now);
    show_state(w);
    if (now - w->beat_at >= BEAT_NANOS) {
        w->beat_at = now;
        argus_ring_heartbeat(&w->ring, argus_monotonic());
    }
}

static void finish(argus_worker *w) {
    if (!w->attached) {
        return;
    }
    if (!w->owner.aside && !flag(&w->pause)) {
        flush(w, argus_monotonic(), ARGUS_FLUSH_FORCED);
    }
    drain(w);
    tell(w, argus_monotonic());
    argus_ring_heartbeat(&w->ring, argus_monotonic());
    argus_ring_state(&w->ring, ARGUS_CLOSED, ARGUS_NOT_OFF);
}

void *argus_worker_run(void *argument) {
    argus_worker *w = argument;
    prctl(PR_SET_NAME, "argus-cupti");
    /* Nice 19, not SCHED_IDLE: on a host whose cores are all busy the heartbeat must still come once a second. */
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 19);
    while (!flag(&w->stop)) {
        uint32_t seen = argus_bell_seen(&w->bell);
        argus_worker_tick(w, argus_monotonic());
        uint64_t wait = w->config.flush_millis * MILLI;
        if (!flag(&w->stop)) {
            argus_bell_wait(&w->bell, seen, w->failed ? 3600 * SECOND : wait < ROUND_NANOS ? wait : ROUND_NANOS);
        }
    }
    finish(w);
    set_flag(&w->finished, 1);
    argus_bell_ring(&w->bell);
    return NULL;
}
