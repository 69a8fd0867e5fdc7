package dev.argus.server.http;

import dev.argus.model.SimilarText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route of a request and checks its parameters. Of several routes that fit, the one declared first is taken.
 *
 * <p>Immutable. O(routes x parts of the path).
 */
public final class Router {
    private final List<Route> routes;

    /** Over routes. */
    public Router(List<Route> routes) {
        this.routes = List.copyOf(routes);
    }

    /** All routes. */
    public List<Route> routes() {
        return routes;
    }

    /**
     * A route and what was given for its parameters.
     *
     * @param route route
     * @param values values by name, defaults included
     */
    record Match(Route route, Map<String, String> values) {
        /** A request that is answered the same for {@code HEAD} as for {@code GET}. */
        boolean takes(String method) {
            return route.method().equals(method) || (route.method().equals("GET") && method.equals("HEAD"));
        }
    }

    /** The route of a method and a path, its parameters in the path still to be checked. */
    Match find(String method, String rawPath) throws Problem {
        String[] parts = rawPath.split("/", -1);
        TreeSet<String> others = new TreeSet<>();
        for (Route route : routes) {
            Map<String, String> values = values(route.template().split("/", -1), parts);
            if (values != null) {
                Match match = new Match(route, values);
                if (match.takes(method)) {
                    return match;
                }
                others.add(route.method());
            }
        }
        if (others.isEmpty()) {
            throw Problem.missing("nothing is at this address", "an address of /api/v1/openapi.json");
        }
        if (others.contains("GET")) {
            others.add("HEAD");
        }
        String allowed = String.join(", ", others);
        throw new Problem(405, "the method is not allowed here", allowed, Map.of("Allow", allowed));
    }

    private static @Nullable Map<String, String> values(String[] template, String[] parts) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < template.length; i++) {
            String name = template[i];
            if (name.endsWith("...}")) {
                if (parts.length <= i) {
                    return null;
                }
                values.put(
                        name.substring(1, name.length() - 4),
                        String.join("/", List.of(parts).subList(i, parts.length)));
                return values;
            }
            if (i >= parts.length) {
                return null;
            }
            if (name.startsWith("{")) {
                values.put(name.substring(1, name.length() - 1), parts[i]);
            } else if (!name.equals(parts[i])) {
                return null;
            }
        }
        return parts.length == template.length ? values : null;
    }

    /** All parameters of a request, checked, defaults included. */
    static Map<String, String> parameters(Match match, String rawQuery) throws Problem {
        Route route = match.route();
        Map<String, String> all = new LinkedHashMap<>();
        for (Param param : route.path()) {
            String raw = match.values().getOrDefault(param.name(), "");
            all.put(param.name(), param.checked(Paths.decode(raw, false)));
        }
        Map<String, String> given = Paths.query(rawQuery);
        for (Param param : route.query()) {
            String value = given.remove(param.name());
            String initial = param.initial();
            if (value != null) {
                all.put(param.name(), param.checked(value));
            } else if (initial != null) {
                all.put(param.name(), initial);
            }
        }
        if (!given.isEmpty()) {
            List<String> names =
                    new ArrayList<>(route.query().stream().map(Param::name).toList());
            String similar = SimilarText.to(given.keySet().iterator().next(), names);
            throw new Problem(
                    400,
                    "a parameter that is not known here" + (similar == null ? "" : ": '" + similar + "' was meant?"),
                    names.isEmpty() ? "no parameters" : "one of " + String.join(", ", names));
        }
        return all;
    }
}
