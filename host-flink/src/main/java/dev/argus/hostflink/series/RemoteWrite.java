package dev.argus.hostflink.series;

import dev.argus.model.SafeText;
import dev.argus.transport.PlainFile;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where series go. The token is never in the job: each machine reads the file for each request, so one that was replaced is used with the next.
 *
 * @param to address of the receiver, such as {@code https://prometheus:9090/api/v1/write}
 * @param tokenFile absolute path of a file with the token for it, or null for none
 */
public record RemoteWrite(URI to, @Nullable String tokenFile) implements Serializable {
    /** A longer token is none. */
    private static final int MOST_TOKEN = 8192;

    /** Refuses what cannot work, and a token that would go over the network in the clear. */
    public RemoteWrite {
        String scheme = to.getScheme();
        String host = to.getHost();
        boolean http = "http".equalsIgnoreCase(scheme);
        if ((!http && !"https".equalsIgnoreCase(scheme)) || host == null || to.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "--remote-write '" + SafeText.of(withoutUser(to), 300)
                            + "', expected http(s)://HOST:PORT/PATH without user, such as https://prometheus:9090/api/v1/write");
        }
        boolean loopback = "localhost".equals(host) || host.startsWith("127.") || "[::1]".equals(host);
        if (tokenFile != null && http && !loopback) {
            throw new IllegalArgumentException("--remote-write " + SafeText.of(to.toString(), 300)
                    + " would send the token over the network in the clear, expected https");
        }
        if (tokenFile != null && !Path.of(tokenFile).isAbsolute()) {
            throw new IllegalArgumentException("--remote-write-token-file '" + SafeText.of(tokenFile, 300)
                    + "', expected an absolute path: each machine of Flink reads the file itself");
        }
    }

    /** A password has no place in a message. */
    private static String withoutUser(URI to) {
        return to.toString().replaceFirst("//[^/@]*@", "//...@");
    }

    /**
     * The token as it is now; empty where none is needed.
     *
     * @throws IOException if the file cannot be read, or has no token in it
     */
    String token() throws IOException {
        if (tokenFile == null) {
            return "";
        }
        String token = new String(PlainFile.read(Path.of(tokenFile), MOST_TOKEN), StandardCharsets.UTF_8).strip();
        if (token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IOException("no token of printable ASCII in " + tokenFile);
        }
        return token;
    }
}
