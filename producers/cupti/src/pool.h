/*
 * The buffers that CUPTI fills: a fixed set, handed to and fro without locks.
 *
 *      FREE --take (a training thread)--> GIVEN --done (any thread)--> DONE --release (the converter)--> FREE
 *                                           |                            ^
 *                                           +--forget (the converter)--> LOST, and DONE when it comes back after all
 *
 * Training threads only take and hand over: a bounded walk over the slots and one compare-and-swap each. A slot's
 * memory never goes back to the system while the process lives, since CUPTI may still write into what it was given.
 */
#ifndef ARGUS_POOL_H
#define ARGUS_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARGUS_POOL_SLOTS_MAX 256

typedef struct {
    unsigned char *memory;
    uint32_t state;
    uint64_t given_at; /* number of the taking: tells what was given before a flush */
    uint64_t valid;    /* bytes, as handed over */
    uint64_t order;    /* of the handing over */
} argus_slot;

typedef struct {
    argus_slot slots[ARGUS_POOL_SLOTS_MAX];
    uint32_t count; /* slots with memory; grows only */
    size_t buffer_bytes;
    uint32_t hint;
    uint64_t takes, dones, refusals, strays; /* ever; strays: handed over what was not given */
} argus_pool;

/* Maps the memory and touches the first touched buffers; the others with argus_pool_touch. {@return 0, or -1} */
int argus_pool_init(argus_pool *pool, uint32_t count, size_t buffer_bytes, uint32_t touched);
void argus_pool_touch(argus_pool *pool);

/* More buffers, in place of those that another owner kept. {@return how many were added} */
uint32_t argus_pool_grow(argus_pool *pool, uint32_t more);

/* Only for a pool that nobody can use any more, in tests. */
void argus_pool_free(argus_pool *pool);

/* {@return a buffer, or NULL (counted as refused)}. Any thread; never waits. */
unsigned char *argus_pool_take(argus_pool *pool);

/* Hands a buffer over. Any thread; never waits. {@return false for a buffer that was not given out (counted)} */
bool argus_pool_done(argus_pool *pool, const unsigned char *buffer, size_t valid);

/* {@return the slot handed over first of those that wait, or NULL}. The converter only. */
argus_slot *argus_pool_next(argus_pool *pool);
void argus_pool_release(argus_slot *slot);

/* {@return buffers in CUPTI's hands that were taken before number takes}; forget: they are given up as lost. */
uint32_t argus_pool_outstanding(const argus_pool *pool, uint64_t takes);
uint32_t argus_pool_forget(argus_pool *pool, uint64_t takes);
uint32_t argus_pool_usable(const argus_pool *pool);

static inline uint64_t argus_count(const uint64_t *counter) { return __atomic_load_n(counter, __ATOMIC_ACQUIRE); }

#endif
