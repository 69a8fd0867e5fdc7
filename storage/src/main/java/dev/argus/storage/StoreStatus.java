package dev.argus.storage;

import java.util.Map;

/**
 * How a store is.
 *
 * @param committed number of the last batch
 * @param bytes bytes on disk, by tier
 * @param budgetBytes bytes it may take
 * @param rows rows, by table, as far as known without counting
 * @param removed rows and objects removed by retention, by tier
 * @param problem what is wrong now, empty when nothing
 */
public record StoreStatus(
        long committed,
        Map<String, Long> bytes,
        long budgetBytes,
        Map<String, Long> rows,
        Map<String, Long> removed,
        String problem) {
    /** Copies the maps. */
    public StoreStatus {
        bytes = Map.copyOf(bytes);
        rows = Map.copyOf(rows);
        removed = Map.copyOf(removed);
    }
}
