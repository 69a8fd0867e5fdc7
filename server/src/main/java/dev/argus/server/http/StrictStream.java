package dev.argus.server.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The JDK's stream of a body, whose every failure is an {@link IOException}: it throws others at chunks of impossible lengths. */
final class StrictStream extends FilterInputStream {
    StrictStream(InputStream in) {
        super(in);
    }

    @Override
    public int read() throws IOException {
        try {
            return super.read();
        } catch (RuntimeException damaged) {
            throw new IOException(damaged);
        }
    }

    @Override
    public int read(byte[] bytes, int at, int length) throws IOException {
        try {
            return super.read(bytes, at, length);
        } catch (RuntimeException damaged) {
            throw new IOException(damaged);
        }
    }
}
