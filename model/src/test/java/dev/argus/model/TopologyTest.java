package dev.argus.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.argus.model.Topology.Dimension;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyTest {
    private static final Topology TP2_DP3_PP2 = new Topology(
            List.of(new Dimension("tp", 2), new Dimension("dp", 3), new Dimension("cp", 1), new Dimension("pp", 2)),
            "given");

    @Test
    void theFirstDimensionIsTheFastest() {
        int rank = 0;
        for (int pp = 0; pp < 2; pp++) {
            for (int dp = 0; dp < 3; dp++) {
                for (int tp = 0; tp < 2; tp++) {
                    assertThat(TP2_DP3_PP2.coordinate(rank, "tp")).isEqualTo(tp);
                    assertThat(TP2_DP3_PP2.coordinate(rank, "dp")).isEqualTo(dp);
                    assertThat(TP2_DP3_PP2.coordinate(rank, "pp")).isEqualTo(pp);
                    rank++;
                }
            }
        }
        assertThat(TP2_DP3_PP2.worldSize()).isEqualTo(rank);
    }

    @Test
    void groupsDifferAlongOneDimensionOnly() {
        assertThat(TP2_DP3_PP2.group(9, "tp")).isEqualTo(RankSet.of(8, 9));
        assertThat(TP2_DP3_PP2.group(9, "dp")).isEqualTo(RankSet.of(7, 9, 11));
        assertThat(TP2_DP3_PP2.group(9, "pp")).isEqualTo(RankSet.of(3, 9));
        assertThat(TP2_DP3_PP2.group(9, "cp")).isEqualTo(RankSet.of(9));
        assertThat(TP2_DP3_PP2.group(9, "ep")).isEqualTo(RankSet.of(9));
    }

    @Test
    void dimensionsOfSizeOneAndMissingOnesAreAlike() {
        assertThat(TP2_DP3_PP2.size("cp")).isEqualTo(1);
        assertThat(TP2_DP3_PP2.size("ep")).isEqualTo(1);
        assertThat(TP2_DP3_PP2.coordinate(9, "ep")).isEqualTo(0);
        assertThat(TP2_DP3_PP2.order()).containsExactly("tp", "dp", "pp");
        assertThat(Topology.UNKNOWN.worldSize()).isEqualTo(1);
        assertThat(Topology.UNKNOWN.order()).isEmpty();
    }

    @Test
    void laterChangesOfTheListDoNotReachIt() {
        List<Dimension> list = new ArrayList<>(List.of(new Dimension("dp", 4)));
        Topology t = new Topology(list, "given");
        list.clear();
        assertThat(t.worldSize()).isEqualTo(4);
    }

    @Test
    void inShortAndBack() {
        assertThat(new Topology(List.of(new Dimension("tp", 2), new Dimension("dp", 3)), "given").text())
                .isEqualTo("tp=2,dp=3");
        assertThat(Topology.ofText(TP2_DP3_PP2.text(), "given").dimensions()).isEqualTo(TP2_DP3_PP2.dimensions());
        assertThat(Topology.ofText("", "kept").dimensions()).isEmpty();
        assertThat(Topology.ofText("tp=2,<b>=3,pp=2", "kept").order())
                .as("no further than it can be read")
                .containsExactly("tp");
        assertThat(Topology.ofText("tp=0,dp=99999999999", "kept").dimensions()).isEmpty();
    }
}
