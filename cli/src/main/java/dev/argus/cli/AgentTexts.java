package dev.argus.cli;

/** The texts of the help pages of {@code agent} and {@code agent ctl}. */
final class AgentTexts {
    static final String ABOUT =
            "Watches the training processes of this host, and says what makes their job slow while it happens.";

    static final String[] DETAILS = {
        "",
        "Training processes that run under an Argus producer (ARGUS=1, or import argus) write what they do into rings in shared"
                + " memory; the agent reads these, samples call stacks from outside, and never stops a process. Without a server it"
                + " diagnoses here and prints every incident as it opens, changes and ends; with --to it ships summaries to a server"
                + " and judges nothing. What a server has not stored yet waits on disk. It runs until it is stopped."
    };

    static final String[] FOOTER = {
        "",
        "Examples:",
        "  ./argus agent --check             what the agent can see here, and what is missing",
        "  ./argus agent                     watch and print until ctrl-C",
        "  ./argus agent --format json       one JSON object a line for every change",
        "  ./argus agent --stacks 0          without call stacks",
        "  ./argus agent --excerpts out      a timeline of the suspects beside each incident, for Perfetto",
        "  ./argus agent --to https://argus.example:8443/ --token-file token",
        "                                    ship to a server",
        "  ./argus agent --to kafka://broker1:9092,broker2:9092/argus-frames --kafka-properties kafka.properties",
        "                                    ship into Kafka",
        "  ./argus agent ctl status          ask the agent that runs how it is"
    };

    static final String[] EXIT_CODES = {
        "0:the time was over (--for); with --check: nothing is missing",
        "1:with --check: something is missing; else: it could not begin",
        "2:wrong usage",
        "130:stopped by ctrl-C (143: by SIGTERM)"
    };

    static final String RINGS = "Folder of the rings (default: ARGUS_RING_DIR, else /dev/shm/argus-UID).";
    static final String STACKS = "Call stacks a second of each process (default: 20; 0: none).";
    static final String TOPOLOGY =
            "Layout of the ranks, such as tp=2,dp=8,pp=4 (fastest first), or a file with that text."
                    + " Without it the layout is taken from what the processes say of their groups.";
    static final String FORMAT = "text (default) or json: one object a line.";
    static final String FOR = "Stop after so many seconds.";
    static final String CHECK = "Say what can be seen and what is missing, and exit.";
    static final String TO =
            "Ship to this server (https, or http on this host) instead of diagnosing here; or into a topic,"
                    + " kafka://HOST:PORT[,HOST:PORT...]/TOPIC, from where no commands come back.";
    static final String TOKEN_FILE = "File with the token that the server knows this agent by.";
    static final String CA = "Certificates (PEM) that the server's is checked against (default: those of the JDK).";
    static final String KAFKA_PROPERTIES =
            "File of properties with what brokers ask for: security.protocol, ssl.*, sasl.*.";
    static final String NAMES_EACH = "How often names are repeated in the topic, in seconds (default: 60).";
    static final String SPOOL =
            "Folder for what is not yet safe at the server (default: spool in the folder of --state).";
    static final String SPOOL_MIB = "Most MiB of it for each job; the oldest goes first (default: 256).";
    static final String STATE =
            "Folder of what the agent keeps: history, spool, excerpts (default: ARGUS_STATE_DIR, else /var/tmp/argus-USER).";
    static final String HISTORY_MIB = "Most MiB of raw events kept, the last minutes (default: 64; 0: none).";
    static final String EXCERPTS =
            "Folder for timelines: of each incident that opens, its suspects and two of their peers, and those asked for.";

    static final String CTL =
            "Asks the agent of this user that runs on this host: how it is, to record otherwise, for an excerpt.";

    static final String[] CTL_DETAILS = {
        "",
        "  status     ranks, steps, losses, rates, spool, history, what the agent costs, and problems",
        "  set        what is recorded, from the next step on; also of ranks that start later",
        "  excerpt    the last seconds as a timeline for Perfetto, in the agent's folder",
        ""
    };

    static final String[] CTL_FOOTER = {
        "",
        "Examples:",
        "  ./argus agent ctl status",
        "  ./argus agent ctl set --signals steps,phases,collectives --stacks 0     the least",
        "  ./argus agent ctl set --rank 3 --signals all --sampling 1 --stacks 100  everything of rank 3",
        "  ./argus agent ctl set --turns 19/1        one step in 20 without recording: measures what recording costs",
        "  ./argus agent ctl excerpt --ranks 0-3 --seconds 30"
    };

    static final String[] CTL_EXIT_CODES = {
        "0:the agent did it", "1:no agent answers, or it could not do it", "2:wrong usage"
    };

    static final String CTL_ACTION = "status, set or excerpt.";
    static final String RANK = "set: ranks such as 3 or 0-7,16 (default: all).";
    static final String SIGNALS =
            "set: list of steps, phases, collectives, kernels, copies, launches, operators, graph-nodes; all; none.";
    static final String SAMPLING = "set: record the kernels of one step in N.";
    static final String TURNS = "set: steps with recording and without in turn, such as 19/1; off for always.";
    static final String CTL_STACKS = "set: call stacks a second, 0 for none.";
    static final String RANKS = "excerpt: ranks such as 0-7,16 (default: all of this host).";
    static final String SECONDS = "excerpt: how many (default: 30).";

    private AgentTexts() {}
}
