package dev.argus.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Kernels as columns are the kernels that were put in. */
class PackedKernelsTest {
    private static final List<StreamKernel> KERNELS = List.of(
            new StreamKernel(3, 7, 1L << 40, DurationSummary.ofEvents(new long[] {1, 5, 5})),
            new StreamKernel(4, -1, 0, DurationSummary.ofEvents(new long[0])),
            new StreamKernel(5, 7, 2, DurationSummary.ofSteps(100, new int[] {1, 2, 8191}, 3)),
            new StreamKernel(
                    6,
                    9,
                    9,
                    DurationSummary.ofKnots(
                            1000,
                            5_000_000,
                            5,
                            new int[] {0, 3, 3, 60},
                            new int[] {7, 40_000, 40_000, 65_535},
                            new int[] {0, 2},
                            1)));

    private static PackedKernels packed(List<StreamKernel> kernels, int room) {
        PackedKernels.Builder builder = new PackedKernels.Builder(room);
        kernels.forEach(builder::add);
        return builder.build();
    }

    @Test
    void everyFormComesBack() {
        for (int room : new int[] {0, 1, 4, 100}) {
            assertThat(packed(KERNELS, room)).isEqualTo(KERNELS).hasSameHashCodeAs(KERNELS);
        }
        assertThat(packed(List.of(), 0)).isEmpty();
    }

    @Test
    void columnsAreThoseOfTheElements() {
        PackedKernels packed = packed(KERNELS, 4);
        for (int i = 0; i < KERNELS.size(); i++) {
            StreamKernel k = KERNELS.get(i);
            assertThat(packed.name(i)).isEqualTo(k.name());
            assertThat(packed.workItems(i)).isEqualTo(k.workItems());
            assertThat(packed.count(i)).isEqualTo(k.durations().count());
            assertThat(packed.sumNanos(i)).isEqualTo(k.durations().sumNanos());
            assertThat(packed.alone(i)).isEqualTo(List.of(k.durations()));
        }
    }

    @Test
    void otherNames() {
        assertThat(packed(KERNELS.subList(0, 2), 2).named(name -> name + 5))
                .extracting(StreamKernel::name)
                .containsExactly(8, 9);
    }

    @Test
    void aWindowKeepsThemAsTheyAre() {
        PackedKernels packed = packed(KERNELS, 4);
        KernelWindow window = new KernelWindow(0, 1, 2, packed, List.of(), 0);
        assertThat(window.kernels()).isSameAs(packed);
        assertThat(window).isEqualTo(new KernelWindow(0, 1, 2, KERNELS, List.of(), 0));
    }

    @Test
    void aBinThatHasNoRoomIsRefused() {
        DurationSummary wide = DurationSummary.ofSteps(1, new int[] {1 << 16}, 0);
        PackedKernels.Builder builder = new PackedKernels.Builder(1);
        assertThatThrownBy(() -> builder.add(new StreamKernel(0, 0, 0, wide)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65536");
    }
}
