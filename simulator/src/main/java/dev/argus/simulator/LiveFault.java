package dev.argus.simulator;

import dev.argus.model.Incident;
import dev.argus.model.RankSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A fault of a job that goes on, with what a diagnosis should say about it.
 *
 * @param number how many came before it
 * @param scenario kind as drawn
 * @param kind kind in the words of the scoreboard
 * @param ranks ranks at fault, ascending
 * @param suspects ranks that may be named: those at fault, and those nobody could tell from them
 * @param hosts hosts of the ranks at fault, by name
 * @param firstStep first step that it touches
 * @param lastStep last step that it touches
 * @param scope {@code ranks}, {@code global} (nobody to accuse) or {@code any} (every rank in turn)
 */
public record LiveFault(
        int number,
        ScenarioKind scenario,
        String kind,
        RankSet ranks,
        RankSet suspects,
        Set<String> hosts,
        int firstStep,
        int lastStep,
        String scope) {
    /** How far an incident is right about a fault. */
    public enum Match {
        /** It names the fault: its kind, and nobody but suspects. */
        RIGHT,
        /** It names nobody but suspects, as another kind. */
        OTHER_KIND,
        /** It is about something else, or accuses an innocent. */
        WRONG
    }

    private static final int MOST_RANKS = 8;

    static LiveFault of(int number, ScenarioKind scenario, Fault fault, Scenario of) {
        Layout layout = of.layout();
        int[] ranks = fault.ranks(layout);
        Set<String> hosts = new TreeSet<>();
        IntStream.of(ranks).forEach(r -> hosts.add(layout.hostName(layout.hostOf(r))));
        RankSet suspects = LinkIdentity.concerns(fault)
                ? RankSet.of(new LinkIdentity(of).suspects(fault).stream().mapToInt(r -> r))
                : RankSet.of(ranks);
        return new LiveFault(
                number,
                scenario,
                fault.kind(),
                RankSet.of(ranks),
                suspects,
                Set.copyOf(hosts),
                fault.when().from(),
                fault.when().to(),
                fault.scope(layout));
    }

    /** Holds what was said against it, by the rules of the scoreboard; whether it was said at the right time is for the caller to know. */
    public Match match(Incident said, Layout layout) {
        boolean kindRight = AcceptedKinds.accepts(kind, java.util.List.of(), said.kind());
        RankSet named = named(said, layout);
        if (!scope.equals("ranks")) {
            boolean whole = named.isEmpty() || 2 * named.size() >= layout.world() || scope.equals("any");
            return kindRight && whole ? Match.RIGHT : Match.WRONG;
        }
        int most = Math.max(Math.min(MOST_RANKS, Math.max(1, layout.world() / 4)), suspects.size());
        if (named.isEmpty() || named.size() > most || !named.minus(suspects).isEmpty()) {
            return Match.WRONG;
        }
        return kindRight ? Match.RIGHT : Match.OTHER_KIND;
    }

    private static RankSet named(Incident said, Layout layout) {
        if (!said.ranks().isEmpty()) {
            return said.ranks();
        }
        return RankSet.of(IntStream.range(0, layout.hosts())
                .filter(h -> said.hosts().contains(layout.hostName(h)))
                .flatMap(h -> IntStream.of(layout.ranksOn(h))));
    }
}
