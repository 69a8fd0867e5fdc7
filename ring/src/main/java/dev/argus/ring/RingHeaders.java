package dev.argus.ring;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** Reads the start of a ring without mapping it, into a copy of our own. */
final class RingHeaders {
    private RingHeaders() {}

    /** The part of the header that is used, checked. */
    static MemorySegment copy(Path path, FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(RingLayout.USED_BYTES);
        while (buffer.hasRemaining() && channel.read(buffer, buffer.position()) >= 0) {
            // reads on
        }
        if (buffer.hasRemaining()) {
            throw new RingException(OpenRing.shown(path) + " has " + buffer.position() + " bytes, expected a header of "
                    + RingLayout.HEADER_BYTES + ": it was cut");
        }
        MemorySegment copy = MemorySegment.ofBuffer(buffer.flip());
        String wrong = RingHeader.wrong(copy, channel.size());
        if (wrong != null) {
            throw new RingException(OpenRing.shown(path) + " " + wrong);
        }
        return copy;
    }

    /** The same of a file that is closed again, unless this process reads it: then through its reader, whose lock closing would drop. */
    static MemorySegment copy(Path path) throws IOException {
        FileChannel read = OpenRing.channelOf(path);
        if (read != null) {
            return copy(path, read);
        }
        try (FileChannel channel = FileChannel.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            return copy(path, channel);
        }
    }
}
