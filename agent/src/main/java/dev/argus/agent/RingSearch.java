package dev.argus.agent;

import dev.argus.ring.RingDirectory;
import dev.argus.ring.RingDirectory.Listing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * When the folder of rings is looked through: each time it is asked for while something may have changed there, that is when files came, went or were renamed, or something was wrong the last
 * time; and else each {@value #MOST_NANOS} ns. A folder tells its changes by its time, which two changes at once may share: one that has just changed is looked through again.
 *
 * <p>Cost: one question to the system where nothing changed. One thread.
 */
final class RingSearch {
    private static final long MOST_NANOS = 5_000_000_000L;

    /** Longer than the clock of any file system stands still. */
    private static final long SETTLED_MILLIS = 3000;

    private final RingDirectory directory;
    private Map<String, Object> seen = Map.of();
    private long listedMono;
    private boolean settled;

    RingSearch(RingDirectory directory) {
        this.directory = directory;
    }

    /** True if something may be different from the last listing. */
    boolean isDue(long nowMono) {
        return !settled || nowMono - listedMono >= MOST_NANOS || !facts().equals(seen);
    }

    /**
     * Looks through it.
     *
     * @throws IOException if the folder cannot be trusted or read; it is due again then
     */
    Listing list(long nowMono) throws IOException {
        settled = false;
        listedMono = nowMono;
        seen = facts(); // before it is read: what comes meanwhile is a change
        Listing listing = directory.list(nowMono);
        boolean old = seen.get("lastModifiedTime") instanceof java.nio.file.attribute.FileTime time
                && Math.abs(System.currentTimeMillis() - time.toMillis()) > SETTLED_MILLIS;
        settled = old && listing.problems().isEmpty();
        return listing;
    }

    /** The next time is due, whatever the folder says. */
    void again() {
        settled = false;
    }

    private Map<String, Object> facts() {
        Path folder = directory.folder();
        try {
            return Files.readAttributes(folder, "unix:lastModifiedTime,ino,mode,uid", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException gone) {
            return Map.of();
        }
    }
}
