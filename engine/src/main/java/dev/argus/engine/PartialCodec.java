package dev.argus.engine;

import dev.argus.wire.RecordCodec;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The state of the diagnosis: a list a type of partial and the ledger, in a fixed order. */
final class PartialCodec {
    private static final RecordCodec<WorkFinding> WORK = new RecordCodec<>(WorkFinding.class);
    private static final RecordCodec<WorkReference> REFERENCE = new RecordCodec<>(WorkReference.class);
    private static final RecordCodec<RankLoad> LOAD = new RecordCodec<>(RankLoad.class);
    private static final RecordCodec<PeerShift> SHIFT = new RecordCodec<>(PeerShift.class);
    private static final RecordCodec<LaunchFinding> LAUNCH = new RecordCodec<>(LaunchFinding.class);
    private static final RecordCodec<KernelFinding> KERNEL = new RecordCodec<>(KernelFinding.class);
    private static final RecordCodec<KernelShare> SHARE = new RecordCodec<>(KernelShare.class);
    private static final RecordCodec<TransferFinding> TRANSFER = new RecordCodec<>(TransferFinding.class);
    private static final RecordCodec<LinksUntold> UNTOLD = new RecordCodec<>(LinksUntold.class);
    private static final RecordCodec<StepFinding> STEP = new RecordCodec<>(StepFinding.class);
    private static final RecordCodec<StepTimes> TIMES = new RecordCodec<>(StepTimes.class);

    private static final RecordCodec<IncidentRegister.Life> LIFE = new RecordCodec<>(IncidentRegister.Life.class);

    private PartialCodec() {}

    static void encode(Diagnosis.State state, WireWriter to) {
        write(state.work, WORK, to);
        write(state.references, REFERENCE, to);
        write(state.loads, LOAD, to);
        write(state.shifts, SHIFT, to);
        write(state.launches, LAUNCH, to);
        write(state.kernels, KERNEL, to);
        write(state.shares, SHARE, to);
        state.ledger.encode(to);
        write(state.transfers, TRANSFER, to);
        write(state.untold, UNTOLD, to);
        write(state.steps, STEP, to);
        write(state.times, TIMES, to);
        to.writeVarint(state.register.conclusions());
        write(state.register.lives(), LIFE, to);
    }

    static void decode(Diagnosis.State state, WireReader from) {
        read(state.work, WORK, from);
        read(state.references, REFERENCE, from);
        read(state.loads, LOAD, from);
        read(state.shifts, SHIFT, from);
        read(state.launches, LAUNCH, from);
        read(state.kernels, KERNEL, from);
        read(state.shares, SHARE, from);
        state.ledger.decode(from);
        read(state.transfers, TRANSFER, from);
        read(state.untold, UNTOLD, from);
        read(state.steps, STEP, from);
        read(state.times, TIMES, from);
        long conclusions = from.readVarint();
        List<IncidentRegister.Life> lives = new ArrayList<>();
        read(lives, LIFE, from);
        state.register.resume(conclusions, lives);
    }

    private static <R extends Record> void write(Collection<R> list, RecordCodec<R> codec, WireWriter to) {
        to.writeVarint(list.size());
        list.forEach(r -> codec.write(r, to));
    }

    private static <R extends Record> void read(Collection<R> list, RecordCodec<R> codec, WireReader from) {
        int n = from.readCount(1);
        for (int i = 0; i < n; i++) {
            list.add(codec.read(from));
        }
    }
}
