package dev.argus.storage.duck;

/** A table that is cut into slots: {@code kept.steps_7} is that of slot 7, {@code kept.steps} an empty one of the same form, {@code kept.all_steps} the view over all. */
enum SlotTable {
    /** What a rank-step does not spend on compute, copies, communication and idling is 0 as a rule and takes no room; so idle time is not stored, but what is left. */
    RANK_STEPS(
            SlotGroup.RANK_STEPS,
            "rank_steps",
            24,
            "job VARCHAR, attempt INTEGER, step BIGINT, rank INTEGER, start_nanos BIGINT, duration_nanos BIGINT,"
                    + " compute_nanos BIGINT, copy_nanos BIGINT, exposed_comm_nanos BIGINT, rest_nanos BIGINT"),
    STEPS(
            SlotGroup.STEPS,
            "steps",
            40,
            "job VARCHAR, attempt INTEGER, step BIGINT, start_nanos BIGINT, median_nanos BIGINT, max_nanos BIGINT,"
                    + " max_rank INTEGER, ranks INTEGER"),
    PHASES(
            SlotGroup.STEPS,
            "phases",
            30,
            "job VARCHAR, attempt INTEGER, step BIGINT, phase VARCHAR, median_nanos BIGINT, max_nanos BIGINT,"
                    + " max_rank INTEGER, ranks INTEGER"),
    KERNELS(
            SlotGroup.STEPS,
            "kernels",
            60,
            "job VARCHAR, attempt INTEGER, window_step BIGINT, kernel VARCHAR, ranks INTEGER, events BIGINT,"
                    + " sum_nanos BIGINT, median_mean_nanos BIGINT, max_mean_nanos BIGINT, max_rank INTEGER"), // and
    // peers
    // VARCHAR, by a later migration
    LOSSES(SlotGroup.STEPS, "losses", 30, "job VARCHAR, at_nanos BIGINT, reason VARCHAR, lost BIGINT"),
    INCIDENTS(
            SlotGroup.INCIDENTS,
            "incidents",
            200,
            "batch BIGINT, place INTEGER, job VARCHAR, id VARCHAR, attempt INTEGER, change VARCHAR, at_nanos BIGINT,"
                    + " kind VARCHAR, scope VARCHAR, severity VARCHAR, confidence DOUBLE, state VARCHAR,"
                    + " since_nanos BIGINT, until_nanos BIGINT, first_step BIGINT, last_step BIGINT,"
                    + " step_ratio DOUBLE, gpu_seconds DOUBLE, ranks VARCHAR, hosts VARCHAR, summary VARCHAR,"
                    + " document VARCHAR"), // and during_ratio DOUBLE, by a later migration
    PICTURES(
            SlotGroup.INCIDENTS,
            "pictures",
            60,
            "batch BIGINT, place INTEGER, job VARCHAR, incident VARCHAR, kind VARCHAR, at_nanos BIGINT,"
                    + " document VARCHAR");

    private final SlotGroup group;
    private final String text;
    private final int rowBytes;
    private final String columns;

    SlotTable(SlotGroup group, String text, int rowBytes, String columns) {
        this.group = group;
        this.text = text;
        this.rowBytes = rowBytes;
        this.columns = columns;
    }

    SlotGroup group() {
        return group;
    }

    /** Its name, without schema and slot. */
    String text() {
        return text;
    }

    /** About how many bytes a row takes on disk, texts of free length not counted. Measured: docs/design/0013-storage.md. */
    int rowBytes() {
        return rowBytes;
    }

    /** The table that all slots are made like. */
    String createForm() {
        return "CREATE TABLE kept." + text + "(" + columns + ")";
    }

    /** That of a slot. */
    String of(long slot) {
        return text + "_" + slot;
    }
}
