package dev.argus.model;

import org.jspecify.annotations.Nullable;

/**
 * The GPU behind a rank.
 *
 * @param rank global rank
 * @param host host name, or null when unknown
 * @param index GPU index on the host, or -1 when unknown
 * @param uuid GPU uuid, or null when unknown
 */
public record GpuRef(
        int rank,
        @Nullable String host,
        int index,
        @Nullable String uuid) {}
