package dev.argus.transport;

/**
 * What a receiver has done since it began.
 *
 * @param sessions sessions it remembers
 * @param frames frames taken
 * @param duplicates frames that were known already
 * @param missing frames that will never come
 * @param refused frames refused
 * @param overloaded frames that the sink had no room for
 * @param unknownRecords records of kinds not known, stepped over
 * @param damagedRecords records that could not be read, stepped over
 * @param forgotten sessions forgotten because there were too many, or because they were silent for two days
 */
public record ReceiverStatus(
        long sessions,
        long frames,
        long duplicates,
        long missing,
        long refused,
        long overloaded,
        long unknownRecords,
        long damagedRecords,
        long forgotten) {}
