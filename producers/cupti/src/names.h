/*
 * Names to string ids, in a table of fixed size that never allocates after it was made.
 *
 * The text itself is not kept: whoever uses a name has it at hand, so a definition can be written again when the agent
 * attaches anew. A name is known by 64 bits of hash and its length.
 */
#ifndef ARGUS_NAMES_H
#define ARGUS_NAMES_H

#include "ring.h"

typedef struct {
    uint64_t hash;
    uint32_t length;
    uint32_t id;    /* 0: the place is free */
    uint32_t epoch; /* in which it was last defined */
} argus_name_entry;

typedef struct {
    argus_name_entry *entries;
    uint32_t slots; /* a power of two; three quarters of it are used at most */
    uint32_t used;
    uint32_t epoch;
} argus_names;

enum argus_name_result {
    ARGUS_NAME_OK,
    ARGUS_NAME_NO_ROOM, /* the ring has no room for the definition: the record that needs it is dropped as "ring full" */
    ARGUS_NAME_FULL,    /* the table is full: id is that of "(other names)" */
};

/* What stands for every name that found no place in the table. */
#define ARGUS_OTHER_NAMES "(other names)"

/* Longer texts are taken for their first megabyte: nobody has such names, and a lost terminator must end somewhere. */
#define ARGUS_NAME_BYTES_MAX ((size_t)1 << 20)

/* slots: a power of two of at least 8. {@return 0, or -1 without memory} */
int argus_names_init(argus_names *names, uint32_t slots);
void argus_names_free(argus_names *names);

/* From now on every name is defined again before its next use. */
void argus_names_attach(argus_names *names);

/* The id of a text, defined in the ring; 0 for NULL or an empty text. */
enum argus_name_result argus_name(argus_names *names, argus_ring *ring, const char *text, uint32_t *id);

#endif
