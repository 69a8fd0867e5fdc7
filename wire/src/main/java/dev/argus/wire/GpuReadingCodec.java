package dev.argus.wire;

import dev.argus.model.GpuReading;
import dev.argus.model.GpuReading.Metric;

/**
 * Readings of a GPU: {@code attempt, host, index, uuid} as zigzag varints, then a count and each metric as {@link RecordCodec} writes it.
 */
public final class GpuReadingCodec {
    private static final RecordCodec<Metric> METRIC = new RecordCodec<>(Metric.class);
    private static final int LEAST_METRIC_BYTES = 29;

    private GpuReadingCodec() {}

    /** Appends a reading. */
    public static void encode(GpuReading reading, WireWriter to) {
        to.writeSigned(reading.attempt())
                .writeSigned(reading.host())
                .writeSigned(reading.index())
                .writeSigned(reading.uuid());
        FlightRecordCodec.write(reading.metrics(), METRIC, to);
    }

    /**
     * Reads a reading.
     *
     * @throws WireException if the bytes are not what {@link #encode} writes
     */
    public static GpuReading decode(WireReader from) {
        int attempt = from.readSignedInt();
        int host = from.readSignedInt();
        int index = from.readSignedInt();
        int uuid = from.readSignedInt();
        return new GpuReading(attempt, host, index, uuid, FlightRecordCodec.read(METRIC, LEAST_METRIC_BYTES, from));
    }
}
