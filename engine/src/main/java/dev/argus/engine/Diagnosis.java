package dev.argus.engine;

import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
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
        final Stretches<WorkFinding> work = new Stretches<>(
                f -> List.of(f.weight(), f.rank(), f.component(), f.peerSet()), Received::touch, Received::merge);
        final Kept<WorkReference> references = new Kept<>(WorkReference::peerSet, Received::merge);
        final Kept<PeerShift> shifts = new Kept<>(s -> List.of(s.peerSet(), s.firstStep()), Received::merge);
        final Stretches<LaunchFinding> launches =
                new Stretches<>(LaunchFinding::rank, Received::touch, Received::merge);
        final Kept<KernelFinding> kernels = new Kept<>(Received::key, Received::merge);
        final Kept<KernelShare> shares = new Kept<>(s -> List.of(s.peerSet(), s.kernel()), Received::merge);
        final Ledger ledger = new Ledger();
        final Kept<TransferFinding> transfers =
                new Kept<>(f -> List.of(f.subject(), f.op(), f.bytes(), f.complete()), Received::merge);
        final Kept<StepFinding> steps = new Kept<>(StepFinding::kind, Received::merge);
        final Kept<StepTimes> times = new Kept<>(StepTimes::attempt, Received::merge);

        State(int attempt) {
            this.attempt = attempt;
        }

        void add(Partial partial) {
            switch (partial) {
                case WorkFinding p -> work.put(p);
                case WorkReference p -> references.put(p);
                case PeerShift p -> shifts.put(p);
                case LaunchFinding p -> launches.put(p);
                case KernelFinding p -> kernels.put(p);
                case KernelShare p -> shares.put(p);
                case WaitPartial p -> ledger.add(p);
                case TransferFinding p -> transfers.put(p);
                case StepFinding p -> steps.put(p);
                case StepTimes p -> times.put(p);
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
