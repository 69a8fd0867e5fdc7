package dev.argus.model;

/** What a GPU was doing: ran a kernel, copied memory, or set memory. */
public enum GpuActivity {
    KERNEL,
    MEMCPY,
    MEMSET
}
