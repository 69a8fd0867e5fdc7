package dev.argus.server.config;

import dev.argus.model.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Settings put together, each with where it is from. */
public final class ResolvedSettings {
    private static final String DEFAULT = "default";

    private final Map<String, SettingsReader.Given> values;
    private final ServerSettings settings;

    private ResolvedSettings(Map<String, SettingsReader.Given> values, ServerSettings settings) {
        this.values = values;
        this.settings = settings;
    }

    static ResolvedSettings of(Map<String, SettingsReader.Given> given) throws SettingsException {
        Map<String, SettingsReader.Given> values = new TreeMap<>();
        for (Setting<?> setting : Settings.ALL) {
            SettingsReader.Given value =
                    given.getOrDefault(setting.name(), new SettingsReader.Given(setting.initial(), DEFAULT));
            values.put(setting.name(), value);
        }
        return new ResolvedSettings(values, together(values));
    }

    /** The settings. */
    public ServerSettings settings() {
        return settings;
    }

    /** Where a setting is from: {@code default}, a file with its line, a variable, a flag. */
    public String source(Setting<?> setting) {
        return values.getOrDefault(setting.name(), new SettingsReader.Given("", DEFAULT))
                .source();
    }

    /** All settings as a file that sets them so, each with where it is from; secrets are left out. */
    public String print() {
        StringBuilder out = new StringBuilder();
        for (Setting<?> setting : Settings.ALL) {
            String value = values.getOrDefault(setting.name(), new SettingsReader.Given("", DEFAULT))
                    .value();
            out.append("# ").append(setting.text()).append('\n');
            out.append("# ")
                    .append(setting.type())
                    .append(", from: ")
                    .append(source(setting))
                    .append('\n');
            String line =
                    setting.name() + " = " + SafeText.sentence(setting.shown().apply(value));
            out.append(value.isEmpty() ? "# " + line.strip() : line).append("\n\n");
        }
        return out.toString();
    }

    private static <T extends @Nullable Object> T read(Map<String, SettingsReader.Given> values, Setting<T> setting)
            throws SettingsException {
        SettingsReader.Given value = values.getOrDefault(setting.name(), new SettingsReader.Given("", DEFAULT));
        try {
            return setting.reader().apply(value.value());
        } catch (IllegalArgumentException wrong) {
            String found = setting.secret() ? "something else (not shown)" : "'" + SafeText.of(value.value()) + "'";
            throw new SettingsException(
                    value.source() + ": " + setting.name() + ": found " + found + ", expected " + wrong.getMessage());
        }
    }

    private static ServerSettings together(Map<String, SettingsReader.Given> values) throws SettingsException {
        ServerSettings all = new ServerSettings(
                read(values, Settings.HOST),
                read(values, Settings.PORT),
                read(values, Settings.ALLOWED_HOSTS),
                read(values, Settings.DATA),
                read(values, Settings.DISK),
                read(values, Settings.CERTIFICATES),
                read(values, Settings.CERTIFICATE_KEY),
                read(values, Settings.OBJECTS),
                read(values, Settings.S3_ENDPOINT),
                read(values, Settings.WEBHOOKS),
                read(values, Settings.TOPOLOGY),
                read(values, Settings.CHECKPOINT_EACH),
                read(values, Settings.LATENESS),
                read(values, Settings.MOST_JOBS),
                read(values, Settings.MOST_RANKS),
                read(values, Settings.QUEUE),
                read(values, Settings.EXCERPT),
                read(values, Settings.REQUESTS_PER_SECOND),
                read(values, Settings.MOST_CONNECTIONS),
                read(values, Settings.FORWARD),
                read(values, Settings.INCIDENTS_FROM),
                read(values, Settings.KAFKA_PROPERTIES),
                read(values, Settings.NAMES_EACH));
        needs(values, Settings.CERTIFICATE_KEY, Settings.CERTIFICATES);
        needs(values, Settings.S3_ENDPOINT, Settings.OBJECTS);
        return all;
    }

    private static void needs(Map<String, SettingsReader.Given> values, Setting<?> one, Setting<?> other)
            throws SettingsException {
        SettingsReader.Given none = new SettingsReader.Given("", DEFAULT);
        SettingsReader.Given first = values.getOrDefault(one.name(), none);
        if (!first.value().isEmpty()
                && values.getOrDefault(other.name(), none).value().isEmpty()) {
            throw new SettingsException(
                    first.source() + ": " + one.name() + " is set and " + other.name() + " is not; set both, or none");
        }
    }

    /** What whoever starts the server should know about these settings, in sentences. */
    public List<String> notices() {
        List<String> notices = new ArrayList<>();
        if (!settings.loopback()) {
            notices.add("listens on " + SafeText.of(settings.host())
                    + ", which others can reach: every request needs a token (docs/server.md)");
            if (settings.certificates() == null) {
                notices.add("without TLS tokens can be read on the way: set " + Settings.CERTIFICATES.name()
                        + ", or put a proxy with TLS before it");
            }
        }
        if (settings.forward() != null) {
            notices.add("hands frames on to " + settings.forward() + " and judges nothing");
        }
        if (settings.incidentsFrom() != null) {
            notices.add("shows what others found, from " + settings.incidentsFrom()
                    + (settings.forward() == null ? "; takes no frames" : ""));
        }
        return notices;
    }
}
