package dev.argus.kafka;

import dev.argus.model.SafeText;
import dev.argus.transport.PlainFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How brokers are reached: a file of properties as Kafka's own tools take it, with what concerns TLS and SASL alone. Secrets are never on a command line, and never printed. The file is read again for each new
 * connection of a client, so that a password can be replaced. Loads none of Kafka's classes.
 *
 * @param file the file, or null for brokers that ask for nothing
 */
public record KafkaAccess(@Nullable Path file) {
    /** Nothing is asked for. */
    public static final KafkaAccess NONE = new KafkaAccess(null);

    private static final int MOST_BYTES = 64 << 10;

    /** What else a client does is Argus' own to say: what holds depends on it. */
    private static final Pattern ALLOWED =
            Pattern.compile("security\\.(protocol|providers)|ssl\\.[a-z.]+|sasl\\.[a-z.]+|client\\.dns\\.lookup");

    /**
     * Reads the file.
     *
     * @return settings of a client by name
     * @throws IOException if it cannot be read, or sets something else; the message has no value in it
     */
    public Map<String, String> read() throws IOException {
        Path from = file;
        Map<String, String> settings = new TreeMap<>();
        if (from == null) {
            return settings;
        }
        String shown = "'" + SafeText.of(from.toString(), 300) + "'";
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text(from, shown)));
        } catch (IllegalArgumentException damaged) {
            throw new IOException(shown + " has an escape that is none; expected lines of name=value", damaged);
        }
        for (String name : properties.stringPropertyNames()) {
            if (!ALLOWED.matcher(name).matches()) {
                throw new IOException(shown + " sets '" + SafeText.of(name, 100)
                        + "', expected security.protocol, ssl.*, sasl.* or client.dns.lookup alone");
            }
            settings.put(name, properties.getProperty(name));
        }
        return settings;
    }

    private static String text(Path from, String shown) throws IOException {
        try {
            return new String(PlainFile.read(from, MOST_BYTES), StandardCharsets.UTF_8);
        } catch (IOException odd) {
            throw new IOException(
                    shown + ": " + PlainFile.reason(odd) + "; expected a file of properties of at most " + MOST_BYTES
                            + " bytes",
                    odd);
        }
    }
}
