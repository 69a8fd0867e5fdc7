package dev.argus.cli;

/** The texts of the help page of {@code agent}. */
final class AgentTexts {
    static final String ABOUT =
            "Watches the training processes of this host, and says what makes their job slow while it happens.";

    static final String[] DETAILS = {
        "",
        "Training processes that run under an Argus producer (ARGUS=1, or import argus) write what they do into rings in shared"
                + " memory; the agent reads these, samples call stacks from outside, and never stops a process. Without a server it"
                + " diagnoses here and prints every incident as it opens, changes and ends. It runs until it is stopped.",
        ""
    };

    static final String[] FOOTER = {
        "",
        "Examples:",
        "  ./argus agent --check             what can be seen of the processes of this host, and what is missing",
        "  ./argus agent                     watch and print",
        "  ./argus agent --format json       one JSON object a line for every change",
        "  ./argus agent --stacks 0          without call stacks"
    };

    static final String[] EXIT_CODES = {
        "0:it was stopped, or the time was over", "1:with --check: something is missing", "2:wrong usage"
    };

    static final String RINGS = "Folder of the rings (default: ARGUS_RING_DIR, else /dev/shm/argus-UID).";
    static final String STACKS = "Call stacks a second of each process (default: 20; 0: none).";
    static final String FORMAT = "text (default) or json: one object a line.";
    static final String FOR = "Stop after so many seconds.";
    static final String CHECK = "Say what can be seen and what is missing, and exit.";

    private AgentTexts() {}
}
