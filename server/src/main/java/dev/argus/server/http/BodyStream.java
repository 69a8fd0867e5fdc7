package dev.argus.server.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body that is read to its stated length and no further than it may go: else a {@link BodyException}. The JDK's own stream ends early without a word. */
final class BodyStream extends FilterInputStream {
    private final long most;
    private final long told;
    private long read;

    /**
     * Over a body.
     *
     * @param most most bytes
     * @param told length as told, -1 when it is not
     */
    BodyStream(InputStream in, long most, long told) {
        super(in);
        this.most = most;
        this.told = told;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int at, int length) throws IOException {
        int n;
        try {
            n = super.read(bytes, at, length);
        } catch (IOException broken) {
            throw cut();
        }
        if (n < 0) {
            if (told >= 0 && read < told) {
                throw cut();
            }
            return n;
        }
        read += n;
        if (read > most) {
            throw new BodyException(Call.tooLong(most));
        }
        return n;
    }

    @Override
    public long skip(long n) throws IOException {
        return 0;
    }

    private static BodyException cut() {
        return new BodyException(
                new Problem(400, "the body is cut, or not in the form its headers say", "all of the body"));
    }
}
