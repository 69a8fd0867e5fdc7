package dev.argus.server.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.testkit.Shared;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** What lies in {@code deploy}, as tests read it. */
final class MonitoringFiles {
    static final Path DEPLOY = Shared.repository().resolve("deploy");
    static final Path RULES = DEPLOY.resolve("prometheus/argus.rules.yml");

    private MonitoringFiles() {}

    /** Dashboards. */
    static List<Path> dashboards() throws IOException {
        try (Stream<Path> files = Files.list(DEPLOY.resolve("grafana"))) {
            return files.filter(f -> f.toString().endsWith(".json")).sorted().toList();
        }
    }

    /** Values of a member of a file of JSON, wherever it stands. */
    static List<String> members(Path file, String name) {
        List<String> values = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), Files.readAllBytes(file))) {
            for (JsonToken t = json.nextToken(); t != null; t = json.nextToken()) {
                if (t == JsonToken.PROPERTY_NAME && json.currentName().equals(name)) {
                    JsonToken value = json.nextToken();
                    if (value == JsonToken.VALUE_STRING) {
                        values.add(json.getString());
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return values;
    }

    /** Values of a key of the rules, which stand on one line each. */
    static List<String> rules(String key) throws IOException {
        List<String> values = new ArrayList<>();
        for (String line : Files.readAllLines(RULES, UTF_8)) {
            String text = line.strip().replaceFirst("^- ", "");
            if (text.startsWith(key + ": ")) {
                values.add(text.substring(key.length() + 2));
            }
        }
        return values;
    }
}
