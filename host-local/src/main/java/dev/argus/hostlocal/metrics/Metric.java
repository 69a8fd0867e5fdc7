package dev.argus.hostlocal.metrics;

import java.util.List;

/** Every metric there is, wherever it is told, at {@code /metrics} of a server or by a remote write: name, type, labels, meaning. Names of counters end in {@code _total}; durations are seconds, ratios 0 to 1. */
public enum Metric {
    STEP_DURATION(
            "argus_step_duration_seconds",
            Type.HISTOGRAM,
            "Length of a step, median over the ranks that reported it; steps seen since the server began.",
            "job"),
    LAST_STEP(
            "argus_last_step_duration_seconds",
            Type.SUMMARY,
            "Newest whole step over its ranks: median (0.5) and longest (1); count is ranks.",
            "job"),
    USUAL_STEP(
            "argus_usual_step_duration_seconds",
            Type.GAUGE,
            "Median length of recent steps; absent while unknown.",
            "job"),
    PHASE(
            "argus_phase_duration_seconds",
            Type.SUMMARY,
            "Phase of the newest whole step over the ranks that had it: median (0.5) and longest (1); count is ranks.",
            "job",
            "phase"),
    OWN_TIME(
            "argus_own_time_seconds",
            Type.SUMMARY,
            "Time that ranks of a peer set spent on themselves in the newest whole step (compute, copies, gaps): median (0.5) and longest (1); count is"
                    + " ranks that reported.",
            "job",
            "peers"),
    INCIDENT_ACTIVE(
            "argus_incident_active",
            Type.GAUGE,
            "Incidents that are open or ongoing; 0 for those that ended last.",
            "job",
            "kind",
            "severity"),
    INCIDENT_CONFIDENCE(
            "argus_incident_confidence_ratio",
            Type.GAUGE,
            "Probability that the accusation of a rank is right, of the most costly incident of that kind.",
            "job",
            "rank",
            "host",
            "kind"),
    SCORE(
            "argus_straggler_score",
            Type.GAUGE,
            "Strongest proof against a suspect as a ratio, 1 is a typical peer; a difference of times is 1 + difference / usual step. Absent where the proof is"
                    + " of another kind.",
            "job",
            "rank",
            "host"),
    THRESHOLD(
            "argus_straggler_threshold",
            Type.GAUGE,
            "Score from which on that proof speaks for an incident.",
            "job",
            "rank",
            "host"),
    OBSERVATION(
            "argus_observation_active",
            Type.GAUGE,
            "Observations: what explains slowness and needs no action.",
            "job",
            "kind"),
    LOST(
            "argus_lost_gpu_seconds_total",
            Type.COUNTER,
            "GPU time lost by incidents: lost step time times ranks. What a later look makes cheaper is not taken back.",
            "job"),
    MEASURED(
            "argus_measured_step_seconds_total",
            Type.COUNTER,
            "Step time measured: what lost time is a share of, times ranks.",
            "job"),
    RANKS_EXPECTED(
            "argus_ranks_expected",
            Type.GAUGE,
            "Ranks the job has; absent while unknown, and once the processes of all have said that they end.",
            "job"),
    RANKS_REPORTING(
            "argus_ranks_reporting",
            Type.GAUGE,
            "Ranks that report now: with a process, heard lately, and waited for by steps.",
            "job"),
    RANKS_SILENT(
            "argus_ranks_silent",
            Type.GAUGE,
            "Ranks that do not report and are not known to have ended: not heard for 30 s, or not waited for by steps any more.",
            "job"),
    STANDING("argus_job_standing", Type.GAUGE, "1 while the job stands still.", "job"),
    ATTEMPT("argus_job_attempt", Type.GAUGE, "Newest attempt; absent while unknown.", "job"),
    NEWEST_STEP(
            "argus_job_newest_step", Type.GAUGE, "Newest step all ranks that report have ended; absent before.", "job"),
    HEARD(
            "argus_job_heard_timestamp_seconds",
            Type.GAUGE,
            "When the job was last heard of, clock of the server.",
            "job"),
    LAG(
            "argus_window_lag_seconds",
            Type.GAUGE,
            "Age of the oldest record that waits to be judged; 0 when none waits.",
            "job"),
    DROPPED(
            "argus_records_dropped_total",
            Type.COUNTER,
            "Records missing; the rarest reasons of a job beyond 32 are 'other'.",
            "job",
            "reason"),
    AGENTS("argus_agents", Type.GAUGE, "Hosts whose agents were heard of.", "job"),
    AGENT_SILENCE(
            "argus_agent_silence_seconds",
            Type.SUMMARY,
            "Since when agents were not heard of; count is agents.",
            "job"),
    AGENT_OVERHEAD(
            "argus_agent_overhead_ratio",
            Type.SUMMARY,
            "By how much the job is slower for being watched, measured in turns: median (0.5) and most (1) over hosts; NaN when unknown; count is hosts that measured.",
            "job"),
    AGENT_CPU(
            "argus_agent_cpu_ratio",
            Type.SUMMARY,
            "CPU time of agents, of one core: median (0.5) and most (1) over hosts; NaN when unknown; count is hosts that know.",
            "job"),
    AGENT_MEMORY(
            "argus_agent_memory_bytes",
            Type.SUMMARY,
            "Resident memory of agents: median (0.5) and most (1) over hosts; NaN when unknown; count is hosts that know.",
            "job"),
    CLOCK_AHEAD(
            "argus_clock_ahead_seconds",
            Type.SUMMARY,
            "By how much clocks of hosts are ahead of the server's, as far as frames tell: median (0.5) and most (1); count is hosts.",
            "job"),
    CLOCK_ERROR(
            "argus_clock_offset_error_seconds",
            Type.GAUGE,
            "Bound on the error of the offsets between the hosts' clocks, as far as they share collectives; NaN before they are estimated.",
            "job"),

    JOBS("argus_jobs", Type.GAUGE, "Jobs watched."),
    FRAMES(
            "argus_frames_total",
            Type.COUNTER,
            "Frames of agents: taken, duplicate (known already), missing (will never come), refused, overloaded (no room; sent again).",
            "result"),
    RECORDS_SKIPPED(
            "argus_records_skipped_total",
            Type.COUNTER,
            "Records in frames, or values of topics, that were stepped over: unknown kind, or damaged.",
            "reason"),
    SESSIONS("argus_sessions", Type.GAUGE, "Sessions of agents remembered."),
    SESSIONS_FORGOTTEN(
            "argus_sessions_forgotten_total", Type.COUNTER, "Sessions forgotten because there were too many."),
    QUEUE("argus_queue_bytes", Type.GAUGE, "Frames that wait to be judged."),
    QUEUE_LIMIT("argus_queue_limit_bytes", Type.GAUGE, "Frames that may wait; beyond, agents are told to come later."),
    CHECKPOINT_AGE(
            "argus_checkpoint_age_seconds",
            Type.GAUGE,
            "Since the last checkpoint; NaN before the first of this process."),
    CHECKPOINT_DURATION(
            "argus_checkpoint_duration_seconds",
            Type.GAUGE,
            "How long the last checkpoint took; NaN before the first."),
    HELD(
            "argus_reading_held",
            Type.GAUGE,
            "1 while a server that shows what others found reads on no topic, for what it read cannot be kept."),
    MADE_ROOM(
            "argus_dropped_total",
            Type.COUNTER,
            "What a server that shows what others found dropped from memory for want of room: incident-over, ranks (which of them report), incident-open. Rows that were kept stay.",
            "what"),
    CHECKPOINT_WITHOUT(
            "argus_checkpoint_jobs_missing",
            Type.GAUGE,
            "Jobs of which the last checkpoint keeps nothing new, for they did not answer in time; their agents keep what they have."),
    STORE_BATCHES("argus_store_batches_total", Type.COUNTER, "Batches committed to the store."),
    STORE_BYTES("argus_store_bytes", Type.GAUGE, "Bytes on disk.", "tier"),
    STORE_BUDGET("argus_store_budget_bytes", Type.GAUGE, "Bytes the store may take."),
    STORE_ROWS("argus_store_rows", Type.GAUGE, "Rows, as far as known without counting.", "table"),
    STORE_REMOVED("argus_store_removed_total", Type.COUNTER, "Rows and objects removed by retention.", "tier"),
    STORE_PROBLEM("argus_store_problem", Type.GAUGE, "1 while something is wrong with the store; the log says what."),
    WEBHOOK_ALERTS(
            "argus_webhook_alerts_total",
            Type.COUNTER,
            "Alerts by webhook, numbered from 0 as configured: delivered, or refused by the endpoint for good.",
            "webhook",
            "result"),
    WEBHOOK_FAILURES(
            "argus_webhook_failures_total",
            Type.COUNTER,
            "Requests to a webhook that failed and are tried again.",
            "webhook"),
    WEBHOOK_WAITING("argus_webhook_waiting", Type.GAUGE, "Alerts that a webhook is still to be told.", "webhook"),
    WEBHOOK_FAILING(
            "argus_webhook_failing",
            Type.GAUGE,
            "1 while a webhook cannot be reached or answers with errors.",
            "webhook"),
    ALERTS_DROPPED(
            "argus_alerts_dropped_total",
            Type.COUNTER,
            "Changes of incidents and ended alerts not told for lack of room."),
    MEMORY("process_resident_memory_bytes", Type.GAUGE, "Resident memory of the server; NaN when unknown."),
    CPU("process_cpu_seconds_total", Type.COUNTER, "CPU time of the server."),
    STARTED("process_start_time_seconds", Type.GAUGE, "When the server began."),
    HEAP("jvm_memory_used_bytes", Type.GAUGE, "Heap of the server in use.", "area"),
    HEAP_MAX("jvm_memory_max_bytes", Type.GAUGE, "Heap the server may use.", "area"),
    UNREADABLE(
            "argus_metrics_unreadable",
            Type.GAUGE,
            "Parts of the server and jobs that could not be asked in this scrape."),
    LEFT_OUT(
            "argus_series_left_out",
            Type.GAUGE,
            "Series left out of this scrape by the bounds on their number.",
            "metric");

    /** Types of Prometheus. */
    public enum Type {
        /** A value that goes up and down. */
        GAUGE,
        /** A count that only rises, but for a new begin at 0. */
        COUNTER,
        /** Counts by bins, their sum. */
        HISTOGRAM,
        /** Quantiles and a count. */
        SUMMARY
    }

    private final String text;
    private final Type type;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> labels;

    Metric(String text, Type type, String help, String... labels) {
        this.text = text;
        this.type = type;
        this.help = help;
        this.labels = List.of(labels);
    }

    /** The name. */
    public String text() {
        return text;
    }

    /** The type. */
    public Type type() {
        return type;
    }

    /** The meaning, one or two sentences. */
    public String help() {
        return help;
    }

    /** Names of the labels, in the order in which their values are given. */
    public List<String> labels() {
        return labels;
    }
}
