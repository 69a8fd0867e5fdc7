package dev.argus.agent;

import dev.argus.model.DataProblem;
import dev.argus.model.SafeText;
import dev.argus.ring.RingDirectory;
import dev.argus.ring.RingDirectory.Entry;
import dev.argus.ring.RingDirectory.Listing;
import dev.argus.stacks.StackAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What an agent can see of this host, and what is missing.
 *
 * @param lines sentences, one a thing looked at
 * @param complete true when nothing is missing
 */
public record AgentCheck(List<String> lines, boolean complete) {
    /** Looks at the folder of the rings, at every process that has one, and at what the kernel tells. */
    public static AgentCheck of(AgentOptions options, long nowMono) {
        List<String> lines = new ArrayList<>();
        boolean complete = true;
        Path folder = options.rings();
        String shown = SafeText.of(folder.toString());
        Listing listing = null;
        try {
            listing = RingDirectory.of(folder).list(nowMono);
        } catch (IOException e) {
            lines.add("missing: " + SafeText.of(String.valueOf(e.getMessage())));
            complete = false;
        }
        if (listing != null) {
            for (DataProblem p : listing.problems()) {
                lines.add("missing: " + SafeText.of(p.detail()));
                complete = false;
            }
            if (listing.rings().isEmpty()) {
                lines.add("missing: no ring in " + shown
                        + "; start training as the same user, with the same ARGUS_RING_DIR, with the producer installed (pip install"
                        + " ./producers/python) and ARGUS=1, or with import argus; argus.start() in the program");
                complete = false;
            }
            Set<Long> seen = new TreeSet<>();
            for (Entry e : listing.rings()) {
                lines.add("ok: ring " + SafeText.of(e.header().fileName()) + ", rank "
                        + e.header().rank() + ", " + words(e) + ", " + e.backlog() + " records waiting");
                if (e.hostProcess() > 0 && seen.add(e.hostProcess())) {
                    StackAccess access = StackAccess.check(Math.toIntExact(e.hostProcess()));
                    lines.add((access.possible() ? "ok: stacks: " : "missing: stacks: ")
                            + SafeText.of(access.toString()));
                    complete &= access.possible();
                }
                if (e.hostProcess() <= 0) {
                    lines.add("missing: the process of this ring is not seen from here; run the agent in the same pid"
                            + " namespace, or on the host, for stacks and for telling a stopped process");
                    complete = false;
                }
            }
        }
        boolean waits = Files.isReadable(options.proc().resolve("self/schedstat"));
        lines.add(
                waits
                        ? "ok: waits for a CPU are told by the kernel (schedstat)"
                        : "missing: this kernel does not tell waits for a CPU (no /proc/self/schedstat): a busy host is seen as slow ranks");
        return new AgentCheck(List.copyOf(lines), complete && waits);
    }

    private static String words(Entry e) {
        return switch (e.life()) {
            case ALIVE -> "its process runs";
            case DEAD -> "its process has ended";
            case UNSEEN -> "its process is not seen";
        };
    }
}
