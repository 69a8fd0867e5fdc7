package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What explains a slow rank must explain when it became slow, and its kernels. */
class ExcusesTest {
    /** The rank always has a fifth more to do, in kernels that cost next to nothing. */
    @Test
    void workThatWasAlwaysThereIsNoReasonForAChange() {
        assertThat(FakeJob.of(16, 9)
                        .fault(c -> {
                            if (c.rank == 5) {
                                c.work = 1.2;
                                c.compute(c.step >= 108 ? 1.2 : 1);
                            }
                        })
                        .diagnose()
                        .incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.kind()).isEqualTo(IncidentKind.COMPUTE_STRAGGLER))
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(5)))
                .satisfies(i -> assertThat(i.firstStep()).isEqualTo(108));
    }

    @Test
    void workThatComesWithTheChangeIs() {
        assertThat(FakeJob.of(16, 9)
                        .fault(c -> {
                            if (c.rank == 5 && c.step >= 108) {
                                c.work = 1.2;
                                c.compute(1.2);
                            }
                        })
                        .diagnose()
                        .incidents())
                .isEmpty();
    }

    @Test
    void tokensExplainNoAttention() {
        assertThat(hot(c -> c.compute(1.2)).incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(5)));
    }

    @Test
    void tokensExplainProducts() {
        Concluded said = hot(c -> c.kernels("gemm", 1.5));
        assertThat(said.incidents()).isEmpty();
        assertThat(said.observations()).anySatisfy(o -> assertThat(o.kind()).isEqualTo(IncidentKind.EXPERT_IMBALANCE));
    }

    private static Concluded hot(Consumer<FakeJob.Cell> also) {
        return FakeJob.of(16, 9)
                .fault(c -> {
                    if (c.rank == 5) {
                        c.tokens = 1.3;
                        also.accept(c);
                    }
                })
                .diagnose();
    }
}
