package dev.argus.cli.text;

import dev.argus.model.GpuRef;
import dev.argus.model.HostText;
import dev.argus.model.Incident;
import dev.argus.model.RankSet;
import dev.argus.model.SafeText;
import dev.argus.model.Scope;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says who is accused. */
final class Suspect {
    private static final int MOST_NAMES = 4;

    /** Scopes whose ranks are listed with their hosts and GPUs. */
    private static final Set<Scope> ONE_BY_ONE = EnumSet.of(Scope.RANK, Scope.GPU, Scope.GROUP);

    private Suspect() {}

    /** In as few words as identify it: {@code rank 37}, {@code host n17 (ranks 0-7)}, {@code the whole job}. */
    static String shortName(Incident incident) {
        String ranks = ranks(incident.ranks());
        String hosts = names(incident.hosts());
        return switch (incident.scope()) {
            case RANK, GPU -> ranks.isEmpty() ? either(hosts, hosts(incident), "an unknown rank") : ranks;
            case HOST -> either(hosts, hosts(incident) + inBrackets(ranks), either(ranks, ranks, "an unknown host"));
            case PAIR -> either(hosts, "the link between " + between(incident), "the link between " + ranks);
            case RAIL -> "one network rail" + inBrackets(either(ranks, ranks, hosts));
            case NVLINK_DOMAIN -> "the GPUs joined by NVLink" + on(hosts) + inBrackets(ranks);
            case SWITCH -> "a switch" + inBrackets(either(ranks, ranks, hosts));
            case GROUP -> group(incident, ranks);
            case JOB -> "the whole job";
        };
    }

    /** All that is known: ranks with their hosts and GPUs. */
    static String fullName(Incident incident) {
        String name = shortName(incident);
        List<GpuRef> gpus = incident.gpus();
        if (!ONE_BY_ONE.contains(incident.scope())) {
            return name; // the place is in the name
        }
        if (gpus.isEmpty()) {
            return incident.ranks().isEmpty() ? name : name + on(names(incident.hosts()));
        }
        if (gpus.size() == 1 && incident.ranks().size() <= 1) {
            return name + place(gpus.getFirst());
        }
        if (gpus.stream().allMatch(gpu -> place(gpu).isEmpty())) {
            return name + on(names(incident.hosts()));
        }
        String list = gpus.stream()
                .limit(MOST_NAMES)
                .map(gpu -> (gpu.rank() < 0 ? "an unknown rank" : "rank " + gpu.rank()) + place(gpu))
                .collect(Collectors.joining("; "));
        return listsAllRanks(incident) ? list : name + ": " + list + more(gpus.size());
    }

    /** True if the list of GPUs names every rank, so that the ranks need not be said before it. */
    private static boolean listsAllRanks(Incident incident) {
        int[] ranks = incident.gpus().stream().mapToInt(GpuRef::rank).toArray();
        return incident.scope() != Scope.GROUP
                && ranks.length <= MOST_NAMES
                && RankSet.of(ranks).equals(incident.ranks());
    }

    /** Ranks as people say them, empty when there is none. */
    static String ranks(RankSet ranks) {
        if (ranks.isEmpty()) {
            return "";
        }
        return (ranks.size() == 1 ? "rank " : "ranks ") + SafeText.of(ranks.toString());
    }

    private static String place(GpuRef gpu) {
        @Nullable String host = gpu.host();
        String text = host == null || host.isEmpty() ? "" : " on " + SafeText.of(host);
        if (gpu.index() >= 0) {
            text += (text.isEmpty() ? " on GPU " : ", GPU ") + gpu.index();
        }
        @Nullable String uuid = gpu.uuid();
        return uuid == null || uuid.isEmpty() ? text : text + " (" + SafeText.of(uuid) + ")";
    }

    private static String group(Incident incident, String ranks) {
        if (incident.groups().isEmpty()) {
            return either(ranks, "the group of " + ranks, "a group of ranks");
        }
        String dimension = SafeText.of(incident.groups().getFirst().dimension());
        return "a " + dimension + " group"
                + inBrackets(
                        either(ranks, ranks, ranks(incident.groups().getFirst().ranks())));
    }

    private static String between(Incident incident) {
        return incident.hosts().size() == 2
                ? SafeText.of(incident.hosts().get(0)) + " and "
                        + SafeText.of(incident.hosts().get(1))
                : names(incident.hosts());
    }

    private static String hosts(Incident incident) {
        List<String> hosts = incident.hosts();
        return hosts.size() == 1 ? HostText.of(SafeText.of(hosts.getFirst())) : "hosts " + names(hosts);
    }

    private static String names(List<String> hosts) {
        return hosts.stream().limit(MOST_NAMES).map(SafeText::of).collect(Collectors.joining(", "))
                + more(hosts.size());
    }

    private static String more(int size) {
        return size > MOST_NAMES ? " and " + (size - MOST_NAMES) + " more" : "";
    }

    private static String on(String hosts) {
        return hosts.isEmpty() ? "" : " on " + hosts;
    }

    private static String inBrackets(String text) {
        return text.isEmpty() ? "" : " (" + text + ")";
    }

    private static String either(String test, String present, String absent) {
        return test.isEmpty() ? absent : present;
    }
}
