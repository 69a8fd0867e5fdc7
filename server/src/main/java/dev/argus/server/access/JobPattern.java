package dev.argus.server.access;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Which jobs a token is for: a name, percent-encoded, in which {@code *} stands for any run of characters. A star of the name itself is {@code %2A}.
 */
final class JobPattern {
    private final String[] parts;

    private JobPattern(String[] parts) {
        this.parts = parts;
    }

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException if it is none
     */
    static JobPattern parse(String text) {
        String[] parts = text.split("\\*", -1);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = URLDecoder.decode(parts[i].replace("+", "%2B"), StandardCharsets.UTF_8);
        }
        return new JobPattern(parts);
    }

    /** The pattern of exactly one job. */
    static String of(String job) {
        return URLEncoder.encode(job, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
    }

    /** Whether a job is one of these; O(length of the name x parts). */
    boolean matches(String job) {
        if (parts.length == 1) {
            return job.equals(parts[0]);
        }
        int at = parts[0].length();
        if (!job.startsWith(parts[0])) {
            return false;
        }
        for (int i = 1; i < parts.length - 1; i++) {
            int found = job.indexOf(parts[i], at);
            if (found < 0) {
                return false;
            }
            at = found + parts[i].length();
        }
        String last = parts[parts.length - 1];
        return job.length() - last.length() >= at && job.endsWith(last);
    }
}
