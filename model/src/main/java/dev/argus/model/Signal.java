package dev.argus.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a producer can be asked to record; the bit is the one of the control word of the ring. */
public enum Signal {
    STEPS("steps"),
    PHASES("phases"),
    COLLECTIVES("collectives"),
    KERNELS("kernels"),
    COPIES("copies"),
    LAUNCHES("launches"),
    OPERATORS("operators"),
    GRAPH_NODES("graph-nodes");

    /** All that the producer's environment allows. */
    public static final int ALL_BITS = 0xffff;

    private final String text;

    Signal(String text) {
        this.text = text;
    }

    /** The word in commands. */
    public String text() {
        return text;
    }

    /** Its bit. */
    public int bit() {
        return 1 << ordinal();
    }

    /** The bits by word, in order; besides the signals {@code all} and {@code none}. */
    public static Map<String, Integer> byWord() {
        Map<String, Integer> all = new LinkedHashMap<>();
        for (Signal signal : values()) {
            all.put(signal.text, signal.bit());
        }
        all.put("all", ALL_BITS);
        all.put("none", 0);
        return Collections.unmodifiableMap(all);
    }
}
