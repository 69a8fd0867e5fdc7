/* What the environment says. Read once, when the library is loaded, in the thread that loads it. */
#ifndef ARGUS_CONFIG_H
#define ARGUS_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    bool verbose;
    bool any_version;
    const char *cupti_path; /* NULL: look for it */
    char ring_dir[900];
    uint64_t ring_records;
    uint32_t buffers;
    size_t buffer_bytes;
    uint32_t flush_millis;
    uint32_t exit_millis;
    uint32_t retake_seconds; /* 0: never by itself */
    uint32_t settle_seconds; /* silence after which everything that has ended is fetched by force; 0: never */
    uint32_t name_slots;
    uint32_t signals;  /* to begin with */
    uint32_t allowed;  /* that the control word may switch on */
    bool cupti_clock; /* CUPTI keeps its own clock */
    bool all_calls;    /* launches although this CUPTI can record only all calls or none */
    int32_t rank, local_rank, world_size;
    char job[128];
} argus_config;

void argus_config_read(argus_config *config);

/* One line to standard error, where ARGUS_VERBOSE=1. */
void argus_say(const argus_config *config, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
