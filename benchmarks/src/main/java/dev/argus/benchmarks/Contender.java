package dev.argus.benchmarks;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.apache.datasketches.quantilescommon.QuantileSearchCriteria;
import org.apache.datasketches.req.ReqSketch;
import org.apache.datasketches.tdigest.TDigestDouble;

/** Another way to summarise the durations of one key: its real bytes, and the distribution it gives back. */
interface Contender {
    /** Those we are compared with. */
    List<Contender> ALL = List.of(new Triple(), new Req(), new TDigest(), new Hdr());

    String name();

    /** What it is, with its parameter. */
    String about();

    /** Summarises, writes, reads back, and gives as many ascending durations as went in. */
    Result of(long[] ascending);

    /**
     * What came of it.
     *
     * @param bytes bytes written
     * @param rebuilt its quantiles at (i + 0.5) / n
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Result(int bytes, double[] rebuilt) {
        /** The area between the step functions: W1 times n. */
        double error(long[] ascending) {
            double error = 0;
            for (int i = 0; i < ascending.length; i++) {
                error += Math.abs(rebuilt[i] - ascending[i]);
            }
            return error;
        }
    }

    private static double middle(int i, int n) {
        return (i + 0.5) / n;
    }

    /** See {@link PublishedTriple}. */
    final class Triple implements Contender {
        @Override
        public String name() {
            return "triple";
        }

        @Override
        public String about() {
            return "(count, p50, p99) a density mode, 24 bytes, rebuilt as log-normals: the published way";
        }

        @Override
        public Result of(long[] ascending) {
            return new Result(PublishedTriple.bytes(ascending), PublishedTriple.rebuilt(ascending));
        }
    }

    /** DataSketches REQ. */
    final class Req implements Contender {
        private static final int K = 12;

        @Override
        public String name() {
            return "req";
        }

        @Override
        public String about() {
            return "DataSketches 9.1.0 ReqSketch, k = " + K + ", high rank accuracy";
        }

        @Override
        public Result of(long[] ascending) {
            ReqSketch sketch = ReqSketch.builder().setK(K).build();
            for (long nanos : ascending) {
                sketch.update((float) nanos);
            }
            byte[] bytes = sketch.toByteArray();
            ReqSketch back = ReqSketch.heapify(MemorySegment.ofArray(bytes));
            double[] rebuilt = new double[ascending.length];
            Arrays.setAll(rebuilt, i ->
                    (double) back.getQuantile(middle(i, rebuilt.length), QuantileSearchCriteria.INCLUSIVE));
            return new Result(bytes.length, rebuilt);
        }
    }

    /** DataSketches t-digest. */
    final class TDigest implements Contender {
        private static final short K = 100;

        @Override
        public String name() {
            return "tdigest";
        }

        @Override
        public String about() {
            return "DataSketches 9.1.0 TDigestDouble, k = " + K;
        }

        @Override
        public Result of(long[] ascending) {
            TDigestDouble digest = new TDigestDouble(K);
            for (long nanos : ascending) {
                digest.update((double) nanos);
            }
            byte[] bytes = digest.toByteArray();
            TDigestDouble back = TDigestDouble.heapify(MemorySegment.ofArray(bytes));
            double[] rebuilt = new double[ascending.length];
            Arrays.setAll(rebuilt, i -> back.getQuantile(middle(i, rebuilt.length)));
            return new Result(bytes.length, rebuilt);
        }
    }

    /** HdrHistogram. */
    final class Hdr implements Contender {
        private static final int DIGITS = 2;

        @Override
        public String name() {
            return "hdr";
        }

        @Override
        public String about() {
            return "HdrHistogram 2.2.2, " + DIGITS + " significant digits, its compressed form";
        }

        @Override
        public Result of(long[] ascending) {
            Histogram histogram = new Histogram(DIGITS);
            for (long nanos : ascending) {
                histogram.recordValue(nanos);
            }
            ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
            int bytes = histogram.encodeIntoCompressedByteBuffer(buffer);
            double[] rebuilt = new double[ascending.length];
            Arrays.setAll(rebuilt, i -> {
                long value = histogram.getValueAtPercentile(100 * middle(i, rebuilt.length));
                return (double) histogram.medianEquivalentValue(value);
            });
            return new Result(bytes, rebuilt);
        }
    }
}
