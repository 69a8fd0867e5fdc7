package dev.argus.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Against the closure of reachability, node by node. */
class WaitGraphTest {
    private static List<List<Integer>> ends(WaitGraph graph) {
        return graph.ends().stream()
                .map(end -> Arrays.stream(end).boxed().toList())
                .sorted((a, b) -> Integer.compare(a.getFirst(), b.getFirst()))
                .toList();
    }

    @RepeatedTest(300)
    void agreesWithTheClosure(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        int n = 1 + random.nextInt(9);
        boolean[][] reach = new boolean[n][n];
        boolean[] awaited = new boolean[n];
        WaitGraph graph = new WaitGraph();
        for (int i = 0; i < n; i++) {
            graph.node();
        }
        for (int e = random.nextInt(2 * n + 1); e > 0; e--) {
            int a = random.nextInt(n);
            int b = random.nextInt(n);
            graph.edge(a, b);
            reach[a][b] = true;
            awaited[b] |= a != b;
        }
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    reach[i][j] |= reach[i][k] && reach[k][j];
                }
            }
        }
        TreeSet<String> expected = new TreeSet<>();
        for (int i = 0; i < n; i++) {
            List<Integer> circle = new ArrayList<>();
            boolean leaves = false;
            boolean waited = false;
            for (int j = 0; j < n; j++) {
                boolean same = i == j || (reach[i][j] && reach[j][i]);
                leaves |= reach[i][j] && !same;
                if (same) {
                    circle.add(j);
                    waited |= awaited[j];
                }
            }
            if (!leaves && waited) {
                expected.add(circle.toString());
            }
        }
        TreeSet<String> actual = new TreeSet<>();
        ends(graph).forEach(end -> actual.add(end.toString()));
        assertThat(actual).as("seed %d", run.getCurrentRepetition()).isEqualTo(expected);
    }

    @Test
    void aLongChainNeedsNoStack() {
        WaitGraph graph = new WaitGraph();
        int last = graph.node();
        for (int i = 1; i < 200_000; i++) {
            int node = graph.node();
            graph.edge(last, node);
            last = node;
        }
        assertThat(ends(graph)).containsExactly(List.of(last));
    }
}
