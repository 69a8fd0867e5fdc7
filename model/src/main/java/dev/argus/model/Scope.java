package dev.argus.model;

/** What an incident accuses; {@link #JOB}: nobody to accuse. */
public enum Scope {
    RANK("rank"),
    GPU("gpu"),
    HOST("host"),
    PAIR("pair"),
    RAIL("rail"),
    NVLINK_DOMAIN("nvlink-domain"),
    SWITCH("switch"),
    GROUP("group"),
    JOB("job");

    private final String text;

    Scope(String text) {
        this.text = text;
    }

    /** The name in contracts and texts. */
    public String text() {
        return text;
    }
}
