/*
 * A stand-in for libcupti that does as it is told: records are put into the buffers that it asks for, in the calling
 * thread, as CUPTI does it in training threads.
 */
#ifndef FAKE_CUPTI_H
#define FAKE_CUPTI_H

#include <stddef.h>
#include <stdint.h>

/* A record into the current buffer, by any thread. Dropped and counted when there is no buffer. */
void fake_emit(const void *record, size_t bytes);

/* Hands the current buffer over although it is not full; valid: bytes to say, or SIZE_MAX for what is in it. */
void fake_complete(size_t valid);

/* Hands over any address. */
void fake_complete_address(uint8_t *buffer, size_t size, size_t valid);

/* Asks for a buffer and keeps it from the rest. */
uint8_t *fake_request(size_t *size);

/* Another profiler registers its callbacks and, at the end, switches every kind off and leaves. */
void fake_other_takes(void);
void fake_other_leaves(void);
uint64_t fake_other_records(void);

void fake_drop(size_t records);                /* the driver dropped some */
void fake_refuse(uint32_t result);             /* what enabling a kind says from now on; 0: success */
void fake_flush_sleeps(uint32_t millis);       /* flushing takes so long */
int fake_enabled(uint32_t kind);
int fake_launch_calls(void);                   /* calls of the runtime and the driver that are switched on */
uint64_t fake_flushes(void);
uint64_t fake_clock(void);                     /* its own clock, 5 s ahead of CLOCK_MONOTONIC */
uint64_t fake_timestamp(void);                 /* what its records would be stamped with */
uint64_t fake_external(void);                  /* the id pushed last by this thread, 0 without */

#endif
