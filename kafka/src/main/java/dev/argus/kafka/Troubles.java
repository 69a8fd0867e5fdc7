package dev.argus.kafka;

import dev.argus.model.SafeText;
import dev.argus.transport.WayException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** What brokers and their client say, in sentences for an operator and words to count. */
final class Troubles {
    /** No broker answers. */
    static final String BROKER_AWAY = "broker-away";

    /** The topic is not there. */
    static final String TOPIC_MISSING = "topic-missing";

    /** A broker does not let us in, or not to the topic. */
    static final String NOT_ADMITTED = "broker-refuses-us";

    /** Too few replicas are in sync. */
    static final String TOO_FEW_REPLICAS = "too-few-replicas";

    /** The settings cannot be used. */
    static final String SETTINGS = "settings-unusable";

    /** Anything else. */
    static final String OTHER = "broker-error";

    private Troubles() {}

    static WayException of(Throwable failure, KafkaAddress address) {
        String topic = "topic " + address.topic();
        String at = address.bootstrap();
        if (caused(failure, UnknownTopicOrPartitionException.class) != null
                || caused(failure, UnknownTopicIdException.class) != null
                || caused(failure, InvalidTopicException.class) != null) {
            return new WayException(
                    TOPIC_MISSING,
                    "the brokers at " + at + " have no " + topic + "; make it, for it is not made by being used",
                    failure);
        }
        if (caused(failure, SslAuthenticationException.class) != null) {
            return new WayException(
                    NOT_ADMITTED,
                    "no TLS with the brokers at " + at + ": " + words(failure) + "; see the file of properties",
                    failure);
        }
        if (caused(failure, AuthenticationException.class) != null) {
            return new WayException(
                    NOT_ADMITTED, "the brokers at " + at + " do not accept our password: " + words(failure), failure);
        }
        if (caused(failure, AuthorizationException.class) != null) {
            return new WayException(
                    NOT_ADMITTED,
                    "the brokers at " + at + " do not let us use " + topic + ": " + words(failure),
                    failure);
        }
        if (caused(failure, NotEnoughReplicasException.class) != null
                || caused(failure, NotEnoughReplicasAfterAppendException.class) != null) {
            return new WayException(
                    TOO_FEW_REPLICAS, topic + " at " + at + " has too few replicas in sync to take anything", failure);
        }
        if (caused(failure, ConfigException.class) != null) {
            return new WayException(
                    SETTINGS,
                    "no client for " + at + ": " + words(deepest(failure))
                            + "; see the address and the file of properties",
                    failure);
        }
        if (failure instanceof RetriableException) {
            return new WayException(
                    BROKER_AWAY,
                    "no broker answers for " + topic + " at " + at + "; do they run, and is the way to them open?",
                    failure);
        }
        return new WayException(OTHER, "the brokers at " + at + ": " + words(deepest(failure)), failure);
    }

    /** True if the same client can go on. */
    static boolean keepsClient(Throwable failure) {
        return failure instanceof RetriableException;
    }

    private static @Nullable Throwable caused(Throwable failure, Class<? extends Throwable> type) {
        Throwable at = failure;
        for (int depth = 0; at != null && depth < 16; depth++) {
            if (type.isInstance(at)) {
                return at;
            }
            at = at.getCause();
        }
        return null;
    }

    private static Throwable deepest(Throwable failure) {
        Throwable at = failure;
        for (int depth = 0; at.getCause() != null && depth < 16; depth++) {
            at = at.getCause();
        }
        return at;
    }

    private static String words(Throwable failure) {
        String said = failure.getMessage();
        return SafeText.of(said == null ? failure.getClass().getSimpleName() : said, 300);
    }
}
