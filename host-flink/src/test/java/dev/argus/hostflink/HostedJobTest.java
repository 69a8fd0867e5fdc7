package dev.argus.hostflink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.model.NameTable;
import dev.argus.model.RecordLoss;
import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.ShippedJob;
import dev.argus.simulator.ShippedJob.Way;
import dev.argus.wire.FrameWriter;
import dev.argus.wire.SessionId;
import dev.argus.wire.Shipment;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One job, without Flink. */
class HostedJobTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long BEGIN = Played.BEGIN_MILLIS;

    private static Played played(ScenarioKind kind, long seed, Way way) {
        return new Played(2)
                .add(ShippedJob.standing(
                        "job", FlinkContractTest.scenario(kind, seed), BEGIN * 1_000_000, SECOND, 35 * SECOND, way));
    }

    /** Plays records in their order, time going on in steps of 100 ms; written down and taken up again where the random numbers say so. */
    private static HostedJob play(
            List<Arrival> input, long endMillis, HostOptions options, double restarts, List<Said> said, Gap... gaps) {
        Random random = new Random(9);
        HostedJob job = new HostedJob("job", options);
        for (Gap gap : gaps) {
            job.gap(gap);
        }
        int at = 0;
        for (long now = BEGIN; now <= endMillis; now += 100) {
            for (; at < input.size() && input.get(at).atMillis() <= now; at++) {
                if (!input.get(at).isTick()) {
                    job.add(input.get(at));
                }
            }
            job.advance(now, now, said::add);
            if (random.nextDouble() < restarts) {
                byte[] state = job.snapshot();
                job = HostedJobCodec.restore("job", options, state);
                assertThat(job.snapshot()).isEqualTo(state);
            }
        }
        return job;
    }

    private static List<String> incidents(List<Said> said) {
        return said.stream()
                .filter(s -> s.topic() == Said.INCIDENTS)
                .map(Said::json)
                .toList();
    }

    private static boolean says(List<Said> said, String what) {
        return incidents(said).stream().anyMatch(j -> j.contains(what));
    }

    @ParameterizedTest
    @EnumSource(
            value = ScenarioKind.class,
            names = {"COMPUTE", "HEALTHY", "NIC"})
    void saysWhatAPlainJobSaysRestartedOrNot(ScenarioKind kind) {
        Played played = played(kind, 77, Way.ROUGH);
        List<Arrival> input = played.script().inOrder();
        List<String> expected = Reference.of("job", input);
        List<Said> plain = new ArrayList<>();
        List<Said> restarted = new ArrayList<>();
        play(input, played.endMillis(), HostOptions.DEFAULT, 0, plain);
        play(input, played.endMillis(), HostOptions.DEFAULT, 0.05, restarted);
        assertThat(incidents(plain)).isEqualTo(expected).isNotEmpty();
        assertThat(incidents(restarted)).isEqualTo(expected);
    }

    @Test
    void standingStillIsSaid() {
        Played played = played(ScenarioKind.HEALTHY, 3, Way.PLAIN);
        List<Said> said = new ArrayList<>();
        play(played.script().inOrder(), played.endMillis(), HostOptions.DEFAULT, 0, said);
        assertThat(says(said, "\"kind\":\"hang\"")).isTrue();
    }

    @Test
    void aBrokerThatWasAwayIsHeldAgainstNobody() {
        Played played = played(ScenarioKind.HEALTHY, 3, Way.PLAIN);
        // For 45 s nothing comes, then the job goes on from where it was: whatever was sent meanwhile comes late, all
        // at once.
        long from = BEGIN + 20_000;
        long until = BEGIN + 65_000;
        List<Arrival> away = new ArrayList<>();
        for (Arrival a : played.script().inOrder()) {
            boolean later = a.atMillis() > from;
            away.add(later ? a.at(a.atMillis() + (until - from)) : a);
        }
        long end = BEGIN + 40_000 + (until - from);
        List<Said> without = new ArrayList<>();
        play(away, end, HostOptions.DEFAULT, 0, without);
        assertThat(says(without, "\"kind\":\"hang\""))
                .as("who is not heard may well go on, whether the gap is told or not")
                .isFalse();
        List<Said> said = new ArrayList<>();
        play(away, end, HostOptions.DEFAULT, 0.02, said, new Gap(from, until));
        assertThat(says(said, "\"kind\":\"hang\"")).isFalse();
    }

    @Test
    void aJobThatVanishedIsForgottenAndWhatIsOpenEnds() {
        Played played = played(ScenarioKind.COMPUTE, 77, Way.PLAIN);
        HostOptions options = HostOptions.DEFAULT.expiring(120 * SECOND);
        List<Said> said = new ArrayList<>();
        HostedJob job = play(played.script().inOrder(), BEGIN + 140_000, options, 0, said);
        assertThat(job.isOver()).isFalse();
        List<Said> later = new ArrayList<>();
        job.advance(BEGIN + 200_000, BEGIN, later::add);
        assertThat(job.isOver()).isTrue();
        assertThat(says(later, "\"change\":\"ended\"")).isTrue();
        later.clear();
        job.advance(BEGIN + 900_000, BEGIN, later::add);
        assertThat(later).as("nothing more is said").isEmpty();
        // It comes back: as one that was never heard of, whether it was there all along or not.
        List<Arrival> back = new ArrayList<>();
        played.script().inOrder().stream()
                .filter(a -> !a.isTick())
                .forEach(a -> back.add(a.at(a.atMillis() + 1_000_000)));
        HostedJob fresh = new HostedJob("job", options);
        List<Said> anew = new ArrayList<>();
        back.forEach(job::add);
        back.forEach(fresh::add);
        job.advance(BEGIN + 1_100_000, BEGIN, later::add);
        fresh.advance(BEGIN + 1_100_000, BEGIN, anew::add);
        assertThat(later).isEqualTo(anew).isNotEmpty();
    }

    @Test
    void whatComesAnHourLateIsCountedAndNotJudged() {
        Played played = played(ScenarioKind.HEALTHY, 3, Way.PLAIN);
        List<Arrival> input = played.script().inOrder();
        List<Arrival> shipments =
                new ArrayList<>(input.stream().filter(a -> !a.isTick()).toList());
        Arrival old = shipments.remove(shipments.size() / 2);
        List<Said> said = new ArrayList<>();
        HostedJob job = play(shipments, played.endMillis(), HostOptions.DEFAULT, 0, said);
        List<String> before = incidents(said);
        job.add(old.at(BEGIN + 3_600_000));
        job.advance(BEGIN + 3_700_000, BEGIN, said::add);
        assertThat(job.counts().losses()).containsKeys("frame-missing", "frame-twice");
        assertThat(incidents(said)).startsWith(before.toArray(String[]::new));
    }

    @Test
    void metricsAreToldEveryTenSeconds() {
        Played played = played(ScenarioKind.COMPUTE, 77, Way.PLAIN);
        List<Said> said = new ArrayList<>();
        play(played.script().inOrder(), BEGIN + 60_000, HostOptions.DEFAULT, 0, said);
        List<String> metrics = said.stream()
                .filter(s -> s.topic() == Said.METRICS)
                .map(Said::json)
                .toList();
        assertThat(metrics).hasSize(6);
        assertThat(metrics.getLast())
                .contains("\"schema\":\"argus.metrics/1\"", "\"newestStep\":49", "\"lostGpuSeconds\":")
                .doesNotContain("\"ranksReporting\":0,");
        assertThat(said.stream().filter(s -> s.topic() == Said.STEPS)).hasSize(40);
    }

    private static long since(String json) {
        return Long.parseLong(json.replaceFirst(".*?\"watchedSinceEpochNanos\":([0-9]+).*", "$1"));
    }

    /** Readers tell changes of the watch that begins from those of the one before, whose numbers are the same. */
    @Test
    void aWatchWhoseStateCannotBeReadBeginsAnewAndIsAnotherOne() {
        Played played = played(ScenarioKind.COMPUTE, 77, Way.PLAIN);
        List<Arrival> input = played.script().inOrder();
        long stop = BEGIN + 30_000;
        List<Said> before = new ArrayList<>();
        HostedJob job =
                play(input.stream().filter(a -> a.atMillis() <= stop).toList(), stop, HostOptions.DEFAULT, 0, before);
        assertThat(since(incidents(before).getFirst()))
                .isEqualTo(input.stream()
                                .filter(a -> !a.isTick())
                                .findFirst()
                                .orElseThrow()
                                .atMillis()
                        * 1_000_000);
        byte[] state = job.snapshot();
        state[state.length / 2] ^= 1;
        List<String> problems = new ArrayList<>();
        HostedJob anew = HostedJobCodec.restoredOrAnew("job", HostOptions.DEFAULT, state, problems::add);
        assertThat(problems).hasSize(1);
        List<Said> after = new ArrayList<>();
        input.stream().filter(a -> a.atMillis() > stop && !a.isTick()).forEach(anew::add);
        anew.advance(played.endMillis(), BEGIN, after::add);
        assertThat(after).isNotEmpty().allMatch(s -> s.topic() == Said.STEPS || since(s.json()) > stop * 1_000_000);
        assertThat(after).anyMatch(s -> s.json().contains("\"state-unreadable\":1"));
    }

    /** One of which nothing comes any more does not stay for ever. */
    @Test
    void aJobWhoseStateCannotBeReadAndThatSaysNothingIsForgotten() {
        HostedJob anew = HostedJobCodec.restoredOrAnew("job", HostOptions.DEFAULT, new byte[9], problem -> {});
        List<Said> said = new ArrayList<>();
        anew.advance(BEGIN, BEGIN, said::add);
        assertThat(anew.isOver()).isFalse();
        anew.advance(BEGIN + 86_400_000, BEGIN, said::add);
        assertThat(anew.isOver()).isTrue();
        assertThat(said).isEmpty();
    }

    @Test
    void aStateOfTheFirstVersionIsTakenUp() {
        Played played = played(ScenarioKind.COMPUTE, 77, Way.PLAIN);
        List<Arrival> input = played.script().inOrder();
        HostedJob job = play(input, BEGIN + 30_000, HostOptions.DEFAULT, 0, new ArrayList<>());
        byte[] state = job.snapshot();
        // Without the two numbers behind that of the changes, which the first version did not have.
        WireReader head = new WireReader(state);
        head.readByte();
        for (int i = 0; i < 4; i++) {
            head.readSigned();
        }
        head.readVarint();
        int at = state.length - head.remaining();
        head.readSigned();
        head.readSigned();
        int behind = state.length - head.remaining();
        WireWriter first = new WireWriter();
        first.writeByte(1)
                .writeRaw(Arrays.copyOfRange(state, 1, at))
                .writeRaw(Arrays.copyOfRange(state, behind, state.length - 4));
        HostedJob again = HostedJobCodec.restore(
                "job", HostOptions.DEFAULT, first.writeChecksum(0).toByteArray());
        List<Said> said = new ArrayList<>();
        again.advance(BEGIN + 60_000, BEGIN, said::add);
        assertThat(said).isNotEmpty().noneMatch(s -> s.json().contains("watchedSince"));
    }

    /** Shipments of a host that brings names and nothing else of use, from a time on, one in a second. */
    private static List<Arrival> naming(int frames, int namesEach, long fromMillis) {
        NameTable table = new NameTable();
        FrameWriter writer = new FrameWriter(new SessionId(77, 7), "job", "names", table);
        List<Arrival> all = new ArrayList<>();
        for (int i = 0; i < frames; i++) {
            for (int n = 0; n < namesEach; n++) {
                writer.add(new RecordLoss(0, 1, table.id("name " + i + " " + n), 1));
            }
            Shipment.Numbered frame = new Shipment.Numbered(i + 1, writer.frame(0, fromMillis));
            writer.stored();
            Shipment shipment =
                    new Shipment(writer.session(), "job", "names", 1, i + 1, false, 0, List.of(), List.of(frame));
            all.add(new Arrival("job", 0, i, fromMillis + 1000L * i, shipment.encode()));
        }
        return all;
    }

    private static HostedJob played(
            List<Arrival> input, List<Arrival> more, long endMillis, int names, List<Said> said) {
        HostedJob job = new HostedJob("job", HostOptions.DEFAULT, names);
        input.stream().filter(a -> !a.isTick()).forEach(job::add);
        more.forEach(a -> job.add(new Arrival("job", 9, a.offset(), a.atMillis(), a.bytes())));
        job.advance(endMillis, BEGIN, said::add);
        return job;
    }

    /** Further names are left out, said and counted, and who needs none of them is watched as ever. */
    @Test
    void aTableOfNamesThatIsFullMakesNobodyMute() {
        Played played = played(ScenarioKind.COMPUTE, 77, Way.PLAIN);
        List<Arrival> input = played.script().inOrder();
        List<Said> expected = new ArrayList<>();
        int names = played(input, List.of(), played.endMillis(), HostedJob.MOST_NAMES, expected)
                .live()
                .names()
                .size();
        List<Said> said = new ArrayList<>();
        HostedJob job = played(input, naming(30, 100, BEGIN + 15_000), played.endMillis(), names + 1000, said);
        assertThat(job.live().names().size()).isLessThanOrEqualTo(names + 1100);
        assertThat(incidents(said)).isEqualTo(incidents(expected)).isNotEmpty();
        assertThat(job.counts().losses().get("names-too-many")).isGreaterThan(10);
        assertThat(said).anyMatch(s -> s.topic() == Said.METRICS && s.json().contains("more names than are kept"));
    }

    /** Names of sessions that have ended make room for those of a job that goes on for weeks. */
    @Test
    void namesThatNobodyUsesAreForgotten() {
        Played played = played(ScenarioKind.COMPUTE, 77, Way.PLAIN);
        List<Arrival> input = played.script().inOrder();
        List<Said> said = new ArrayList<>();
        HostedJob job = played(input, naming(20, 100, BEGIN - 400_000), played.endMillis(), 2000, said);
        assertThat(says(said, "\"kind\":\"compute-straggler\"")).isTrue();
        assertThat(job.counts().losses().get("names-forgotten")).isGreaterThanOrEqualTo(1000);
        assertThat(job.counts().losses()).doesNotContainKey("names-too-many");
        assertThat(said).anyMatch(s -> s.topic() == Said.METRICS && s.json().contains("nobody used any more"));
        byte[] state = job.snapshot();
        assertThat(HostedJobCodec.restore("job", HostOptions.DEFAULT, state).snapshot())
                .isEqualTo(state);
    }

    private static int indexOf(byte[] part, byte[] all) {
        int at = 0;
        while (!Arrays.equals(part, 0, part.length, all, at, at + part.length)) {
            at++;
        }
        return at;
    }

    private static byte[] sealed(byte[] bytes) {
        return new WireWriter()
                .writeRaw(Arrays.copyOf(bytes, bytes.length - 4))
                .writeChecksum(0)
                .toByteArray();
    }

    /** Whatever stands in a state that is whole by its checksums: a reason to begin that job anew, and no other. */
    @Test
    void aStateThatMakesNoSenseIsRefusedAsOneThatIsDamaged() {
        Played played = played(ScenarioKind.COMPUTE, 77, Way.ROUGH);
        HostedJob job = play(played.script().inOrder(), BEGIN + 30_000, HostOptions.DEFAULT, 0, new ArrayList<>());
        byte[] state = job.snapshot();
        byte[] inner = job.live().snapshot();
        int at = indexOf(inner, state);
        Random random = new Random(11);
        int refused = 0;
        for (int i = 0; i < 400; i++) {
            byte[] outer = state.clone();
            if (i % 2 == 0) {
                byte[] copy = inner.clone();
                copy[random.nextInt(copy.length - 4)] = (byte) random.nextInt(256);
                System.arraycopy(sealed(copy), 0, outer, at, copy.length);
            } else {
                outer[random.nextInt(outer.length - 4)] = (byte) random.nextInt(256);
            }
            List<String> problems = new ArrayList<>();
            HostedJobCodec.restoredOrAnew("job", HostOptions.DEFAULT, sealed(outer), problems::add);
            refused += problems.size();
        }
        assertThat(refused).isPositive();
    }

    /** A state by which the next tick lies centuries back would let its task make ticks for ever, and with it all other jobs stand. */
    @Test
    void timesThatMakeNoSenseAreRefused() {
        for (long[] times : new long[][] {
            {BEGIN * 1_000_000, Long.MIN_VALUE, BEGIN * 1_000_000},
            {BEGIN * 1_000_000, 0, BEGIN * 1_000_000},
            {BEGIN * 1_000_000, BEGIN * 1_000_000, 7},
            {-5, 0, 0}
        }) {
            byte[] head = new WireWriter()
                    .writeByte(HostedJobCodec.VERSION)
                    .writeSigned(times[0])
                    .writeSigned(times[1])
                    .writeSigned(times[2])
                    .writeRaw(new byte[64])
                    .writeChecksum(0)
                    .toByteArray();
            List<String> problems = new ArrayList<>();
            HostedJobCodec.restoredOrAnew("job", HostOptions.DEFAULT, head, problems::add);
            assertThat(problems).singleElement().asString().contains("state of a job at " + times[0]);
        }
    }

    @Test
    void damagedAndForeignStatesAreRefused() {
        Played played = played(ScenarioKind.COMPUTE, 77, Way.ROUGH);
        byte[] state = play(played.script().inOrder(), BEGIN + 30_000, HostOptions.DEFAULT, 0, new ArrayList<>())
                .snapshot();
        Random random = new Random(3);
        for (int i = 0; i < 60; i++) {
            byte[] copy = state.clone();
            copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> HostedJobCodec.restore("job", HostOptions.DEFAULT, copy))
                    .isInstanceOf(WireException.class);
            byte[] cut = Arrays.copyOf(state, random.nextInt(state.length));
            assertThatThrownBy(() -> HostedJobCodec.restore("job", HostOptions.DEFAULT, cut))
                    .isInstanceOf(WireException.class);
        }
    }
}
