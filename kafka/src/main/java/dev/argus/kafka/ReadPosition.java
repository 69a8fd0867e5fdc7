package dev.argus.kafka;

/**
 * How far one partition is read; to be kept together with what was made of it.
 *
 * @param topic name of the topic
 * @param id id of the topic: positions of a topic that was made anew mean nothing
 * @param partition partition
 * @param next offset of the first record that was not read
 */
public record ReadPosition(String topic, String id, int partition, long next) {}
