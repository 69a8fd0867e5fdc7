package dev.argus.hostflink.summaries;

import dev.argus.hostflink.KeptStep;
import dev.argus.storage.Rows;
import dev.argus.storage.object.ObjectKeys;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * Steps of a job that go into one file. Its name says which: the same steps always have the same name, whatever was done again.
 *
 * <p>Belongs to one thread until it is {@link #isDue due}, and does not change from there on.
 */
final class StepFile {
    /** Not yet part of a checkpoint. */
    private static final long OPEN = Long.MAX_VALUE;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final String job;
    private final long sinceNanos;
    private final long windowMillis;
    private final int part;
    private final WireWriter rows = new WireWriter();
    private int count;
    private long checkpoint = OPEN;

    /**
     * Without steps.
     *
     * @param sinceNanos when the watch over the job began
     * @param windowMillis begin of the time it is about, milliseconds since the Unix epoch
     * @param part number among the files of that time
     */
    StepFile(String job, long sinceNanos, long windowMillis, int part) {
        this.job = job;
        this.sinceNanos = sinceNanos;
        this.windowMillis = windowMillis;
        this.part = part;
    }

    String job() {
        return job;
    }

    long sinceNanos() {
        return sinceNanos;
    }

    long windowMillis() {
        return windowMillis;
    }

    int part() {
        return part;
    }

    int count() {
        return count;
    }

    long bytes() {
        return rows.length();
    }

    void add(KeptStep step) {
        rows.writeBytes(step.rows());
        count++;
    }

    /** No step is added any more; it is part of a checkpoint. */
    void finish(long checkpointId) {
        checkpoint = checkpointId;
    }

    /** True if it is part of a checkpoint of that number or an earlier one: what is in it stays as it is. */
    boolean isDue(long checkpointId) {
        return checkpoint <= checkpointId;
    }

    boolean isFinished() {
        return checkpoint != OPEN;
    }

    /** The key of the object that has rows of a table. */
    String key(String table) {
        return "parquet/" + ObjectKeys.part(job) + "/" + table + "-" + TIME.format(Instant.ofEpochMilli(windowMillis))
                + "-" + Long.toHexString(sinceNanos) + "-" + part + ".parquet";
    }

    /**
     * Its rows.
     *
     * @throws WireException if they are damaged
     */
    void read(List<Rows.Step> steps, List<Rows.Phase> phases) {
        WireReader from = new WireReader(rows.toByteArray());
        while (from.remaining() > 0) {
            KeptStep.read(job, from.readBytes(), steps, phases);
        }
    }

    byte[] encode() {
        return new WireWriter()
                .writeText(job)
                .writeSigned(sinceNanos)
                .writeSigned(windowMillis)
                .writeVarint(part)
                .writeVarint(count)
                .writeByte(isFinished() ? 1 : 0)
                .writeBytes(rows.toByteArray())
                .writeChecksum(0)
                .toByteArray();
    }

    /** @throws WireException if the bytes are something else */
    static StepFile decode(byte[] state) {
        WireReader from = WireReader.checked(state, "steps to be kept");
        StepFile file = new StepFile(from.readText(), from.readSigned(), from.readSigned(), from.readInt());
        file.count = from.readInt();
        if (from.readByte() != 0) {
            file.checkpoint = Long.MIN_VALUE; // that it was read from: it is complete
        }
        file.rows.writeRaw(from.readBytes());
        from.expectEnd();
        return file;
    }
}
