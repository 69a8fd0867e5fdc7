/* What the host and the driver say of this process and its GPUs. */
#ifndef ARGUS_HOST_H
#define ARGUS_HOST_H

#include <stddef.h>
#include <stdint.h>

/* /proc/self/stat, field 22; 0 when it cannot be read. */
uint64_t argus_start_ticks(void);

/* The same from the text of the file: the name in brackets may hold anything. */
uint64_t argus_parse_start_ticks(const char *stat);

/* Inode of /proc/self/ns/pid; 0 when it cannot be read. */
uint64_t argus_pid_namespace(void);

/* Model and uuid ("GPU-...") of a device by its number in this process; empty where the driver does not tell. */
void argus_gpu(uint32_t device, char *model, size_t model_bytes, char *uuid, size_t uuid_bytes);

#endif
