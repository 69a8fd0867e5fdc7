package dev.argus.server.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.hostlocal.live.IncidentChange;
import dev.argus.model.Incident;
import dev.argus.model.IncidentState;
import dev.argus.model.RankSet;
import dev.argus.server.Samples;
import dev.argus.server.ingest.JobRows;
import dev.argus.server.job.FleetListener;
import dev.argus.server.job.JobView;
import dev.argus.storage.StoreBatch;
import dev.argus.wire.IncidentCodec;
import dev.argus.wire.WireException;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteJobsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String JOB = "job \u202e<b>";

    private final AtomicLong now = new AtomicLong(Samples.EPOCH + 100 * SECOND);
    private final List<String> told = new ArrayList<>();
    private final RemoteJobs jobs = jobs(4);

    private RemoteJobs jobs(int most) {
        return jobs(most, 64 << 20);
    }

    private RemoteJobs jobs(int most, long bytes) {
        RemoteJobs made = new RemoteJobs(now::get, most, bytes, told::add);
        made.listen(new FleetListener() {
            @Override
            public void appeared(JobView job) {
                told.add("appeared " + job.job());
            }

            @Override
            public void incident(JobView job, IncidentChange change) {
                told.add(change.kind() + " " + change.incident().id() + " of "
                        + job.incidents().size());
            }

            @Override
            public void forgotten(JobView job) {
                made.jobs(); // asks back
                told.add("forgotten " + job.job());
            }
        });
        return made;
    }

    private static Incident incident(String id, IncidentState state) {
        return Samples.incident(id, state, "host <0>");
    }

    private StoreBatch rows() {
        JobRows rows = jobs.takeRows();
        return rows.batch(1, 0, Map.of());
    }

    private JobView view() {
        return jobs.job(JOB).orElseThrow();
    }

    @Test
    void changesAreShownToldAndKeptAsOwnOnesAre() {
        long at = now.get() - 5 * SECOND;
        jobs.incident(Values.change(JOB, 2, "opened", at, incident("i1", IncidentState.OPEN)));
        assertThat(told).containsExactly("appeared " + JOB, "OPENED i1 of 1");
        assertThat(view().incidents()).containsExactly(incident("i1", IncidentState.OPEN));
        assertThat(view().attempt()).isEqualTo(2);
        assertThat(view().heardNanos()).isEqualTo(at);
        jobs.incident(Values.change(JOB, 2, "resolved", at + 1, incident("i1", IncidentState.RESOLVED)));
        assertThat(view().incidents().getFirst().state()).isEqualTo(IncidentState.RESOLVED);
        StoreBatch rows = rows();
        assertThat(rows.incidents()).extracting(r -> r.change()).containsExactly("opened", "resolved");
        assertThat(rows.incidents().getFirst().document()).contains("\"id\":\"i1\"");
        assertThat(rows.jobs()).isNotEmpty();
        jobs.incident(Values.change(JOB, 2, "opened", at + 2, incident("i2", IncidentState.OPEN)));
        jobs.incident(Values.change(JOB, 2, "withdrawn", at + 3, incident("i2", IncidentState.OPEN)));
        assertThat(view().incidents()).extracting(Incident::id).containsExactly("i1");
        assertThat(jobs.skipped()).isEmpty();
    }

    @Test
    void whatIsKnownChangesNothing() {
        byte[] opened = Values.change(JOB, 2, "opened", now.get(), incident("i1", IncidentState.OPEN));
        byte[] changed = Values.change(JOB, 2, "changed", now.get() + 1, incident("i1", IncidentState.ONGOING));
        jobs.incident(opened);
        jobs.incident(opened);
        jobs.incident(changed);
        jobs.incident(opened);
        assertThat(view().incidents().getFirst().state()).isEqualTo(IncidentState.ONGOING);
        assertThat(jobs.skipped()).containsEntry(RemoteJobs.KNOWN, 2L);
        assertThat(rows().incidents()).hasSize(2);
    }

    /** Else nothing that is said of it now would ever be shown again. */
    @Test
    void whatIsFromDaysToComeIsSteppedOver() {
        long tomorrow = now.get() + 86_400 * SECOND;
        jobs.incident(Values.change(JOB, 2, "opened", tomorrow, incident("i1", IncidentState.OPEN)));
        assertThat(jobs.job(JOB)).isEmpty();
        assertThat(jobs.skipped()).containsEntry(UnusableValueException.WRONG_MEMBER, 1L);
        jobs.incident(Values.change(JOB, 2, "opened", now.get() + 60 * SECOND, incident("i1", IncidentState.OPEN)));
        assertThat(view().incidents()).hasSize(1);
    }

    @Test
    void metricsSayWhoReportsAndHowLateTheyAre() {
        jobs.metrics(
                Values.metrics(
                        JOB,
                        now.get(),
                        64,
                        63,
                        ",\"reportingRanks\":\"0-36,38-63\",\"silentRanks\":\"37\",\"standing\":true,\"measuredNanos\":12.5e9,\"notes\":[\"two groups overlap\"]"));
        JobView view = view();
        assertThat(view.expected()).isEqualTo(64);
        assertThat(view.reporting()).isEqualTo(RankSet.range(0, 63).minus(RankSet.of(37)));
        assertThat(view.silent()).isEqualTo(RankSet.of(37));
        assertThat(view.newestStep()).isEqualTo(28);
        assertThat(view.usualNanos()).isEqualTo(200_000_000);
        assertThat(view.lostGpuSeconds()).isEqualTo(81.5);
        assertThat(view.standing()).isTrue();
        assertThat(view.lagNanos()).isEqualTo(5);
        assertThat(view.losses()).containsEntry("spool-full", 3L);
        assertThat(view.notes()).hasSize(2).contains("two groups overlap");
        now.addAndGet(60 * SECOND); // nothing is told any more
        assertThat(view().lagNanos()).isEqualTo(40 * SECOND + 5);
        jobs.metrics(Values.metrics(JOB, now.get(), 64, 64, ""));
        assertThat(view().reporting().size()).isEqualTo(64);
        jobs.metrics(Values.metrics(JOB, now.get() + 1, 64, 60, ""));
        assertThat(view().reporting().size()).isEqualTo(60);
        assertThat(view().notes()).anyMatch(n -> n.contains("only the number"));
        jobs.metrics(Values.metrics(JOB, now.get() - 1, 64, 1, ""));
        assertThat(view().reporting().size()).isEqualTo(60);
        assertThat(rows().losses()).extracting(r -> r.count()).containsExactly(3L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "value-not-json|",
                "value-not-json|[]",
                "value-not-json|{\"schema\":\"argus.incident-change/1\"",
                "value-not-json|{\"schema\":1,\"schema\":2}",
                "value-not-json|{\"a\":1e9999999999999999999999999999999999}",
                "value-not-json|{\"a\":99999999999999999999}",
                "value-not-json|{} {}",
                "value-of-other-schema|{}",
                "value-of-other-schema|{\"schema\":\"argus.incident-change/2\"}",
                "value-with-wrong-member|{\"schema\":\"argus.incident-change/1\"}",
                "value-with-wrong-member|{\"schema\":\"argus.incident-change/1\",\"change\":\"exploded\"}",
                "value-with-wrong-member|{\"schema\":\"argus.incident-change/1\",\"change\":\"opened\",\"job\":\"\"}",
                "value-with-wrong-member|{\"schema\":\"argus.incident-change/1\",\"change\":\"opened\",\"job\":\"j\",\"attempt\":-1}",
                "value-with-wrong-member|{\"schema\":\"argus.incident-change/1\",\"change\":\"opened\",\"job\":\"j\",\"attempt\":0,\"incident\":[]}"
            })
    void whatCannotBeUsedIsCountedAndSteppedOver(String reason, String value) {
        jobs.incident((value == null ? "" : value).getBytes(UTF_8));
        assertThat(jobs.skipped()).isEqualTo(Map.of(reason, 1L));
        assertThat(jobs.lastSkipped()).startsWith(reason);
        jobs.incident(Values.change(JOB, 2, "opened", now.get(), incident("i1", IncidentState.OPEN)));
        assertThat(view().incidents()).hasSize(1);
    }

    @Test
    void badUtf8TooDeepAndTooLargeAreNoValues() {
        byte[] good = Values.change(JOB, 2, "opened", now.get(), incident("i1", IncidentState.OPEN));
        byte[] bad = good.clone();
        bad[new String(good, UTF_8).indexOf("drain")] = (byte) 0xC0;
        jobs.incident(bad);
        jobs.incident(("{\"a\":" + "[".repeat(100) + "]".repeat(100) + "}").getBytes(UTF_8));
        assertThat(jobs.skipped()).isEqualTo(Map.of(UnusableValueException.NOT_JSON, 2L));
        jobs.incident(new byte[JsonValue.MOST_BYTES + 1]);
        assertThat(jobs.skipped()).containsEntry(UnusableValueException.TOO_LARGE, 1L);
        assertThat(jobs.jobs()).isEmpty();
        assertThat(told).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"kind\":\"compute-straggler\"|\"kind\":\"of a later version\"",
                "\"confidence\":0.97|\"confidence\":1.5",
                "\"confidence\":0.97|\"confidence\":null",
                "\"steps\":[21,28]|\"steps\":[28,21]",
                "\"steps\":[21,28]|\"steps\":[28]",
                "\"ranks\":[1]|\"ranks\":[-1]",
                "\"ranks\":[1]|\"ranks\":[1.5]",
                "\"ranks\":[1]|\"ranks\":[99999999999]",
                "\"gpuSeconds\":81.4|\"gpuSeconds\":-1",
                "\"id\":\"i1\"|\"id\":\"../i1\"",
                "\"state\":\"open\"|\"state\":null",
                "\"summary\":|\"summery\":"
            })
    void anIncidentThatSaysWhatCannotBeIsNone(String change) {
        String[] parts = change.split("\\|", -1);
        String good = new String(Values.change(JOB, 2, "opened", now.get(), incident("i1", IncidentState.OPEN)), UTF_8);
        assertThat(good).contains(parts[0]);
        jobs.incident(good.replaceFirst(java.util.regex.Pattern.quote(parts[0]), parts[1])
                .getBytes(UTF_8));
        assertThat(jobs.skipped()).isEqualTo(Map.of(UnusableValueException.WRONG_MEMBER, 1L));
        assertThat(jobs.jobs()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",\"reportingRanks\":\"0-62\"",
                ",\"reportingRanks\":\"63-0\"",
                ",\"silentRanks\":\"0-9999999\"",
                ",\"silentRanks\":\"x\"",
                ",\"standing\":1",
                ",\"measuredNanos\":-1"
            })
    void metricsThatContradictThemselvesAreNone(String more) {
        jobs.metrics(Values.metrics(JOB, now.get(), 64, 64, more));
        assertThat(jobs.skipped()).isEqualTo(Map.of(UnusableValueException.WRONG_MEMBER, 1L));
    }

    /** Any bytes changed anywhere: never an exception, and what is taken is whole. */
    @Test
    void damageNeverGetsFurther() {
        byte[] change = Values.change(JOB, 2, "opened", now.get(), incident("i1", IncidentState.OPEN));
        byte[] metrics = Values.metrics(JOB, now.get(), 64, 63, ",\"reportingRanks\":\"0-36,38-63\"");
        Random random = new Random(20_261_130);
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = (i % 2 == 0 ? change : metrics).clone();
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            if (i % 2 == 0) {
                jobs.incident(damaged);
            } else {
                jobs.metrics(damaged);
            }
        }
        assertThat(jobs.jobs().size()).isLessThanOrEqualTo(4);
        assertThat(told).noneMatch(t -> t.contains("defect"));
        jobs.snapshot();
    }

    @Test
    void jobsAreBoundedAndOldOnesForgotten() {
        for (int i = 0; i < 5; i++) {
            jobs.metrics(Values.metrics("job" + i, now.get() + i, 1, 1, ""));
        }
        assertThat(jobs.jobs()).hasSize(4);
        assertThat(jobs.skipped()).containsEntry(RemoteJobs.NO_ROOM, 1L);
        now.addAndGet(601 * SECOND);
        jobs.metrics(Values.metrics("job5", now.get(), 1, 1, ""));
        assertThat(jobs.job("job5")).isPresent();
        assertThat(told).contains("forgotten job0");
        now.addAndGet(90_000 * SECOND);
        jobs.tidy();
        assertThat(jobs.jobs()).isEmpty();
        // What is older than a day is kept as rows alone.
        rows();
        jobs.incident(Values.change(JOB, 2, "opened", now.get() - 90_000 * SECOND, incident("i1", IncidentState.OPEN)));
        assertThat(jobs.jobs()).isEmpty();
        assertThat(rows().incidents()).hasSize(1);
    }

    @Test
    void incidentsOfAJobAreBoundedAndThoseThatLastStay() {
        jobs.incident(Values.change(JOB, 2, "opened", now.get(), incident("lasts", IncidentState.OPEN)));
        for (int i = 0; i < 200; i++) {
            jobs.incident(Values.change(JOB, 2, "resolved", now.get() + i, incident("i" + i, IncidentState.RESOLVED)));
        }
        assertThat(view().incidents()).hasSize(RemoteJob.MOST_ENDED + 1).anyMatch(i -> i.id().equals("lasts"));
    }

    private static byte[] attempt(byte[] value, int attempt) {
        return new String(value, UTF_8)
                .replace("\"attempt\":2", "\"attempt\":" + attempt)
                .getBytes(UTF_8);
    }

    private static byte[] watch(byte[] value, long since) {
        return new String(value, UTF_8)
                .replace("\"attempt\":2,", "\"attempt\":2,\"watchedSinceEpochNanos\":" + since + ",")
                .getBytes(UTF_8);
    }

    /** The newest value decides, not the highest number: what a damaged one says is over with the next that is right. */
    @Test
    void anAbsurdAttemptHidesWhatIsSaidOnlyUntilTheNextValue() {
        jobs.incident(Values.change(JOB, 2, "opened", now.get() - SECOND, incident("i1", IncidentState.OPEN)));
        jobs.incident(attempt(
                Values.change(JOB, 2, "opened", now.get(), incident("absurd", IncidentState.OPEN)), Integer.MAX_VALUE));
        assertThat(view().attempt()).isEqualTo(Integer.MAX_VALUE);
        jobs.incident(Values.change(JOB, 2, "opened", now.get() + 1, incident("i2", IncidentState.OPEN)));
        assertThat(view().attempt()).isEqualTo(2);
        assertThat(view().incidents()).extracting(Incident::id).containsExactly("i1", "i2");
        jobs.metrics(attempt(Values.metrics(JOB, now.get() + 2, 64, 64, ""), Integer.MAX_VALUE));
        assertThat(view().incidents()).extracting(Incident::id).containsExactly("absurd");
        jobs.metrics(Values.metrics(JOB, now.get() + 3, 64, 64, ""));
        assertThat(view().incidents()).extracting(Incident::id).containsExactly("i1", "i2");
        // Another attempt that is meant: what was open is followed no more, and what ends of it does not bring it back.
        jobs.metrics(attempt(Values.metrics(JOB, now.get() + 4, 64, 64, ""), 3));
        jobs.incident(Values.change(JOB, 2, "ended", now.get() + 5, incident("i1", IncidentState.OPEN)));
        assertThat(view().attempt()).isEqualTo(3);
        assertThat(view().incidents()).isEmpty();
    }

    @Test
    void anAttemptThatIsNotThatOfTheIncidentIsNone() {
        byte[] good = Values.change(JOB, 2, "opened", now.get(), incident("i1", IncidentState.OPEN));
        String bad = new String(good, UTF_8).replaceFirst("\"attempt\":2", "\"attempt\":2147483647");
        jobs.incident(bad.getBytes(UTF_8));
        assertThat(jobs.skipped()).isEqualTo(Map.of(UnusableValueException.WRONG_MEMBER, 1L));
    }

    /** A value that is further ahead than clocks differ counts as one of the moment at which it came. */
    @Test
    void whatIsFromAheadHidesNothingThatComesLater() {
        long ahead = now.get() + 600 * SECOND;
        jobs.metrics(Values.metrics(JOB, ahead, 64, 1, ""));
        jobs.incident(Values.change(JOB, 2, "opened", ahead, incident("i1", IncidentState.OPEN)));
        now.addAndGet(10 * SECOND);
        jobs.metrics(Values.metrics(JOB, now.get(), 64, 60, ""));
        jobs.incident(Values.change(JOB, 2, "changed", now.get(), incident("i1", IncidentState.ONGOING)));
        assertThat(view().reporting().size()).isEqualTo(60);
        assertThat(view().incidents().getFirst().state()).isEqualTo(IncidentState.ONGOING);
        assertThat(jobs.skipped()).isEmpty();
    }

    /** A watch that began anew (its state was unreadable, or the job had been forgotten) follows nothing of the one before. */
    @Test
    void whatAWatchThatEndedLeftOpenIsNotShownForEver() {
        jobs.incident(
                watch(Values.change(JOB, 2, "opened", now.get() - SECOND, incident("i1", IncidentState.OPEN)), 7));
        jobs.incident(Values.change(JOB, 2, "opened", now.get() - SECOND, incident("older", IncidentState.OPEN)));
        assertThat(view().incidents()).hasSize(2);
        jobs.metrics(watch(Values.metrics(JOB, now.get(), 64, 64, ""), 8));
        assertThat(view().incidents())
                .extracting(Incident::id)
                .containsExactly("older"); // who does not say is believed
        jobs.incident(watch(Values.change(JOB, 2, "opened", now.get() + 1, incident("i1", IncidentState.OPEN)), 8));
        assertThat(view().incidents()).extracting(Incident::id).containsExactlyInAnyOrder("i1", "older");
        RemoteJobs again = jobs(4);
        again.restore(jobs.snapshot());
        assertThat(again.jobs()).isEqualTo(jobs.jobs());
    }

    private static Incident large(String id, IncidentState state, int chars) {
        return Samples.incident(id, state, "x".repeat(chars));
    }

    /** Who takes most gives up first: a job with large values costs the others nothing. */
    @Test
    void memoryIsBoundedByBytesOverAllJobs() {
        long room = 2_000_000;
        RemoteJobs bounded = jobs(4, room);
        bounded.incident(Values.change("small", 2, "opened", now.get(), incident("i1", IncidentState.OPEN)));
        bounded.metrics(Values.metrics("small", now.get(), 64, 64, ""));
        for (int i = 0; i < 30; i++) {
            IncidentState state = i % 2 == 0 ? IncidentState.OPEN : IncidentState.RESOLVED;
            String change = i % 2 == 0 ? "opened" : "resolved";
            bounded.incident(Values.change("large", 2, change, now.get() + i, large("i" + i, state, 10_000)));
            assertThat(bounded.bytes()).isLessThanOrEqualTo(room);
        }
        bounded.metrics(Values.metrics("large", now.get() + 30, 1 << 17, 1 << 17, ""));
        assertThat(bounded.bytes()).isLessThanOrEqualTo(room);
        assertThat(bounded.job("small").orElseThrow().incidents()).hasSize(1);
        assertThat(bounded.job("small").orElseThrow().reporting().size()).isEqualTo(64);
        JobView view = bounded.job("large").orElseThrow();
        assertThat(view.incidents())
                .as("those that last stay longest, the newest of them longest of all")
                .isNotEmpty()
                .allMatch(i -> i.state() == IncidentState.OPEN)
                .anyMatch(i -> i.id().equals("i28"))
                .noneMatch(i -> i.id().equals("i0"));
        assertThat(view.expected()).as("unknown, rather than wrong").isZero();
        assertThat(view.notes()).anyMatch(n -> n.contains("too much memory"));
        assertThat(bounded.dropped())
                .containsKeys(RemoteJob.OVER, RemoteJob.OPEN)
                .containsEntry(RemoteJob.RANKS, 1L);
        RemoteJobs again = jobs(4, room);
        again.restore(bounded.snapshot());
        assertThat(again.jobs()).isEqualTo(bounded.jobs());
        assertThat(again.dropped()).isEqualTo(bounded.dropped());
        assertThat(again.bytes()).isEqualTo(bounded.bytes());
        // Counts go on from where they were, whatever was given up.
        bounded.takeRows();
        bounded.metrics(Values.metrics("large", now.get() + 31, 64, 64, ""));
        assertThat(bounded.takeRows().batch(1, 0, Map.of()).losses()).isEmpty();
        now.addAndGet(90_000 * SECOND);
        bounded.tidy();
        assertThat(bounded.bytes()).isZero();
    }

    /** The largest values that pass: what is held stays below the bound, and each is weighed for more than its parts. */
    @Test
    void theLargestValuesTakeNoMoreThanTheBound() {
        RemoteJobs bounded = jobs(256, 32 << 20);
        for (int i = 0; i < 40; i++) {
            bounded.metrics(Values.metrics("job" + i, now.get(), 1 << 20, 1 << 20, ""));
            assertThat(bounded.bytes()).isLessThanOrEqualTo(32 << 20);
        }
        assertThat(bounded.jobs()).hasSize(40);
        assertThat(bounded.dropped().get(RemoteJob.RANKS)).isGreaterThan(30);
    }

    @Test
    void stateOfTheFirstVersionIsTakenUp() {
        byte[] metrics = Values.metrics(JOB, now.get(), 64, 63, ",\"reportingRanks\":\"0-36,38-63\"");
        WireWriter to = new WireWriter();
        to.writeByte(1)
                .writeVarint(3)
                .writeVarint(1)
                .writeText(RemoteJobs.KNOWN)
                .writeVarint(4);
        to.writeVarint(1).writeText(JOB).writeSigned(now.get()).writeSigned(now.get());
        to.writeSigned(2).writeBytes(metrics).writeVarint(1);
        to.writeText("OPENED").writeSigned(now.get());
        IncidentCodec.encode(incident("i1", IncidentState.OPEN), to);
        jobs.restore(to.writeChecksum(0).toByteArray());
        assertThat(view().incidents()).hasSize(1);
        assertThat(view().reporting().size()).isEqualTo(63);
        assertThat(jobs.skipped()).containsEntry(RemoteJobs.KNOWN, 4L);
        jobs.metrics(metrics);
        assertThat(jobs.skipped()).containsEntry(RemoteJobs.KNOWN, 5L);
    }

    @Test
    void itGoesOnWithItsState() {
        jobs.metrics(Values.metrics(JOB, now.get(), 64, 63, ",\"reportingRanks\":\"0-36,38-63\""));
        jobs.incident(Values.change(JOB, 2, "opened", now.get(), incident("i1", IncidentState.OPEN)));
        jobs.incident(Values.change(JOB, 2, "withdrawn", now.get(), incident("i2", IncidentState.OPEN)));
        jobs.incident(new byte[] {1});
        RemoteJobs again = jobs(4);
        again.restore(jobs.snapshot());
        assertThat(again.jobs()).isEqualTo(jobs.jobs());
        assertThat(again.skipped()).isEqualTo(jobs.skipped());
        assertThat(again.taken()).isEqualTo(3);
        byte[] damaged = jobs.snapshot();
        damaged[10] ^= 1;
        assertThatThrownBy(() -> jobs(4).restore(damaged)).isInstanceOf(WireException.class);
    }
}
