package dev.argus.hostflink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.argus.simulator.ScenarioKind;
import dev.argus.simulator.ShippedJob;
import dev.argus.simulator.ShippedJob.Way;
import dev.argus.wire.WireException;
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
                job = HostedJob.restore("job", options, state);
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

    @Test
    void damagedAndForeignStatesAreRefused() {
        Played played = played(ScenarioKind.COMPUTE, 77, Way.ROUGH);
        byte[] state = play(played.script().inOrder(), BEGIN + 30_000, HostOptions.DEFAULT, 0, new ArrayList<>())
                .snapshot();
        Random random = new Random(3);
        for (int i = 0; i < 60; i++) {
            byte[] copy = state.clone();
            copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> HostedJob.restore("job", HostOptions.DEFAULT, copy))
                    .isInstanceOf(WireException.class);
            byte[] cut = Arrays.copyOf(state, random.nextInt(state.length));
            assertThatThrownBy(() -> HostedJob.restore("job", HostOptions.DEFAULT, cut))
                    .isInstanceOf(WireException.class);
        }
    }
}
