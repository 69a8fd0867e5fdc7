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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says whose a record is, right behind the source. Ticks end here; what is no shipment ends here too, counted ({@code shipmentsDamaged}); a partition on which nothing came for {@link #gapMillis} is
 * told to all jobs. Records that are gone before they were read ({@code recordsGone}: retention went past the place of this job) and a topic whose places begin anew ({@code topicsMadeAnew}) are counted and said in the
 * log; the time between is such a gap, too.
 *
 * <p>State: time and place of the newest record of each partition.
 */
@SuppressWarnings("NullAway.Init") // Flink calls initializeState and open before anything else
final class Addressing extends ProcessFunction<Arrival, Arrival> implements CheckpointedFunction {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(Addressing.class);

    /** Where gaps go. */
    static final OutputTag<Gap> GAPS = new OutputTag<>("gaps", Types.POJO(Gap.class));

    private final long gapMillis;
    private final @Nullable Ticking ticking;
    private transient @Nullable AutoCloseable ticker;
    private transient Map<Integer, Long> newest;
    private transient Places places;
    private transient ListState<Tuple2<Integer, Long>> kept;
    private transient ListState<Tuple2<Integer, Long>> keptPlaces;
    private transient Counter damaged;
    private transient Counter ticks;
    private transient Counter gaps;
    private transient Counter gone;
    private transient Counter anew;

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
        gone = getRuntimeContext().getMetricGroup().counter("recordsGone");
        anew = getRuntimeContext().getMetricGroup().counter("topicsMadeAnew");
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
        kept = byPartition(context, "newest-by-partition");
        keptPlaces = byPartition(context, "place-by-partition");
        newest = newest(kept);
        places = new Places();
        for (Tuple2<Integer, Long> entry : keptPlaces.get()) {
            places.restore(entry.f0, entry.f1);
        }
    }

    private static ListState<Tuple2<Integer, Long>> byPartition(FunctionInitializationContext context, String name)
            throws Exception {
        return context.getOperatorStateStore()
                .getUnionListState(new ListStateDescriptor<>(name, Types.TUPLE(Types.INT, Types.LONG)));
    }

    private static Map<Integer, Long> newest(ListState<Tuple2<Integer, Long>> of) throws Exception {
        Map<Integer, Long> all = new HashMap<>();
        for (Tuple2<Integer, Long> entry : of.get()) {
            all.merge(entry.f0, entry.f1, Math::max); // of those who had it before the newest is right
        }
        return all;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        keep(newest, kept);
        keep(places.all(), keptPlaces);
    }

    private static void keep(Map<Integer, Long> all, ListState<Tuple2<Integer, Long>> to) throws Exception {
        to.clear();
        for (Map.Entry<Integer, Long> e : all.entrySet()) {
            to.add(Tuple2.of(e.getKey(), e.getValue()));
        }
    }

    private void place(Arrival arrival) {
        long stepped = places.read(arrival.partition(), arrival.offset());
        if (stepped == Places.ANEW) {
            anew.inc();
            LOG.warn(
                    "partition {} goes on at place {}: its topic was made anew", arrival.partition(), arrival.offset());
        } else if (stepped > 0) {
            gone.inc(stepped);
            LOG.warn("{} records of partition {} are gone before they were read", stepped, arrival.partition());
        }
    }

    @Override
    public void processElement(Arrival arrival, Context context, Collector<Arrival> out) {
        place(arrival);
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
