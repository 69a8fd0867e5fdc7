/* The ring of this process, made when it first uses a GPU, and what it says of the process. */
#ifndef ARGUS_ATTACH_H
#define ARGUS_ATTACH_H

#include "worker.h"

/* Makes the ring and touches the pool. {@return 0, or -1 with one sentence in problem} */
int argus_attach(argus_worker *worker, uint64_t now, char *problem, size_t problem_bytes);

/* Shows as obeyed what can be: signals that the environment forbids, or that this CUPTI lacks, are shown as off. */
void argus_attach_obeyed(argus_worker *worker);

/* IDENTITY records of the process, and of the devices seen. {@return whether there was room for all} */
bool argus_attach_identity(argus_worker *worker);
bool argus_attach_devices(argus_worker *worker);

#endif
