#define _GNU_SOURCE
#include "names.h"

#include <stdlib.h>

int argus_names_init(argus_names *names, uint32_t slots) {
    names->entries = calloc(slots, sizeof *names->entries);
    names->slots = slots;
    names->used = 0;
    names->epoch = 1;
    return names->entries == NULL ? -1 : 0;
}

void argus_names_free(argus_names *names) {
    free(names->entries);
    names->entries = NULL;
}

void argus_names_attach(argus_names *names) { names->epoch++; }

/*
 * Eight bytes at a time: names of kernels have hundreds of bytes and come with every record. (FNV-1a of the contract goes
 * byte by byte; it is taken only for names that are cut.)
 */
static uint64_t quick_hash(const char *text, size_t length) {
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15) ^ length;
    size_t at = 0;
    for (; at < length; at += 8) {
        uint64_t piece = 0;
        memcpy(&piece, text + at, length - at < 8 ? length - at : 8);
        hash = (hash ^ piece) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    hash *= UINT64_C(0xc4ceb9fe1a85ec53);
    return hash ^ hash >> 29;
}

/* {@return the entry of the name, perhaps a free one} */
static argus_name_entry *place(argus_names *names, uint64_t hash, uint32_t length) {
    for (uint32_t at = (uint32_t)hash;; at++) {
        argus_name_entry *entry = &names->entries[at & (names->slots - 1)];
        if (entry->id == 0 || (entry->hash == hash && entry->length == length)) {
            return entry;
        }
    }
}

static bool define(argus_names *names, argus_ring *ring, argus_name_entry *entry, const char *text, size_t length) {
    argus_record records[ARGUS_STRING_RECORDS_MAX];
    size_t count = argus_string_records(records, entry->id, text, length);
    if (!argus_ring_write(ring, records, count)) {
        return false;
    }
    entry->epoch = names->epoch;
    return true;
}

static enum argus_name_result use(argus_names *names, argus_ring *ring, argus_name_entry *entry, uint64_t hash,
                                  const char *text, size_t length, uint32_t *id) {
    if (entry->id == 0) {
        entry->hash = hash;
        entry->length = (uint32_t)length;
        entry->id = ++names->used;
        entry->epoch = 0;
    }
    if (entry->epoch != names->epoch && !define(names, ring, entry, text, length)) {
        *id = 0;
        return ARGUS_NAME_NO_ROOM;
    }
    *id = entry->id;
    return ARGUS_NAME_OK;
}

enum argus_name_result argus_name(argus_names *names, argus_ring *ring, const char *text, uint32_t *id) {
    *id = 0;
    size_t length = text == NULL ? 0 : strnlen(text, ARGUS_NAME_BYTES_MAX);
    if (length == 0) {
        return ARGUS_NAME_OK;
    }
    uint64_t hash = quick_hash(text, length);
    argus_name_entry *entry = place(names, hash, (uint32_t)length);
    uint32_t limit = names->slots / 4 * 3;
    if (entry->id != 0 || names->used < limit - 1) {
        return use(names, ring, entry, hash, text, length, id);
    }
    /* The last place is kept for the name of all others. */
    size_t other_length = sizeof ARGUS_OTHER_NAMES - 1;
    uint64_t other = quick_hash(ARGUS_OTHER_NAMES, other_length);
    entry = place(names, other, (uint32_t)other_length);
    enum argus_name_result result = use(names, ring, entry, other, ARGUS_OTHER_NAMES, other_length, id);
    return result == ARGUS_NAME_OK ? ARGUS_NAME_FULL : result;
}
