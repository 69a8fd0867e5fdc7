package dev.argus.hostlocal;

import dev.argus.digest.AssembledTrace;
import dev.argus.digest.RankAssembler;
import dev.argus.digest.TraceEventSink;
import dev.argus.hostlocal.LoadedPart.LoadedStep;
import dev.argus.model.DataProblem;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.sketch.StepWindows;
import dev.argus.trace.Part;
import dev.argus.trace.ReadOutcome;
import dev.argus.trace.SinkFactory;
import dev.argus.trace.Status;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceReader;
import dev.argus.wire.KernelRecordCodec;
import dev.argus.wire.StepDigestCodec;
import dev.argus.wire.WireWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Reads one file into digests that lie in the store. Calls are independent of each other. */
final class TraceLoader {
    private static final long MIB = 1L << 20;

    private final NameTable names;
    private final SpillStore store;
    private final @Nullable SummaryLoss loss;

    /** @param loss hears of every kernel and its summary, or null when nobody asks what summaries lose */
    TraceLoader(NameTable names, SpillStore store, @Nullable SummaryLoss loss) {
        this.names = names;
        this.store = store;
        this.loss = loss;
    }

    /**
     * A file after reading.
     *
     * @param file the file
     * @param outcome what became of it
     * @param parts its ranks
     */
    record LoadedFile(TraceFile file, ReadOutcome outcome, List<LoadedPart> parts) {}

    /**
     * Reads a file; whatever its content does to the reader, the others go on.
     *
     * @throws UncheckedIOException if the store cannot take the digests
     */
    LoadedFile load(TraceFile file, LongConsumer bytesRead) {
        try {
            return read(file, bytesRead);
        } catch (OutOfMemoryError e) {
            return failed(
                    file,
                    "needs more memory than the heap of " + Runtime.getRuntime().maxMemory() / MIB
                            + " MiB has left; give more, for example ARGUS_JAVA_OPTS=-Xmx2g");
        } catch (StackOverflowError e) {
            return failed(
                    file, "is nested too deeply or compressed in too many pieces; expected what a profiler writes");
        } catch (UncheckedIOException e) {
            throw e; // Not the trace: the temporary folder cannot take the digests.
        } catch (RuntimeException e) {
            return failed(
                    file, "cannot be read (" + e.getClass().getSimpleName() + "); expected what a profiler writes");
        }
    }

    private static LoadedFile failed(TraceFile file, String why) {
        DataProblem problem = new DataProblem("unreadable-file", RankSet.EMPTY, file.label() + ": " + why);
        return new LoadedFile(file, new ReadOutcome(Status.FAILED, "none", List.of(), List.of(problem), 0), List.of());
    }

    private LoadedFile read(TraceFile file, LongConsumer bytesRead) {
        Assemblers assemblers = new Assemblers();
        ReadOutcome outcome = TraceReader.read(file, names, assemblers, bytesRead);
        List<LoadedPart> parts = new ArrayList<>();
        for (Part part : outcome.parts()) {
            RankAssembler assembler = assemblers.byPart.remove(part.part());
            if (assembler == null) {
                assembler = new RankAssembler(names);
            }
            parts.add(finish(part, outcome, assembler));
        }
        return new LoadedFile(file, outcome, parts);
    }

    private LoadedPart finish(Part part, ReadOutcome outcome, RankAssembler assembler) {
        Map<Long, SpillStore.Ref> kernels = new HashMap<>();
        WireWriter writer = new WireWriter();
        SummaryLoss.File check = loss == null ? null : loss.new File();
        StepWindows windows = new StepWindows(0, -1, window -> {
            kernels.put(window.window(), write(window, writer));
            if (check != null) {
                check.compare(window);
            }
        });
        Map<Long, SpillStore.Ref> refs = new LinkedHashMap<>();
        AssembledTrace trace = assembler.finish(
                part.header().rank(),
                outcome.status() == Status.PARTIAL,
                digest -> refs.put(digest.step(), write(digest, writer)),
                check == null
                        ? windows::add
                        : (step, name, stream, start, duration, work) -> {
                            windows.add(step, name, stream, start, duration, work);
                            check.add(name, stream, duration);
                        });
        windows.flush();
        List<LoadedStep> steps = new ArrayList<>();
        refs.forEach((step, ref) -> steps.add(new LoadedStep(step, ref, kernels.get(step))));
        boolean side = !outcome.records().isEmpty();
        return new LoadedPart(
                part.label(),
                outcome.format(),
                outcome.status(),
                part.header(),
                side ? SideParts.of(outcome.records(), trace) : trace,
                steps,
                side);
    }

    private SpillStore.Ref write(StepDigest digest, WireWriter writer) {
        writer.reset();
        StepDigestCodec.encode(digest, writer);
        return store.append(writer.toByteArray());
    }

    private SpillStore.Ref write(KernelWindow window, WireWriter writer) {
        writer.reset();
        KernelRecordCodec.encode(window, writer);
        return store.append(writer.toByteArray());
    }

    private final class Assemblers implements SinkFactory {
        private final Map<Integer, RankAssembler> byPart = new HashMap<>();

        @Override
        public TraceEventSink open(int part) {
            return byPart.computeIfAbsent(part, p -> new RankAssembler(names));
        }
    }
}
