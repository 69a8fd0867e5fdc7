package dev.argus.model;

/** How much an incident matters. Compare by {@link #level()}, never by order of declaration. */
public enum Severity {
    INFO("info", 0),
    WARNING("warning", 10),
    CRITICAL("critical", 20);

    private final String text;
    private final int level;

    Severity(String text, int level) {
        this.text = text;
        this.level = level;
    }

    /** The name in contracts and texts. */
    public String text() {
        return text;
    }

    /** Higher is worse. */
    public int level() {
        return level;
    }
}
