package dev.argus.hostflink.command;

import dev.argus.hostflink.kafka.JobSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;

/** Whether the topics are there and as the job needs them, before it is submitted: a job that finds none fails again and again, far away. */
final class TopicCheck {
    private static final String TIMES = "message.timestamp.type";
    private static final String BROKER_TIME = "LogAppendTime";

    private TopicCheck() {}

    /**
     * Looks, and makes what is missing if it may.
     *
     * @param make partitions of topics to be made, 0 to make none
     * @param parallelism tasks that read the frames: one without a partition would hold up all others
     * @return what was made
     * @throws IllegalArgumentException with what is missing, and what to do
     */
    static List<String> check(JobSettings settings, int make, int parallelism) throws InterruptedException {
        Map<String, Object> client = new HashMap<>(settings.client());
        client.put("bootstrap.servers", settings.brokers());
        client.put("default.api.timeout.ms", "20000");
        client.put("request.timeout.ms", "10000");
        List<String> wanted = new ArrayList<>(List.of(settings.frames(), settings.incidents(), settings.metrics()));
        if (settings.options().steps()) {
            wanted.add(settings.steps());
        }
        try (Admin admin = Admin.create(client)) {
            Set<String> there = admin.listTopics().names().get();
            List<String> missing =
                    wanted.stream().filter(t -> !there.contains(t)).toList();
            if (!missing.isEmpty() && make == 0) {
                throw new IllegalArgumentException("no topic " + String.join(", ", missing) + " at "
                        + settings.brokers() + "; make them, or give --make-topics PARTITIONS");
            }
            if (missing.contains(settings.frames())) {
                partitions(make, parallelism, settings.frames());
            }
            admin.createTopics(
                            missing.stream().map(t -> topic(t, settings, make)).toList())
                    .all()
                    .get();
            if (!missing.contains(settings.frames())) {
                times(admin, settings.frames());
                var described = admin.describeTopics(List.of(settings.frames()))
                        .allTopicNames()
                        .get()
                        .get(settings.frames());
                partitions(described == null ? 0 : described.partitions().size(), parallelism, settings.frames());
            }
            return missing;
        } catch (ExecutionException failed) {
            throw new IllegalArgumentException(
                    "brokers " + settings.brokers() + " do not answer as expected: "
                            + String.valueOf(failed.getCause()),
                    failed);
        }
    }

    private static NewTopic topic(String name, JobSettings settings, int partitions) {
        NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty());
        return name.equals(settings.frames())
                ? topic.configs(Map.of(TIMES, BROKER_TIME, "max.message.bytes", "2097152"))
                : topic.configs(Map.of("max.message.bytes", Integer.toString(JobSettings.MOST_SAID_BYTES)));
    }

    private static void partitions(int found, int parallelism, String topic) {
        if (found < parallelism) {
            throw new IllegalArgumentException(
                    "topic " + topic + " has " + found + " partitions, expected " + parallelism
                            + " or more: one for each task that reads, else nothing is ever said; add partitions, or give a lower"
                            + " --parallelism");
        }
    }

    private static void times(Admin admin, String topic) throws ExecutionException, InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
        ConfigEntry entry = config == null ? null : config.get(TIMES);
        String found = entry == null ? null : entry.value();
        if (!BROKER_TIME.equals(found)) {
            throw new IllegalArgumentException("topic " + topic + " has " + TIMES + "=" + found + ", expected "
                    + BROKER_TIME
                    + ": what is said would depend on the clocks of hosts. kafka-configs.sh --alter --topic " + topic
                    + " --add-config " + TIMES + "=" + BROKER_TIME + ", or --any-time");
        }
    }
}
