package dev.argus.agent.history;

import dev.argus.digest.TraceEventSink;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.StepMark;
import dev.argus.model.TraceHeader;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The history of one rank: a block that is being filled, and the file that blocks go to. One thread. */
final class RankHistory implements TraceEventSink {
    /** A block is written when it has so many bytes, and whenever the history is flushed. */
    static final int BLOCK_BYTES = 32 << 10;

    private final RawHistory history;
    private final String job;
    private final int attempt;
    private final int rank;
    private final Supplier<TraceHeader> header;
    private final EventBlock block;
    private @Nullable HistoryFile file;

    RankHistory(RawHistory history, String job, int attempt, int rank, Supplier<TraceHeader> header, NameTable names) {
        this.history = history;
        this.job = job;
        this.attempt = attempt;
        this.rank = rank;
        this.header = header;
        this.block = new EventBlock(names);
    }

    HistoryAbout about() {
        return HistoryAbout.of(job, attempt, rank, header.get());
    }

    @Nullable
    HistoryFile file() {
        return file;
    }

    void file(@Nullable HistoryFile next) {
        file = next;
    }

    EventBlock block() {
        return block;
    }

    private void added() {
        if (block.length() >= BLOCK_BYTES) {
            history.write(this);
        }
    }

    @Override
    public void gpu(GpuEvent event) {
        block.gpu(event);
        added();
    }

    @Override
    public void launch(LaunchEvent event) {
        block.launch(event);
        added();
    }

    @Override
    public void span(CpuSpan span) {
        block.span(span);
        added();
    }

    @Override
    public void step(StepMark mark) {
        block.step(mark);
        added();
    }

    @Override
    public void quarantine(String reason) {
        // no event
    }
}
