package dev.argus.cli;

/** The texts of the help page of {@code query}. */
final class QueryTexts {
    static final String ABOUT = "Asks the store of a server a question in SQL.";

    static final String[] DETAILS = {
        "",
        "Where a server runs on the data folder it is asked; else its file is opened to read only. Tables: jobs, ranks, steps, phases, rank_steps,"
                + " kernels, incidents, incident_changes, losses, objects (docs/query.md). One statement that reads: SELECT, WITH, FROM,"
                + " DESCRIBE, SHOW TABLES; no files, no settings; at most 10 seconds.",
        ""
    };

    static final String[] FOOTER = {
        "",
        "Examples:",
        "  ./argus query \"SHOW TABLES\"",
        "  ./argus query \"SELECT since, kind, hosts, summary FROM incidents WHERE state <> 'resolved'\"",
        "  ./argus query \"SELECT rank, avg(duration_seconds) AS s FROM rank_steps GROUP BY rank ORDER BY s DESC LIMIT 9\"",
        "  ./argus query --format csv \"FROM steps\" --limit 10000 > steps.csv"
    };

    static final String[] EXIT_CODES = {
        "0:the question was answered", "1:nobody could answer it, or it was refused", "2:wrong usage"
    };

    static final String SQL = "One statement of SQL that only reads.";
    static final String DATA = "Data folder of the server (default: that of ./argus serve; ARGUS_SERVER_DATA).";
    static final String SERVER = "Ask this server (https, or http on this host) instead of the one on the data folder;"
            + " needs --token-file, unless it runs on that folder.";
    static final String TOKEN_FILE =
            "File with the operator's token of that server: operator.token of its data folder, or a"
                    + " copy (default: that of the data folder).";
    static final String FORMAT = "text (default), json or csv.";
    static final String LIMIT = "Most rows, 1 to 100000 (default: 1000).";

    private QueryTexts() {}
}
