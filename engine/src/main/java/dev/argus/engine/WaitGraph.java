package dev.argus.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Who waits for whom, and who in the end waits for nobody outside: the circles without a way out.
 *
 * <p>Nodes are numbers from 0. A circle of one node that is waited for and does not wait is a culprit; a circle of several wait for each
 * other. Cost and memory: O(nodes + edges). The strong components are R. Tarjan's (Depth-first search and linear graph algorithms, 1972),
 * without recursion.
 */
final class WaitGraph {
    private final List<IntList> out = new ArrayList<>();
    private final List<Boolean> waitedFor = new ArrayList<>();

    /** A growing list of numbers. */
    private static final class IntList {
        private int[] values = new int[4];
        private int size;

        void add(int value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
            }
            values[size++] = value;
        }
    }

    /** Adds a node and returns its number. */
    int node() {
        out.add(new IntList());
        waitedFor.add(false);
        return out.size() - 1;
    }

    /** One waits for the other. */
    void edge(int waiter, int late) {
        if (waiter != late) {
            out.get(waiter).add(late);
            waitedFor.set(late, true);
        }
    }

    /** Circles that others, or their members, wait for and that wait for nobody outside; each ascending. */
    List<int[]> ends() {
        int n = out.size();
        int[] index = new int[n];
        int[] low = new int[n];
        int[] component = new int[n];
        int[] next = new int[n];
        int[] path = new int[n];
        int[] open = new int[n];
        Arrays.fill(index, -1);
        Arrays.fill(component, -1);
        int clock = 0;
        int openSize = 0;
        int components = 0;
        for (int root = 0; root < n; root++) {
            int depth = index[root] < 0 ? 1 : 0;
            path[0] = root;
            while (depth > 0) {
                int v = path[depth - 1];
                if (index[v] < 0) {
                    index[v] = clock;
                    low[v] = clock++;
                    open[openSize++] = v;
                }
                if (next[v] < out.get(v).size) {
                    int w = out.get(v).values[next[v]++];
                    if (index[w] < 0) {
                        path[depth++] = w;
                    } else if (component[w] < 0) {
                        low[v] = Math.min(low[v], index[w]);
                    }
                    continue;
                }
                depth--;
                if (depth > 0) {
                    low[path[depth - 1]] = Math.min(low[path[depth - 1]], low[v]);
                }
                if (low[v] == index[v]) {
                    int w;
                    do {
                        w = open[--openSize];
                        component[w] = components;
                    } while (w != v);
                    components++;
                }
            }
        }
        return ends(component, components);
    }

    private List<int[]> ends(int[] component, int components) {
        boolean[] leaves = new boolean[components];
        boolean[] awaited = new boolean[components];
        for (int v = 0; v < component.length; v++) {
            IntList targets = out.get(v);
            for (int i = 0; i < targets.size; i++) {
                leaves[component[v]] |= component[targets.values[i]] != component[v];
            }
            awaited[component[v]] |= waitedFor.get(v);
        }
        List<IntList> members = new ArrayList<>();
        for (int c = 0; c < components; c++) {
            members.add(new IntList());
        }
        for (int v = 0; v < component.length; v++) {
            members.get(component[v]).add(v);
        }
        List<int[]> ends = new ArrayList<>();
        for (int c = 0; c < components; c++) {
            if (awaited[c] && !leaves[c]) {
                ends.add(Arrays.copyOf(members.get(c).values, members.get(c).size));
            }
        }
        return ends;
    }
}
