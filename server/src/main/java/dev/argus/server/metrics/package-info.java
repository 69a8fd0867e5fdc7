/**
 * What a server offers to Prometheus. Entry: {@link dev.argus.server.metrics.ServerMetrics}; what there is: {@link dev.argus.hostlocal.metrics.Metric} and {@code docs/monitoring.md}.
 *
 * <p>Everything is made at the scrape from immutable views; only the histograms of step times and the counters of lost time are kept between scrapes.
 *
 * <p>Threads: none of its own; entry and meters are thread-safe, the rest belongs to one scrape. Must not import {@code http}, {@code api}, {@code ingest}, {@code control}.
 */
@NullMarked
package dev.argus.server.metrics;

import org.jspecify.annotations.NullMarked;
