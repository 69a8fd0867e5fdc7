/**
 * The topics (docs/design/0018-kafka.md): frames in, changes of incidents, metrics and steps out in transactions.
 *
 * <p>Begin with {@link dev.argus.hostflink.kafka.KafkaJob}.
 */
@NullMarked
package dev.argus.hostflink.kafka;

import org.jspecify.annotations.NullMarked;
