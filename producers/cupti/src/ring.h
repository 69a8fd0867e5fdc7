/*
 * The writer's end of a ring (docs/design/0008-ring.md). One thread writes; nothing here waits, and after
 * argus_ring_create nothing allocates or calls the system.
 */
#ifndef ARGUS_RING_H
#define ARGUS_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

#define ARGUS_HEADER_BYTES 4096
#define ARGUS_CAPACITY_MIN (UINT64_C(1) << 10)
#define ARGUS_CAPACITY_MAX (UINT64_C(1) << 26)

enum argus_producer { ARGUS_PRODUCER_CUPTI = 1, ARGUS_PRODUCER_PYTHON = 2, ARGUS_PRODUCER_SIMULATED = 3 };
enum argus_clock_kind { ARGUS_CLOCK_REALTIME = 1, ARGUS_CLOCK_MONOTONIC = 2, ARGUS_CLOCK_OTHER = 3 };
enum argus_state { ARGUS_RUNNING = 1, ARGUS_OFF = 2, ARGUS_CLOSED = 3 };
enum argus_why_off {
    ARGUS_NOT_OFF = 0,
    ARGUS_OFF_BY_CONTROL = 1,
    ARGUS_OFF_OTHER_OWNER = 2,
    ARGUS_OFF_ERROR = 3,
    ARGUS_OFF_FORKED = 4,
};

/* Signals in the control word. */
enum {
    ARGUS_SIGNAL_KERNELS = 1 << 3,
    ARGUS_SIGNAL_COPIES = 1 << 4,
    ARGUS_SIGNAL_LAUNCHES = 1 << 5,
    ARGUS_SIGNAL_GRAPH_NODES = 1 << 7,
    ARGUS_SIGNALS_ALL = 0xffff,
};

/* What the header says for good. */
typedef struct {
    uint32_t producer;
    uint32_t clock;
    uint64_t capacity; /* in records */
    uint64_t session;  /* CLOCK_REALTIME nanoseconds when the file was made */
    uint32_t pid;
    uint64_t start_ticks;
    int32_t rank, local_rank, world_size; /* -1 unknown */
    uint64_t pid_namespace;
    uint64_t control; /* the control word to begin with */
} argus_ring_header;

typedef struct {
    unsigned char *map; /* NULL: there is no ring */
    size_t map_bytes;
    uint64_t capacity;
    uint64_t write;      /* copy of writePosition: the writer alone changes it */
    uint64_t read_known; /* readPosition when it was last looked at */
    uint64_t refused;    /* pieces that found no room, ever */
    char path[1024];
} argus_ring;

/*
 * Makes the file DIR/PID-START.NAME.ring with its space reserved. DIR is made with mode 0700 when it is missing.
 * {@return 0, or -1 with one sentence in problem; then nothing is left behind}
 */
int argus_ring_create(argus_ring *ring, const char *dir, const char *name, const argus_ring_header *header,
                      char *problem, size_t problem_bytes);

/* Writes count records as one piece: all are published by one store, or none is written. {@return whether there was room} */
bool argus_ring_write(argus_ring *ring, const argus_record *records, size_t count);

/* {@return records that fit now; looks at the reader's position} */
uint64_t argus_ring_room(argus_ring *ring);

uint64_t argus_ring_control(const argus_ring *ring);
void argus_ring_obeyed(argus_ring *ring, uint64_t control);
void argus_ring_heartbeat(argus_ring *ring, uint64_t monotonic_nanos);
void argus_ring_state(argus_ring *ring, enum argus_state state, enum argus_why_off why);
void argus_ring_dropped(argus_ring *ring, enum argus_loss reason, uint64_t more);

/* Forgets the mapping. The file stays: the reader drains and removes it. */
void argus_ring_unmap(argus_ring *ring);

/*
 * The records that define a string: text of length bytes as UTF-8, cut by the contract's rule when it is too long.
 * records has room for ARGUS_STRING_RECORDS_MAX. {@return how many were filled}
 */
size_t argus_string_records(argus_record *records, uint32_t id, const char *text, size_t length);

/* FNV-1a, 64 bits. */
uint64_t argus_fnv1a(const char *text, size_t length);

#endif
