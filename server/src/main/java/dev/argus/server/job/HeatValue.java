package dev.argus.server.job;

/** What a heat map shows of a step of a rank. */
public enum HeatValue {
    /** Its length. */
    DURATION("duration"),
    /** Compute, copies and idle gaps. */
    OWN("own"),
    /** Communication that nothing covers. */
    WAIT("wait"),
    /** What no phase covers. */
    OUTSIDE("outside");

    private final String text;

    HeatValue(String text) {
        this.text = text;
    }

    /** The word for it in addresses. */
    public String text() {
        return text;
    }
}
