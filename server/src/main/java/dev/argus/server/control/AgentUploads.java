package dev.argus.server.control;

import dev.argus.model.AgentCommand;
import dev.argus.model.Incident;
import dev.argus.server.api.NotOrderedException;
import dev.argus.server.api.ObjectUploads;
import dev.argus.server.job.Fleet;
import dev.argus.storage.Rows;
import dev.argus.trace.export.IncidentMarks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes the excerpts that agents were asked for: named {@code argus-command-NUMBER-HOST.pftrace}, of an excerpt of that job that is still wanted, one a host; of a command for some ranks at most as many as
 * there are ranks. What one job sends within the life of its commands takes at most a stated part of what all objects may take.
 *
 * <p>Bounded as {@link CommandDesk} is. Thread-safe.
 */
public final class AgentUploads implements ObjectUploads {
    private static final Pattern NAME = Pattern.compile("argus-command-([0-9]{1,18})-.*\\.pftrace");

    /** A job's part of what all objects may take. */
    private static final int PARTS = 4;

    /** The same again: its answer was lost on the way. */
    private static final int MOST_TIMES = 3;

    private static final int MOST_HOSTS = 16_384;

    private final CommandDesk desk;
    private final ObjectKeeper keeper;
    private final Path folder;
    private final Fleet fleet;
    private final long mostBytes;

    /** What is here already, by job, command and name: bytes, and how often it came. */
    private final Map<String, Map<Long, Map<String, Came>>> came = new HashMap<>();

    private record Came(long bytes, int times) {}

    /**
     * In front of a keeper.
     *
     * @param folder where files lie on their way
     * @param objectBytes bytes that all objects may take
     * @param fleet knows what is said of incidents
     */
    public AgentUploads(CommandDesk desk, ObjectKeeper keeper, Path folder, long objectBytes, Fleet fleet) {
        this.fleet = fleet;
        this.mostBytes = objectBytes / PARTS;
        this.desk = desk;
        this.keeper = keeper;
        this.folder = folder;
    }

    @Override
    public Rows.StoredObject keep(String job, String name, InputStream body) throws NotOrderedException, IOException {
        Matcher found = NAME.matcher(name);
        if (!found.matches()) {
            throw new NotOrderedException(
                    "an object of this name",
                    "argus-command-NUMBER-HOST.pftrace, as agents name what they were asked for");
        }
        long id = Long.parseLong(found.group(1));
        CommandDesk.Asked asked = desk.asked(job, id)
                .orElseThrow(() -> new NotOrderedException(
                        "nobody asked the agents of this job for it, or too long ago",
                        "the number of a command that asks for an excerpt"));
        begin(job, asked.command(), name);
        Path file = Files.createTempFile(folder, "upload", ".tmp");
        try {
            Files.copy(body, file, StandardCopyOption.REPLACE_EXISTING);
            mark(job, asked.incident(), file);
            weigh(job, id, name, Files.size(file));
            return keeper.file(job, asked.incident(), name, "perfetto", file);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Agents do not know what is said of their ranks: the mark of the incident is put behind what they send. */
    private void mark(String job, String incident, Path file) throws IOException {
        List<Incident> said = incident.isEmpty()
                ? List.of()
                : fleet.job(job).stream()
                        .flatMap(view -> view.incidents().stream())
                        .filter(i -> i.id().equals(incident))
                        .toList();
        if (!said.isEmpty()) {
            try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.APPEND)) {
                IncidentMarks.behind(out, said);
            }
        }
    }

    /** Counts that it comes. */
    private synchronized void begin(String job, AgentCommand command, String name) throws NotOrderedException {
        came.entrySet().removeIf(of -> {
            of.getValue().keySet().removeIf(id -> desk.asked(of.getKey(), id).isEmpty());
            return of.getValue().isEmpty();
        });
        Map<String, Came> of =
                came.computeIfAbsent(job, j -> new HashMap<>()).computeIfAbsent(command.id(), i -> new HashMap<>());
        int most = command.ranks().isEmpty() ? MOST_HOSTS : command.ranks().size();
        Came before = of.get(name);
        if (before == null ? of.size() >= most : before.times() >= MOST_TIMES) {
            throw new NotOrderedException("all that was asked for is here", "one object a host that was asked");
        }
        of.put(name, before == null ? new Came(0, 1) : new Came(before.bytes(), before.times() + 1));
    }

    private synchronized void weigh(String job, long id, String name, long bytes) throws NotOrderedException {
        Map<Long, Map<String, Came>> of = came.getOrDefault(job, Map.of());
        long sum = of.values().stream()
                .flatMap(names -> names.values().stream())
                .mapToLong(Came::bytes)
                .sum();
        Map<String, Came> names = of.get(id);
        Came before = names == null ? null : names.get(name);
        if (names == null || before == null) {
            return; // no longer wanted, and was begun while it was
        }
        if (sum - before.bytes() + bytes > mostBytes) {
            throw new NotOrderedException(
                    "this job has sent as much as it may for now",
                    "at most " + mostBytes + " bytes in the ten minutes of a command");
        }
        names.put(name, new Came(bytes, before.times()));
    }
}
