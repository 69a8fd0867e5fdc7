package dev.argus.hostflink.summaries;

import dev.argus.model.SafeText;
import dev.argus.storage.object.S3Address;
import java.io.Serializable;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where whole steps are kept, and in files of which length.
 *
 * @param to {@code s3://BUCKET} or {@code s3://BUCKET/PREFIX}
 * @param endpoint address of an S3-compatible service, or null for the provider's own
 * @param everyMillis time of a job that goes into one file, milliseconds
 */
public record Summaries(URI to, @Nullable URI endpoint, long everyMillis) implements Serializable {
    private static final long LEAST_MILLIS = 1000;
    private static final long MOST_MILLIS = 86_400_000;

    /** Refuses what cannot work. */
    public Summaries {
        try {
            S3Address.of(to, endpoint);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "--summaries '" + SafeText.of(to.toString(), 300) + "': " + wrong.getMessage(), wrong);
        }
        if (endpoint != null
                && (endpoint.getHost() == null
                        || endpoint.getRawUserInfo() != null
                        || !("http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme())))) {
            throw new IllegalArgumentException("--summaries-endpoint, expected http(s)://HOST:PORT without user");
        }
        if (everyMillis < LEAST_MILLIS || everyMillis > MOST_MILLIS) {
            throw new IllegalArgumentException(
                    "--summaries-every of " + everyMillis + " ms, expected a second to a day, such as PT10M");
        }
    }

    /** As the store of objects takes it. */
    S3Address address() {
        return S3Address.of(to, endpoint);
    }
}
