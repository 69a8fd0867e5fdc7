/**
 * The names of all metrics ({@link dev.argus.hostlocal.metrics.Metric}), their labels, and the series that are made the same way wherever they are told: at {@code /metrics} of a server, or by a remote write.
 *
 * <p>Begin with {@link dev.argus.hostlocal.metrics.VerdictSamples}. Pure; belongs to the thread that calls. Must not import {@code live} or {@code report}.
 */
@NullMarked
package dev.argus.hostlocal.metrics;

import org.jspecify.annotations.NullMarked;
