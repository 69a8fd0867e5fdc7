package dev.argus.storage.duck;

import dev.argus.storage.OwnFolder;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * State as files beside the database: {@code state-N.bin} belongs to batch N. It is on the disk before the transaction that names it begins, and the one before is removed after that has ended; so of the number that the database
 * knows there is always a whole file. They are not in the database because they are replaced as a whole every few seconds: there each would be written twice, into the log and into blocks.
 *
 * <pre>
 * "ARGT"  version:int=1  number:long  n:int  n x { name: length:int UTF-8, content: length:int bytes }  CRC-32C:int     big-endian
 * </pre>
 */
final class StateFiles {
    private static final int MAGIC = 0x41524754;
    private static final int VERSION = 1;
    private static final int MOST_NAMES = 1 << 20;
    private static final int MOST_NAME_BYTES = 1 << 16;

    private static final Pattern NAME = Pattern.compile("state-([0-9]{1,18})\\.bin");

    private static final String REMEDY = "; put it back from a copy, or move the whole folder away to begin anew";

    private final Path folder;

    StateFiles(Path folder) {
        this.folder = folder;
    }

    private Path file(long number) {
        return folder.resolve("state-" + number + ".bin");
    }

    /** Bytes that a state takes. */
    static long bytes(Map<String, byte[]> state) {
        long sum = 24;
        for (var entry : state.entrySet()) {
            sum += 8L + 3L * entry.getKey().length() + entry.getValue().length;
        }
        return sum;
    }

    /** Writes it and waits until it is on the disk. */
    void write(long number, Map<String, byte[]> state) throws IOException {
        Path unfinished = folder.resolve("state.unfinished");
        try (FileChannel channel = FileChannel.open(
                unfinished,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS))) {
            OutputStream buffered = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
            CheckedOutputStream checked = new CheckedOutputStream(buffered, new CRC32C());
            DataOutputStream out = new DataOutputStream(checked);
            out.writeInt(MAGIC);
            out.writeInt(VERSION);
            out.writeLong(number);
            out.writeInt(state.size());
            for (var entry : new TreeMap<>(state).entrySet()) {
                text(out, entry.getKey().getBytes(StandardCharsets.UTF_8));
                text(out, entry.getValue());
            }
            out.writeInt((int) checked.getChecksum().getValue());
            out.flush();
            channel.force(true);
        } catch (IOException failed) {
            Files.deleteIfExists(unfinished);
            throw failed;
        }
        Files.move(unfinished, file(number), StandardCopyOption.ATOMIC_MOVE);
        OwnFolder.force(folder);
    }

    private static void text(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /**
     * Reads that of a batch.
     *
     * @throws IOException if it is not there or damaged
     */
    Map<String, byte[]> read(long number) throws IOException {
        Path file = file(number);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("the state " + file + " is not there" + REMEDY);
        }
        long size = Files.size(file);
        try (var stream = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            CheckedInputStream checked =
                    new CheckedInputStream(new java.io.BufferedInputStream(stream, 1 << 16), new CRC32C());
            DataInputStream in = new DataInputStream(checked);
            if (in.readInt() != MAGIC) {
                throw damaged(file, "it is no state");
            }
            int version = in.readInt();
            if (version != VERSION) {
                throw damaged(file, "version " + version + ", expected " + VERSION);
            }
            long of = in.readLong();
            int n = in.readInt();
            if (of != number || n < 0 || n > MOST_NAMES) {
                throw damaged(file, "it says batch " + of + " with " + n + " names");
            }
            Map<String, byte[]> state = new LinkedHashMap<>();
            for (int i = 0; i < n; i++) {
                String name = new String(text(in, file, Math.min(size, MOST_NAME_BYTES)), StandardCharsets.UTF_8);
                state.put(name, text(in, file, size));
            }
            int sum = (int) checked.getChecksum().getValue();
            if (in.readInt() != sum) {
                throw damaged(file, "its checksum is wrong");
            }
            return state;
        } catch (java.io.EOFException cut) {
            throw damaged(file, "it ends early");
        }
    }

    private static byte[] text(DataInputStream in, Path file, long most) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > most) {
            throw damaged(file, "a length of " + length);
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw damaged(file, "it ends early");
        }
        return bytes;
    }

    private static IOException damaged(Path file, String why) {
        return new IOException("the state " + file + " is damaged: " + why + REMEDY);
    }

    /**
     * Checks that none is newer than what a death can leave: that of the batch behind the last one committed.
     *
     * @throws IOException if the database lacks batches whose state is there
     */
    void mustFollow(long committed) throws IOException {
        long newest = 0;
        for (Path file : files()) {
            Matcher name = NAME.matcher(file.getFileName().toString());
            newest = name.matches() ? Math.max(newest, Long.parseLong(name.group(1))) : newest;
        }
        if (newest > committed + 1) {
            throw new IOException("the state " + file(newest) + " is there, but the database has batches up to "
                    + committed
                    + " only: its file or its log was deleted, or is of an older copy; put the whole folder "
                    + folder + " back from a copy, or move it away to begin anew");
        }
    }

    /** Removes all but that of a batch. */
    void keepOnly(long number) throws IOException {
        for (Path file : files()) {
            if (!file.equals(file(number))) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Bytes of all that there are. */
    long bytes() throws IOException {
        long sum = 0;
        for (Path file : files()) {
            sum += StoreFolder.length(file);
        }
        return sum;
    }

    private List<Path> files() throws IOException {
        List<Path> found = new ArrayList<>();
        try (var list = Files.newDirectoryStream(folder, "state*")) {
            for (Path file : list) {
                String name = file.getFileName().toString();
                if (NAME.matcher(name).matches() || name.equals("state.unfinished")) {
                    found.add(file);
                }
            }
        }
        return found;
    }
}
