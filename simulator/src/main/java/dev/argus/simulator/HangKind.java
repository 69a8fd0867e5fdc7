package dev.argus.simulator;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What stops a job for good. Beside {@link ScenarioKind}, for nothing of it can be measured in steps: the step in which it happens never ends. */
public enum HangKind {
    /** The CPU of a rank goes on no more: it does not call what the others wait in. */
    HANG("hang", "a rank stops within a step, and all others wait for it"),
    /** The transfer itself: all have come, and it ends for none. */
    HANG_COLLECTIVE("hang-collective", "a collective that all of its group have called never ends");

    private final String word;
    private final String about;

    HangKind(String word, String about) {
        this.word = word;
        this.about = about;
    }

    /** As written on a command line. */
    public String word() {
        return word;
    }

    /** What happens in it, in words. */
    public String about() {
        return about;
    }

    /** Reads a word; null if it is another. */
    public static @Nullable HangKind of(String word) {
        return Stream.of(values()).filter(k -> k.word.equals(word)).findFirst().orElse(null);
    }

    /** All words. */
    public static List<String> words() {
        return Stream.of(values()).map(HangKind::word).toList();
    }
}
