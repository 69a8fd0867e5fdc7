/*
 * cupti_facts.h against the real headers: compiled, never linked, wherever CUDA's headers are found. A fact that does not
 * hold is an error of the compiler.
 */
#include <cupti.h>

#include "cupti_facts.h"

#define SAME(a, b) _Static_assert((unsigned long long)(a) == (unsigned long long)(b), #a " is not " #b)
#define AT(ours, field, theirs, their_field) SAME(offsetof(ours, field), offsetof(theirs, their_field))

SAME(ARGUS_CUPTI_SUCCESS, CUPTI_SUCCESS);
SAME(ARGUS_CUPTI_MAX_LIMIT_REACHED, CUPTI_ERROR_MAX_LIMIT_REACHED);
SAME(ARGUS_CUPTI_INVALID_KIND, CUPTI_ERROR_INVALID_KIND);
SAME(ARGUS_CUPTI_INSUFFICIENT_PRIVILEGES, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
SAME(ARGUS_CUPTI_MULTIPLE_SUBSCRIBERS, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
SAME(ARGUS_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY);
SAME(ARGUS_KIND_MEMSET, CUPTI_ACTIVITY_KIND_MEMSET);
SAME(ARGUS_KIND_DRIVER, CUPTI_ACTIVITY_KIND_DRIVER);
SAME(ARGUS_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_RUNTIME);
SAME(ARGUS_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
SAME(ARGUS_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMCPY2);
SAME(ARGUS_KIND_EXTERNAL_CORRELATION, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
SAME(ARGUS_KIND_GRAPH_TRACE, CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
SAME(ARGUS_FLUSH_FORCED, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
SAME(ARGUS_THREAD_ID_SYSTEM, CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
SAME(ARGUS_DOMAIN_DRIVER, CUPTI_CB_DOMAIN_DRIVER_API);
SAME(ARGUS_DOMAIN_RUNTIME, CUPTI_CB_DOMAIN_RUNTIME_API);
SAME(ARGUS_EXTERNAL_KIND, CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2);
SAME(1, CUPTI_ACTIVITY_MEMCPY_KIND_HTOD);
SAME(2, CUPTI_ACTIVITY_MEMCPY_KIND_DTOH);
SAME(3, CUPTI_ACTIVITY_MEMCPY_KIND_HTOA);
SAME(4, CUPTI_ACTIVITY_MEMCPY_KIND_ATOH);
SAME(5, CUPTI_ACTIVITY_MEMCPY_KIND_ATOA);
SAME(6, CUPTI_ACTIVITY_MEMCPY_KIND_ATOD);
SAME(7, CUPTI_ACTIVITY_MEMCPY_KIND_DTOA);
SAME(8, CUPTI_ACTIVITY_MEMCPY_KIND_DTOD);
SAME(9, CUPTI_ACTIVITY_MEMCPY_KIND_HTOH);
SAME(10, CUPTI_ACTIVITY_MEMCPY_KIND_PTOP);

/* Numbers of calls are for ever, but a header knows only those of its time. */
#if CUPTI_API_VERSION >= 130000
#define X(name, number) SAME(number, CUPTI_RUNTIME_TRACE_CBID_##name);
ARGUS_RUNTIME_LAUNCHES
#undef X
#define X(name, number) SAME(number, CUPTI_DRIVER_TRACE_CBID_##name);
ARGUS_DRIVER_LAUNCHES
#undef X
#endif

#define KERNEL(theirs)                                                                                                \
    AT(argus_cupti_kernel, kind, theirs, kind);                                                                       \
    AT(argus_cupti_kernel, start, theirs, start);                                                                     \
    AT(argus_cupti_kernel, end, theirs, end);                                                                         \
    AT(argus_cupti_kernel, device, theirs, deviceId);                                                                 \
    AT(argus_cupti_kernel, stream, theirs, streamId);                                                                 \
    AT(argus_cupti_kernel, grid, theirs, gridX);                                                                      \
    AT(argus_cupti_kernel, block, theirs, blockX);                                                                    \
    AT(argus_cupti_kernel, correlation, theirs, correlationId);                                                       \
    AT(argus_cupti_kernel, name, theirs, name);                                                                       \
    AT(argus_cupti_kernel, graph_node, theirs, graphNodeId);                                                          \
    _Static_assert(sizeof(argus_cupti_kernel) <= sizeof(theirs), "longer than " #theirs)

KERNEL(CUpti_ActivityKernel5);
KERNEL(CUpti_ActivityKernel6);
KERNEL(CUpti_ActivityKernel7);
KERNEL(CUpti_ActivityKernel8);
#if CUPTI_API_VERSION >= 19
KERNEL(CUpti_ActivityKernel9);
#endif
#if CUPTI_API_VERSION >= 130000
KERNEL(CUpti_ActivityKernel10);
#endif

#define MOVE(ours, theirs)                                                                                            \
    AT(ours, bytes, theirs, bytes);                                                                                   \
    AT(ours, start, theirs, start);                                                                                   \
    AT(ours, end, theirs, end);                                                                                       \
    AT(ours, device, theirs, deviceId);                                                                               \
    AT(ours, stream, theirs, streamId)

#define MEMCPY(theirs)                                                                                                \
    MOVE(argus_cupti_memcpy, theirs);                                                                                 \
    AT(argus_cupti_memcpy, copy_kind, theirs, copyKind);                                                              \
    AT(argus_cupti_memcpy, correlation, theirs, correlationId);                                                       \
    _Static_assert(sizeof(argus_cupti_memcpy) <= sizeof(theirs), "longer than " #theirs)

#define PEER(theirs)                                                                                                  \
    MOVE(argus_cupti_memcpy, theirs);                                                                                 \
    AT(argus_cupti_memcpy, peer_correlation, theirs, correlationId);                                                  \
    _Static_assert(sizeof(argus_cupti_memcpy) <= sizeof(theirs), "longer than " #theirs)

#define MEMSET(theirs)                                                                                                \
    MOVE(argus_cupti_memset, theirs);                                                                                 \
    AT(argus_cupti_memset, correlation, theirs, correlationId);                                                       \
    _Static_assert(sizeof(argus_cupti_memset) <= sizeof(theirs), "longer than " #theirs)

MEMCPY(CUpti_ActivityMemcpy3);
MEMCPY(CUpti_ActivityMemcpy4);
MEMCPY(CUpti_ActivityMemcpy5);
PEER(CUpti_ActivityMemcpyPtoP2);
PEER(CUpti_ActivityMemcpyPtoP3);
PEER(CUpti_ActivityMemcpyPtoP4);
MEMSET(CUpti_ActivityMemset2);
MEMSET(CUpti_ActivityMemset3);
MEMSET(CUpti_ActivityMemset4);
#if CUPTI_API_VERSION >= 130000
MEMCPY(CUpti_ActivityMemcpy6);
#endif

#define CALL CUpti_ActivityAPI
AT(argus_cupti_api_call, cbid, CALL, cbid);
AT(argus_cupti_api_call, start, CALL, start);
AT(argus_cupti_api_call, end, CALL, end);
AT(argus_cupti_api_call, thread, CALL, threadId);
AT(argus_cupti_api_call, correlation, CALL, correlationId);
SAME(sizeof(argus_cupti_api_call), sizeof(CALL));

AT(argus_cupti_external, external_kind, CUpti_ActivityExternalCorrelation, externalKind);
AT(argus_cupti_external, external, CUpti_ActivityExternalCorrelation, externalId);
AT(argus_cupti_external, correlation, CUpti_ActivityExternalCorrelation, correlationId);
SAME(sizeof(argus_cupti_external), sizeof(CUpti_ActivityExternalCorrelation));

#define GRAPH(theirs)                                                                                                 \
    AT(argus_cupti_graph, correlation, theirs, correlationId);                                                        \
    AT(argus_cupti_graph, start, theirs, start);                                                                      \
    AT(argus_cupti_graph, end, theirs, end);                                                                          \
    AT(argus_cupti_graph, device, theirs, deviceId);                                                                  \
    AT(argus_cupti_graph, graph, theirs, graphId);                                                                    \
    AT(argus_cupti_graph, stream, theirs, streamId);                                                                  \
    _Static_assert(sizeof(argus_cupti_graph) <= sizeof(theirs), "longer than " #theirs)

GRAPH(CUpti_ActivityGraphTrace);
#if CUPTI_API_VERSION >= 130000
GRAPH(CUpti_ActivityGraphTrace2);
#endif

/*
 * Prototypes: enumerations without negative values are unsigned int here, so ours, which say uint32_t, are compatible.
 * Only the iterator has a type of its own, whose one field is the kind.
 */
SAME(sizeof(CUpti_Activity), sizeof(argus_cupti_any));
typedef uint32_t (*next_record)(uint8_t *, size_t, CUpti_Activity **);
void argus_check_prototypes(void);
void argus_check_prototypes(void) {
    next_record next = cuptiActivityGetNextRecord;
    (void)next;
#define F(name, parameters)                                                                                           \
    {                                                                                                                 \
        uint32_t(*function) parameters = CHECKED_##name;                                                              \
        (void)function;                                                                                               \
    }
#define CHECKED_GetVersion cuptiGetVersion
#define CHECKED_ActivityRegisterCallbacks cuptiActivityRegisterCallbacks
#define CHECKED_ActivityEnable cuptiActivityEnable
#define CHECKED_ActivityDisable cuptiActivityDisable
#define CHECKED_ActivityFlushAll cuptiActivityFlushAll
#define CHECKED_ActivityGetNextRecord NULL /* above */
#define CHECKED_ActivityGetNumDroppedRecords cuptiActivityGetNumDroppedRecords
#define CHECKED_GetTimestamp cuptiGetTimestamp
    ARGUS_CUPTI_REQUIRED
#undef F
#if CUPTI_API_VERSION >= 26
#define F(name, parameters)                                                                                           \
    {                                                                                                                 \
        uint32_t(*function) parameters = cupti##name;                                                                 \
        (void)function;                                                                                               \
    }
    ARGUS_CUPTI_OPTIONAL
#undef F
#endif
}
