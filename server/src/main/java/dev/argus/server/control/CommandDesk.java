package dev.argus.server.control;

import dev.argus.model.AgentCommand;
import dev.argus.model.AgentCommand.Retune;
import dev.argus.model.AgentCommand.SendExcerpt;
import dev.argus.model.RankSet;
import dev.argus.transport.CommandSource;
import dev.argus.wire.AgentCommandCodec;
import dev.argus.wire.WireException;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Commands that agents have yet to do. An agent gets them in the replies to what it ships, and does of each what concerns the ranks of its host.
 *
 * <p>A retune stands until a later one of the same ranks replaces it, so that a host that comes later hears of it, too; an excerpt is asked for for ten minutes, after which no agent has it any more. Ids
 * ascend over the life of a server and beyond: they begin with the time, in milliseconds.
 *
 * <p>Bounded: {@value #MOST_JOBS} jobs, {@value #MOST_COMMANDS} commands each; of more, the oldest goes. Thread-safe.
 */
public final class CommandDesk implements CommandSource {
    static final int MOST_JOBS = 256;
    static final int MOST_COMMANDS = 64;
    static final long EXCERPT_NANOS = 600_000_000_000L;
    private static final int VERSION = 1;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final LongSupplier clock;
    private final Map<String, Map<Long, Asked>> jobs = new LinkedHashMap<>(16, 0.75f, true);
    private long lastId;

    /**
     * A command.
     *
     * @param command it
     * @param incident incident that it is about, empty for none
     * @param atNanos when it was given
     */
    public record Asked(AgentCommand command, String incident, long atNanos) {}

    /** @param clock now, nanoseconds since the Unix epoch */
    public CommandDesk(LongSupplier clock) {
        this.clock = clock;
    }

    /** Asks ranks of a job, all of them when the set is empty, to record otherwise. Returns the id of the command. */
    public synchronized long retune(String job, RankSet ranks, int signals, int sampling, int stacksPerSecond) {
        Retune command = new Retune(nextId(), job, ranks, signals, sampling, stacksPerSecond);
        Map<Long, Asked> of = of(job);
        of.values().removeIf(a -> a.command() instanceof Retune r && ranks.equals(r.ranks()));
        return put(of, new Asked(command, "", clock.getAsLong()));
    }

    /** Asks for what ranks recorded in a time, for an incident or for a user (the empty text). Returns the id of the command. */
    public synchronized long excerpt(
            String job, RankSet ranks, int attempt, long fromNanos, long toNanos, String incident) {
        SendExcerpt command = new SendExcerpt(nextId(), job, ranks, attempt, fromNanos, toNanos);
        return put(of(job), new Asked(command, incident, clock.getAsLong()));
    }

    private long nextId() {
        lastId = Math.max(lastId + 1, clock.getAsLong() / NANOS_PER_MILLI);
        return lastId;
    }

    private Map<Long, Asked> of(String job) {
        Map<Long, Asked> known = jobs.computeIfAbsent(job, j -> new LinkedHashMap<>());
        if (jobs.size() > MOST_JOBS) {
            jobs.remove(jobs.keySet().iterator().next());
        }
        return known;
    }

    private static long put(Map<Long, Asked> of, Asked asked) {
        of.put(asked.command().id(), asked);
        if (of.size() > MOST_COMMANDS) {
            of.remove(of.keySet().iterator().next());
        }
        return asked.command().id();
    }

    @Override
    public synchronized List<AgentCommand> commands(String job, String host, long after) {
        Map<Long, Asked> of = jobs.get(job);
        if (of == null) {
            return List.of();
        }
        expire(of);
        List<AgentCommand> wanted = new ArrayList<>();
        for (Asked asked : of.values()) {
            if (asked.command().id() > after) {
                wanted.add(asked.command());
            }
        }
        return wanted;
    }

    private void expire(Map<Long, Asked> of) {
        long now = clock.getAsLong();
        of.values().removeIf(a -> a.command() instanceof SendExcerpt && now - a.atNanos() > EXCERPT_NANOS);
    }

    /** What these ranks, exactly these, were last asked to record. */
    public synchronized Optional<Retune> retuned(String job, RankSet ranks) {
        return jobs.getOrDefault(job, Map.of()).values().stream()
                .map(Asked::command)
                .filter(c -> c instanceof Retune && c.ranks().equals(ranks))
                .map(Retune.class::cast)
                .findFirst();
    }

    /** An excerpt that was asked for and may still come. */
    public synchronized Optional<Asked> asked(String job, long id) {
        Map<Long, Asked> of = jobs.get(job);
        if (of == null) {
            return Optional.empty();
        }
        expire(of);
        return Optional.ofNullable(of.get(id)).filter(a -> a.command() instanceof SendExcerpt);
    }

    /** All that is to survive this process. */
    public synchronized byte[] snapshot() {
        WireWriter out = new WireWriter();
        List<Asked> all = new ArrayList<>();
        jobs.values().forEach(of -> all.addAll(of.values()));
        out.writeByte(VERSION).writeVarint(lastId).writeVarint(all.size());
        all.forEach(asked -> AgentCommandCodec.encode(asked.command(), out));
        all.forEach(asked -> out.writeText(asked.incident()).writeSigned(asked.atNanos()));
        return out.writeChecksum(0).toByteArray();
    }

    /**
     * Goes on where a snapshot was taken.
     *
     * @throws WireException if the bytes are something else
     */
    public synchronized void restore(byte[] snapshot) {
        WireReader in = WireReader.checked(snapshot, "commands");
        if (in.readByte() != VERSION) {
            throw new WireException("commands of another version, expected " + VERSION);
        }
        lastId = Math.max(lastId, in.readVarint());
        for (AgentCommand command : AgentCommandCodec.decodeAll(in, MOST_JOBS * MOST_COMMANDS)) {
            put(of(command.job()), new Asked(command, in.readText(), in.readSigned()));
        }
        in.expectEnd();
    }
}
