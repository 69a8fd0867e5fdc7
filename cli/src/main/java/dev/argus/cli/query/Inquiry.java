package dev.argus.cli.query;

import dev.argus.model.SafeText;
import dev.argus.server.access.TokenFile;
import dev.argus.storage.DataFolder;
import dev.argus.storage.QueryException;
import dev.argus.storage.QueryLimits;
import dev.argus.storage.QueryResult;
import dev.argus.storage.duck.DuckStore;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A question and whom to ask.
 *
 * @param sql one statement that reads
 * @param rows most rows wanted
 * @param data data folder of a server
 * @param server address of the server to ask, or null for the one that runs on the folder, if one does
 * @param tokenFile file with the token for it, or null for the one that the folder names
 */
public record Inquiry(
        String sql,
        int rows,
        DataFolder data,
        @Nullable URI server,
        @Nullable Path tokenFile) {
    private static final int MOST_BYTES = 1 << 16;

    /**
     * Asks.
     *
     * @throws QueryException if the question is refused
     * @throws IOException if there is nobody to answer it; the message says what to do
     */
    public QueryResult answer() throws QueryException, IOException {
        Path said = data.server();
        if (server != null) {
            return asked(server, tokenFile == null ? tokenOf(said, server) : tokenFile);
        }
        if (Files.isRegularFile(said, LinkOption.NOFOLLOW_LINKS)) {
            Map<String, @Nullable Object> running = running(said);
            try {
                Path token = tokenFile == null ? Path.of(text(said, running, "tokenFile")) : tokenFile;
                return asked(URI.create(text(said, running, "url")), token);
            } catch (ConnectException gone) {
                // It was killed: what it left can be read.
            } catch (IllegalArgumentException wrong) {
                throw new IOException("'" + said + "' cannot be used: " + wrong.getMessage(), wrong);
            }
        }
        try (DuckStore store = DuckStore.openReadOnly(data)) {
            return store.query(sql, new QueryLimits(rows, QueryLimits.DEFAULT.bytes(), QueryLimits.DEFAULT.millis()));
        } catch (NoSuchFileException none) {
            throw new IOException(
                    "no server has kept anything in '" + data.folder()
                            + "'; give its data folder with --data, or a server that runs with --server",
                    none);
        }
    }

    /** The token of a server that runs on the folder here, where it is that one that is to be asked; else null. */
    private static @Nullable Path tokenOf(Path said, URI server) {
        try {
            Map<String, @Nullable Object> running =
                    Files.isRegularFile(said, LinkOption.NOFOLLOW_LINKS) ? running(said) : Map.of();
            boolean here = server.toString().replaceAll("/+$", "").equals(running.get("url"));
            return here && running.get("tokenFile") instanceof String file ? Path.of(file) : null;
        } catch (IOException | InvalidPathException unusable) {
            return null; // it is the folder of another server
        }
    }

    private QueryResult asked(URI address, @Nullable Path token) throws QueryException, IOException {
        return ServerQuestion.ask(address, token == null ? "" : TokenFile.read(token), sql, rows);
    }

    private static Map<String, @Nullable Object> running(Path said) throws IOException {
        if (Files.size(said) > MOST_BYTES) {
            throw new IOException("'" + said + "' is larger than " + MOST_BYTES + " bytes");
        }
        return AnswerJson.object(Files.readAllBytes(said), "'" + said + "'");
    }

    private static String text(Path said, Map<String, @Nullable Object> members, String name) throws IOException {
        if (members.get(name) instanceof String value && !value.isEmpty()) {
            return value;
        }
        throw new IOException("'" + SafeText.of(said.toString()) + "' has no " + name
                + "; remove it if no server runs on this folder");
    }
}
