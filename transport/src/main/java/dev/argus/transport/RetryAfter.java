package dev.argus.transport;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;

/** The header {@code Retry-After} (RFC 9110, section 10.2.3), as a stranger may write it. */
public final class RetryAfter {
    /** What it says where it says nothing, or nothing that can be read. */
    public static final long NONE = -1;

    private RetryAfter() {}

    /** Milliseconds to wait, 0 or more and of any size, or {@link #NONE}. */
    public static long millis(String header, InstantSource clock) {
        String text = header.strip();
        if (text.isEmpty()) {
            return NONE;
        }
        if (text.length() <= 9 && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return TimeUnit.SECONDS.toMillis(Long.parseLong(text));
        }
        try {
            Instant at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return Math.max(0, Duration.between(clock.instant(), at).toMillis());
        } catch (DateTimeException unreadable) {
            return NONE;
        }
    }
}
