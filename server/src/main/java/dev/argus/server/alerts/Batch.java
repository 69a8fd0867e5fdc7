package dev.argus.server.alerts;

import java.util.List;
import java.util.Map;

/**
 * What one request says.
 *
 * @param items alerts, oldest change first
 */
record Batch(List<Item> items) {
    /**
     * An alert of a request.
     *
     * @param alert the alert
     * @param revision its revision
     * @param staleLabels labels under which the endpoint knows it and which are not its any more; empty where there are none
     */
    record Item(Alert alert, long revision, Map<String, String> staleLabels) {}
}
