package dev.argus.cli;

/** The texts of the help page of {@code export}. */
final class ExportTexts {
    static final String ABOUT =
            "Writes the timeline of the suspects and their peers, or CPU stacks, for other viewers.";

    static final String[] DETAILS = {
        "",
        "Reads what diagnose reads, diagnoses it, and writes what is worth looking at: the suspects and some of their"
                + " peers, around the incident. FORMAT is one of:",
        "  perfetto    for ui.perfetto.dev, exact to the nanosecond",
        "  chrome      the same as JSON of Chrome's trace events",
        "  speedscope  their CPU stacks for speedscope.app",
        "  collapsed   the same as lines for flame graph tools",
        "",
        "A timeline has a process per rank, a track per stream and thread, collectives joined across ranks by arrows (where traces number them),"
                + " incidents as marks. Times are those of each host's clock. CPU stacks are those of py-spy, collapsed and"
                + " speedscope files (samples), and of traces the ranges of their threads (nanoseconds).",
        ""
    };

    static final String[] FOOTER = {
        "",
        "Examples:",
        "  ./argus export perfetto traces/ --out job.pftrace",
        "  ./argus export perfetto traces/ --out job.pftrace --ranks 0,3,8-15 --steps 20-24",
        "  ./argus export chrome traces/ --out job.json --all",
        "  ./argus export collapsed stacks/ --out stacks.txt",
        "  ./argus export speedscope traces/ --out stacks.json --ranks 3"
    };

    static final String[] EXIT_CODES = {
        "0:the file was written", "1:there was nothing to write, or it could not be written", "2:wrong usage"
    };

    static final String ARGUMENTS = "The format, then folders or files of traces, all of one job.";
    static final String OUT = "File to write.";
    static final String ALL = "All ranks and steps, instead of what the diagnosis points at.";
    static final String RANKS = "These ranks, such as 0,3,8-15.";
    static final String STEPS = "These steps, such as 20-24 or 20; of ranks without marks of steps everything.";
    static final String PLAIN = "perfetto: events as they are, only names deflated: three times as large.";

    private ExportTexts() {}
}
