package dev.argus.simulator;

import dev.argus.model.CollectiveOp;

/**
 * How long transfers take once everybody is there: bytes over the slower of NVLink inside a host and the NICs between
 * hosts, as many NICs as a ring has members on a host, plus a latency that grows with the group.
 */
final class Wire {
    private final Scenario scenario;
    private final Layout layout;
    private final double nic;
    private final double nvlink;

    Wire(Scenario scenario) {
        this.scenario = scenario;
        this.layout = scenario.layout();
        boolean old = scenario.model().ampere();
        this.nic = old ? 21 : 43;
        this.nvlink = old ? 190 : 330;
    }

    /** Transfer of a collective. */
    double collective(CollectiveOp op, Group group, double bytes, int step, int ordinal) {
        double n = group.size();
        double volume = switch (op) {
            case ALL_REDUCE -> 2 * bytes * (n - 1) / n;
            case ALL_TO_ALL, ALL_TO_ALL_V -> bytes / n * (n - 1) / n;
            case BROADCAST -> bytes;
            default -> bytes * (n - 1) / n;
        };
        long bits = Noise.bits(scenario.seed(), group.id(), step, ordinal);
        double inside = 0;
        double between = 0;
        if (group.ranksPerHost() > 1 || !group.crossesHosts()) {
            inside = volume / nvlink;
            for (Influence influence : scenario.influences()) {
                inside *= influence.nvlink(group, step);
            }
        }
        if (group.crossesHosts()) {
            boolean exchange = op == CollectiveOp.ALL_TO_ALL_V || op == CollectiveOp.ALL_TO_ALL;
            between = exchange
                    ? volume * (n - group.ranksPerHost()) / n / nic
                    : volume / (nic * Math.min(group.ranksPerHost(), layout.gpusPerHost()));
            for (Influence influence : scenario.influences()) {
                between *= influence.network(group, step, bits);
            }
        }
        double latency = 7000 + Math.log(n) * (group.crossesHosts() ? 6000 : 1500);
        return (latency + Math.max(inside, between)) * noise(bits);
    }

    /** Transfer of a message. */
    double message(int source, int target, double bytes, int step, int tag) {
        long bits = Noise.bits(scenario.seed(), source * 70_001L + target, step, 100_000L + tag);
        double time = bytes / (layout.hostOf(source) == layout.hostOf(target) ? nvlink / 2 : nic);
        for (Influence influence : scenario.influences()) {
            time *= influence.message(layout, source, target, step, bits);
        }
        return (9000 + time) * noise(bits);
    }

    private double noise(long bits) {
        double spread = scenario.noise().transferSpread();
        double factor = Math.max(0.9, 1 + spread * Noise.normal(bits));
        double tail = Noise.unit(Noise.bits(bits, 7, 7, 7));
        return tail < 0.004 ? factor * (1 + 10 * spread * tail / 0.004) : factor;
    }
}
