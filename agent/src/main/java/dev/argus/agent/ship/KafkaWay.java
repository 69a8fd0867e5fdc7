package dev.argus.agent.ship;

import dev.argus.kafka.KafkaAccess;
import dev.argus.kafka.KafkaAddress;
import dev.argus.kafka.KafkaPatience;

/**
 * Frames go straight into a topic.
 *
 * @param address brokers and topic
 * @param access how the brokers are reached
 * @param patience how long they are waited for
 */
public record KafkaWay(KafkaAddress address, KafkaAccess access, KafkaPatience patience) {}
