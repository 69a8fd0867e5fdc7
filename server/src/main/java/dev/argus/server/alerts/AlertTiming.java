package dev.argus.server.alerts;

import java.time.Duration;

/**
 * When alerts are sent.
 *
 * @param groupWait from a change to its request, so that what comes together goes together
 * @param resendEach how often an Alertmanager hears of what lasts
 * @param hold how long it keeps an alert that it hears of no more; several times {@code resendEach}
 * @param reconcileEach how often alerts are held against the fleet
 * @param requestTimeout longest wait for an answer
 * @param backoffFrom first wait after a failure
 * @param backoffTo longest wait after failures
 */
public record AlertTiming(
        Duration groupWait,
        Duration resendEach,
        Duration hold,
        Duration reconcileEach,
        Duration requestTimeout,
        Duration backoffFrom,
        Duration backoffTo) {
    /** 3 s, 60 s and 240 s as Prometheus does it, 30 s, 10 s, 1 s to 60 s. */
    public static final AlertTiming DEFAULT = new AlertTiming(
            Duration.ofSeconds(3),
            Duration.ofSeconds(60),
            Duration.ofSeconds(240),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofSeconds(60));
}
