/**
 * The numbers of jobs to a store of series that speaks Prometheus' remote write 1.0 (docs/design/0019-flink.md).
 *
 * <p>Begin with {@link dev.argus.hostflink.series.SeriesOperator}; {@link dev.argus.hostflink.series.SeriesQueue} is what may wait, {@link dev.argus.hostflink.series.SeriesSender} the one thread that sends.
 */
@NullMarked
package dev.argus.hostflink.series;

import org.jspecify.annotations.NullMarked;
