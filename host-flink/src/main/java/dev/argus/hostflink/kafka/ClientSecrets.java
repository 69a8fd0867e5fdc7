package dev.argus.hostflink.kafka;

import dev.argus.kafka.KafkaAccess;
import dev.argus.model.SafeText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How brokers are reached, without a secret: settings that say where each value is to be found ({@code ${file:PATH:NAME}}, which Kafka's clients read themselves). So no password gets into the job, its state, the memory of whoever
 * submits it, or a page that shows them; and a password that was replaced is read with the next client.
 */
public final class ClientSecrets {
    private static final String PROVIDER = "file";
    private static final String CLASS = "org.apache.kafka.common.config.provider.FileConfigProvider";

    private ClientSecrets() {}

    /**
     * References to what a file sets.
     *
     * @param file as {@link KafkaAccess} reads it; it must be under the same path on each machine of Flink. Null for none
     * @throws IOException if it cannot be read here, or sets what is not for it to set
     * @throws IllegalArgumentException if its path cannot be referred to
     */
    public static Map<String, String> references(@Nullable Path file) throws IOException {
        Map<String, String> settings = new TreeMap<>();
        if (file == null) {
            return settings;
        }
        String path = file.toString();
        if (!file.isAbsolute() || path.indexOf(':') >= 0 || path.indexOf('}') >= 0) {
            throw new IllegalArgumentException(
                    "--kafka-properties '" + SafeText.of(path, 300)
                            + "', expected an absolute path without colons and braces: each machine of Flink reads the file itself");
        }
        for (String name : new KafkaAccess(file).read().keySet()) {
            settings.put(name, "${" + PROVIDER + ":" + path + ":" + name + "}");
        }
        settings.put("config.providers", PROVIDER);
        settings.put("config.providers." + PROVIDER + ".class", CLASS);
        settings.put("config.providers." + PROVIDER + ".param.allowed.paths", path);
        return settings;
    }
}
