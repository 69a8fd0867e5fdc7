package dev.argus.server.alerts;

import java.util.List;

/**
 * How alerts do.
 *
 * @param alerts incidents that are alerts now
 * @param dropped changes of incidents, and alerts that had ended, not told for lack of room
 * @param webhooks endpoints, in the order of the settings
 */
public record AlertStatus(int alerts, long dropped, List<WebhookStatus> webhooks) {
    /** Where there are no webhooks. */
    public static final AlertStatus NONE = new AlertStatus(0, 0, List.of());

    /**
     * One endpoint.
     *
     * @param endpoint its format and host, nothing of its address that may be secret
     * @param delivered alerts it took
     * @param refused alerts it refused for good
     * @param failures requests that failed and are tried again
     * @param waiting alerts it is still to be told
     * @param failing true while it cannot be reached or answers with errors
     */
    public record WebhookStatus(
            String endpoint, long delivered, long refused, long failures, int waiting, boolean failing) {}
}
