package dev.argus.transport;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a spool has written and not yet forced to the disk: the file that is appended to, those that became full since, and the folder, which has the names of new files.
 *
 * <p>Belongs to the lock of the spool; what was {@link #take taken} is forced without it.
 */
final class Unforced {
    /** Full files that are kept open at most: where the disk is so slow, the oldest is left to the system. */
    static final int MOST_FILES = 16;

    private final Deque<Segment> full = new ArrayDeque<>();
    private boolean written;
    private boolean created;

    /** What is to be forced: full files, closed then; the one that is appended to, if it has changed; and whether the folder is. */
    record Batch(List<FileChannel> full, @Nullable FileChannel open, boolean folder) {
        /** Forces all of it; false when the disk did not take some. */
        boolean force(DiskWriter disk, SpoolFolder names) {
            boolean all = true;
            for (FileChannel file : full) {
                all &= forced(disk, file);
                Segment.close(file);
            }
            if (open != null) {
                all &= forced(disk, open);
            }
            if (folder) {
                names.force();
            }
            return all;
        }

        private static boolean forced(DiskWriter disk, FileChannel file) {
            try {
                disk.force(file);
                return true;
            } catch (ClosedChannelException removed) {
                return true; // nobody needs it any more
            } catch (IOException notForced) {
                return false;
            }
        }
    }

    /** A file was made. */
    void created() {
        created = true;
    }

    /** The open file was appended to. */
    void written() {
        written = true;
    }

    /** Nothing is appended to a file any more; false when the oldest of them will not be forced. */
    boolean add(Segment file) {
        written = false;
        full.removeIf(f -> f.channel() == null); // what was removed needs no disk
        full.add(file);
        if (full.size() <= MOST_FILES) {
            return true;
        }
        full.remove().close();
        return false;
    }

    /** What is to be forced now; it counts as forced from here on. */
    Batch take(@Nullable FileChannel open) {
        List<FileChannel> sealed = new ArrayList<>();
        full.forEach(file -> {
            FileChannel channel = file.release();
            if (channel != null) {
                sealed.add(channel);
            }
        });
        full.clear();
        Batch batch = new Batch(sealed, written ? open : null, created);
        written = false;
        created = false;
        return batch;
    }
}
