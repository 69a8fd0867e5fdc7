/*
 * Reads a ring back, as an independent second opinion: it knows the layout from docs/design/0008-ring.md, not from the
 * writer's sources.
 */
#ifndef INSPECT_H
#define INSPECT_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    unsigned char *map;
    size_t bytes;
    uint64_t capacity;
} ring_view;

typedef struct {
    uint8_t type, b1, b2, b3;
    uint16_t h2;          /* bytes 2 and 3 */
    uint32_t w4;          /* bytes 4 to 7, and so on */
    uint64_t q8, q16, q24;
    uint32_t w24, w28;
    float f28;
    uint64_t duration;    /* of q16 */
    uint32_t lane;
    unsigned char bytes[32];
} seen;

/* Opens writable, as the agent does. The header is checked. */
ring_view view_open(const char *path);
void view_close(ring_view *view);

/* The only *.ring in a folder, waited for up to so many milliseconds; NULL when there is none. */
const char *view_find(const char *folder, int millis);

uint64_t view_written(const ring_view *view);
uint64_t view_read(const ring_view *view);
void view_take(ring_view *view, uint64_t up_to); /* sets readPosition */
void view_control(ring_view *view, uint64_t control);
uint64_t view_control_now(const ring_view *view);
uint64_t view_obeyed(const ring_view *view);
uint64_t view_heartbeat(const ring_view *view);
uint32_t view_state(const ring_view *view);
uint32_t view_why(const ring_view *view);
uint32_t view_clock(const ring_view *view);
int32_t view_rank(const ring_view *view);
uint64_t view_dropped(const ring_view *view, unsigned reason);

seen view_record(const ring_view *view, uint64_t position);

/* How many records of a type lie between two positions, all checked for a known type. */
uint64_t view_count(const ring_view *view, unsigned type, uint64_t from, uint64_t to);

/* The text of a string id, by its last definition before a position; NULL when undefined. Valid until the next call. */
const char *view_text(const ring_view *view, uint32_t id, uint64_t before);

/* Waits up to so many milliseconds until a type has been written so often, or the state is so. {@return whether} */
int view_await_count(const ring_view *view, unsigned type, uint64_t count, int millis);
int view_await_state(const ring_view *view, uint32_t state, uint32_t why, int millis);

#endif
