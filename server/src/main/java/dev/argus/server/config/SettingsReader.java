package dev.argus.server.config;

import dev.argus.model.SafeText;
import dev.argus.model.SimilarText;
import dev.argus.transport.PlainFile;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts settings together: defaults, over them a file, over it the environment, over it flags. Strict: what is not known, twice, or not as expected is an
 * error.
 *
 * <p>A file has one {@code name = value} a line; blank lines and lines that begin with {@code #} are nothing, everything behind the first {@code =} is the
 * value, without blanks around it. There are no quotes, no escapes and no sections. UTF-8, at most 256 KiB.
 */
public final class SettingsReader {
    private static final int MOST_BYTES = 256 << 10;

    private final Map<String, Setting<?>> known = new LinkedHashMap<>();
    private final Map<String, Given> given = new TreeMap<>();

    private SettingsReader() {
        Settings.ALL.forEach(s -> known.put(s.name(), s));
    }

    /** A value and where it is from. */
    record Given(String value, String source) {}

    /**
     * Reads all.
     *
     * @param file a file, or null for none
     * @param environment all variables; those that begin with {@link Setting#ENVIRONMENT} concern this
     * @param flags values by name, without dashes
     * @throws SettingsException if something cannot be used
     */
    public static ResolvedSettings read(@Nullable Path file, Map<String, String> environment, Map<String, String> flags)
            throws SettingsException {
        SettingsReader reader = new SettingsReader();
        if (file != null) {
            reader.readFile(file);
        }
        for (Map.Entry<String, String> variable : new TreeMap<>(environment).entrySet()) {
            reader.readVariable(variable.getKey(), variable.getValue());
        }
        for (Map.Entry<String, String> flag : flags.entrySet()) {
            Setting<?> setting =
                    reader.known(flag.getKey(), "flag --" + SafeText.of(flag.getKey()), known(reader, "--"));
            reader.given.put(setting.name(), new Given(flag.getValue(), "flag " + setting.flag()));
        }
        return ResolvedSettings.of(reader.given);
    }

    private static List<String> known(SettingsReader reader, String before) {
        return reader.known.keySet().stream().map(name -> before + name).toList();
    }

    private void readVariable(String name, String value) throws SettingsException {
        if (!name.startsWith(Setting.ENVIRONMENT) || ServiceLinks.isOne(name, value)) {
            return;
        }
        for (Setting<?> setting : known.values()) {
            if (setting.variable().equals(name)) {
                given.put(setting.name(), new Given(value, "environment " + name));
                return;
            }
        }
        List<String> variables = known.values().stream().map(Setting::variable).toList();
        throw unknown("environment", name, SimilarText.to(name, variables));
    }

    private void readFile(Path file) throws SettingsException {
        String shown = "file '" + SafeText.of(file.toString()) + "'";
        int at = 0;
        Map<String, Integer> lines = new TreeMap<>();
        for (String line : text(file, shown).split("\\R", -1)) {
            at++;
            String plain = line.strip();
            if (plain.isEmpty() || plain.startsWith("#")) {
                continue;
            }
            String where = shown + " line " + at;
            int sign = plain.indexOf('=');
            if (sign < 1) {
                throw new SettingsException(
                        where + ": found '" + SafeText.of(plain) + "', expected name = value, or # before a remark");
            }
            Setting<?> setting = known(plain.substring(0, sign).strip(), where, List.copyOf(known.keySet()));
            Integer before = lines.put(setting.name(), at);
            if (before != null) {
                throw new SettingsException(
                        where + ": '" + setting.name() + "' stands in line " + before + " already; set it once");
            }
            given.put(setting.name(), new Given(plain.substring(sign + 1).strip(), where));
        }
    }

    private static String text(Path file, String shown) throws SettingsException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(java.nio.ByteBuffer.wrap(PlainFile.read(file, MOST_BYTES)))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new SettingsException(shown + ": not UTF-8, expected lines of name = value");
        } catch (IOException unreadable) {
            throw new SettingsException(shown + ": cannot be read (" + SafeText.of(PlainFile.reason(unreadable), 300)
                    + "); give a readable file");
        }
    }

    private Setting<?> known(String name, String where, List<String> names) throws SettingsException {
        Setting<?> setting = known.get(name);
        if (setting == null) {
            boolean flag = !names.isEmpty() && names.getFirst().startsWith("--");
            throw unknown(where, name, SimilarText.to(flag ? "--" + name : name, names));
        }
        return setting;
    }

    private static SettingsException unknown(String where, String name, @Nullable String similar) {
        String hint = similar == null ? "" : "; did you mean " + similar + "?";
        return new SettingsException(where + ": found '" + SafeText.of(name) + "', which is no setting" + hint
                + " All are shown by: ./argus serve --print-config");
    }
}
