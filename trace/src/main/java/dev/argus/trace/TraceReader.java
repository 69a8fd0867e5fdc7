package dev.argus.trace;

import dev.argus.model.NameTable;
import java.util.function.LongConsumer;

/**
 * Reads one file of profiler traces into sinks, recognising what it is by its content.
 *
 * <p>Compression: gzip, zstd, none. Formats:
 *
 * <table>
 * <caption>Formats</caption>
 * <tr><th>format</th><th>what</th><th>parts</th></tr>
 * <tr><td>{@code kineto}</td><td>object with {@code traceEvents}, old schema or new, keys in any order</td><td>1</td></tr>
 * <tr><td>{@code kineto-list}</td><td>the same events as a plain list</td><td>1</td></tr>
 * <tr><td>{@code torch-list}</td><td>list of the profiler without Kineto: no categories, no GPU</td><td>1</td></tr>
 * <tr><td>{@code op-timeline}</td><td>operations by step of several workers ({@link TimelineRead})</td><td>1 a worker</td></tr>
 * <tr><td>{@code nsys-sqlite}</td><td>export of Nsight Systems ({@link NsysRead})</td><td>1 a process and GPU</td></tr>
 * <tr><td>{@code flight-recorder}</td><td>dump of collectives, pickle or JSON ({@link FlightRecorderRead}); no events, one
 *     record</td><td>1</td></tr>
 * <tr><td>{@code megatron-log}</td><td>iterations of a training log: steps only ({@link IterationLog})</td><td>1 a run</td></tr>
 * <tr><td>{@code dcgm-exporter}, {@code prometheus}</td><td>metrics of GPUs; no events, a record a GPU ({@link DcgmText},
 *     {@link PrometheusRead})</td><td>1</td></tr>
 * <tr><td>{@code py-spy}, {@code py-spy-json}, {@code collapsed}, {@code speedscope}</td><td>call stacks; no events, a record a process
 *     ({@link PySpyRead}, {@link CollapsedRead}, {@link SpeedscopeRead})</td><td>1</td></tr>
 * </table>
 *
 * <p>Content never makes it throw: a broken file gives what stood before the break ({@link Status#PARTIAL}), and the
 * place. Cost: one pass; a second, which skips, where times are relative and their base stands behind the events (for
 * uncompressed files the end is looked at instead). Memory: some 1 MiB a call, whatever the size of the file; a single
 * event may need up to 64 MiB more. Of files without events, which are read whole, 64 MiB are taken, and their content is held once. Calls are independent; each sink is used by the caller's thread.
 */
public final class TraceReader {
    private TraceReader() {}

    /**
     * Reads a file.
     *
     * @param file what to read
     * @param names the job's names
     * @param sinks gives a sink for each part, in order of first event
     * @param bytesRead told how many more bytes of the file (as stored) were taken; the sum is at most its size
     * @return what became of it
     */
    public static ReadOutcome read(TraceFile file, NameTable names, SinkFactory sinks, LongConsumer bytesRead) {
        return new FileRead(file, names, sinks, bytesRead).run();
    }
}
