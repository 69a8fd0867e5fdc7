package dev.argus.server.remote;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.Incident;
import dev.argus.model.RankSet;
import dev.argus.model.SafeText;
import dev.argus.wire.IncidentCodec;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A job that others diagnose, written down. Of the state of version 1, which knew of no watches and had metrics as their value, everything can be read. */
final class RemoteState {
    /** The newest version. */
    static final int VERSION = 2;

    private static final long MOST_MEMBERS = 1 << 22;

    private RemoteState() {}

    static void write(RemoteJob job, WireWriter to) {
        to.writeText(job.name)
                .writeSigned(job.firstNanos)
                .writeSigned(job.heardNanos)
                .writeSigned(job.attempt())
                .writeSigned(job.watchedSinceNanos())
                .writeSigned(job.toldNanos());
        RemoteMetrics metrics = job.metrics();
        to.writeByte(metrics == null ? 0 : 1);
        if (metrics != null) {
            write(metrics, to);
            to.writeSigned(job.metricsHeardNanos()).writeByte(job.ranksGivenUp() ? 1 : 0);
        }
        to.writeVarint(job.incidents().size());
        job.incidents().values().forEach(last -> {
            to.writeText(last.change().kind().name())
                    .writeSigned(last.change().atNanos())
                    .writeSigned(last.watchedSinceNanos())
                    .writeSigned(last.heardNanos());
            IncidentCodec.encode(last.change().incident(), to);
        });
    }

    /** @throws WireException if the bytes are something else */
    static RemoteJob read(WireReader from, int version) {
        boolean first = version == 1;
        RemoteJob job = new RemoteJob(from.readText(), from.readSigned());
        job.heardNanos = from.readSigned();
        int attempt = from.readSignedInt();
        long since = first ? 0 : from.readSigned();
        long told = first ? job.heardNanos : from.readSigned();
        if (first) {
            RemoteMetrics metrics = ofValue(from.readBytes());
            job.put(metrics, metrics == null ? 0 : metrics.atNanos(), false);
        } else if (from.readByte() != 0) {
            job.put(metrics(job.name, from), from.readSigned(), from.readByte() != 0);
        }
        for (int i = from.readCount(16); i > 0; i--) {
            IncidentChange.Kind kind = kind(from.readText());
            long at = from.readSigned();
            long ofWatch = first ? 0 : from.readSigned();
            long heard = first ? at : from.readSigned();
            Incident incident = IncidentCodec.decode(from, MOST_MEMBERS);
            job.put(RemoteJob.last(new IncidentChange(kind, incident, at), ofWatch, heard));
        }
        job.told(attempt, since, told);
        return job;
    }

    private static IncidentChange.Kind kind(String name) {
        try {
            return IncidentChange.Kind.valueOf(name);
        } catch (IllegalArgumentException unknown) {
            throw new WireException(
                    "a change of kind '" + SafeText.of(name, 60) + "', expected one of IncidentChange.Kind");
        }
    }

    private static @Nullable RemoteMetrics ofValue(byte[] value) {
        try {
            return value.length == 0 ? null : RemoteMetrics.read(JsonValue.read(value));
        } catch (UnusableValueException ofAnotherVersion) {
            return null; // the next value says it again
        }
    }

    private static void write(RemoteMetrics m, WireWriter to) {
        to.writeSigned(m.attempt())
                .writeSigned(m.watchedSinceNanos())
                .writeSigned(m.atNanos())
                .writeVarint(m.expected());
        write(m.reporting(), to);
        to.writeByte(m.guessed() ? 1 : 0);
        write(m.silent(), to);
        to.writeSigned(m.newestStep())
                .writeVarint(m.usualNanos())
                .writeDouble(m.measuredNanos())
                .writeDouble(m.lostGpuSeconds())
                .writeVarint(m.losses().size());
        new TreeMap<>(m.losses()).forEach((reason, n) -> to.writeText(reason).writeVarint(n));
        to.writeVarint(m.lagNanos())
                .writeByte(m.standing() ? 1 : 0)
                .writeVarint(m.notes().size());
        m.notes().forEach(to::writeText);
    }

    private static RemoteMetrics metrics(String job, WireReader from) {
        int attempt = from.readSignedInt();
        long since = from.readSigned();
        long at = from.readSigned();
        int expected = from.readInt();
        RankSet reporting = ranks(from);
        boolean guessed = from.readByte() != 0;
        RankSet silent = ranks(from);
        long newestStep = from.readSigned();
        long usual = from.readVarint();
        double measured = from.readDouble();
        double lost = from.readDouble();
        Map<String, Long> losses = new TreeMap<>();
        for (int n = from.readCount(2); n > 0; n--) {
            losses.put(from.readText(), from.readVarint());
        }
        long lag = from.readVarint();
        boolean standing = from.readByte() != 0;
        List<String> notes = new ArrayList<>();
        for (int n = from.readCount(1); n > 0; n--) {
            notes.add(from.readText());
        }
        return new RemoteMetrics(
                job,
                attempt,
                since,
                at,
                expected,
                reporting,
                guessed,
                silent,
                newestStep,
                usual,
                measured,
                lost,
                losses,
                lag,
                standing,
                notes);
    }

    /** Runs of ranks: the distance from the end of the one before, and the length. */
    private static void write(RankSet ranks, WireWriter to) {
        WireWriter runs = new WireWriter();
        int n = 0;
        int end = 0;
        for (int i = 0; i < ranks.size(); n++) {
            int first = ranks.get(i);
            int length = 1;
            while (i + length < ranks.size() && ranks.get(i + length) == first + length) {
                length++;
            }
            runs.writeVarint(first - end).writeVarint(length);
            end = first + length;
            i += length;
        }
        to.writeVarint(n).writeRaw(runs.toByteArray());
    }

    private static RankSet ranks(WireReader from) {
        IntStream.Builder all = IntStream.builder();
        long end = 0;
        for (int n = from.readCount(2); n > 0; n--) {
            long first = end + from.readInt();
            end = first + from.readInt();
            if (end > RemoteMetrics.MOST_RANKS_WRITTEN) {
                throw new WireException(
                        "rank " + end + " in a state, expected less than " + RemoteMetrics.MOST_RANKS_WRITTEN);
            }
            for (long rank = first; rank < end; rank++) {
                all.add((int) rank);
            }
        }
        return RankSet.of(all.build());
    }
}
