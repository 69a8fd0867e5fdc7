package dev.argus.server.access;

import dev.argus.model.SafeText;
import dev.argus.transport.PlainFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The tokens of agents: a file of lines {@code JOB-PATTERN SHA-256-OF-THE-TOKEN}, percent-encoded names with {@code *} for any run of characters. The file
 * may be edited while the server runs: to take a token back, delete its line; it is looked at again at most once a second. A file that cannot be read any
 * more lets nobody in; the reason is in {@link #problem()}.
 *
 * <p>Thread-safe. At most {@value #MOST_LINES} lines.
 */
public final class AgentTokens {
    /** Name in the data folder. */
    public static final String FILE = "agents.tokens";

    /** Most lines. */
    public static final int MOST_LINES = 10_000;

    private static final int MOST_BYTES = 16 << 20;
    private static final long LOOK_NANOS = 1_000_000_000L;

    private final Path file;
    private final LongSupplier nanoTime;
    private Map<String, List<JobPattern>> patterns = Map.of();
    private String problem = "";
    private String seen = "";
    private long lookedNanos;
    private boolean looked;

    /**
     * Of a file, which need not exist.
     *
     * @param nanoTime a clock that never goes back, nanoseconds
     */
    public AgentTokens(Path file, LongSupplier nanoTime) {
        this.file = file;
        this.nanoTime = nanoTime;
    }

    /** Whether a token is one of any agent. */
    boolean isKnown(String token) {
        return !token.isEmpty() && current().containsKey(Secrets.hash(token));
    }

    /** Whether a token is one of agents of a job. The look-up is by the hash of what was sent: how long it takes tells nothing of tokens. */
    boolean mayShip(String token, String job) {
        return current().getOrDefault(Secrets.hash(token), List.of()).stream().anyMatch(p -> p.matches(job));
    }

    /** What is wrong with the file, empty when nothing is. */
    public synchronized String problem() {
        return problem;
    }

    /**
     * Makes a token for the agents of one job and keeps its hash.
     *
     * @return the token: to be shown once
     * @throws IOException if the file cannot be written, or is full
     */
    public synchronized String issue(String job) throws IOException {
        List<String> lines = new ArrayList<>(Files.exists(file) ? lines() : List.of());
        if (lines.size() >= MOST_LINES) {
            throw new IOException("there are " + lines.size() + " agent tokens already; delete lines of " + FILE);
        }
        String token = Secrets.fresh();
        lines.add(JobPattern.of(job) + " " + Secrets.hash(token));
        TokenFile.makeFolderOf(file);
        Path next = file.resolveSibling(FILE + ".new");
        Files.deleteIfExists(next);
        TokenFile.write(next, String.join("\n", lines) + "\n");
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        load();
        return token;
    }

    private synchronized Map<String, List<JobPattern>> current() {
        long now = nanoTime.getAsLong();
        if (!looked || now - lookedNanos >= LOOK_NANOS) {
            looked = true;
            lookedNanos = now;
            load();
        }
        return patterns;
    }

    private void load() {
        try {
            if (Files.notExists(file)) {
                patterns = Map.of();
                problem = "";
                seen = "";
                return;
            }
            String now = Files.getLastModifiedTime(file) + " " + Files.size(file);
            if (!now.equals(seen)) {
                patterns = parse(lines());
                problem = "";
                seen = now;
            }
        } catch (IOException | IllegalArgumentException wrong) {
            patterns = Map.of();
            problem = "no agent is let in: '" + SafeText.of(file.toString()) + "': "
                    + SafeText.of(
                            wrong instanceof IOException io ? PlainFile.reason(io) : String.valueOf(wrong.getMessage()),
                            300);
            seen = "";
        }
    }

    private List<String> lines() throws IOException {
        return new String(PlainFile.read(file, MOST_BYTES), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    private static Map<String, List<JobPattern>> parse(List<String> lines) {
        if (lines.size() > MOST_LINES) {
            throw new IllegalArgumentException(lines.size() + " lines, expected at most " + MOST_LINES);
        }
        Map<String, List<JobPattern>> all = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] words = line.split("\\s+", -1);
            if (words.length != 2 || !words[1].matches("[0-9a-f]{64}")) {
                throw new IllegalArgumentException("line " + (i + 1)
                        + ": expected a job pattern and the SHA-256 of a token, 64 hexadecimal digits");
            }
            all.computeIfAbsent(words[1], hash -> new ArrayList<>()).add(JobPattern.parse(words[0]));
        }
        return all;
    }
}
