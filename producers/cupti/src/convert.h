/*
 * CUPTI's buffers to records of the ring. Belongs to the converter's thread; no clock, no waiting, no allocation after
 * argus_convert_init. What a buffer holds is checked before it is read: CUPTI may hand over torn, late or odd ones.
 */
#ifndef ARGUS_CONVERT_H
#define ARGUS_CONVERT_H

#include "clock.h"
#include "gate.h"
#include "loss.h"
#include "names.h"

#define ARGUS_CORRELATIONS 4096 /* launches remembered for external ids, a power of two */
#define ARGUS_DEVICES 256

typedef struct {
    uint32_t correlation;
    uint32_t external;
    bool launched; /* its LAUNCH was written: the same call seen from the driver is not written again */
} argus_correlation;

typedef struct {
    const argus_cupti *api;
    argus_ring *ring;
    argus_clock *clock;
    argus_gate *gate;
    uint32_t signals; /* that are wanted now; records of others are left out */
    argus_names names;
    argus_losses losses;
    argus_correlation *correlations;
    unsigned char devices[ARGUS_DEVICES / 8]; /* seen since they were last asked for */
    bool new_device;
    uint64_t records; /* read from buffers, ever */
    uint64_t unknown; /* of kinds that nobody asked for: not losses */
    bool settling;       /* buffers were fetched by force: what has no end in them has not ended */
    uint64_t unfinished; /* such records; their ends will not be told */
} argus_convert;

int argus_convert_init(argus_convert *convert, const argus_cupti *api, argus_ring *ring, argus_clock *clock,
                       argus_gate *gate, uint32_t name_slots);
void argus_convert_free(argus_convert *convert);

/* One buffer. bytes: its size; valid: what CUPTI says is filled. now: of the records' clock, for losses. */
void argus_convert_buffer(argus_convert *convert, unsigned char *buffer, size_t bytes, size_t valid, uint64_t now);

/* Names and devices are told again. */
void argus_convert_attach(argus_convert *convert);

/* Writes a record, ring-full losses before it. {@return whether there was room; else it is counted} */
bool argus_convert_emit(argus_convert *convert, const argus_record *record, uint64_t now);

/* The id of a text for records of this producer; counts what goes wrong. {@return false: drop the record, it is counted} */
bool argus_convert_name(argus_convert *convert, const char *text, uint32_t *id, uint64_t now);

#endif
