/* Which processes are watched: a training process is, its launcher, its compilers and its helpers are not. */
#ifndef ARGUS_FILTER_H
#define ARGUS_FILTER_H

#include <stdbool.h>
#include <stddef.h>

/* What the decision is made of; NULL where a variable is not set. */
typedef struct {
    const char *const *argv; /* ends with NULL */
    const char *argus;       /* ARGUS */
    const char *argus_cupti; /* ARGUS_CUPTI */
    const char *only;        /* ARGUS_ONLY: patterns of the shell, separated by commas */
    const char *skip;        /* ARGUS_SKIP: likewise */
    const char *local_rank;  /* LOCAL_RANK */
} argus_process;

/* {@return whether the process is watched; else why tells in one phrase} */
bool argus_filter(const argus_process *process, char *why, size_t why_bytes);

/* The same for this process. */
bool argus_filter_self(char *why, size_t why_bytes);

#endif
