package dev.argus.engine;

import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The last transform: findings of all levels to incidents with a cause and a price. Key: attempt.
 *
 * <p>State: the findings and references received, which are few: one a stretch of steps of a suspect, one a peer set, one a
 * kernel; and the ledger of waits. What each level found is kept, none waits for another; the conclusion is drawn when the input ends or a window closes.
 */
final class Diagnosis implements Transform<Partial, Diagnosis.State> {
    private final JobShape shape;
    private final NameTable names;
    private final Thresholds thresholds;

    Diagnosis(JobShape shape, NameTable names, Thresholds thresholds) {
        this.shape = shape;
        this.names = names;
        this.thresholds = thresholds;
    }

    /** What was received for one attempt. */
    static final class State {
        final int attempt;
        final List<WorkFinding> work = new ArrayList<>();
        final List<WorkReference> references = new ArrayList<>();
        final List<PeerShift> shifts = new ArrayList<>();
        final List<LaunchFinding> launches = new ArrayList<>();
        final List<KernelFinding> kernels = new ArrayList<>();
        final List<KernelShare> shares = new ArrayList<>();
        final Ledger ledger = new Ledger();
        final List<TransferFinding> transfers = new ArrayList<>();
        final List<StepFinding> steps = new ArrayList<>();
        final List<StepTimes> times = new ArrayList<>();

        State(int attempt) {
            this.attempt = attempt;
        }

        void add(Partial partial) {
            switch (partial) {
                case WorkFinding p -> Received.put(work, p);
                case WorkReference p -> Received.put(references, p, WorkReference::peerSet, Received::merge);
                case PeerShift p -> Received.put(shifts, p, s -> List.of(s.peerSet(), s.firstStep()), Received::merge);
                case LaunchFinding p -> Received.put(launches, p);
                case KernelFinding p -> Received.put(kernels, p, Received::key, Received::merge);
                case KernelShare p -> Received.put(shares, p, s -> List.of(s.peerSet(), s.kernel()), Received::merge);
                case WaitPartial p -> ledger.add(p);
                case TransferFinding p ->
                    Received.put(
                            transfers, p, f -> List.of(f.subject(), f.op(), f.bytes(), f.complete()), Received::merge);
                case StepFinding p -> Received.put(steps, p, StepFinding::kind, Received::merge);
                case StepTimes p -> Received.put(times, p, StepTimes::attempt, Received::merge);
                case TransferPartial p ->
                    throw new IllegalArgumentException("a transfer of group " + p.subject()
                            + " came to the diagnosis; it belongs to the comparison of transfers");
                case Concluded p ->
                    throw new IllegalArgumentException(
                            "a conclusion of attempt " + p.attempt() + " came back to the diagnosis");
            }
        }
    }

    @Override
    public long key(Partial record) {
        return Keys.of(record.attempt(), 0, 0);
    }

    @Override
    public State fresh(long key) {
        return new State(Keys.attempt(key));
    }

    @Override
    public void onRecord(State state, Partial record, Out out) {
        state.add(record);
    }

    @Override
    public void onTimer(State state, long eventNanos, Out out) {
        out.emit(new Conclusion(state, shape, names, thresholds).draw());
    }

    @Override
    public void encode(State state, WireWriter to) {
        PartialCodec.encode(state, to);
    }

    @Override
    public State decode(long key, WireReader from) {
        State state = fresh(key);
        PartialCodec.decode(state, from);
        return state;
    }
}
