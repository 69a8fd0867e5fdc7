/*
 * What the library offers to the process it is in. All of it may be called at any time, from any thread, through dlsym or
 * ctypes; nothing waits longer than said, nothing fails, and where the library is off all of it does nothing.
 */
#ifndef ARGUS_CUPTI_H
#define ARGUS_CUPTI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called by the CUDA driver, which is told of the library by CUDA_INJECTION64_PATH. Always returns 1: CUDA goes on. */
int InitializeInjection(void);

/* A training step with this number begins. From one thread at a time. Without it sampling goes by slices of a second. */
void argus_cupti_step(int64_t step);

/*
 * Around a collective call: launches of this thread in between carry the id (its low 32 bits) as external id, if launches
 * are recorded. To be nested, or not at all.
 */
void argus_cupti_push_external(uint64_t id);
void argus_cupti_pop_external(void);

/*
 * Before, and after, another profiler uses CUPTI. Pausing switches all kinds off in the calling thread, has the converter
 * fetch what was recorded, and returns when that is done, after 250 ms at most. From then on nothing of CUPTI is touched until
 * argus_cupti_resume, or until the agent raises the generation of the control word.
 */
void argus_cupti_pause(void);
void argus_cupti_resume(void);

/* 0 off (not injected, filtered, refused), 1 waits for the first GPU work, 2 has a ring. */
int argus_cupti_status(void);

#ifdef __cplusplus
}
#endif

#endif
