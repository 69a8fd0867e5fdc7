package dev.argus.hostflink;

import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.JobFeed;
import dev.argus.hostlocal.live.LiveJob;
import dev.argus.model.NameTable;
import dev.argus.transport.OneWayReceiver;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.function.Consumer;

/** A {@link HostedJob} as bytes, with a version in front and a checksum behind: what is damaged, or of a version that is not known, begins anew. */
final class HostedJobCodec {
    static final int VERSION = 2;

    /** Times of a state that are further apart are damage. */
    private static final long MOST_APART_NANOS = 86_400_000_000_000L;

    private HostedJobCodec() {}

    /** Everything that decides what will be said later, what waits included. */
    static byte[] write(HostedJob job) {
        WireWriter to = new WireWriter();
        to.writeByte(VERSION)
                .writeSigned(job.clockNanos)
                .writeSigned(job.tickNanos)
                .writeSigned(job.metricsNanos)
                .writeSigned(job.heardNanos)
                .writeVarint(job.voice.number)
                .writeSigned(job.voice.sinceNanos)
                .writeSigned(job.fullUntilNanos)
                .writeByte(job.over ? 1 : 0);
        job.counts.write(to);
        to.writeBytes(job.feed.live().snapshot());
        job.receiver.encode(to);
        job.feed.encode(to);
        to.writeVarint(job.newest.size());
        job.newest.forEach((partition, at) -> to.writeVarint(partition).writeSigned(at));
        job.gaps.write(to);
        to.writeVarint(job.waiting.size());
        job.waiting.stream()
                .sorted(Arrival.ORDER)
                .forEach(a -> to.writeVarint(a.partition())
                        .writeVarint(a.offset())
                        .writeSigned(a.atMillis())
                        .writeBytes(a.bytes()));
        return to.writeChecksum(0).toByteArray();
    }

    /**
     * A job that goes on where it was written down.
     *
     * @throws WireException if the state is damaged, or of a version that this program does not know, or brings out a defect of reading it: then begin anew
     */
    static HostedJob restore(String job, HostOptions options, byte[] state) {
        try {
            return read(job, options, state);
        } catch (WireException known) {
            throw known;
        } catch (RuntimeException | StackOverflowError defect) {
            throw new WireException("state of a job that cannot be read: " + defect);
        }
    }

    private static HostedJob read(String job, HostOptions options, byte[] state) {
        WireReader from = WireReader.checked(state, "state of a job");
        int version = from.readByte();
        if (version < 1 || version > VERSION) {
            throw new WireException("state of a job of version " + version + ", expected 1 to " + VERSION);
        }
        HostedJob hosted = new HostedJob(job, options);
        hosted.clockNanos = from.readSigned();
        hosted.tickNanos = from.readSigned();
        hosted.metricsNanos = from.readSigned();
        hosted.heardNanos = from.readSigned();
        hosted.voice.number = from.readVarint();
        hosted.voice.sinceNanos = version == 1 ? 0 : from.readSigned(); // it did not know of watches: none is told
        hosted.fullUntilNanos = version == 1 ? 0 : from.readSigned();
        hosted.over = from.readByte() != 0;
        checkTimes(hosted);
        hosted.counts.read(from);
        LiveJob live = LiveJob.restore(from.readBytes(), Thresholds.DEFAULT, options.live(), Runnable::run, 1);
        NameTable names = live.names();
        hosted.feed = new JobFeed(live);
        hosted.receiver = OneWayReceiver.decode(job, names, () -> hosted.hasRoom(names), from);
        hosted.feed.decode(from);
        for (int n = from.readCount(2); n > 0; n--) {
            hosted.newest.put(from.readInt(), from.readSigned());
        }
        hosted.gaps.read(from);
        for (int n = from.readCount(4); n > 0; n--) {
            hosted.waiting.add(
                    new Arrival(job, from.readInt(), from.readVarint(), from.readSigned(), from.readBytes()));
        }
        from.expectEnd();
        return hosted;
    }

    /** Time goes on tick by tick from here: no damage may let it go on for years. */
    private static void checkTimes(HostedJob hosted) {
        boolean near = hosted.clockNanos == Long.MIN_VALUE
                || (hosted.clockNanos >= 0
                        && isNear(hosted.tickNanos, hosted.clockNanos)
                        && isNear(hosted.metricsNanos, hosted.clockNanos));
        if (!near) {
            throw new WireException("state of a job at " + hosted.clockNanos + " with ticks at " + hosted.tickNanos
                    + " and metrics at " + hosted.metricsNanos);
        }
    }

    private static boolean isNear(long nanos, long clock) {
        return nanos >= clock - MOST_APART_NANOS && nanos - MOST_APART_NANOS <= clock;
    }

    /** As {@link #restore}, and where that cannot be a job that begins anew, counted: no job's state concerns another job. */
    static HostedJob restoredOrAnew(String job, HostOptions options, byte[] state, Consumer<String> problem) {
        try {
            return restore(job, options, state);
        } catch (WireException cannot) {
            problem.accept(String.valueOf(cannot.getMessage()));
            return anew(job, options);
        }
    }

    /** A job whose state could not be taken up: it is told of from number 1 on, in a watch of its own. */
    private static HostedJob anew(String job, HostOptions options) {
        HostedJob hosted = new HostedJob(job, options);
        hosted.counts.lost("state-unreadable", 1);
        return hosted;
    }
}
