/**
 * What a page about a diagnosis shows beside the verdict: step times, ranks by steps, who waited for whom, distributions of kernels.
 * Bounded whatever the size of the job; made from digests and kernel summaries that were kept, so that no trace is read again, and only when
 * somebody asks.
 *
 * <p>Begin at {@link dev.argus.hostlocal.report.ReportData}; {@link dev.argus.hostlocal.report.AttemptReporter} makes it.
 *
 * <p>Threads: records are immutable; the makers belong to one thread.
 *
 * <p>Must not import the rest of the room.
 */
@NullMarked
package dev.argus.hostlocal.report;

import org.jspecify.annotations.NullMarked;
