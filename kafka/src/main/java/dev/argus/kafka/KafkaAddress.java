package dev.argus.kafka;

import dev.argus.model.SafeText;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Where a topic is: {@code kafka://HOST:PORT[,HOST:PORT...]/TOPIC}. Loads none of Kafka's classes.
 *
 * @param bootstrap brokers to ask first, {@code HOST:PORT} with commas between
 * @param topic name of the topic
 */
public record KafkaAddress(String bootstrap, String topic) {
    /** The topic that frames go to when an address names none. */
    public static final String FRAMES = "argus-frames";

    /** The topic that incidents are read from when an address names none. */
    public static final String INCIDENTS = "argus-incidents";

    private static final String SCHEME = "kafka://";
    private static final int MOST_BROKERS = 64;
    private static final Pattern BROKER =
            Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}]):([0-9]{1,5})");
    private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");
    private static final int MOST_PORT = 65_535;

    /** True if a text is meant to be such an address. */
    public static boolean isOne(String text) {
        return text.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }

    /**
     * Reads an address.
     *
     * @param otherwise the topic, where the address names none
     * @throws IllegalArgumentException with what was found and what was expected
     */
    public static KafkaAddress of(String text, String otherwise) {
        if (!isOne(text)) {
            throw wrong(text);
        }
        String rest = text.substring(SCHEME.length());
        int slash = rest.indexOf('/');
        String brokers = (slash < 0 ? rest : rest.substring(0, slash)).toLowerCase(Locale.ROOT);
        String topic = slash < 0 || slash == rest.length() - 1 ? otherwise : rest.substring(slash + 1);
        List<String> each = List.of(brokers.split(",", -1));
        boolean known = each.size() <= MOST_BROKERS && each.stream().allMatch(KafkaAddress::isBroker);
        if (!known || !TOPIC.matcher(topic).matches() || topic.equals(".") || topic.equals("..")) {
            throw wrong(text);
        }
        return new KafkaAddress(brokers, topic);
    }

    private static boolean isBroker(String text) {
        var found = BROKER.matcher(text);
        return found.matches()
                && Integer.parseInt(found.group(2)) >= 1
                && Integer.parseInt(found.group(2)) <= MOST_PORT;
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "address '" + SafeText.of(text, 300) + "', expected kafka://HOST:PORT[,HOST:PORT...]/TOPIC");
    }

    /** Another topic of the same brokers. */
    public KafkaAddress with(String other) {
        return new KafkaAddress(bootstrap, other);
    }

    /** It as an address. */
    public URI uri() {
        return URI.create(toString());
    }

    @Override
    public String toString() {
        return SCHEME + bootstrap + "/" + topic;
    }
}
