package dev.argus.simulator;

import dev.argus.model.CollectiveOp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs all ranks through a step. Order of computation is not order of time: an operation's times are computed as soon as
 * all it waits for are known, whoever that frees follows. A CPU runs ahead until it synchronises or its launch queue is
 * full; a collective begins to transfer when its last member has arrived.
 *
 * <p>Cost: constant time per operation and successor; footprint 28 bytes per operation and rank of the running step.
 */
final class Machine {
    private static final long LAUNCH_LATENCY = 4_000;
    private static final long STREAM_GAP = 900;
    private static final double BURSTY = 1.5;
    private static final long UNKNOWN = Long.MIN_VALUE;

    private final Layout layout;
    private Scenario scenario;
    private Wire wire;
    private final Map<ProgramBuilder.Role, Program> programs = new HashMap<>();
    private final RankRun[] runs;
    private final EnumMap<GroupKind, Meeting[]> meetings = new EnumMap<>(GroupKind.class);
    private long[] work = new long[1 << 12];
    private int working;
    private int step;
    private @Nullable LiveStop stop;

    Machine(Scenario scenario) {
        this.scenario = scenario;
        this.layout = scenario.layout();
        this.wire = new Wire(scenario);
        this.runs = new RankRun[layout.world()];
        for (int rank = 0; rank < runs.length; rank++) {
            runs[rank] = new RankRun(rank);
        }
    }

    /** From the next step on other faults and disturbances hold; everything else of the scenario is as it was. */
    void become(Scenario other) {
        this.scenario = other;
        this.wire = new Wire(other);
    }

    /** From its step on the job stands still: of that step, ends and launches that do not come are {@link RankStep#NEVER}. */
    void stop(LiveStop what) {
        this.stop = what;
    }

    /** Runs one step; steps follow each other. */
    List<RankStep> run(int number) {
        this.step = number;
        meetings.clear();
        for (RankRun run : runs) {
            run.begin(program(run.rank));
        }
        for (GroupKind kind : GroupKind.values()) {
            if (kind == GroupKind.PIPELINE) {
                continue;
            }
            List<Group> groups = layout.groups(kind);
            Meeting[] own = new Meeting[groups.size()];
            for (Group group : groups) {
                own[group.position()] = new Meeting(runs[group.rank(0)].program.collectiveCount(kind));
            }
            meetings.put(kind, own);
        }
        for (RankRun run : runs) {
            push(run.rank, -1);
            drain();
        }
        List<RankStep> done = new ArrayList<>(runs.length);
        for (RankRun run : runs) {
            done.add(run.finish());
        }
        return done;
    }

    private Program program(int rank) {
        int stage = layout.coordinate(rank, Layout.Dimension.PP);
        boolean loads = !scenario.model().tensorRankZeroLoads() || layout.coordinate(rank, Layout.Dimension.TP) == 0;
        int extra = 0;
        int evaluations = 0;
        for (Influence influence : scenario.influences()) {
            extra += influence.extraKernels(rank);
            evaluations += influence.evaluations(step);
        }
        return programs.computeIfAbsent(
                new ProgramBuilder.Role(stage, loads, extra, evaluations),
                role -> ProgramBuilder.build(scenario.model(), layout, role));
    }

    private void push(int rank, int op) {
        if (working == work.length) {
            work = Arrays.copyOf(work, working * 2);
        }
        work[working++] = ((long) rank << 32) | (op & 0xffff_ffffL);
    }

    private void drain() {
        while (working > 0) {
            long item = work[--working];
            RankRun run = runs[(int) (item >>> 32)];
            int op = (int) item;
            if (op < 0) {
                run.advance();
            } else {
                run.ended(op);
            }
        }
    }

    private void meet(RankRun run, int at, Op op) {
        Group group = layout.group(run.rank, Objects.requireNonNull(op.group()));
        Meeting meeting = Objects.requireNonNull(meetings.get(group.kind()))[group.position()];
        if (meeting.last[op.ordinal()] == UNKNOWN || run.start[at] > meeting.last[op.ordinal()]) {
            meeting.last[op.ordinal()] = run.start[at];
        }
        if (++meeting.arrived[op.ordinal()] < group.size()) {
            return;
        }
        boolean rooted = op.collective() == CollectiveOp.BROADCAST;
        boolean uneven = op.collective() == CollectiveOp.ALL_TO_ALL_V;
        double most = 1;
        double longest = 0;
        for (int i = 0; i < group.size(); i++) {
            Conditions c = runs[group.rank(i)].conditions;
            most = uneven ? Math.max(most, c.expertLoad()) : most;
            longest = Math.max(longest, c.work(op));
        }
        double transfer = wire.collective(op.collective(), group, op.bytes() * most * longest, step, op.ordinal());
        RankRun root = runs[group.rank(0)];
        long rootStart = root.start[root.program.collective(group.kind(), op.ordinal())];
        for (int i = 0; i < group.size(); i++) {
            RankRun member = runs[group.rank(i)];
            int own = member.program.collective(group.kind(), op.ordinal());
            long from = rooted ? Math.max(rootStart, member.start[own]) : meeting.last[op.ordinal()];
            double share = uneven ? 0.6 + 0.4 * member.conditions.expertLoad() / most : 1;
            double jitter = 1200 * Noise.unit(Noise.bits(scenario.seed(), member.rank, step, 500_000L + own));
            if (!member.stuck(own)) {
                member.end[own] = from + (long) (transfer * share + jitter);
                push(member.rank, own);
            }
        }
    }

    private void exchange(RankRun run, int at, Op op) {
        int stages = layout.size(Layout.Dimension.PP);
        int stage = layout.coordinate(run.rank, Layout.Dimension.PP);
        boolean next = op.lane() == Lane.SEND_NEXT || op.lane() == Lane.RECV_NEXT;
        RankRun other = runs[layout.atStage(run.rank, (stage + (next ? 1 : stages - 1)) % stages)];
        int partner = other.program.partner(op);
        if (other.start[partner] == UNKNOWN) {
            return;
        }
        boolean sends = op.type() == Op.Type.SEND;
        int source = sends ? run.rank : other.rank;
        int target = sends ? other.rank : run.rank;
        double bytes = op.bytes() * run.conditions.work(op);
        long end = Math.max(run.start[at], other.start[partner])
                + (long) wire.message(source, target, bytes, step, op.ordinal());
        run.end[at] = end;
        other.end[partner] = end + (long) (600 * Noise.unit(Noise.bits(end, source, target, step)));
        push(run.rank, at);
        push(other.rank, partner);
    }

    /** The arrivals at the collectives of one group in one step. */
    private static final class Meeting {
        final int[] arrived;
        final long[] last;

        Meeting(int count) {
            this.arrived = new int[count];
            this.last = new long[count];
            Arrays.fill(last, UNKNOWN);
        }
    }

    /** One rank: its CPU, and what is known of its GPU work. */
    private final class RankRun {
        final int rank;
        private final long[] laneEnd = new long[Lane.ALL.length];
        private long cpu;
        private Program program;
        private Conditions conditions;
        private long[] launch = {};
        private long[] start = {};
        private long[] end = {};
        private int[] pending = {};
        private int at;
        private boolean blocked;
        private int nextPause;
        private int[] pauseAt = {};
        private List<Pause> pauses = List.of();
        private long[] ready = {};
        private int stopAt = -1;
        private List<RankStep.Paused> paused = new ArrayList<>();

        RankRun(int rank) {
            this.rank = rank;
            this.program = program(rank);
            this.conditions = new Conditions(scenario, rank, 0);
            this.cpu = (long) (400_000 * Noise.unit(Noise.bits(scenario.seed(), rank, -3, 0)));
        }

        void begin(Program next) {
            this.program = next;
            this.conditions = new Conditions(scenario, rank, step);
            int n = next.ops.length;
            this.launch = new long[n];
            this.start = new long[n];
            this.end = new long[n];
            if (pending.length != n) {
                this.pending = new int[n];
                this.ready = new long[n];
            }
            Arrays.fill(start, UNKNOWN);
            Arrays.fill(end, UNKNOWN);
            Arrays.fill(ready, 0);
            for (int i = 0; i < n; i++) {
                pending[i] = next.predecessors[i] + 1;
            }
            this.at = 0;
            this.blocked = false;
            this.stopAt = stop == null ? -1 : stop.at(next, rank, step);
            this.nextPause = 0;
            this.paused = new ArrayList<>();
            this.pauses = new ArrayList<>(conditions.pauses);
            pauses.sort(Comparator.comparingInt(p -> place(p.place())));
            this.pauseAt = pauses.stream().mapToInt(p -> place(p.place())).toArray();
        }

        private int place(Pause.Place place) {
            Op[] ops = program.ops;
            return switch (place.spot()) {
                case START -> 1;
                case END -> ops.length - 2;
                case WITHIN -> within(place.fraction());
                case KERNEL -> {
                    int from = within(place.fraction());
                    for (int i = 0; i < ops.length; i++) {
                        int here = (from + i) % ops.length;
                        if (ops[here].type() == Op.Type.KERNEL) {
                            yield here;
                        }
                    }
                    yield from;
                }
                case INPUT -> {
                    for (int i = 0; i < ops.length; i++) {
                        if (ops[i].type() == Op.Type.OPEN && ops[i].label().equals(ProgramBuilder.DATA)) {
                            yield i + 1;
                        }
                    }
                    yield 1;
                }
            };
        }

        private int within(double fraction) {
            int length = program.ops.length;
            return Math.clamp((int) (fraction * length), 2, length - 3);
        }

        /** The CPU goes on until it has to wait or the step is over. */
        void advance() {
            Op[] ops = program.ops;
            while (at < ops.length) {
                Op op = ops[at];
                if (!mayGoOn(op)) {
                    blocked = true;
                    return;
                }
                if (stopAt == at && stop != null && stop.ofCpu()) {
                    return;
                }
                while (nextPause < pauseAt.length && pauseAt[nextPause] == at) {
                    Pause pause = pauses.get(nextPause++);
                    paused.add(new RankStep.Paused(pause, cpu));
                    cpu += pause.nanos();
                }
                launch[at] = cpu;
                long bits = Noise.bits(scenario.seed(), rank, step, 1_000_000L + at);
                switch (op.type()) {
                    case CPU -> {
                        cpu += (long) (op.nanos() * slowness(bits) * (1 + 0.12 * Math.abs(Noise.normal(bits))));
                        start[at] = cpu;
                    }
                    case OPEN, CLOSE -> cpu += 1_000;
                    case SYNC -> {
                        cpu = Math.max(cpu + 3_000, end[op.after()[0]] + 6_000);
                        start[at] = cpu;
                    }
                    default -> {
                        cpu += launchNanos(op, bits);
                        arrived(at, launch[at] + LAUNCH_LATENCY);
                    }
                }
                at++;
            }
        }

        private boolean mayGoOn(Op op) {
            if (op.type() == Op.Type.SYNC) {
                return end[op.after()[0]] != UNKNOWN;
            }
            int gate = program.admittedBy[at];
            if (gate < 0) {
                return true;
            }
            if (end[gate] == UNKNOWN) {
                return false;
            }
            cpu = Math.max(cpu, start[gate]);
            return true;
        }

        private long launchNanos(Op op, long bits) {
            double base = scenario.model().launchNanos() * (op.type().communicates() ? 2.5 : 1);
            double time = base * slowness(bits) * (1 + 0.2 * Math.abs(Noise.normal(bits)));
            double luck = Noise.unit(Noise.bits(bits, 1, 2, 3));
            if (luck < scenario.noise().hiccupsPerLaunch()) {
                double u = Math.max(1e-4, luck / scenario.noise().hiccupsPerLaunch());
                time += Math.min(8e6, 50_000 * Math.pow(u, -0.7));
            }
            return (long) time;
        }

        /** A slow core is evenly slow; a fight for cores comes in bursts of the same mean. */
        private double slowness(long bits) {
            double factor = conditions.launch;
            if (factor < BURSTY) {
                return factor;
            }
            double u = Math.max(1e-3, Noise.unit(Noise.bits(bits, 4, 5, 6)));
            return 1 - (factor - 1) * Math.log(u);
        }

        /** One of the things an operation waits for has happened. */
        private void arrived(int op, long when) {
            ready[op] = Math.max(ready[op], when);
            if (--pending[op] > 0) {
                return;
            }
            Op what = program.ops[op];
            long free = Math.max(laneEnd[what.lane().ordinal()], laneEnd[Lane.COMPUTE.ordinal()]) + STREAM_GAP;
            start[op] = Math.max(ready[op], free);
            switch (what.type()) {
                case COLLECTIVE -> meet(this, op, what);
                case SEND, RECEIVE -> exchange(this, op, what);
                case COPY -> finishAt(op, what.nanos() * conditions.copy);
                default -> finishAt(op, conditions.kernelNanos(what));
            }
        }

        private boolean stuck(int op) {
            return stopAt == op && stop != null && !stop.ofCpu();
        }

        private void finishAt(int op, double nanos) {
            if (stuck(op)) {
                return;
            }
            long bits = Noise.bits(scenario.seed(), rank, step, 2_000_000L + op);
            double noise = Math.max(0.93, 1 + scenario.noise().kernelSpread() * Noise.normal(bits));
            end[op] = start[op] + Math.max(800, (long) (nanos * noise));
            push(rank, op);
        }

        /** The end of an operation is known: whoever waits for it may go on. */
        void ended(int op) {
            long when = end[op] + STREAM_GAP;
            for (int next : program.successors[op]) {
                arrived(next, when);
            }
            if (blocked && mayGoOn(program.ops[at])) {
                blocked = false;
                push(rank, -1);
            }
        }

        RankStep finish() {
            if (stop != null && step >= stop.step()) {
                for (int i = 0; i < program.ops.length; i++) {
                    launch[i] = i < at ? launch[i] : RankStep.NEVER;
                    start[i] = start[i] == UNKNOWN ? RankStep.NEVER : start[i];
                    end[i] = end[i] == UNKNOWN ? RankStep.NEVER : end[i];
                }
                return new RankStep(rank, step, program, launch, start, end, conditions, paused);
            }
            for (int i = 0; i < program.ops.length; i++) {
                Op op = program.ops[i];
                if (!op.onGpu()) {
                    continue;
                }
                if (end[i] == UNKNOWN) {
                    throw new IllegalStateException("rank " + rank + " hangs in step " + step + " at operation " + i
                            + ": " + op.type() + " " + op.group() + " " + op.ordinal());
                }
                laneEnd[op.lane().ordinal()] = Math.max(laneEnd[op.lane().ordinal()], end[i]);
            }
            return new RankStep(rank, step, program, launch, start, end, conditions, paused);
        }
    }
}
