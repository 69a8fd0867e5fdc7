package dev.argus.agent.ship;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * The folder of the spool of one job, and beside it a file with the job's name, which a sender must say: names of jobs are hostile and are no names of files.
 *
 * @param job name of the job, as frames have it
 * @param spool folder of its spool
 * @param note file with its name
 */
record JobFolder(String job, Path spool, Path note) {
    private static final String NOTE = ".job";
    private static final int MOST_NAME_BYTES = 256;

    static JobFolder of(Path folder, String job) {
        String key = key(job);
        return new JobFolder(job, folder.resolve(key), folder.resolve(key + NOTE));
    }

    private static String key(String job) {
        return "job-" + HexFormat.of().toHexDigits(FrameNames.hash(job));
    }

    /** What earlier agents left, oldest first. */
    static List<JobFolder> left(Path folder) throws IOException {
        List<Path> notes = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "job-*" + NOTE)) {
            all.forEach(notes::add);
        }
        notes.sort(Comparator.comparingLong(p -> p.toFile().lastModified()));
        List<JobFolder> found = new ArrayList<>();
        for (Path note : notes) {
            if (Files.isRegularFile(note, LinkOption.NOFOLLOW_LINKS) && Files.size(note) <= MOST_NAME_BYTES) {
                JobFolder job = of(folder, new String(Files.readAllBytes(note), StandardCharsets.UTF_8));
                if (job.note.equals(note)) {
                    found.add(job);
                }
            }
        }
        return found;
    }

    /** Writes the note. */
    void begin() throws IOException {
        Files.write(note, job.getBytes(StandardCharsets.UTF_8));
    }

    /** Removes a spool that is closed. */
    void remove() {
        try {
            if (Files.isDirectory(spool, LinkOption.NOFOLLOW_LINKS)) {
                try (DirectoryStream<Path> all = Files.newDirectoryStream(spool)) {
                    for (Path file : all) {
                        Files.deleteIfExists(file);
                    }
                }
                Files.deleteIfExists(spool);
            }
            Files.deleteIfExists(note);
        } catch (IOException later) {
            // found again, empty, by the next agent
        }
    }
}
