package dev.argus.cli;

/** The texts of the help pages. */
final class HelpTexts {
    static final String ABOUT = "Says who makes a GPU training job slow, where, why, since when, and what it costs.";

    static final String[] ROOT_FOOTER = {
        "",
        "Examples:",
        "  ./argus diagnose example/traces",
        "  ./argus diagnose traces/ --format json --out verdict.json",
        "  ./argus simulate --out job --kind nic && ./argus diagnose job",
        "  ./argus export perfetto job --out job.pftrace",
        "  ./argus query \"SHOW TABLES\"",
        "  ./argus demo",
        "  ./argus bench reader",
        "",
        "Help on a command: ./argus COMMAND --help"
    };

    static final String DIAGNOSE = "Reads the traces of one job and says who makes it slow.";

    static final String[] DIAGNOSE_DETAILS = {
        "",
        "Reads PyTorch profiler traces, torch lists and operation timelines (JSON, plain, .gz or .zst), one file per rank,"
                + " and prints one card: who makes the job slow, what it"
                + " costs, how sure that is, what to do. Below it: the proof, the quality of the data, what was checked. No GPU"
                + " is needed.",
        "",
        "Also reads, beside traces or alone, whatever they are called: Nsight Systems exports (SQLite), NCCL flight recorder"
                + " dumps, CPU stacks (py-spy, collapsed, speedscope), Megatron logs, GPU metrics (dcgm-exporter, Prometheus).",
        ""
    };

    static final String[] DIAGNOSE_FOOTER = {
        "",
        "Examples:",
        "  ./argus diagnose traces/",
        "  ./argus diagnose traces/ --topology tp=2,dp=8,pp=4",
        "  ./argus diagnose traces/ --format html --out report.html",
        "  ./argus diagnose traces/ --format json | jq '.incidents[0].summary'",
        "  ./argus diagnose traces/ --exit-code || echo 'slow, or not judged'"
    };

    static final String[] EXIT_CODES = {
        "0:the work was done, incidents or not",
        "1:nothing could be analysed, or the result could not be written",
        "2:wrong usage",
        "10:incidents were found (only with --exit-code)",
        "11:the data does not tell whether the job is slow (only with --exit-code)"
    };

    /** What a path should lead to, for those that do not. */
    static final String EXPECTED_TRACES =
            "traces (profiler traces, torch lists or operation timelines; .json, .gz or .zst)";

    static final String PATHS = "Folder or file of traces, all of one job.";
    static final String FORMAT =
            "text (default), json (the contract argus.verdict/1) or html (one page for a browser, in one file).";
    static final String OUT = "Write the report into FILE instead of standard output.";
    static final String EXPLAIN = "Also print the rules and thresholds that decided.";
    static final String TOPOLOGY =
            "Layout of the ranks, such as tp=2,dp=8,pp=4 (fastest first), or a file with that text."
                    + " Without it the layout is taken from the traces.";
    static final String EXIT_CODE = "End with exit code 10 if incidents were found, 11 if the data does not tell.";
    static final String FLOOR =
            "Share of the step from which on a fault is an incident; below it is an observation (default: 0.005).";
    static final String THREADS = "Threads that read traces (default: the number of CPUs).";
    static final String NO_COLOR = "No colours; so does the environment variable NO_COLOR.";
    static final String HELP = "Print this help and exit.";
    static final String VERSION = "Print the version and exit.";

    static final String FLINK = "Submits the live diagnosis to Apache Flink, for jobs beyond one server.";
    static final String FLINK_BY_SCRIPT =
            "flink has a class path of its own, which the start script builds; run: ./argus flink submit";
    static final String BENCH = "Measures the figures that Argus claims, on this machine.";
    static final String BENCH_BY_SCRIPT =
            "bench has a class path of its own, which the start script builds; run: ./argus bench NAME";

    private HelpTexts() {}
}
