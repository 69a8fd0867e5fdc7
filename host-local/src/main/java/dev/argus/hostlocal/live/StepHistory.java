package dev.argus.hostlocal.live;

import dev.argus.hostlocal.report.KernelPictures;
import dev.argus.model.KernelWindow;
import dev.argus.model.StepDigest;
import dev.argus.wire.KernelRecordCodec;
import dev.argus.wire.StepDigestCodec;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The newest steps of a job, written down: for detectors that begin again with another shape, and for pictures of kernels.
 *
 * <p>State: {@value #RANK_STEPS} steps of ranks, but at least {@value #LEAST_STEPS} steps of all of them, and as many windows of kernels, but at least {@value #LEAST_WINDOWS} of all
 * ranks. Some 0.9 KB a step and 3 KB a window of a hundred kernels: of 12,960 ranks 62 and 58 MB.
 */
final class StepHistory {
    /** Steps of ranks kept. */
    static final int RANK_STEPS = 8192;

    /** Steps of all ranks kept at least: as many as the first ones that call nobody. */
    static final int LEAST_STEPS = LiveJob.FIRST_STEPS;

    /** Windows of all ranks kept at least. */
    static final int LEAST_WINDOWS = 1;

    private final Kept<StepDigest> digests =
            new Kept<>(LEAST_STEPS, StepDigest::rank, StepDigestCodec::encode, StepDigestCodec::decode);
    private final Kept<KernelWindow> windows =
            new Kept<>(LEAST_WINDOWS, KernelWindow::rank, KernelRecordCodec::encode, KernelRecordCodec::decode);

    /** Takes the next step. */
    void add(JobStep step) {
        digests.add(step.step(), step.ranks().stream().map(RankStep::digest).toList());
        List<KernelWindow> kernels = new ArrayList<>();
        for (RankStep s : step.ranks()) {
            if (s.kernels() != null) {
                kernels.add(s.kernels());
            }
        }
        windows.add(step.step(), kernels);
    }

    void clear() {
        digests.clear();
        windows.clear();
    }

    /** Steps, oldest first, read when they are asked for. */
    List<Block<StepDigest>> digests() {
        return List.copyOf(digests.blocks);
    }

    /** Windows by the steps they came with, oldest first, read when they are asked for. */
    List<Block<KernelWindow>> windows() {
        return List.copyOf(windows.blocks);
    }

    /** The same for whoever draws pictures. */
    KernelPictures.Windows windowsByStep() {
        List<Block<KernelWindow>> all = windows();
        return new KernelPictures.Windows() {
            @Override
            public long[] steps() {
                return all.stream().mapToLong(Block::step).toArray();
            }

            @Override
            public @Nullable KernelWindow of(long step, int rank) {
                for (Block<KernelWindow> b : all) {
                    int at = b.step() == step ? Arrays.binarySearch(b.ranks(), rank) : -1;
                    if (at >= 0) {
                        return b.get(at);
                    }
                }
                return null;
            }
        };
    }

    void encode(SnapshotOut out) {
        digests.encode(out);
        windows.encode(out);
    }

    static StepHistory decode(WireReader from) {
        StepHistory history = new StepHistory();
        history.digests.decode(from);
        history.windows.decode(from);
        return history;
    }

    /** Records of one step, one a rank. */
    @SuppressWarnings("ArrayRecordComponent")
    record Block<T>(long step, int[] ranks, byte[][] records, Function<WireReader, T> decoder) {
        int size() {
            return ranks.length;
        }

        /** The record of a rank by its position in {@link #ranks}. */
        T get(int at) {
            return decoder.apply(new WireReader(records[at]));
        }
    }

    private static final class Kept<T> {
        private final int least;
        private final ToIntFunction<T> rank;
        private final BiConsumer<T, WireWriter> encoder;
        private final Function<WireReader, T> decoder;
        private final Deque<Block<T>> blocks = new ArrayDeque<>();
        private final WireWriter one = new WireWriter();
        private long records;

        Kept(int least, ToIntFunction<T> rank, BiConsumer<T, WireWriter> encoder, Function<WireReader, T> decoder) {
            this.least = least;
            this.rank = rank;
            this.encoder = encoder;
            this.decoder = decoder;
        }

        void add(long step, List<T> of) {
            if (of.isEmpty()) {
                return;
            }
            int[] ranks = new int[of.size()];
            byte[][] bytes = new byte[of.size()][];
            for (int i = 0; i < ranks.length; i++) {
                ranks[i] = rank.applyAsInt(of.get(i));
                one.reset();
                encoder.accept(of.get(i), one);
                bytes[i] = one.toByteArray();
            }
            add(new Block<>(step, ranks, bytes, decoder));
        }

        private void add(Block<T> block) {
            blocks.addLast(block);
            records += block.size();
            long most = Math.max(RANK_STEPS, (long) least * block.size());
            while (blocks.size() > 1 && records > most) {
                records -= blocks.removeFirst().size();
            }
        }

        void clear() {
            blocks.clear();
            records = 0;
        }

        void encode(SnapshotOut out) {
            WireWriter to = out.to();
            to.writeVarint(blocks.size());
            for (Block<T> b : blocks) {
                to.writeSigned(b.step()).writeVarint(b.size());
                for (int i = 0; i < b.size(); i++) {
                    to.writeVarint(b.ranks()[i]).writeBytes(b.records()[i]);
                    out.written();
                }
            }
        }

        void decode(WireReader from) {
            for (int n = from.readCount(3); n > 0; n--) {
                long step = from.readSigned();
                int size = from.readCount(2);
                int[] ranks = new int[size];
                byte[][] bytes = new byte[size][];
                for (int i = 0; i < size; i++) {
                    ranks[i] = from.readInt();
                    bytes[i] = from.readBytes();
                }
                blocks.addLast(new Block<>(step, ranks, bytes, decoder));
                records += size;
            }
        }
    }
}
