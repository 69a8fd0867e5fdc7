package dev.argus.server.access;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How many requests an address may make: a bucket of tokens for each, which fills at a steady rate. An IPv6 address stands for its /64, which one customer has
 * whole. Remembers {@value #MOST_ADDRESSES} addresses; beyond them the one not heard of for longest is forgotten.
 *
 * <p>Thread-safe; O(1).
 */
final class RateLimits {
    static final int MOST_ADDRESSES = 4096;

    /** A burst may be as long as so many seconds of the rate. */
    private static final int BURST_SECONDS = 2;

    private static final double SECOND_NANOS = 1e9;

    private final double perSecond;
    private final LongSupplier nanoTime;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    private static final class Bucket {
        private double tokens;
        private long nanos;

        Bucket(double tokens, long nanos) {
            this.tokens = tokens;
            this.nanos = nanos;
        }
    }

    RateLimits(int perSecond, LongSupplier nanoTime) {
        this.perSecond = perSecond;
        this.nanoTime = nanoTime;
    }

    /** Whether an address may ask once more; if so, that is counted. */
    synchronized boolean take(InetAddress address) {
        Bucket bucket = bucket(address);
        if (bucket.tokens < 1) {
            return false;
        }
        bucket.tokens--;
        return true;
    }

    /** What an address asked for was refused: that counts for more. */
    synchronized void charge(InetAddress address, int more) {
        Bucket bucket = bucket(address);
        bucket.tokens = Math.max(0, bucket.tokens - more);
    }

    /** Addresses remembered. */
    synchronized int size() {
        return buckets.size();
    }

    private Bucket bucket(InetAddress address) {
        long now = nanoTime.getAsLong();
        double full = perSecond * BURST_SECONDS;
        Bucket bucket = buckets.computeIfAbsent(key(address), key -> new Bucket(full, now));
        bucket.tokens = Math.min(full, bucket.tokens + (now - bucket.nanos) / SECOND_NANOS * perSecond);
        bucket.nanos = now;
        return bucket;
    }

    private static String key(InetAddress address) {
        byte[] bytes = address.getAddress();
        return Arrays.toString(address instanceof Inet6Address ? Arrays.copyOf(bytes, 8) : bytes);
    }
}
