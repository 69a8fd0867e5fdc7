/**
 * Whole steps of jobs as Parquet files in an S3-compatible store, each step in exactly one file (docs/design/0019-flink.md).
 *
 * <p>Begin with {@link dev.argus.hostflink.summaries.SummaryOperator}; {@link dev.argus.hostflink.summaries.StepFiles} is what makes files of steps, without a word of Flink, {@link dev.argus.hostflink.summaries.SummaryUploader} the one
 * thread that stores them.
 */
@NullMarked
package dev.argus.hostflink.summaries;

import org.jspecify.annotations.NullMarked;
