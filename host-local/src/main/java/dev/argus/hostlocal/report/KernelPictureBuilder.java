package dev.argus.hostlocal.report;

import dev.argus.digest.KernelClasses;
import dev.argus.engine.KernelDistance;
import dev.argus.hostlocal.report.KernelPicture.Curve;
import dev.argus.hostlocal.report.KernelPicture.Member;
import dev.argus.model.DurationSummary;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.KernelClass;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.StreamKernel;
import dev.argus.stats.QuantileFunction;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Collects the kernels of one incident's suspects and of their peers, in at most {@value #MOST_STEPS} of its steps. Footprint: the summaries of
 * {@value KernelPicture#MOST_RANKS} ranks in so many steps.
 */
final class KernelPictureBuilder {
    /** Steps looked at, evenly spaced. */
    static final int MOST_STEPS = 12;

    private static final int MOST_SUSPECTS = 8;
    private static final int MOST_KERNELS = 3;

    /** From so many peers on the band leaves out the outermost tenths. */
    private static final int ENOUGH_PEERS = 5;

    private static final double LOW = 0.1;
    private static final double HIGH = 0.9;

    /** Kinds that are about a rank's own work, so that its kernels say something even where none is named. */
    private static final Set<IncidentKind> OWN_WORK = EnumSet.of(
            IncidentKind.COMPUTE_STRAGGLER,
            IncidentKind.MEMORY_BANDWIDTH_STRAGGLER,
            IncidentKind.KERNEL_STRAGGLER,
            IncidentKind.THERMAL_DRIFT,
            IncidentKind.RANK_ASYMMETRY,
            IncidentKind.HETEROGENEOUS_HARDWARE);

    private final String incident;
    private final List<String> named;
    private final int mostKernels;
    private final NameTable names;
    private final RankSet suspects;
    private final RankSet peers;
    private final Set<Long> steps = new HashSet<>();
    private final Map<Integer, Map<Integer, List<DurationSummary>>> byKernel = new HashMap<>();

    KernelPictureBuilder(Incident incident, JobShape shape, NameTable names, long[] allSteps) {
        this.incident = incident.id();
        this.named = incident.kernels();
        this.mostKernels = MOST_KERNELS;
        this.names = names;
        RankSet read = incident.ranks().intersect(shape.ranks());
        this.suspects = evenly(read, MOST_SUSPECTS);
        int set = read.isEmpty() ? -1 : shape.peerSetOf(read.get(0));
        RankSet candidates = set < 0 ? RankSet.EMPTY : shape.peerSets().get(set).intersect(shape.ranks());
        this.peers = evenly(candidates.minus(incident.ranks()), KernelPicture.MOST_RANKS - suspects.size());
        long[] inside = Arrays.stream(allSteps)
                .filter(s -> s >= incident.firstStep() && s <= incident.lastStep())
                .toArray();
        for (int i = 0; i < Math.min(MOST_STEPS, inside.length); i++) {
            steps.add(inside[(int) ((long) i * inside.length / Math.min(MOST_STEPS, inside.length))]);
        }
    }

    /** For a rank that nobody accuses, in one step. */
    KernelPictureBuilder(int rank, long step, int mostKernels, JobShape shape, NameTable names) {
        this.incident = "";
        this.named = List.of();
        this.mostKernels = mostKernels;
        this.names = names;
        this.suspects = RankSet.of(rank);
        int set = shape.peerSetOf(rank);
        RankSet candidates = set < 0 ? RankSet.EMPTY : shape.peerSets().get(set).intersect(shape.ranks());
        this.peers = evenly(candidates.minus(suspects), KernelPicture.MOST_RANKS - 1);
        steps.add(step);
    }

    private static RankSet evenly(RankSet all, int most) {
        int n = Math.min(most, all.size());
        int[] some = new int[n];
        for (int i = 0; i < n; i++) {
            some[i] = all.get((int) ((long) i * all.size() / n));
        }
        return RankSet.of(some);
    }

    /** True if kernels say something about an incident. */
    static boolean concerns(Incident i) {
        return !i.ranks().isEmpty() && (!i.kernels().isEmpty() || OWN_WORK.contains(i.kind()));
    }

    /** Ranks whose kernels are wanted in a step. */
    RankSet wanted(long step) {
        return steps.contains(step) ? suspects.union(peers) : RankSet.EMPTY;
    }

    /** Takes the kernels of a rank in a step; what was not wanted is left aside. */
    void take(KernelWindow window) {
        if (!wanted(window.window()).contains(window.rank())) {
            return;
        }
        for (StreamKernel k : window.kernels()) {
            if (k.durations().count() > 0 && KernelClasses.classOf(names.name(k.name())) == KernelClass.COMPUTE) {
                byKernel.computeIfAbsent(k.name(), n -> new TreeMap<>())
                        .computeIfAbsent(window.rank(), r -> new ArrayList<>())
                        .add(k.durations());
            }
        }
    }

    List<KernelPicture> build() {
        List<KernelPicture> pictures = new ArrayList<>();
        for (int kernel : kernels()) {
            Map<Integer, List<DurationSummary>> members = byKernel.getOrDefault(kernel, Map.of());
            List<List<DurationSummary>> ofPeers = new ArrayList<>();
            members.forEach((rank, streams) -> {
                if (peers.contains(rank)) {
                    ofPeers.add(streams);
                }
            });
            if (!ofPeers.isEmpty() && members.keySet().stream().anyMatch(suspects::contains)) {
                pictures.add(picture(kernel, members, ofPeers));
            }
        }
        return pictures;
    }

    /** Those that the incident names, in its order; else those that cost the suspects most. */
    private List<Integer> kernels() {
        List<Integer> order = byKernel.keySet().stream()
                .filter(k ->
                        byKernel.getOrDefault(k, Map.of()).keySet().stream().anyMatch(suspects::contains))
                .sorted(Comparator.comparingLong((Integer k) -> -suspectNanos(k))
                        .thenComparing(names::name))
                .toList();
        List<Integer> first = order.stream()
                .filter(k -> named.contains(names.name(k)))
                .sorted(Comparator.comparingInt(k -> named.indexOf(names.name(k))))
                .toList();
        return (first.isEmpty() ? order : first).stream().limit(mostKernels).toList();
    }

    private long suspectNanos(int kernel) {
        long sum = 0;
        for (Map.Entry<Integer, List<DurationSummary>> e :
                byKernel.getOrDefault(kernel, Map.of()).entrySet()) {
            if (suspects.contains(e.getKey())) {
                sum += e.getValue().stream()
                        .mapToLong(DurationSummary::sumNanos)
                        .sum();
            }
        }
        return sum;
    }

    private KernelPicture picture(
            int kernel, Map<Integer, List<DurationSummary>> members, List<List<DurationSummary>> ofPeers) {
        KernelDistance.Centre centre = new KernelDistance.Centre(ofPeers);
        Map<Integer, QuantileFunction> whole = new TreeMap<>();
        members.forEach((rank, streams) -> whole.put(rank, KernelDistance.whole(streams)));
        double low =
                whole.values().stream().mapToDouble(QuantileFunction::min).min().orElse(1);
        double high =
                whole.values().stream().mapToDouble(QuantileFunction::max).max().orElse(2);
        low = Math.max(1, low * 0.95);
        high = Math.max(low * 1.1, high * 1.05);
        List<Member> ranks = new ArrayList<>();
        List<float[]> shares = new ArrayList<>();
        List<Curve> curves = new ArrayList<>();
        for (boolean accused : new boolean[] {true, false}) {
            for (Map.Entry<Integer, List<DurationSummary>> e : members.entrySet()) {
                int rank = e.getKey();
                if (suspects.contains(rank) != accused) {
                    continue;
                }
                ranks.add(member(rank, accused, e.getValue(), centre));
                QuantileFunction q = whole.get(rank);
                if (q != null && !accused) {
                    shares.add(share(q, low, high));
                } else if (q != null && curves.size() < KernelPicture.MOST_CURVES) {
                    curves.add(new Curve(rank, share(q, low, high)));
                }
            }
        }
        boolean many = shares.size() >= ENOUGH_PEERS;
        return new KernelPicture(
                incident,
                names.name(kernel),
                named.contains(names.name(kernel)),
                steps.stream().mapToLong(s -> s).min().orElse(0),
                steps.stream().mapToLong(s -> s).max().orElse(0),
                steps.size(),
                List.copyOf(ranks),
                low,
                high,
                band(shares, many ? LOW : 0),
                band(shares, 0.5),
                band(shares, many ? HIGH : 1),
                List.copyOf(curves));
    }

    private static Member member(
            int rank, boolean suspect, List<DurationSummary> streams, KernelDistance.Centre centre) {
        long count = streams.stream().mapToLong(DurationSummary::count).sum();
        double sum = streams.stream().mapToDouble(DurationSummary::sumNanos).sum();
        KernelDistance d = centre.to(streams);
        return new Member(rank, suspect, count, sum / count, d.signedRatio(), d.movedRatio(), d.modeRatio());
    }

    private static float[] share(QuantileFunction q, double low, double high) {
        float[] share = new float[KernelPicture.BINS];
        double before = 0;
        for (int b = 0; b < share.length; b++) {
            double edge = low * Math.pow(high / low, (b + 1.0) / share.length);
            double upTo = b + 1 == share.length ? 1 : q.cdf(edge);
            share[b] = (float) Math.max(0, upTo - before);
            before = upTo;
        }
        return share;
    }

    private static float[] band(List<float[]> shares, double quantile) {
        float[] band = new float[KernelPicture.BINS];
        double[] column = new double[shares.size()];
        for (int b = 0; b < band.length; b++) {
            for (int i = 0; i < column.length; i++) {
                column[i] = shares.get(i)[b];
            }
            band[b] = (float) Robust.quantile(column.clone(), quantile);
        }
        return band;
    }
}
