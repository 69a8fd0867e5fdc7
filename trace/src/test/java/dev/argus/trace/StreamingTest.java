package dev.argus.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/** K25: a stream far longer than the window, read without the window growing. */
class StreamingTest {
    private static final long EVENTS = 400_000;

    @Test
    void windowStaysWhateverTheLength() {
        TrailScanner in = new TrailScanner(new Endless(EVENTS), 64 << 10);
        int window = in.bytes().length;
        EventFields fields = new EventFields(false, false);
        long kernels = 0;
        in.peek();
        in.take();
        while (in.nextElement()) {
            in.peek();
            kernels += fields.read(in) ? 1 : 0;
        }
        assertThat(kernels).isEqualTo(EVENTS);
        assertThat(in.offset()).isGreaterThan(EVENTS * 300);
        assertThat(in.bytes()).hasSize(window);
    }

    @Test
    void skippedValuesAreNotKept() {
        byte[] huge = Reading.bytes("{'a':'" + "x".repeat(16 << 20) + "'}");
        TrailScanner in = new TrailScanner(new ByteArrayInputStream(huge), 4096);
        in.peek();
        in.mark();
        in.take();
        assertThat(in.nextKey(KeyTable.of("b", 1))).isEqualTo(KeyTable.UNKNOWN);
        in.skipValue();
        assertThat(in.nextKey(KeyTable.of("b", 1))).isEqualTo(-1);
        assertThat(in.bytes().length).isLessThan(8192);
    }

    /** A list of kernels, generated as it is read. */
    private static final class Endless extends InputStream {
        private final byte[] event = Reading.bytes("{'ph':'X','cat':'kernel','name':'" + "k".repeat(200)
                + "','pid':0,'tid':7,'ts':1700000000000000.5,'dur':5,'args':{'x':'" + "y".repeat(50) + "'}},");
        private long left;
        private int at = -1;

        Endless(long events) {
            left = events;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] to, int off, int len) {
            if (at < 0) {
                at = 0;
                to[off] = '[';
                return 1;
            }
            if (left < 0) {
                return -1;
            }
            if (left == 0) {
                left--;
                to[off] = ']';
                return 1;
            }
            int n = Math.min(len, event.length - at);
            System.arraycopy(event, at, to, off, n);
            at += n;
            if (at == event.length) {
                at = 0;
                left--;
            }
            return n;
        }
    }
}
