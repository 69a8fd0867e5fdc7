package dev.argus.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.argus.model.CollectiveOp;
import dev.argus.model.CollectiveStat;
import dev.argus.model.Gap;
import dev.argus.model.NameTable;
import dev.argus.model.OwnTime;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.SpanKind;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class ShippedDigestCodecTest {
    private final NameTable here = new NameTable();
    private final NameTable there = new NameTable();

    private byte[] encode(StepDigest d) {
        WireWriter to = new WireWriter();
        ShippedDigestCodec.encode(d, here::name, to);
        return to.toByteArray();
    }

    private StepDigest decode(byte[] bytes) {
        WireReader from = new WireReader(bytes);
        StepDigest d = ShippedDigestCodec.decode(from, there::id);
        from.expectEnd();
        return d;
    }

    private StepDigest digest(Random random, int collectives) {
        int[] groups = {here.id("dp"), here.id("tp \u0000 hostile"), -1};
        long start = 1_700_000_000_000_000_000L + random.nextInt(1 << 30);
        List<CollectiveStat> list = new ArrayList<>();
        long at = start;
        for (int i = 0; i < collectives; i++) {
            at += random.nextInt(5_000_000);
            long duration = random.nextInt(20_000_000);
            long exposed = (long) (duration * random.nextDouble());
            int group = groups[random.nextInt(3)];
            CollectiveOp op = CollectiveOp.values()[random.nextInt(3)];
            boolean queued = random.nextBoolean();
            list.add(new CollectiveStat(op, group, 900 + i, 1 << 20, -1, 20, at, duration, exposed, queued));
        }
        return new StepDigest(
                1,
                7,
                41,
                start,
                100_000_000,
                false,
                false,
                true,
                new OwnTime(1, 2, 3, 4, 3),
                5,
                6,
                7,
                8,
                List.of(new PhaseTime(Phase.FORWARD, 9, 10)),
                list,
                List.of(new Gap(start + 1_234_567, 7_654_321, true, false, true, groups[1], SpanKind.PYTHON)));
    }

    @RepeatedTest(20)
    void withinTheStatedError(RepetitionInfo run) {
        here.id("the two tables number names differently");
        StepDigest d = digest(new Random(run.getCurrentRepetition()), run.getCurrentRepetition() - 1);
        StepDigest back = decode(encode(d));
        assertThat(back.own()).isEqualTo(d.own());
        assertThat(back.phases()).isEqualTo(d.phases());
        assertThat(List.of(back.attempt(), back.rank(), back.step(), back.startNanos(), back.durationNanos()))
                .isEqualTo(List.of(d.attempt(), d.rank(), d.step(), d.startNanos(), d.durationNanos()));
        assertThat(back.collectives()).hasSameSizeAs(d.collectives());
        long half = ShippedDigestCodec.QUANTUM_NANOS / 2;
        for (int i = 0; i < d.collectives().size(); i++) {
            CollectiveStat a = d.collectives().get(i);
            CollectiveStat b = back.collectives().get(i);
            assertThat(b.startNanos()).isCloseTo(a.startNanos(), within(half));
            assertThat(b.durationNanos()).isCloseTo(a.durationNanos(), within(half));
            assertThat(b.exposedNanos())
                    .isCloseTo(a.exposedNanos(), within(2 * half))
                    .isBetween(0L, b.durationNanos());
            assertThat(List.of(b.op(), b.sequence(), b.bytes(), b.peer(), b.stream(), b.queued()))
                    .isEqualTo(List.of(a.op(), a.sequence(), a.bytes(), a.peer(), a.stream(), a.queued()));
            assertThat(b.group() < 0 ? "" : there.name(b.group())).isEqualTo(a.group() < 0 ? "" : here.name(a.group()));
        }
        assertThat(back.gaps()).singleElement().satisfies(g -> {
            assertThat(g.durationNanos()).isCloseTo(7_654_321, within(half));
            assertThat(there.name(g.cover())).isEqualTo("tp \u0000 hostile");
        });
    }

    /** What was shipped once loses nothing when it is shipped again. */
    @Test
    void shippedAgainItIsTheSame() {
        byte[] once = encode(digest(new Random(1), 30));
        StepDigest back = decode(once);
        WireWriter to = new WireWriter();
        ShippedDigestCodec.encode(back, there::name, to);
        assertThat(to.toByteArray()).isEqualTo(once);
    }

    @Test
    void cutOrOfAnotherVersionItIsRefused() {
        byte[] bytes = encode(digest(new Random(2), 20));
        for (int cut = 0; cut < bytes.length; cut++) {
            byte[] part = Arrays.copyOf(bytes, cut);
            assertThatThrownBy(() -> decode(part)).as("cut at %d", cut).isInstanceOf(WireException.class);
        }
        bytes[0] = 9;
        assertThatThrownBy(() -> decode(bytes))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("version 9");
    }

    /** Damage is refused by name or gives some digest: never another exception. */
    @RepeatedTest(5)
    void damaged(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        byte[] bytes = encode(digest(random, 20));
        for (int i = 0; i < 2_000; i++) {
            byte[] copy = bytes.clone();
            copy[random.nextInt(copy.length)] = (byte) random.nextInt();
            try {
                decode(copy);
            } catch (WireException refused) {
                assertThat(refused).hasMessageMatching("(?s).+");
            }
        }
    }
}
