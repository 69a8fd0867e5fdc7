package dev.argus.model;

/** Whether the suspect's durations are longer or shorter than the reference; a late rank's collectives are shorter. */
public enum Direction {
    LONGER("longer"),
    SHORTER("shorter");

    private final String text;

    Direction(String text) {
        this.text = text;
    }

    /** The name in contracts and texts. */
    public String text() {
        return text;
    }
}
