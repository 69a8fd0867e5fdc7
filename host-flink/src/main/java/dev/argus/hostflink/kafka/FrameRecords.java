package dev.argus.hostflink.kafka;

import dev.argus.hostflink.ArgusOnFlink;
import dev.argus.hostflink.Arrival;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.metrics.Counter;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;

/**
 * Records of the topic of frames as they are. Their times must be those of the broker ({@code message.timestamp.type=LogAppendTime}); one that has the time of its sender is taken at that time, at most now, and
 * counted ({@code recordsOfSenderTime}): then a failure may change what is said.
 */
@SuppressWarnings("NullAway.Init") // Flink calls open before anything else
final class FrameRecords implements KafkaRecordDeserializationSchema<Arrival> {
    private static final long serialVersionUID = 1;

    private transient Counter senderTimes;

    @Override
    public void open(DeserializationSchema.InitializationContext context) {
        senderTimes = context.getMetricGroup().counter("recordsOfSenderTime");
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Arrival> out) {
        long at = record.timestamp();
        if (record.timestampType() != TimestampType.LOG_APPEND_TIME) {
            senderTimes.inc();
            at = Math.max(0, Math.min(at, System.currentTimeMillis()));
        }
        byte[] value = record.value();
        out.collect(new Arrival("", record.partition(), record.offset(), at, value == null ? new byte[0] : value));
    }

    @Override
    public TypeInformation<Arrival> getProducedType() {
        return ArgusOnFlink.ARRIVAL;
    }
}
