package dev.argus.model;

/** Life of an incident. */
public enum IncidentState {
    OPEN("open"),
    ONGOING("ongoing"),
    RESOLVED("resolved");

    private final String text;

    IncidentState(String text) {
        this.text = text;
    }

    /** The name in contracts and texts. */
    public String text() {
        return text;
    }
}
