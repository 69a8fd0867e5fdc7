package dev.argus.cli;

/** The texts of the help page of {@code serve}. */
final class ServeTexts {
    static final String ABOUT =
            "Watches the jobs that agents ship here, says what makes them slow, and keeps what was seen.";

    static final String[] DETAILS = {
        "",
        "One process, nothing else to install: takes frames of agents, diagnoses each job while it runs, keeps rows, incidents and timelines in its data folder, and tells whoever asks: a page, an API,"
                + " Prometheus, webhooks. Prints every incident as it opens, changes and ends. It listens on this host only unless it is told otherwise. It runs until it is stopped."
    };

    static final String[] FOOTER = {
        "",
        "Every option can also stand in a file (--config) or in the environment (ARGUS_SERVER_NAME); see docs/server.md.",
        "",
        "Examples:",
        "  ./argus serve                     listen on this host, keep in ~/.argus/server",
        "  ./argus serve --print-config      all settings, and where each is from",
        "  ./argus serve --config argus.conf --port 8700",
        "  ./argus agent --to http://127.0.0.1:8642/api/v1/frames --token-file ~/.argus/server/operator.token",
        "                                    watch this host, and ship to it"
    };

    static final String[] EXIT_CODES = {
        "0:the time was over (--for), or the settings were printed",
        "1:it could not begin",
        "2:wrong usage, or a setting that cannot be used",
        "130:stopped by ctrl-C (143: by SIGTERM)"
    };

    static final String CONFIG = "File of settings: lines of name = value.";
    static final String PRINT_CONFIG = "Print all settings as such a file, each with where it is from, and exit.";
    static final String FORMAT = "text (default) or json: one object a line for every change of an incident.";
    static final String FOR = "Stop after so many seconds.";

    private ServeTexts() {}
}
