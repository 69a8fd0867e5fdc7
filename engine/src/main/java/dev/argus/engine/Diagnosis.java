package dev.argus.engine;

import dev.argus.engine.Findings.Traits;
import dev.argus.engine.Judged.By;
import dev.argus.engine.Judged.Subject;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.List;

/**
 * The last transform: findings of all levels to incidents with a cause and a price. Key: attempt.
 *
 * <p>What each level found is kept, none waits for another; the conclusion is drawn when the input ends or a window closes. What a
 * detector judges again replaces what it said before ({@link Judged}).
 *
 * <p>State, all of it cut to the {@link Horizon} at each conclusion: findings of stretches, at most {@code findings} of each kind, 0.4 KB and 16 B a step
 * each; 56 B a step and peer set; 32 B a step of links, group and kind; the ledger of waits ({@link Ledger}); the incidents said ({@link IncidentRegister}).
 */
final class Diagnosis implements Transform<Partial, Diagnosis.State> {
    private final JobShape shape;
    private final NameTable names;
    private final Thresholds thresholds;
    private final Horizon horizon;

    Diagnosis(JobShape shape, NameTable names, Thresholds thresholds, Horizon horizon) {
        this.shape = shape;
        this.names = names;
        this.thresholds = thresholds;
        this.horizon = horizon;
    }

    /** What was received for one attempt. */
    static final class State {
        final int attempt;
        final Findings<WorkFinding> work = new Findings<>(new Traits<>(
                f -> new Subject(By.WORK, f.peerSet(), 0),
                State::subject,
                WorkFinding::firstStep,
                WorkFinding::lastStep,
                Received::merge));
        final Kept<WorkReference> references = new Kept<>(WorkReference::peerSet, Received::merge);
        final Kept<RankLoad> loads = new Kept<>(RankLoad::rank, Received::merge);
        final Findings<PeerShift> shifts = new Findings<>(new Traits<>(
                s -> new Subject(By.WORK, s.peerSet(), 0),
                PeerShift::firstStep,
                PeerShift::firstStep,
                PeerShift::lastStep,
                Received::merge));
        final Findings<LaunchFinding> launches = new Findings<>(new Traits<>(
                f -> new Subject(By.LAUNCHES, 0, 0),
                LaunchFinding::rank,
                LaunchFinding::firstStep,
                LaunchFinding::lastStep,
                Received::merge));
        final Findings<KernelFinding> kernels = new Findings<>(new Traits<>(
                f -> new Subject(By.KERNELS, f.peerSet(), f.kernel()),
                KernelFinding::rank,
                KernelFinding::firstStep,
                KernelFinding::lastStep,
                Received::merge));
        final Kept<KernelShare> shares = new Kept<>(s -> List.of(s.peerSet(), s.kernel()), (old, now) -> now);
        final Ledger ledger = new Ledger();
        final Kept<TransferFinding> transfers =
                new Kept<>(f -> List.of(f.subject(), f.op(), f.bytes(), f.complete()), Received::merge);
        final Kept<LinksUntold> untold =
                new Kept<>(LinksUntold::because, (old, now) -> now.step() > old.step() ? now : old);
        final Kept<StepFinding> steps = new Kept<>(StepFinding::kind, Received::merge);
        final Kept<StepTimes> times = new Kept<>(StepTimes::attempt, Received::merge);
        final IncidentRegister register = new IncidentRegister();

        State(int attempt) {
            this.attempt = attempt;
        }

        /** A pause that the job waited for is one of its step, however near the next one of the same rank is. */
        private static List<Object> subject(WorkFinding f) {
            return f.weight() == Weight.SEEN
                    ? List.of(f.weight(), f.rank(), f.component(), f.firstStep())
                    : List.of(f.weight(), f.rank(), f.component());
        }

        void add(Partial partial) {
            switch (partial) {
                case WorkFinding p -> work.put(p);
                case WorkReference p -> references.put(p);
                case RankLoad p -> loads.put(p);
                case PeerShift p -> shifts.put(p);
                case LaunchFinding p -> launches.put(p);
                case KernelFinding p -> kernels.put(p);
                case KernelShare p -> shares.put(p);
                case WaitPartial p -> ledger.add(p);
                case TransferFinding p -> transfers.put(p);
                case LinksUntold p -> untold.put(p);
                case StepFinding p -> steps.put(p);
                case StepTimes p -> times.put(p);
                case Judged p -> withdraw(p);
                case TransferPartial p ->
                    throw new IllegalArgumentException("a transfer of group " + p.subject()
                            + " came to the diagnosis; it belongs to the comparison of transfers");
                case Concluded p ->
                    throw new IllegalArgumentException(
                            "a conclusion of attempt " + p.attempt() + " came back to the diagnosis");
            }
        }

        private void withdraw(Judged again) {
            switch (again.by()) {
                case WORK -> {
                    work.withdraw(again);
                    shifts.withdraw(again);
                }
                case LAUNCHES -> launches.withdraw(again);
                case KERNELS -> kernels.withdraw(again);
            }
        }

        /** Cuts everything to what a horizon holds; returns its first step. */
        private long forget(Horizon horizon, Out out) {
            long newest = newestStep();
            long since = newest - horizon.steps() + 1;
            work.forget(since, f -> Since.cut(f, since));
            launches.forget(since, f -> Since.cut(f, since));
            kernels.forget(since, f -> Since.cut(f, since));
            shifts.forget(since, s -> s);
            int lost = work.bound(horizon.findings())
                    + launches.bound(horizon.findings())
                    + kernels.bound(horizon.findings())
                    + shifts.bound(horizon.findings());
            for (int i = 0; i < lost; i++) {
                out.loss("finding-beyond-" + horizon.findings());
            }
            references.change(r -> Since.cut(r, since));
            loads.change(l -> Since.cut(l, since));
            loads.forget(l -> l.steps().length == 0);
            times.change(t -> Since.cut(t, since));
            steps.change(f -> Since.cut(f, since));
            transfers.change(f -> Since.cut(f, newest - horizon.linkSteps() + 1));
            transfers.forget(f -> f.seen().length == 0);
            untold.forget(u -> u.step() < since);
            ledger.forget(since);
            return since;
        }

        private long newestStep() {
            long newest = Long.MIN_VALUE + Integer.MAX_VALUE;
            for (StepTimes t : times) {
                newest = t.steps().length == 0 ? newest : Math.max(newest, t.steps()[t.steps().length - 1]);
            }
            return newest;
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
        long since = state.forget(horizon, out);
        out.emit(new Conclusion(state, shape, names, thresholds, horizon).draw(out));
        state.register.concluded(since);
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
