/**
 * Kafka as the way of frames, and as the place where others put what they found: the only room, beside {@code host-flink}, that sees Kafka's classes. The contract is {@code docs/design/0018-kafka.md}.
 *
 * <p>Begin at {@link dev.argus.kafka.KafkaPoster} (an agent's frames), {@link dev.argus.kafka.KafkaGateway} (frames of agents that ship over HTTP), {@link dev.argus.kafka.TopicReader} (what others found).
 * {@link dev.argus.kafka.KafkaAddress} and {@link dev.argus.kafka.KafkaAccess} load none of Kafka's classes, and nothing else here is loaded unless an address {@code kafka://} is used.
 *
 * <p>Threads: each class says; Kafka's producer has one of its own.
 *
 * <p>Must not import {@code engine} or any room of its floor or above.
 */
@NullMarked
package dev.argus.kafka;

import org.jspecify.annotations.NullMarked;
