package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.digest.StallWords;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import dev.argus.model.SpanKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When transfers of a job without GPUs tell about links: between hosts, and while nobody waits for a CPU. */
class LinksWithoutGpuTest {
    private static final Set<IncidentKind> LINKS =
            EnumSet.of(IncidentKind.LINK_DEGRADED, IncidentKind.NVLINK_DEGRADED, IncidentKind.FABRIC_CONGESTION);
    private static final RankSet HOST_1 = RankSet.range(8, 15);

    /** Transfers of every group that has a member on host 1 and one elsewhere take twice as long from step 110 on. */
    private static double slowHost(RankSet group, long step) {
        boolean across = !group.intersect(HOST_1).isEmpty() && !HOST_1.containsAll(group);
        return across && step >= 110 ? 2 : 1;
    }

    private static FakeJob acrossHosts() {
        return FakeJob.of(32, 5).withoutGpu().links(LinksWithoutGpuTest::slowHost);
    }

    private static void waits(FakeJob.Cell c, double millis) {
        c.away(millis, SpanKind.SCHEDULER, StallWords.NO_CPU);
    }

    private static List<Incident> links(Concluded said) {
        return said.incidents().stream().filter(i -> LINKS.contains(i.kind())).toList();
    }

    @Test
    void aSlowLinkBetweenHostsIsNamedWhereCpusAreThere() {
        Concluded said = acrossHosts().diagnose();
        assertThat(links(said)).singleElement().satisfies(i -> {
            assertThat(i.kind()).isEqualTo(IncidentKind.LINK_DEGRADED);
            assertThat(i.hosts()).containsExactly("host1");
        });
    }

    @Test
    void aWaitForACpuOfNoWeightChangesNothing() {
        assertThat(links(acrossHosts().fault(c -> waits(c, 0.5)).diagnose())).hasSize(1);
    }

    @Test
    void whileRanksWaitForACpuTheirTransfersTellNothing() {
        Concluded said = acrossHosts().fault(c -> waits(c, 20)).diagnose();
        assertThat(links(said)).isEmpty();
        assertThat(said.notes())
                .anyMatch(n ->
                        n.startsWith("links: not judged in some steps, the last of them 119: no GPU moves the bytes"
                                + " and ranks had to wait for a CPU"));
    }

    /** The transfers of one host's own groups are long: with GPUs that is its NVLink, without there is no link in it. */
    @Test
    void insideAHostThereIsNoLinkToAccuse() {
        FakeJob slow = FakeJob.of(32, 5).links((group, step) -> HOST_1.equals(group) && step >= 110 ? 3 : 1);
        assertThat(links(slow.diagnose())).extracting(Incident::kind).containsExactly(IncidentKind.NVLINK_DEGRADED);
        Concluded said = slow.withoutGpu().diagnose();
        assertThat(links(said)).isEmpty();
        assertThat(said.notes())
                .anyMatch(n -> n.startsWith("links: not judged: no GPU moves the bytes and all members"));
    }

    @Test
    void aGpuMovesTheBytesWhateverTheCpuDoes() {
        FakeJob job = FakeJob.of(32, 5).links(LinksWithoutGpuTest::slowHost).fault(c -> waits(c, 0.5));
        assertThat(links(job.diagnose())).hasSize(1);
        assertThat(job.diagnose().notes()).noneMatch(n -> n.startsWith("links: not judged"));
    }
}
