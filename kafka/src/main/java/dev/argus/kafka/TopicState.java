package dev.argus.kafka;

/**
 * A topic as the brokers describe it.
 *
 * @param id what tells it from another of the same name: a topic that is deleted and made anew has another
 * @param partitions number of its partitions
 */
record TopicState(String id, int partitions) {}
