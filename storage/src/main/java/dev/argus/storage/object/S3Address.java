package dev.argus.storage.object;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a bucket is and how patient its client is.
 *
 * @param bucket bucket
 * @param prefix what every key begins with there; empty, or ending with {@code /}
 * @param endpoint address of the service, or null for the provider's own; with one, the bucket goes into the path
 * @param partBytes files longer than this go in parts of so many bytes; at least 5 MiB, as the protocol demands
 * @param attempt longest time of one try
 * @param whole longest time of one call with all its tries
 */
public record S3Address(
        String bucket, String prefix, @Nullable URI endpoint, long partBytes, Duration attempt, Duration whole) {
    private static final long LEAST_PART = 5L << 20;

    /** Checks names and sizes. */
    public S3Address {
        if (!bucket.matches("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")) {
            throw new IllegalArgumentException(
                    "bucket '" + bucket.replaceAll("[^ -~]", "?") + "': expected 3 to 63 characters of a-z 0-9 . -");
        }
        ObjectKeys.checkPrefix(prefix);
        if (!prefix.isEmpty() && !prefix.endsWith("/")) {
            throw new IllegalArgumentException("prefix '" + prefix + "': expected one that ends with /");
        }
        if (partBytes < LEAST_PART) {
            throw new IllegalArgumentException("parts of " + partBytes + " bytes: expected at least " + LEAST_PART);
        }
    }

    /**
     * Of {@code s3://bucket/prefix}: parts of 16 MiB, a minute for a try, three for a call.
     *
     * @throws IllegalArgumentException if it is no such address
     */
    public static S3Address of(URI address, @Nullable URI endpoint) {
        String bucket = address.getAuthority();
        if (!"s3".equals(address.getScheme()) || bucket == null || address.getQuery() != null) {
            throw new IllegalArgumentException("expected s3://bucket or s3://bucket/prefix");
        }
        String path = address.getPath() == null ? "" : address.getPath().replaceAll("^/+|/+$", "");
        return new S3Address(
                bucket,
                path.isEmpty() ? "" : path + "/",
                endpoint,
                16L << 20,
                Duration.ofMinutes(1),
                Duration.ofMinutes(3));
    }
}
