package dev.argus.server.config;

import dev.argus.kafka.KafkaAddress;
import dev.argus.model.SafeText;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Texts to values; each throws {@link IllegalArgumentException} with what was expected. */
final class SettingTypes {
    private static final Pattern BYTES = Pattern.compile("([0-9]{1,9})(KiB|MiB|GiB|TiB)");
    private static final Map<String, Integer> BYTE_SHIFTS = Map.of("KiB", 10, "MiB", 20, "GiB", 30, "TiB", 40);
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
    private static final Map<String, Long> TIME_MILLIS = Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L);
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:\\[\\]-]{1,253}");
    private static final String ADDRESS = "an address such as https://host:port/path";

    private SettingTypes() {}

    static Function<String, Integer> whole(int least, int most) {
        return text -> {
            if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < least || Integer.parseInt(text) > most) {
                throw new IllegalArgumentException("a whole number from " + least + " to " + most);
            }
            return Integer.parseInt(text);
        };
    }

    static Function<String, Long> bytes(String least) {
        long atLeast = size(least);
        return text -> {
            long size = size(text);
            if (size < atLeast) {
                throw new IllegalArgumentException("a size such as 512MiB or 20GiB, at least " + least);
            }
            return size;
        };
    }

    /** Bytes, -1 when it is no size. */
    private static long size(String text) {
        Matcher matcher = BYTES.matcher(text);
        if (!matcher.matches()) {
            return -1;
        }
        long number = Long.parseLong(matcher.group(1));
        int shift = BYTE_SHIFTS.getOrDefault(matcher.group(2), 0);
        return number > Long.MAX_VALUE >> shift ? -1 : number << shift;
    }

    static Function<String, Duration> time(Duration least, Duration most) {
        return text -> {
            Matcher matcher = TIME.matcher(text);
            if (matcher.matches()) {
                long unit = TIME_MILLIS.getOrDefault(matcher.group(2), 0L);
                Duration time = Duration.ofMillis(Long.parseLong(matcher.group(1)) * unit);
                if (time.compareTo(least) >= 0 && time.compareTo(most) <= 0) {
                    return time;
                }
            }
            throw new IllegalArgumentException(
                    "a time such as 500ms, 5s or 2m, from " + least.toMillis() + "ms to " + most.toSeconds() + "s");
        };
    }

    static String host(String text) {
        if (!HOST.matcher(text).matches()) {
            throw new IllegalArgumentException("a host name or an address, such as 127.0.0.1, 0.0.0.0 or ::1");
        }
        return text;
    }

    static List<String> hosts(String text) {
        return items(text).stream().map(SettingTypes::host).toList();
    }

    static List<String> items(String text) {
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    /** A file or folder; {@code ~/} is the home of the user. */
    static Path path(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a path"); // a variable that is not set is not this folder
        }
        String whole = text.startsWith("~/") ? System.getProperty("user.home", ".") + text.substring(1) : text;
        try {
            return Path.of(whole).toAbsolutePath().normalize();
        } catch (InvalidPathException notOne) {
            throw new IllegalArgumentException("a path");
        }
    }

    static @Nullable Path pathOrNull(String text) {
        return text.isEmpty() ? null : path(text);
    }

    static @Nullable URI address(String text) {
        return text.isEmpty() ? null : http(text);
    }

    private static URI http(String text) {
        try {
            URI uri = new URI(text);
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (!http || uri.getHost() == null || uri.getFragment() != null) {
                throw new IllegalArgumentException(ADDRESS);
            }
            return uri;
        } catch (URISyntaxException notOne) {
            throw new IllegalArgumentException(ADDRESS);
        }
    }

    static @Nullable URI bucket(String text) {
        if (text.isEmpty()) {
            return null;
        }
        if (!text.matches("s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._/=-]*)?")) {
            throw new IllegalArgumentException("s3://BUCKET or s3://BUCKET/PREFIX");
        }
        return URI.create(text);
    }

    static @Nullable KafkaAddress topic(String text, String otherwise) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            return KafkaAddress.of(text, otherwise);
        } catch (IllegalArgumentException notOne) {
            throw new IllegalArgumentException("kafka://HOST:PORT[,HOST:PORT...]/TOPIC");
        }
    }

    static List<ServerSettings.Webhook> webhooks(String text) {
        return items(text).stream().map(SettingTypes::webhook).toList();
    }

    private static ServerSettings.Webhook webhook(String item) {
        int sign = item.indexOf('=');
        String format = sign < 0 ? "" : item.substring(0, sign);
        if (!format.equals("alertmanager") && !format.equals("json")) {
            throw new IllegalArgumentException("a list of alertmanager=ADDRESS or json=ADDRESS");
        }
        return new ServerSettings.Webhook(format, http(item.substring(sign + 1)));
    }

    /** Addresses of webhooks without what may be a secret in them: user, path and query. */
    static String webhooksShown(String text) {
        return String.join(
                ",",
                webhooks(text).stream()
                        .map(w -> w.format() + "=" + shown(w.address()))
                        .toList());
    }

    private static String shown(URI address) {
        String port = address.getPort() < 0 ? "" : ":" + address.getPort();
        String path = address.getPath();
        boolean more = address.getQuery() != null || (path != null && path.length() > 1);
        return address.getScheme() + "://" + SafeText.of(address.getHost()) + port + (more ? "/..." : "");
    }

    /** A layout; only its form is checked here. */
    static String topology(String text) {
        if (!text.isEmpty() && !text.matches("[a-z]{2}=[0-9]{1,7}(,[a-z]{2}=[0-9]{1,7}){0,7}")) {
            throw new IllegalArgumentException("dimensions with sizes, fastest first, such as tp=2,dp=8,pp=4");
        }
        return text;
    }
}
