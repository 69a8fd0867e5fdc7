package dev.argus.model;

/** Origin of an interval on the CPU side of a trace. */
public enum SpanKind {
    /** A range the framework or the user named (record_function, NVTX). */
    ANNOTATION,
    /** A framework operator. */
    OPERATOR,
    /** A Python frame. */
    PYTHON,
    /** A call of the GPU runtime or driver. */
    RUNTIME,
    /** The shadow of an annotation on a GPU stream: first kernel to last kernel started inside it. */
    GPU_ANNOTATION,
    /** The operating system: a thread that could have run and had no CPU. */
    SCHEDULER
}
