package dev.argus.engine;

import dev.argus.engine.LinkElement.Form;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The elements that a job's traffic can tell apart. */
final class LinkElements {
    private final LinkEvidence evidence;
    private final JobShape shape;
    private final boolean across;
    private final Map<List<Integer>, LinkElement> byTraffic = new LinkedHashMap<>();

    /** Positions of the traffic, ascending. */
    private final Map<String, List<Integer>> byHost = new TreeMap<>();

    private final List<Integer> all = new ArrayList<>();

    LinkElements(LinkEvidence evidence, JobShape shape, boolean across) {
        this.evidence = evidence;
        this.shape = shape;
        this.across = across;
        Map<Integer, List<Integer>> byRank = new TreeMap<>();
        Map<String, List<String>> pairs = new TreeMap<>();
        Map<String, List<Integer>> byPair = new TreeMap<>();
        for (int i = 0; i < evidence.traffic.size(); i++) {
            int at = i;
            LinkTraffic t = evidence.traffic.get(i);
            all.add(i);
            t.hosts()
                    .forEach(h ->
                            byHost.computeIfAbsent(h, k -> new ArrayList<>()).add(at));
            t.finding().ranks().stream()
                    .forEach(r ->
                            byRank.computeIfAbsent(r, k -> new ArrayList<>()).add(at));
            if (across) {
                for (List<String> pair : t.pairs()) {
                    String key = pair.getFirst() + '\0' + pair.getLast();
                    pairs.put(key, pair);
                    byPair.computeIfAbsent(key, k -> new ArrayList<>()).add(at);
                }
            }
        }
        if (across || byHost.size() > 1) {
            put(new LinkElement(Form.ALL, RankSet.EMPTY, List.of(), all, Math.log(byHost.size() + 1.0)));
        }
        byRank.forEach((rank, traffic) -> put(
                element(Form.RAIL, RankSet.of(rank), List.of(shape.hostOf(rank)), traffic, Math.log(byRank.size()))));
        byHost.forEach((host, traffic) ->
                put(element(Form.HOST, shape.ranksOn(host), List.of(host), traffic, Math.log(byHost.size()))));
        byPair.forEach((key, traffic) -> {
            List<String> hosts = pairs.getOrDefault(key, List.of());
            put(element(Form.PAIR, used(hosts, traffic), hosts, traffic, Math.log(byPair.size())));
        });
    }

    private static LinkElement element(
            Form form, RankSet ranks, List<String> hosts, Collection<Integer> traffic, double prior) {
        return new LinkElement(form, ranks, hosts, List.copyOf(traffic), prior);
    }

    /** Of the ranks of hosts those whose traffic is meant. */
    private RankSet used(List<String> hosts, Collection<Integer> traffic) {
        RankSet on = hosts.stream().map(shape::ranksOn).reduce(RankSet.EMPTY, RankSet::union);
        return RankSet.of(on.stream()
                .filter(r -> traffic.stream()
                        .anyMatch(i -> evidence.traffic.get(i).finding().ranks().contains(r)))
                .toArray());
    }

    /** Of elements that the same traffic passes the one with fewer ranks stays; alike ones become one. */
    private void put(LinkElement e) {
        byTraffic.merge(e.traffic(), e, (old, add) -> {
            if (old.form() == Form.ALL) {
                return old;
            }
            if (old.form() == add.form()) {
                NavigableSet<String> hosts = new TreeSet<>(old.hosts());
                hosts.addAll(add.hosts());
                return new LinkElement(
                        old.form(), old.ranks().union(add.ranks()), List.copyOf(hosts), old.traffic(), old.prior());
            }
            return add.ranks().size() < old.ranks().size() ? add : old;
        });
    }

    /** All but those of several hosts. */
    Collection<LinkElement> single() {
        return byTraffic.values();
    }

    /** Several hosts together; null when that is what another element is, more than half of the hosts, or hosts whose links inside are meant: they share no switch. */
    @Nullable
    LinkElement leaf(NavigableSet<String> hosts) {
        List<Integer> traffic = hosts.size() == 1
                ? byHost.getOrDefault(hosts.first(), List.of())
                : hosts.stream()
                        .flatMap(h -> byHost.getOrDefault(h, List.of()).stream())
                        .sorted()
                        .distinct()
                        .toList();
        if (hosts.size() > (across ? Math.max(2, byHost.size() / 2) : 1) || traffic.size() == all.size()) {
            return null;
        }
        RankSet ranks = hosts.stream().map(shape::ranksOn).reduce(RankSet.EMPTY, RankSet::union);
        return element(
                Form.LEAF, ranks, List.copyOf(hosts), traffic, hosts.size() * Math.log(Math.max(2, byHost.size())));
    }

    /** Hosts with traffic. */
    NavigableSet<String> hosts() {
        return new TreeSet<>(byHost.keySet());
    }
}
