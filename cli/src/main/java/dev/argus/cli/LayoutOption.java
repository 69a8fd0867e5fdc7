package dev.argus.cli;

import dev.argus.model.Topology;
import dev.argus.simulator.Layout;
import dev.argus.simulator.Layout.Dimension;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The layout of a job to simulate, from a topology as {@code diagnose} reads it; experts lie inside the data dimension. */
final class LayoutOption {
    private static final int MAX_RANKS = 16_384;

    private LayoutOption() {}

    static Layout of(Topology topology, int gpusPerHost) {
        Layout.Builder builder = Layout.builder().gpusPerHost(gpusPerHost);
        List<Dimension> order = new ArrayList<>();
        long world = 1;
        int data = 1;
        int experts = 1;
        for (Topology.Dimension d : topology.dimensions()) {
            if (d.name().equals("ep")) {
                experts = d.size();
                continue;
            }
            Dimension dimension = Dimension.valueOf(d.name().toUpperCase(Locale.ROOT));
            order.add(dimension);
            builder.size(dimension, d.size());
            world *= d.size();
            data *= dimension == Dimension.DP || dimension == Dimension.CP ? d.size() : 1;
        }
        if (world > MAX_RANKS || world < 2) {
            throw new UsageError("--topology: the layout has " + world + " ranks, expected 2 to " + MAX_RANKS
                    + " (ep lies inside dp and does not count).");
        }
        if (data % experts != 0) {
            throw new UsageError("--topology: found ep=" + experts + ", expected a divisor of dp x cp, " + data
                    + ": experts lie inside the data dimension.");
        }
        for (Dimension d : Dimension.values()) {
            if (!order.contains(d)) {
                order.add(d);
            }
        }
        return builder.order(order).expert(experts).build();
    }
}
