package dev.argus.kafka;

import dev.argus.transport.WayException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Reads topics from where it is told, what is committed alone, in no group: whoever reads keeps the {@link #positions} with what was made of the values, and after a restart goes on there, so each value counts once.
 *
 * <p>A topic that is not there is said and waited for; one that was made anew (another id) is read from its beginning; where a position is gone (retention went past it) reading goes on with the oldest there is. All of that is
 * counted. Partitions that are added are found within {@value #LOOK_SECONDS} s.
 *
 * <p>One thread, beside that of Kafka's admin client.
 */
public final class TopicReader implements TopicSource {
    /** A value was to be read that is not there any more. */
    public static final String POSITION_GONE = "position-gone";

    /** A topic was another one than the one that was read. */
    public static final String TOPIC_ANEW = "topic-made-anew";

    static final int LOOK_SECONDS = 10;
    private static final int MOST_PARTITIONS = 10_000;

    private final KafkaAddress address;
    private final List<String> topics;
    private final Clients clients;
    private final LongSupplier nanoTime;
    private final Map<TopicPartition, Long> next = new HashMap<>();
    private final Map<String, String> ids = new TreeMap<>();
    private final Map<String, Long> troubles = new TreeMap<>();
    private final Set<String> absent = new HashSet<>();
    private final List<String> notices = new ArrayList<>();
    private @Nullable Consumer<byte[], byte[]> consumer;
    private long lookedNanos;
    private boolean looked;

    /** What it reads with. */
    interface Clients extends AutoCloseable {
        /** A consumer. */
        Consumer<byte[], byte[]> open() throws IOException;

        /** Those of the topics that are there. */
        Map<String, TopicState> describe(Collection<String> topics) throws IOException, InterruptedException;

        @Override
        void close();
    }

    /**
     * A value.
     *
     * @param topic topic
     * @param value bytes; hostile; empty where the record has none
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Value(String topic, byte[] value) {}

    /**
     * Reads topics. Nothing is connected before the first {@link #poll}.
     *
     * @param address of the brokers; its topic does not count
     * @param from where to go on; a partition that is not among them is read from its beginning
     */
    public TopicReader(
            KafkaAddress address,
            List<String> topics,
            KafkaAccess access,
            KafkaPatience patience,
            Collection<ReadPosition> from) {
        this(address, topics, new RealClients(address, access, patience), System::nanoTime, from);
    }

    TopicReader(
            KafkaAddress address,
            List<String> topics,
            Clients clients,
            LongSupplier nanoTime,
            Collection<ReadPosition> from) {
        this.address = address;
        this.topics = List.copyOf(topics);
        this.clients = clients;
        this.nanoTime = nanoTime;
        for (ReadPosition p : from) {
            if (this.topics.contains(p.topic())) {
                ids.put(p.topic(), p.id());
                next.put(new TopicPartition(p.topic(), p.partition()), p.next());
            }
        }
    }

    @Override
    public List<Value> poll(Duration wait) throws IOException, InterruptedException {
        Consumer<byte[], byte[]> open = consumer;
        try {
            if (open == null) {
                open = clients.open();
                consumer = open;
                looked = false;
            }
            long now = nanoTime.getAsLong();
            if (!looked || now - lookedNanos >= TimeUnit.SECONDS.toNanos(LOOK_SECONDS)) {
                look(open);
                looked = true;
                lookedNanos = now;
            }
            if (open.assignment().isEmpty()) {
                Thread.sleep(Math.min(wait.toMillis(), 1_000));
                return List.of();
            }
            List<Value> values = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> record : open.poll(wait)) {
                byte[] value = record.value();
                values.add(new Value(record.topic(), value == null ? new byte[0] : value));
                next.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
            }
            return values;
        } catch (InvalidOffsetException gone) {
            count(POSITION_GONE);
            notices.add("values of " + gone.partitions()
                    + " that were not read yet are gone; reading goes on with the oldest there are");
            gone.partitions().forEach(next::remove);
            dropConsumer();
            return List.of();
        } catch (InterruptException stopped) {
            Thread.interrupted(); // it is told by the exception
            InterruptedException told = new InterruptedException("stopped");
            told.initCause(stopped);
            throw told;
        } catch (KafkaException failed) {
            WayException known = Troubles.of(failed, address);
            count(known.trouble());
            if (!Troubles.keepsClient(failed)) {
                dropConsumer();
            }
            throw known;
        } catch (WayException known) {
            count(known.trouble());
            throw known;
        }
    }

    /** Looks which partitions there are, and begins with those that are new. */
    private void look(Consumer<byte[], byte[]> open) throws IOException, InterruptedException {
        Map<String, TopicState> there = clients.describe(topics);
        Set<TopicPartition> wanted = new HashSet<>();
        for (String topic : topics) {
            TopicState state = there.get(topic);
            if (state == null) {
                if (absent.add(topic)) {
                    count(Troubles.TOPIC_MISSING);
                    notices.add("the brokers at " + address.bootstrap() + " have no topic " + topic
                            + "; make it, for it is not made by being used");
                }
                continue;
            }
            if (absent.remove(topic)) {
                notices.add("topic " + topic + " is there again");
            }
            String before = ids.put(topic, state.id());
            if (before != null && !before.equals(state.id())) {
                next.keySet().removeIf(p -> p.topic().equals(topic));
                notices.add("topic " + topic + " was made anew; it is read from its beginning");
                dropConsumer();
                throw new WayException(TOPIC_ANEW, "topic " + topic + " was made anew", new IOException(state.id()));
            }
            for (int i = 0; i < Math.min(MOST_PARTITIONS, state.partitions()); i++) {
                wanted.add(new TopicPartition(topic, i));
            }
        }
        Set<TopicPartition> before = new HashSet<>(open.assignment());
        if (before.equals(wanted)) {
            return;
        }
        open.assign(wanted);
        for (TopicPartition partition : wanted) {
            Long at = next.get(partition);
            if (at != null) {
                open.seek(partition, at);
            } else {
                open.seekToBeginning(List.of(partition));
            }
        }
    }

    private void count(String trouble) {
        troubles.merge(trouble, 1L, Long::sum);
    }

    private void dropConsumer() {
        Consumer<byte[], byte[]> open = consumer;
        consumer = null;
        if (open != null) {
            open.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    @Override
    public List<ReadPosition> positions() {
        List<ReadPosition> all = new ArrayList<>();
        next.forEach((partition, at) -> {
            String id = ids.get(partition.topic());
            if (id != null) {
                all.add(new ReadPosition(partition.topic(), id, partition.partition(), at));
            }
        });
        return all;
    }

    /** Topics that are not there. */
    public Set<String> absent() {
        return Set.copyOf(absent);
    }

    /** What went wrong so far, by reason. */
    public Map<String, Long> troubles() {
        return new TreeMap<>(troubles);
    }

    @Override
    public List<String> takeNotices() {
        List<String> taken = List.copyOf(notices);
        notices.clear();
        return taken;
    }

    @Override
    public void close() {
        dropConsumer();
        clients.close();
    }

    /** Kafka's own. */
    private static final class RealClients implements Clients {
        private final KafkaAddress address;
        private final KafkaAccess access;
        private final KafkaPatience patience;
        private @Nullable Admin admin;

        RealClients(KafkaAddress address, KafkaAccess access, KafkaPatience patience) {
            this.address = address;
            this.access = access;
            this.patience = patience;
        }

        @Override
        public Consumer<byte[], byte[]> open() throws IOException {
            return KafkaClients.consumer(address, access, patience);
        }

        @Override
        public Map<String, TopicState> describe(Collection<String> topics) throws IOException, InterruptedException {
            Admin open = admin;
            if (open == null) {
                open = KafkaClients.admin(address, access, patience);
                admin = open;
            }
            Map<String, TopicState> found = new TreeMap<>();
            long wait = patience.find().toMillis();
            for (Map.Entry<String, KafkaFuture<TopicDescription>> e :
                    open.describeTopics(topics).topicNameValues().entrySet()) {
                try {
                    TopicDescription topic = e.getValue().get(wait, TimeUnit.MILLISECONDS);
                    found.put(
                            e.getKey(),
                            new TopicState(
                                    topic.topicId().toString(),
                                    topic.partitions().size()));
                } catch (ExecutionException failed) {
                    Throwable why = failed.getCause() == null ? failed : failed.getCause();
                    if (!(why instanceof UnknownTopicOrPartitionException)) {
                        if (!Troubles.keepsClient(why)) {
                            close();
                        }
                        throw Troubles.of(why, address.with(e.getKey()));
                    }
                } catch (TimeoutException late) {
                    throw new WayException(Troubles.BROKER_AWAY, "no broker answers at " + address.bootstrap(), late);
                }
            }
            return found;
        }

        @Override
        public void close() {
            Admin open = admin;
            admin = null;
            if (open != null) {
                open.close(Duration.ZERO);
            }
        }
    }
}
