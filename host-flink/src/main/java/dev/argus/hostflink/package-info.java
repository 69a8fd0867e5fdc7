/**
 * The live diagnosis on Apache Flink: shipments of many jobs from Kafka, a {@code LiveJob} for each, changes of incidents and metrics to Kafka, exactly once.
 *
 * <p>Begin with {@link dev.argus.hostflink.HostedJob}: what is done for one job, without a word of Flink. {@link dev.argus.hostflink.JobsOperator} keeps many of them in keyed state;
 * {@link dev.argus.hostflink.ArgusOnFlink} puts source, operator and sinks together.
 */
@NullMarked
package dev.argus.hostflink;

import org.jspecify.annotations.NullMarked;
