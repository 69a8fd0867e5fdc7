/* Finds libcupti at run time: the one the process already has, else the one of the system. */
#ifndef ARGUS_CUPTI_LOAD_H
#define ARGUS_CUPTI_LOAD_H

#include <stddef.h>

#include "cupti_facts.h"

typedef struct {
    void *library;
    uint32_t version;
#define F(name, parameters) uint32_t(*name) parameters;
    ARGUS_CUPTI_REQUIRED
    ARGUS_CUPTI_OPTIONAL
#undef F
} argus_cupti;

/*
 * path: the library to take, or NULL. any_version: take also versions that were never checked.
 * {@return 0, or -1 with one sentence in problem}
 */
int argus_cupti_load(argus_cupti *api, const char *path, int any_version, char *problem, size_t problem_bytes);

/* {@return what CUPTI calls a result; never NULL} */
const char *argus_cupti_result(const argus_cupti *api, uint32_t result);

#endif
