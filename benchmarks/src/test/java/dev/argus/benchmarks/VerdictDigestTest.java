package dev.argus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class VerdictDigestTest {
    @Test
    void sumsKernelsAndCollectsWhomIncidentsName() {
        VerdictDigest digest = VerdictDigest.of("""
                {"schema":"argus.verdict/1","job":{"ranks":8,"topology":{"kernels":5}},
                 "traces":[{"file":"a","kernels":10,"steps":[[21,5],[22,6]],"quarantined":{"kernels":7}},{"kernels":4}],
                 "incidents":[{"ranks":[3],"gpus":[{"rank":9}],"groups":[{"dimension":"dp","ranks":[7,8]}]},
                   {"kind":"x","ranks":[]}],
                 "observations":[{"ranks":[1]}]}
                """);

        assertThat(digest.kernels()).isEqualTo(14);
        assertThat(digest.accused()).containsExactly(3);
    }

    @Test
    void whatIsNoVerdictHoldsNothing() {
        for (String text : new String[] {"", "[]", "nonsense", "{\"traces\":[{\"kernels\":3"}) {
            assertThat(VerdictDigest.of(text)).isEqualTo(VerdictDigest.of("{}"));
        }
    }
}
