package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.Topology;
import org.junit.jupiter.api.Test;

/** A host of slower GPUs, whose model the records tell, with most of the ranks of a job. */
class OtherHardwareTest {
    private static FakeJob job(RankSet otherModel) {
        return FakeJob.of(20, 3)
                .perHost(12)
                .topology(Topology.ofText("dp=20", "given"))
                .otherModel(otherModel)
                .fault(c -> {
                    if (c.rank < 12) {
                        c.compute(1.23);
                    }
                });
    }

    @Test
    void thatAllOfAModelAreSlowerIsTheModel() {
        Concluded said = job(RankSet.range(0, 11)).diagnose();
        assertThat(said.incidents()).isEmpty();
        assertThat(said.observations())
                .anySatisfy(o -> assertThat(o.kind()).isEqualTo(IncidentKind.HETEROGENEOUS_HARDWARE));
    }

    @Test
    void whereAllHaveOneModelItIsTheHost() {
        assertThat(job(RankSet.EMPTY).diagnose().incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.range(0, 11)));
    }

    /** Some of the model are as fast as the others. */
    @Test
    void whereNotAllOfAModelAreSlowItIsTheHost() {
        assertThat(job(RankSet.range(0, 15)).diagnose().incidents()).isNotEmpty();
    }

    /** Hardware does not change at a step. */
    @Test
    void aGpuThatBecomesSlowIsNotExcusedByItsModel() {
        assertThat(FakeJob.of(16, 5)
                        .otherModel(RankSet.range(8, 15))
                        .fault(c -> {
                            if (c.rank == 12 && c.step >= 110) {
                                c.compute(1.2);
                            }
                        })
                        .diagnose()
                        .incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.kind()).isEqualTo(IncidentKind.COMPUTE_STRAGGLER))
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(12)));
    }

    @Test
    void norOneThatIsAlwaysSlowWhereTheOthersOfItsModelAreNot() {
        assertThat(FakeJob.of(16, 5)
                        .otherModel(RankSet.range(8, 13))
                        .fault(c -> {
                            if (c.rank == 12) {
                                c.compute(1.2);
                            }
                        })
                        .diagnose()
                        .incidents())
                .singleElement()
                .satisfies(i -> assertThat(i.ranks()).isEqualTo(RankSet.of(12)));
    }

    @Test
    void theOnlyOneOfItsModelCannotBeToldFromIt() {
        Concluded said = FakeJob.of(16, 5)
                .otherModel(RankSet.of(12))
                .fault(c -> {
                    if (c.rank == 12) {
                        c.compute(1.2);
                    }
                })
                .diagnose();
        assertThat(said.incidents()).isEmpty();
        assertThat(said.observations())
                .anySatisfy(o -> assertThat(o.kind()).isEqualTo(IncidentKind.HETEROGENEOUS_HARDWARE));
    }
}
