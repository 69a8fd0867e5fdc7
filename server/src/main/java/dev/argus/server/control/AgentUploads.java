package dev.argus.server.control;

import dev.argus.server.api.NotOrderedException;
import dev.argus.server.api.ObjectUploads;
import dev.argus.storage.Rows;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes the excerpts that agents were asked for: named {@code argus-command-NUMBER-HOST.pftrace}, of a command of that job. Thread-safe. */
public final class AgentUploads implements ObjectUploads {
    private static final Pattern NAME = Pattern.compile("argus-command-([0-9]{1,18})-.*\\.pftrace");

    private final CommandDesk desk;
    private final ObjectKeeper keeper;
    private final Path folder;

    /** @param folder where files lie on their way */
    public AgentUploads(CommandDesk desk, ObjectKeeper keeper, Path folder) {
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
        CommandDesk.Asked asked = desk.asked(job, Long.parseLong(found.group(1)))
                .orElseThrow(() -> new NotOrderedException(
                        "nobody asked the agents of this job for it, or too long ago", "the number of a command"));
        Path file = Files.createTempFile(folder, "upload", ".tmp");
        try {
            Files.copy(body, file, StandardCopyOption.REPLACE_EXISTING);
            return keeper.file(job, asked.incident(), name, "perfetto", file);
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
