/*
 * The records of the ring: 32 bytes, little-endian, as docs/design/0008-ring.md lays them down.
 *
 * Everything here is a pure function from values to bytes. Only the types that a producer of GPU events writes are used
 * in the library; the others are here so that one place in C knows all the bytes (the golden test runs them).
 */
#ifndef ARGUS_RECORD_H
#define ARGUS_RECORD_H

#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || __SIZEOF_POINTER__ != 8
#error "the ring is little-endian and 64-bit"
#endif

enum argus_record_type {
    ARGUS_KERNEL = 1,
    ARGUS_COPY = 2,
    ARGUS_SET = 3,
    ARGUS_LAUNCH = 4,
    ARGUS_STEP = 5,
    ARGUS_SPAN = 6,
    ARGUS_COLLECTIVE = 7,
    ARGUS_COLLECTIVE_MORE = 8,
    ARGUS_GROUP = 9,
    ARGUS_IDENTITY = 10,
    ARGUS_STRING = 11,
    ARGUS_STRING_MORE = 12,
    ARGUS_CLOCK = 13,
    ARGUS_LOSS = 14,
    ARGUS_REPORTED = 15,
};

/* Why something is missing; the index of a count in the header and the reason of a LOSS record. */
enum argus_loss {
    ARGUS_LOSS_RING_FULL = 0,
    ARGUS_LOSS_DRIVER = 1,
    ARGUS_LOSS_NO_BUFFER = 2,
    ARGUS_LOSS_IMPOSSIBLE = 3,
    ARGUS_LOSS_NAMES_FULL = 4,
    ARGUS_LOSS_OTHER_OWNER = 5,
    ARGUS_LOSS_UNJOINED = 6,
    ARGUS_LOSS_INTERNAL = 7,
    ARGUS_LOSS_OFF = 8,
    ARGUS_LOSS_REASONS = 12,
};

enum argus_identity_key {
    ARGUS_ID_RANK = 1,
    ARGUS_ID_LOCAL_RANK = 2,
    ARGUS_ID_WORLD_SIZE = 3,
    ARGUS_ID_HOST = 4,
    ARGUS_ID_JOB = 5,
    ARGUS_ID_SOFTWARE = 7,
    ARGUS_ID_GPU_MODEL = 8,
    ARGUS_ID_GPU_UUID = 9,
    ARGUS_ID_CURRENT_DEVICE = 10,
};

/* GRAPH: a node of a graph. CUT: the duration was longer than fits. */
enum { ARGUS_FLAG_GRAPH = 1, ARGUS_FLAG_CUT = 2 };

#define ARGUS_RECORD_BYTES 32
#define ARGUS_STRING_PART 24
#define ARGUS_STRING_BYTES_MAX 4096
#define ARGUS_STRING_RECORDS_MAX (1 + (ARGUS_STRING_BYTES_MAX - ARGUS_STRING_PART + ARGUS_STRING_PART - 1) / ARGUS_STRING_PART)

/* The longest duration that fits, 18 minutes; longer ones are cut to it and flagged. */
#define ARGUS_DURATION_MAX ((UINT64_C(1) << 40) - 1)

typedef struct {
    unsigned char bytes[ARGUS_RECORD_BYTES];
} argus_record;

static inline void argus_put16(argus_record *r, int at, uint16_t v) { memcpy(r->bytes + at, &v, 2); }
static inline void argus_put32(argus_record *r, int at, uint32_t v) { memcpy(r->bytes + at, &v, 4); }
static inline void argus_put64(argus_record *r, int at, uint64_t v) { memcpy(r->bytes + at, &v, 8); }

static inline argus_record argus_blank(enum argus_record_type type) {
    argus_record r = {{0}};
    r.bytes[0] = (unsigned char)type;
    return r;
}

/* The duration and, above it, a thread or stream of which 24 bits are kept. {@return whether the duration was cut} */
static inline int argus_put_duration(argus_record *r, uint64_t nanos, uint32_t lane) {
    int cut = nanos > ARGUS_DURATION_MAX;
    argus_put64(r, 16, (cut ? ARGUS_DURATION_MAX : nanos) | (uint64_t)(lane & 0xffffffu) << 40);
    return cut;
}

static inline argus_record argus_kernel(unsigned device, unsigned flags, uint32_t name, uint64_t start, uint64_t nanos,
                                        uint32_t stream, uint32_t correlation, float threads) {
    argus_record r = argus_blank(ARGUS_KERNEL);
    r.bytes[1] = (unsigned char)device;
    argus_put32(&r, 4, name);
    argus_put64(&r, 8, start);
    if (argus_put_duration(&r, nanos, stream)) {
        flags |= ARGUS_FLAG_CUT;
    }
    argus_put16(&r, 2, (uint16_t)flags);
    argus_put32(&r, 24, correlation);
    memcpy(r.bytes + 28, &threads, 4);
    return r;
}

/* A copy or, with direction 0, a set. */
static inline argus_record argus_move(enum argus_record_type type, unsigned device, unsigned direction, unsigned flags,
                                      uint64_t moved, uint64_t start, uint64_t nanos, uint32_t stream,
                                      uint32_t correlation) {
    argus_record r = argus_blank(type);
    r.bytes[1] = (unsigned char)device;
    r.bytes[2] = (unsigned char)direction;
    argus_put32(&r, 4, (uint32_t)moved);
    argus_put64(&r, 8, start);
    if (argus_put_duration(&r, nanos, stream)) {
        flags |= ARGUS_FLAG_CUT;
    }
    r.bytes[3] = (unsigned char)flags;
    argus_put32(&r, 24, correlation);
    argus_put32(&r, 28, (uint32_t)(moved >> 32));
    return r;
}

static inline argus_record argus_launch(unsigned flags, uint32_t name, uint64_t start, uint64_t nanos, uint32_t thread,
                                        uint32_t correlation, uint32_t external) {
    argus_record r = argus_blank(ARGUS_LAUNCH);
    argus_put32(&r, 4, name);
    argus_put64(&r, 8, start);
    if (argus_put_duration(&r, nanos, thread)) {
        flags |= ARGUS_FLAG_CUT;
    }
    argus_put16(&r, 2, (uint16_t)flags);
    argus_put32(&r, 24, correlation);
    argus_put32(&r, 28, external);
    return r;
}

static inline argus_record argus_step_record(unsigned flags, uint64_t start, uint64_t nanos, uint32_t thread,
                                             int64_t step) {
    argus_record r = argus_blank(ARGUS_STEP);
    r.bytes[1] = (unsigned char)flags;
    argus_put64(&r, 8, start);
    argus_put_duration(&r, nanos, thread);
    argus_put64(&r, 24, (uint64_t)step);
    return r;
}

static inline argus_record argus_span(unsigned kind, unsigned dimension, unsigned flags, uint32_t name, uint64_t start,
                                      uint64_t nanos, uint32_t lane, uint32_t enclosing, uint32_t external) {
    argus_record r = argus_blank(ARGUS_SPAN);
    r.bytes[1] = (unsigned char)kind;
    r.bytes[2] = (unsigned char)dimension;
    argus_put32(&r, 4, name);
    argus_put64(&r, 8, start);
    if (argus_put_duration(&r, nanos, lane)) {
        flags |= ARGUS_FLAG_CUT;
    }
    r.bytes[3] = (unsigned char)flags;
    argus_put32(&r, 24, enclosing);
    argus_put32(&r, 28, external);
    return r;
}

static inline argus_record argus_collective(unsigned op, unsigned flags, uint32_t group, uint64_t start, uint64_t nanos,
                                            uint32_t thread, uint32_t correlation, int32_t peer) {
    argus_record r = argus_blank(ARGUS_COLLECTIVE);
    r.bytes[1] = (unsigned char)op;
    argus_put32(&r, 4, group);
    argus_put64(&r, 8, start);
    if (argus_put_duration(&r, nanos, thread)) {
        flags |= ARGUS_FLAG_CUT;
    }
    argus_put16(&r, 2, (uint16_t)flags);
    argus_put32(&r, 24, correlation);
    argus_put32(&r, 28, (uint32_t)peer);
    return r;
}

static inline argus_record argus_collective_more(uint32_t operations, int64_t moved, int64_t sequence,
                                                 int32_t group_size, uint32_t name) {
    argus_record r = argus_blank(ARGUS_COLLECTIVE_MORE);
    argus_put32(&r, 4, operations);
    argus_put64(&r, 8, (uint64_t)moved);
    argus_put64(&r, 16, (uint64_t)sequence);
    argus_put32(&r, 24, (uint32_t)group_size);
    argus_put32(&r, 28, name);
    return r;
}

static inline argus_record argus_group(unsigned dimension, uint32_t group, uint32_t name, uint32_t description,
                                       uint32_t members, uint32_t size) {
    argus_record r = argus_blank(ARGUS_GROUP);
    r.bytes[1] = (unsigned char)dimension;
    argus_put32(&r, 4, group);
    argus_put32(&r, 8, name);
    argus_put32(&r, 12, description);
    argus_put32(&r, 16, members);
    argus_put32(&r, 20, size);
    return r;
}

static inline argus_record argus_identity(unsigned key, uint32_t string, int64_t value) {
    argus_record r = argus_blank(ARGUS_IDENTITY);
    r.bytes[1] = (unsigned char)key;
    argus_put32(&r, 4, string);
    argus_put64(&r, 8, (uint64_t)value);
    return r;
}

static inline argus_record argus_clock_record(uint64_t own, uint64_t monotonic, uint64_t realtime) {
    argus_record r = argus_blank(ARGUS_CLOCK);
    argus_put64(&r, 8, own);
    argus_put64(&r, 16, monotonic);
    argus_put64(&r, 24, realtime);
    return r;
}

/* All work that had ended by then, and is recorded, stands before this. */
static inline argus_record argus_reported(uint64_t until) {
    argus_record r = argus_blank(ARGUS_REPORTED);
    argus_put64(&r, 8, until);
    return r;
}

static inline argus_record argus_loss_record(unsigned reason, uint64_t from, uint64_t to, uint64_t count) {
    argus_record r = argus_blank(ARGUS_LOSS);
    r.bytes[1] = (unsigned char)reason;
    argus_put64(&r, 8, from);
    argus_put64(&r, 16, to);
    argus_put64(&r, 24, count);
    return r;
}

#endif
