package dev.argus.server.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a client accepts, by the headers in which it says so (RFC 9110, section 12.5). */
final class Accepted {
    private static final int MOST_CHARACTERS = 1024;

    private Accepted() {}

    /** The offered media type that is liked best, the first of equal ones. */
    static String best(@Nullable String accept, List<String> offered) throws Problem {
        if (offered.isEmpty()) {
            return "";
        }
        if (accept == null || accept.isBlank()) {
            return offered.getFirst();
        }
        String best = "";
        double most = 0;
        for (String type : offered) {
            double liked = liked(accept, type.split(";", 2)[0].strip());
            if (liked > most) {
                most = liked;
                best = type;
            }
        }
        if (most == 0) {
            throw new Problem(
                    406, "none of what Accept names is to be had here", String.join(" or ", offered), Map.of());
        }
        return best;
    }

    private static double liked(String accept, String type) {
        int slash = type.indexOf('/');
        double liked = 0;
        int how = -1;
        for (String item : cut(accept).split(",", -1)) {
            String[] parts = item.strip().split(";", -1);
            String range = parts[0].strip().toLowerCase(Locale.ROOT);
            int exact = range.equals(type)
                    ? 2
                    : range.equals(type.substring(0, Math.max(0, slash)) + "/*") ? 1 : range.equals("*/*") ? 0 : -1;
            if (exact > how) {
                how = exact;
                liked = weight(parts);
            }
        }
        return how < 0 ? 0 : liked;
    }

    private static double weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].strip();
            if (part.matches("[qQ]=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)")) {
                return Double.parseDouble(part.substring(2));
            }
        }
        return 1;
    }

    private static String cut(String header) {
        return header.length() > MOST_CHARACTERS ? header.substring(0, MOST_CHARACTERS) : header;
    }

    /** True if gzip may be sent. */
    static boolean gzip(@Nullable String encodings) {
        if (encodings == null) {
            return false;
        }
        for (String item : cut(encodings).split(",", -1)) {
            String[] parts = item.strip().split(";", -1);
            if (parts[0].strip().equalsIgnoreCase("gzip")) {
                return weight(parts) > 0;
            }
        }
        return false;
    }
}
