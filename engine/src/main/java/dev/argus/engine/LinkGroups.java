package dev.argus.engine;

/** What is counted of the groups of the evidence, and of those that pass an element. */
final class LinkGroups {
    // of each group: its kind, number of cells, whether it has one at every step
    final int[] kind;
    final int[] seen;
    private final boolean[] full;

    /** Of each kind the number of its cells. */
    final int[] cells;

    LinkGroups(LinkEvidence evidence) {
        cells = evidence.cellCounts();
        int groups = evidence.traffic.size();
        kind = new int[groups];
        seen = new int[groups];
        full = new boolean[groups];
        for (int i = 0; i < groups; i++) {
            LinkTraffic t = evidence.traffic.get(i);
            kind[i] = t.kind();
            for (double log : t.logs()) {
                seen[i] += Double.isNaN(log) ? 0 : 1;
            }
            full[i] = seen[i] == evidence.steps.length;
        }
    }

    /** An element and what passes it. */
    @SuppressWarnings("ArrayRecordComponent")
    record Candidate(LinkElement element, int[] passing, boolean[] compared) {}

    /** An element with the kinds in which whoever is slow in some step is compared with others. */
    Candidate candidate(LinkElement element) {
        int[] passing = new int[element.traffic().size()];
        int[] inside = new int[cells.length];
        boolean[] compared = new boolean[cells.length];
        int n = 0;
        for (int i : element.traffic()) {
            passing[n++] = i;
            inside[kind[i]] += seen[i];
            compared[kind[i]] |= full[i];
        }
        for (int k = 0; k < cells.length; k++) {
            compared[k] &= cells[k] - inside[k] >= LinkEvidence.OUTSIDE;
        }
        return new Candidate(element, passing, compared);
    }
}
