package dev.argus.server.http;

import java.util.Map;

/**
 * Limits that the JDK's HTTP server keeps itself, before a request reaches us. It reads them once a process, when it is first used; a limit that somebody has set
 * by the same name stays.
 *
 * <pre>
 * maxReqTime           60 s from the first byte of a request to the last of its body, else the connection is closed
 * idleInterval         30 s that a connection may be silent between requests, or before the first
 * maxReqHeaderSize     32 KiB of request line and headers; maxReqHeaders 64
 * maxConnections       as set; idle ones no fewer
 * drainAmount          512 KiB of a body that nobody wants are read, so that a client that still sends hears why; then the connection is closed
 * </pre>
 */
final class HttpLimits {
    private static final String SUN = "sun.net.httpserver.";

    private HttpLimits() {}

    static void apply(int mostConnections) {
        Map<String, String> limits = Map.of(
                SUN + "maxReqTime",
                "60",
                SUN + "idleInterval",
                "30",
                SUN + "maxReqHeaderSize",
                Integer.toString(32 << 10),
                SUN + "maxReqHeaders",
                "64",
                SUN + "drainAmount",
                Integer.toString(512 << 10),
                SUN + "maxIdleConnections",
                Integer.toString(mostConnections),
                SUN + "nodelay",
                "true",
                "jdk.httpserver.maxConnections",
                Integer.toString(mostConnections));
        limits.forEach((name, value) -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, value);
            }
        });
    }
}
