package dev.argus.server.access;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * By which names a server may be addressed. A page of a stranger can make its own name resolve to this host (DNS rebinding), and then reads as if it were of the
 * same origin; its name in {@code Host} gives it away. Plain IP addresses are allowed: no page can be loaded under one that is not its own.
 */
final class HostNames {
    private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.]{2,45}]|[A-Za-z0-9.-]{1,253})(:[0-9]{1,5})?");
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    private final Set<String> names = new TreeSet<>();

    /** Allowed before: agents ask by the same name thousands of times a second. */
    private volatile String last = "localhost";

    /**
     * Of names.
     *
     * @param listening name or address that is listened on
     * @param more further names
     */
    HostNames(String listening, List<String> more) {
        names.add("localhost");
        add(listening);
        more.forEach(this::add);
    }

    private void add(String name) {
        names.add(name.toLowerCase(Locale.ROOT));
    }

    /** Whether {@code Host} names this server. */
    boolean allows(@Nullable String host) {
        if (last.equals(host)) {
            return true;
        }
        boolean allowed = names(host);
        if (allowed && host != null) {
            last = host;
        }
        return allowed;
    }

    private boolean names(@Nullable String host) {
        Matcher matcher = HOST.matcher(host == null ? "" : host);
        if (!matcher.matches()) {
            return false;
        }
        String name = matcher.group(1).toLowerCase(Locale.ROOT);
        String plain = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        return plain.startsWith("[") || IPV4.matcher(plain).matches() || names.contains(plain);
    }
}
