package dev.argus.server.access;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What of a request decides whether it is let through. All texts are hostile.
 *
 * @param method method
 * @param from address of the client
 * @param host {@code Host}, null when it was not given or given twice
 * @param origin {@code Origin}, or null
 * @param site {@code Sec-Fetch-Site}, or null
 * @param mode {@code Sec-Fetch-Mode}, or null
 * @param authorization {@code Authorization}, or null
 * @param secure true over TLS
 */
public record Asked(
        String method,
        InetAddress from,
        @Nullable String host,
        @Nullable String origin,
        @Nullable String site,
        @Nullable String mode,
        @Nullable String authorization,
        boolean secure) {
    /** True if it changes nothing. */
    public boolean reads() {
        return method.equals("GET") || method.equals("HEAD");
    }
}
