package dev.argus.hostflink;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.SideOutputTransformation;
import org.apache.flink.streaming.api.transformations.TwoInputTransformation;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/** Source, addressing and the jobs, put together; what goes in and out is the caller's. */
public final class ArgusOnFlink {
    /** What goes in. */
    public static final TypeInformation<Arrival> ARRIVAL = Types.POJO(Arrival.class);

    /** What comes out. */
    public static final TypeInformation<Said> SAID = Types.POJO(Said.class);

    private ArgusOnFlink() {}

    /**
     * The diagnosis behind a source.
     *
     * <p>Times are those of the broker. A partition is complete up to the time before that of its newest record, and ticks keep every partition going, so no job and no host with a wrong clock holds up
     * another.
     *
     * @param env where it is put together
     * @param source records of the topic of frames, ticks among them
     * @param watermarks made of their times
     * @param options how jobs are watched
     * @param gapMillis longest time without any record on a partition in which somebody listened
     * @param ticking writes ticks into all partitions while the job runs; null where they are there anyway
     * @param beside what is told beside: {@link #series}, {@link #steps}
     */
    public static DataStream<Said> diagnose(
            StreamExecutionEnvironment env,
            Source<Arrival, ?, ?> source,
            WatermarkStrategy<Arrival> watermarks,
            HostOptions options,
            long gapMillis,
            @Nullable Ticking ticking,
            Beside beside) {
        SingleOutputStreamOperator<Arrival> addressed = env.fromSource(source, watermarks, "frames", ARRIVAL)
                .uid("argus-frames")
                .process(new Addressing(gapMillis, ticking))
                .returns(ARRIVAL)
                .name("whose it is")
                .uid("argus-addressing");
        DataStream<Gap> gaps = addressed.getSideOutput(Addressing.GAPS).broadcast();
        TwoInputTransformation<Arrival, Gap, Said> jobs = new TwoInputTransformation<>(
                addressed.keyBy(Arrival::job, Types.STRING).getTransformation(),
                gaps.getTransformation(),
                "jobs",
                new JobsOperator(options, beside),
                SAID,
                env.getParallelism());
        jobs.setStateKeySelectors(Arrival::job, null);
        jobs.setStateKeyType(Types.STRING);
        jobs.setUid("argus-jobs");
        env.addOperator(jobs);
        return new DataStream<>(env, jobs);
    }

    /** The numbers of jobs beside what is said, in the same tasks; where they were asked for. */
    public static DataStream<JobSeries> series(DataStream<Said> said) {
        return beside(said, JobsOperator.SERIES);
    }

    /** The whole steps of jobs beside what is said, in the same tasks; where they were asked for. */
    public static DataStream<KeptStep> steps(DataStream<Said> said) {
        return beside(said, JobsOperator.STEPS);
    }

    private static <T> DataStream<T> beside(DataStream<Said> said, OutputTag<T> tag) {
        return new DataStream<>(
                said.getExecutionEnvironment(), new SideOutputTransformation<>(said.getTransformation(), tag));
    }

    /** Times as the broker gave them, each partition for itself. */
    public static WatermarkStrategy<Arrival> brokerTimes() {
        return WatermarkStrategy.<Arrival>forMonotonousTimestamps()
                .withTimestampAssigner((arrival, given) -> arrival.atMillis());
    }
}
