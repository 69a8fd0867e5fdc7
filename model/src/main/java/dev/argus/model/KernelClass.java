package dev.argus.model;

/**
 * Class of a GPU kernel: {@code COMPUTE}, {@code COMMUNICATION} (NCCL, RCCL and the like) or {@code MEMORY} (copies and
 * sets, whether by the copy engine or by a kernel).
 */
public enum KernelClass {
    COMPUTE,
    COMMUNICATION,
    MEMORY
}
