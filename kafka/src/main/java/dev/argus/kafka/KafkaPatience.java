package dev.argus.kafka;

import java.time.Duration;

/**
 * How long brokers are waited for.
 *
 * @param find longest time to find out where a topic is
 * @param answer longest time of one request
 * @param deliver longest time until what was sent is acknowledged, tries again included; at least {@code answer}
 * @param namesEach how often a session repeats all of its names
 */
public record KafkaPatience(Duration find, Duration answer, Duration deliver, Duration namesEach) {
    /** 10 s to find a topic, 10 s for a request, 15 s until it is acknowledged: together less than the 30 s that an agent waits for a gateway. Names each minute. */
    public static final KafkaPatience DEFAULT = new KafkaPatience(
            Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(15), Duration.ofSeconds(60));

    /** Checks that the times are possible. */
    public KafkaPatience {
        if (find.toMillis() < 1 || answer.toMillis() < 1 || deliver.compareTo(answer) < 0 || namesEach.toMillis() < 1) {
            throw new IllegalArgumentException("waits of " + find + ", " + answer + ", " + deliver + " and names each "
                    + namesEach + ", expected some of each, and to deliver at least an answer");
        }
    }

    /** The same with names repeated so often. */
    public KafkaPatience withNamesEach(Duration each) {
        return new KafkaPatience(find, answer, deliver, each);
    }
}
