package dev.argus.hostflink;

import dev.argus.wire.Shipment;
import dev.argus.wire.WireException;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Says whose a record is, right behind the source. Ticks end here; what is no shipment ends here too, counted ({@code shipmentsDamaged}); a partition on which nothing came for {@link #gapMillis} is
 * told to all jobs.
 *
 * <p>State: time of the newest record of each partition.
 */
@SuppressWarnings("NullAway.Init") // Flink calls initializeState and open before anything else
final class Addressing extends ProcessFunction<Arrival, Arrival> implements CheckpointedFunction {
    private static final long serialVersionUID = 1;

    /** Where gaps go. */
    static final OutputTag<Gap> GAPS = new OutputTag<>("gaps", Types.POJO(Gap.class));

    private final long gapMillis;
    private final @Nullable Ticking ticking;
    private transient @Nullable AutoCloseable ticker;
    private transient Map<Integer, Long> newest;
    private transient ListState<Tuple2<Integer, Long>> kept;
    private transient Counter damaged;
    private transient Counter ticks;
    private transient Counter gaps;

    /**
     * Behind a source.
     *
     * @param gapMillis longest time without a record that is no gap
     * @param ticking writes ticks while this runs, in one task; null where somebody else does
     */
    Addressing(long gapMillis, @Nullable Ticking ticking) {
        this.gapMillis = gapMillis;
        this.ticking = ticking;
    }

    @Override
    public void open(OpenContext context) {
        damaged = getRuntimeContext().getMetricGroup().counter("shipmentsDamaged");
        ticks = getRuntimeContext().getMetricGroup().counter("ticks");
        gaps = getRuntimeContext().getMetricGroup().counter("gaps");
        if (ticking != null && getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0) {
            ticker = ticking.start(getRuntimeContext().getMetricGroup());
        }
    }

    @Override
    public void close() throws Exception {
        if (ticker != null) {
            ticker.close();
        }
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        newest = new HashMap<>();
        kept = context.getOperatorStateStore()
                .getUnionListState(
                        new ListStateDescriptor<>("newest-by-partition", Types.TUPLE(Types.INT, Types.LONG)));
        for (Tuple2<Integer, Long> entry : kept.get()) {
            newest.merge(entry.f0, entry.f1, Math::max); // of those who had it before the newest is right
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        kept.clear();
        for (Map.Entry<Integer, Long> e : newest.entrySet()) {
            kept.add(Tuple2.of(e.getKey(), e.getValue()));
        }
    }

    @Override
    public void processElement(Arrival arrival, Context context, Collector<Arrival> out) {
        Long before = newest.get(arrival.partition());
        if (before == null || before < arrival.atMillis()) {
            newest.put(arrival.partition(), arrival.atMillis());
        }
        if (before != null && arrival.atMillis() - before > gapMillis) {
            gaps.inc();
            context.output(GAPS, new Gap(before, arrival.atMillis()));
        }
        if (arrival.isTick()) {
            ticks.inc();
            return;
        }
        try {
            out.collect(arrival.of(Shipment.decode(arrival.bytes()).job()));
        } catch (WireException noShipment) {
            damaged.inc();
        }
    }
}
