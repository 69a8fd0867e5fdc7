/*
 * What this library knows of CUPTI: numbers, layouts and prototypes, as our own declarations, so that it builds without
 * CUDA and runs with whatever CUPTI the process has. facts_check.c holds every line against the real headers, where there
 * are some, when the library is built.
 *
 * Layouts. The structures CUpti_ActivityKernelN, MemcpyN, MemsetN and GraphTraceN grow with the versions of CUPTI, at their
 * ends: what we read has stood at the same places in Kernel5 to Kernel10, Memcpy3 to 6, MemcpyPtoP2 to 4, Memset2 to 4 and
 * GraphTrace to GraphTrace2 (checked against the headers of 13.0, which keep the older ones). So one layout serves all,
 * records are told apart by their kind, and how long one is only CUPTI's own iterator must know.
 */
#ifndef ARGUS_CUPTI_FACTS_H
#define ARGUS_CUPTI_FACTS_H

#include <stddef.h>
#include <stdint.h>

/* cuptiGetVersion: 18 is CUDA 11.8, from 13.0 on it is major, minor and patch in two digits each. */
#define ARGUS_CUPTI_VERSION_MIN 18u
#define ARGUS_CUPTI_VERSION_MAX 139999u

enum {
    ARGUS_CUPTI_SUCCESS = 0,
    ARGUS_CUPTI_MAX_LIMIT_REACHED = 12,
    ARGUS_CUPTI_INVALID_KIND = 21,
    ARGUS_CUPTI_INSUFFICIENT_PRIVILEGES = 35,
    ARGUS_CUPTI_MULTIPLE_SUBSCRIBERS = 39,
};

enum {
    ARGUS_KIND_MEMCPY = 1,
    ARGUS_KIND_MEMSET = 2,
    ARGUS_KIND_DRIVER = 4,
    ARGUS_KIND_RUNTIME = 5,
    ARGUS_KIND_CONCURRENT_KERNEL = 10, /* KERNEL, 3, would run the kernels one after the other */
    ARGUS_KIND_MEMCPY2 = 22,
    ARGUS_KIND_EXTERNAL_CORRELATION = 39,
    ARGUS_KIND_GRAPH_TRACE = 51,
};

enum {
    ARGUS_FLUSH_FORCED = 1,
    ARGUS_THREAD_ID_SYSTEM = 1,
    ARGUS_DOMAIN_DRIVER = 1,
    ARGUS_DOMAIN_RUNTIME = 2,
    /* CUSTOM2: the profiler of PyTorch uses CUSTOM0 and CUSTOM1. */
    ARGUS_EXTERNAL_KIND = 5,
};

/* The calls that put work on a GPU; all others of the runtime and the driver are left out. */
#define ARGUS_RUNTIME_LAUNCHES                                                                                        \
    X(cudaLaunch_v3020, 13)                                                                                           \
    X(cudaLaunchKernel_v7000, 211)                                                                                    \
    X(cudaLaunch_ptsz_v7000, 213)                                                                                     \
    X(cudaLaunchKernel_ptsz_v7000, 214)                                                                               \
    X(cudaLaunchCooperativeKernel_v9000, 269)                                                                         \
    X(cudaLaunchCooperativeKernel_ptsz_v9000, 270)                                                                    \
    X(cudaLaunchCooperativeKernelMultiDevice_v9000, 272)                                                              \
    X(cudaGraphLaunch_v10000, 311)                                                                                    \
    X(cudaGraphLaunch_ptsz_v10000, 312)                                                                               \
    X(cudaLaunchKernelExC_v11060, 430)                                                                                \
    X(cudaLaunchKernelExC_ptsz_v11060, 431)                                                                           \
    X(__cudaLaunchKernel_v13000, 505)                                                                                 \
    X(__cudaLaunchKernel_ptsz_v13000, 506)

#define ARGUS_DRIVER_LAUNCHES                                                                                         \
    X(cuLaunch, 115)                                                                                                  \
    X(cuLaunchGrid, 116)                                                                                              \
    X(cuLaunchGridAsync, 117)                                                                                         \
    X(cuLaunchKernel, 307)                                                                                            \
    X(cuLaunchKernel_ptsz, 442)                                                                                       \
    X(cuLaunchCooperativeKernel, 477)                                                                                 \
    X(cuLaunchCooperativeKernel_ptsz, 478)                                                                            \
    X(cuLaunchCooperativeKernelMultiDevice, 480)                                                                      \
    X(cuGraphLaunch, 514)                                                                                             \
    X(cuGraphLaunch_ptsz, 515)                                                                                        \
    X(cuLaunchKernelEx, 652)                                                                                          \
    X(cuLaunchKernelEx_ptsz, 653)

#define ARGUS_CUPTI_RECORD __attribute__((packed, aligned(8)))

typedef struct ARGUS_CUPTI_RECORD {
    uint32_t kind;
} argus_cupti_any;

/* Kernel5 to Kernel10 as far as graphNodeId. */
typedef struct ARGUS_CUPTI_RECORD {
    uint32_t kind;
    uint8_t configuration[12];
    uint64_t start, end, completed;
    uint32_t device, context, stream;
    int32_t grid[3], block[3];
    int32_t shared_static, shared_dynamic;
    uint32_t local_per_thread, local_total;
    uint32_t correlation;
    int64_t grid_id;
    const char *name;
    void *reserved;
    uint64_t queued, submitted;
    uint8_t launch[8];
    uint64_t graph_node;
} argus_cupti_kernel;

/* Memcpy3 to 6, and MemcpyPtoP2 to 4, whose correlation is the last field. */
typedef struct ARGUS_CUPTI_RECORD {
    uint32_t kind;
    uint8_t copy_kind, from_kind, to_kind, flags;
    uint64_t bytes, start, end;
    uint32_t device, context, stream;
    uint32_t correlation; /* of a copy between devices: the source's device */
    uint32_t more[3];
    uint32_t peer_correlation;
} argus_cupti_memcpy;

/* Memset2 to 4. */
typedef struct ARGUS_CUPTI_RECORD {
    uint32_t kind;
    uint32_t value;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, correlation;
} argus_cupti_memset;

typedef struct ARGUS_CUPTI_RECORD {
    uint32_t kind;
    uint32_t cbid;
    uint64_t start, end;
    uint32_t process, thread, correlation, result;
} argus_cupti_api_call;

typedef struct ARGUS_CUPTI_RECORD {
    uint32_t kind;
    uint32_t external_kind;
    uint64_t external;
    uint32_t correlation;
    uint32_t reserved;
} argus_cupti_external;

/* GraphTrace and GraphTrace2. */
typedef struct ARGUS_CUPTI_RECORD {
    uint32_t kind;
    uint32_t correlation;
    uint64_t start, end;
    uint32_t device, graph, context, stream;
} argus_cupti_graph;

typedef struct CUctx_st *argus_cuda_context;
typedef void (*argus_buffer_requested)(uint8_t **buffer, size_t *size, size_t *most_records);
typedef void (*argus_buffer_completed)(argus_cuda_context context, uint32_t stream, uint8_t *buffer, size_t size,
                                       size_t valid);
typedef uint64_t (*argus_timestamp)(void);

/* Functions: name, parameters. Results are CUptiResult. */
#define ARGUS_CUPTI_REQUIRED                                                                                          \
    F(GetVersion, (uint32_t *))                                                                                       \
    F(ActivityRegisterCallbacks, (argus_buffer_requested, argus_buffer_completed))                                    \
    F(ActivityEnable, (uint32_t))                                                                                     \
    F(ActivityDisable, (uint32_t))                                                                                    \
    F(ActivityFlushAll, (uint32_t))                                                                                   \
    F(ActivityGetNextRecord, (uint8_t *, size_t, argus_cupti_any **))                                                 \
    F(ActivityGetNumDroppedRecords, (argus_cuda_context, uint32_t, size_t *))                                         \
    F(GetTimestamp, (uint64_t *))

/* Not in every version; what is missing without them is said in the README. */
#define ARGUS_CUPTI_OPTIONAL                                                                                          \
    F(ActivityRegisterTimestampCallback, (argus_timestamp))                                                           \
    F(ActivityEnableRuntimeApi, (uint32_t, uint8_t))                                                                  \
    F(ActivityEnableDriverApi, (uint32_t, uint8_t))                                                                   \
    F(ActivityPushExternalCorrelationId, (uint32_t, uint64_t))                                                        \
    F(ActivityPopExternalCorrelationId, (uint32_t, uint64_t *))                                                       \
    F(SetThreadIdType, (uint32_t))                                                                                    \
    F(GetCallbackName, (uint32_t, uint32_t, const char **))                                                           \
    F(GetResultString, (uint32_t, const char **))

#endif
