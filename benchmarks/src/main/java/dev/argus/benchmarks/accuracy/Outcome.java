package dev.argus.benchmarks.accuracy;

import dev.argus.model.Level;
import dev.argus.simulator.Layout;
import java.util.Map;

/**
 * What became of one scenario.
 *
 * @param cell scenario
 * @param layout its job, for people
 * @param score diagnosis against truth
 * @param delays steps until the costliest fault was named, by level; a level that never did is not in it
 */
public record Outcome(Cell cell, String layout, Score score, Map<Level, Integer> delays) {
    /** The layout of a job, for people: {@code 32 ranks tp2 dp4 pp4}. */
    static String text(Layout layout) {
        StringBuilder text = new StringBuilder().append(layout.world()).append(" ranks");
        for (Layout.Dimension d : layout.order()) {
            if (layout.size(d) > 1) {
                text.append(' ')
                        .append(d.name().toLowerCase(java.util.Locale.ROOT))
                        .append(layout.size(d));
            }
        }
        return layout.expert() > 1 ? text.append(" ep").append(layout.expert()).toString() : text.toString();
    }
}
