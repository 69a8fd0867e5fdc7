package dev.argus.server.alerts;

import dev.argus.server.config.ServerSettings.Webhook;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Where alerts go. Its address may hold secrets, so that only {@link #shown} is ever shown.
 *
 * @param format how they are written
 * @param to address that is posted to, without user
 * @param authorization value of the header {@code Authorization}, empty for none
 * @param shown format, scheme, host and port
 * @param key the same for the same settings, and for no others; tells nothing
 */
record Endpoint(AlertFormat format, URI to, String authorization, String shown, String key) {
    private static final String ALERTS = "/api/v2/alerts";

    /**
     * Of settings. The address of an Alertmanager is where its pages are, as in Prometheus' settings, or that of its alerts.
     *
     * @throws IllegalArgumentException if they make no sense; the message holds no secret
     */
    static Endpoint of(Webhook hook) {
        AlertFormat format = switch (hook.format()) {
            case "alertmanager" -> AlertFormat.ALERTMANAGER;
            case "json" -> AlertFormat.JSON;
            default ->
                throw new IllegalArgumentException(
                        "webhook of format '" + hook.format() + "', expected alertmanager or json");
        };
        URI given = hook.address();
        String scheme = given.getScheme() == null ? "" : given.getScheme().toLowerCase(Locale.ROOT);
        String host = given.getHost();
        if (!(scheme.equals("http") || scheme.equals("https")) || host == null) {
            throw new IllegalArgumentException("webhook of format " + hook.format()
                    + ": its address is not http(s)://host:port/path, expected such a one");
        }
        String shown =
                hook.format() + " at " + scheme + "://" + host + (given.getPort() < 0 ? "" : ":" + given.getPort());
        String user = given.getUserInfo();
        String authorization = user == null
                ? ""
                : "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
        String path = given.getRawPath() == null ? "" : given.getRawPath();
        if (format == AlertFormat.ALERTMANAGER && !path.endsWith(ALERTS)) {
            path = path.replaceAll("/+$", "") + ALERTS;
        }
        String query = given.getRawQuery() == null ? "" : "?" + given.getRawQuery();
        String port = given.getPort() < 0 ? "" : ":" + given.getPort();
        URI to = URI.create(scheme + "://" + host + port + path + query);
        return new Endpoint(format, to, authorization, shown, hash(hook.format() + " " + given));
    }

    private static String hash(String text) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return shown;
    }
}
