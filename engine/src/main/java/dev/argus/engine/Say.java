package dev.argus.engine;

import dev.argus.model.Figures;
import java.util.Locale;

/** Numbers as people say them, three digits. */
final class Say {
    private Say() {}

    /** {@code 1.22x}. */
    static String times(double ratio) {
        return Double.isInfinite(ratio) || ratio >= 1000
                ? "more than 1000x"
                : ratio >= 10 ? Math.round(ratio) + "x" : Figures.times(ratio);
    }

    /** {@code 22 %}, {@code 0.098 %}. */
    static String percent(double ratio) {
        return Figures.about(ratio);
    }

    /** {@code 2.5 s}, {@code 90 ms}, {@code 340 us}. */
    static String time(double nanos) {
        if (nanos >= 1e9) {
            return digits(nanos / 1e9) + " s";
        }
        return nanos >= 1e6 ? digits(nanos / 1e6) + " ms" : digits(nanos / 1e3) + " us";
    }

    private static String digits(double v) {
        return String.format(Locale.ROOT, v >= 100 ? "%.0f" : v >= 10 ? "%.1f" : "%.2f", v);
    }

    /** {@code step 24} or {@code steps 24 to 28}. */
    static String steps(long first, long last) {
        return first == last ? "step " + first : "steps " + first + " to " + last;
    }
}
