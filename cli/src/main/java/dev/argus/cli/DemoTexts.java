package dev.argus.cli;

/** The texts of the help page of {@code demo}. */
final class DemoTexts {
    static final String ABOUT =
            "Shows it all on this machine: a server, a simulated job of 1,024 GPUs, an agent, and faults.";

    static final String[] DETAILS = {
        "",
        "The job is simulated, everything else is real: its ranks write what they do into rings in shared memory, the agent"
                + " reads these and ships to the server, the server judges. About every minute something breaks: a GPU gets hot, a"
                + " network card slow, a rank waits for its data. What the server says of it is printed at once, and then what was"
                + " injected. No GPU is needed; nothing stays behind."
    };

    static final String[] FOOTER = {
        "",
        "Examples:",
        "  ./argus demo                      until ctrl-C; open the address that it prints",
        "  ./argus demo --for 120            two minutes",
        "  ./argus demo --ranks 64           fewer GPUs, for a small machine",
        "  ./argus demo --format json        one JSON object a line"
    };

    static final String[] EXIT_CODES = {
        "0:the time was over (--for)",
        "1:it could not begin, or broke off",
        "2:wrong usage",
        "130:stopped by ctrl-C (143: by SIGTERM)"
    };

    static final String PORT = "Port of the server on this host (default: any that is free).";
    static final String RANKS = "Simulated GPUs, a multiple of 16 from 32 to 2048 (default: 1024).";
    static final String FOR = "Stop after so many seconds.";
    static final String SEED = "What fixes the job and its faults (default: another one each time).";
    static final String FORMAT = "text (default) or json: one object a line.";

    private DemoTexts() {}
}
