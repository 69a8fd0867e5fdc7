#define _GNU_SOURCE
#include "pool.h"

#include <string.h>
#include <sys/mman.h>

enum { FREE, GIVEN, DONE, LOST };

/* How often a slot that another thread took first is tried again, over the whole walk: bounded, so nobody spins. */
enum { WALKS = 2 };

static uint32_t state_of(const argus_slot *slot) { return __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE); }

static bool change(argus_slot *slot, uint32_t from, uint32_t to) {
    return __atomic_compare_exchange_n(&slot->state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static void touch(volatile unsigned char *memory, size_t bytes) {
    for (size_t at = 0; at < bytes; at += 4096) {
        memory[at] = 0;
    }
}

uint32_t argus_pool_grow(argus_pool *pool, uint32_t more) {
    uint32_t count = pool->count;
    if (more > ARGUS_POOL_SLOTS_MAX - count) {
        more = ARGUS_POOL_SLOTS_MAX - count;
    }
    if (more == 0) {
        return 0;
    }
    unsigned char *memory = mmap(NULL, more * pool->buffer_bytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return 0;
    }
    for (uint32_t i = 0; i < more; i++) {
        pool->slots[count + i].memory = memory + i * pool->buffer_bytes;
    }
    __atomic_store_n(&pool->count, count + more, __ATOMIC_RELEASE);
    return more;
}

int argus_pool_init(argus_pool *pool, uint32_t count, size_t buffer_bytes, uint32_t touched) {
    memset(pool, 0, sizeof *pool);
    pool->buffer_bytes = buffer_bytes;
    if (count == 0 || argus_pool_grow(pool, count) != count) {
        return -1;
    }
    for (uint32_t i = 0; i < touched && i < count; i++) {
        touch(pool->slots[i].memory, buffer_bytes);
    }
    return 0;
}

void argus_pool_touch(argus_pool *pool) {
    for (uint32_t i = 0; i < pool->count; i++) {
        argus_slot *slot = &pool->slots[i];
        /* One at a time is out of reach meanwhile; those that CUPTI has already, it has touched or will. */
        if (change(slot, FREE, GIVEN)) {
            touch(slot->memory, pool->buffer_bytes);
            argus_pool_release(slot);
        }
    }
}

void argus_pool_free(argus_pool *pool) {
    for (uint32_t i = 0; i < pool->count; i++) {
        munmap(pool->slots[i].memory, pool->buffer_bytes);
    }
    pool->count = 0;
}

unsigned char *argus_pool_take(argus_pool *pool) {
    uint32_t count = __atomic_load_n(&pool->count, __ATOMIC_ACQUIRE);
    uint32_t first = __atomic_load_n(&pool->hint, __ATOMIC_RELAXED);
    for (uint32_t step = 0; step < WALKS * count; step++) {
        uint32_t at = (first + step) % count;
        argus_slot *slot = &pool->slots[at];
        if (state_of(slot) == FREE && change(slot, FREE, GIVEN)) {
            uint64_t number = __atomic_add_fetch(&pool->takes, 1, __ATOMIC_ACQ_REL);
            __atomic_store_n(&slot->given_at, number, __ATOMIC_RELEASE);
            __atomic_store_n(&pool->hint, at + 1, __ATOMIC_RELAXED);
            return slot->memory;
        }
    }
    __atomic_fetch_add(&pool->refusals, 1, __ATOMIC_RELAXED);
    return NULL;
}

bool argus_pool_done(argus_pool *pool, const unsigned char *buffer, size_t valid) {
    uint32_t count = __atomic_load_n(&pool->count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++) {
        argus_slot *slot = &pool->slots[i];
        if (slot->memory != buffer) {
            continue;
        }
        uint32_t was = state_of(slot);
        if (was != GIVEN && was != LOST) {
            break;
        }
        /* Whoever hands a buffer over owns it: these two are written by one thread, and read after DONE only. */
        __atomic_store_n(&slot->valid, valid, __ATOMIC_RELAXED);
        __atomic_store_n(&slot->order, __atomic_add_fetch(&pool->dones, 1, __ATOMIC_ACQ_REL), __ATOMIC_RELAXED);
        if (change(slot, was, DONE) || change(slot, was == GIVEN ? LOST : GIVEN, DONE)) {
            return true;
        }
        break;
    }
    __atomic_fetch_add(&pool->strays, 1, __ATOMIC_RELAXED);
    return false;
}

argus_slot *argus_pool_next(argus_pool *pool) {
    argus_slot *first = NULL;
    for (uint32_t i = 0; i < pool->count; i++) {
        argus_slot *slot = &pool->slots[i];
        if (state_of(slot) == DONE && (first == NULL || slot->order < first->order)) {
            first = slot;
        }
    }
    return first;
}

void argus_pool_release(argus_slot *slot) { __atomic_store_n(&slot->state, FREE, __ATOMIC_RELEASE); }

static bool given_by(const argus_slot *slot, uint64_t takes) {
    return state_of(slot) == GIVEN && argus_count(&slot->given_at) <= takes;
}

uint32_t argus_pool_outstanding(const argus_pool *pool, uint64_t takes) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < pool->count; i++) {
        count += given_by(&pool->slots[i], takes);
    }
    return count;
}

uint32_t argus_pool_forget(argus_pool *pool, uint64_t takes) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < pool->count; i++) {
        argus_slot *slot = &pool->slots[i];
        count += given_by(slot, takes) && change(slot, GIVEN, LOST);
    }
    return count;
}

uint32_t argus_pool_usable(const argus_pool *pool) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < pool->count; i++) {
        count += state_of(&pool->slots[i]) != LOST;
    }
    return count;
}
