package dev.argus.ring;

import dev.argus.model.DataProblem;
import dev.argus.model.RankSet;
import dev.argus.model.SafeText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a producer says of itself in the header of its ring. Hostile like everything there.
 *
 * @param state what it is doing
 * @param whyOff why it is off: 0 not, 1 by control, 2 another owner of the profiler, 3 error, 4 a forked child
 * @param heartbeat CLOCK_MONOTONIC of its last sign of life, nanoseconds; 0 none yet
 * @param obeyed the control word it obeys
 * @param published records published so far
 * @param backlog records published and not taken
 * @param dropped what it lost since it began, by reason; reasons without loss are left out
 */
public record RingStatus(
        RingState state,
        int whyOff,
        long heartbeat,
        RingControl obeyed,
        long published,
        long backlog,
        Map<LossReason, Long> dropped) {
    /** Words of the header that the producer writes. */
    static final int WORDS = (int) ((RingLayout.AT_READ_POSITION - RingLayout.AT_WRITE_POSITION) / Long.BYTES);

    private static final int HEARTBEAT = 1;
    private static final int OBEYED = 2;
    private static final int STATE = 3;
    private static final int DROPPED = 4;

    /** Reads the words that the producer writes, which begin with its position. */
    static RingStatus of(long[] words, long taken, boolean givenUp) {
        Map<LossReason, Long> dropped = new EnumMap<>(LossReason.class);
        for (LossReason reason : LossReason.values()) {
            long count = words[DROPPED + reason.ordinal()];
            if (count > 0) {
                dropped.put(reason, count);
            }
        }
        return new RingStatus(
                givenUp ? RingState.GIVEN_UP : RingState.of((int) words[STATE]),
                (int) (words[STATE] >>> 32),
                words[HEARTBEAT],
                RingControl.of(words[OBEYED]),
                words[0],
                Math.max(0, words[0] - taken),
                Collections.unmodifiableMap(dropped));
    }

    /**
     * For how long the producer has given no sign of life.
     *
     * @param nowMonotonic CLOCK_MONOTONIC, nanoseconds
     * @return nanoseconds, &gt;= 0; 0 before the first sign, and for one of the future
     */
    public long silentNanos(long nowMonotonic) {
        return heartbeat > nowMonotonic || heartbeat <= 0 ? 0 : nowMonotonic - heartbeat;
    }

    /** Why it is off, in words; empty when it is not. */
    public String whyOffWords() {
        return switch (whyOff) {
            case 0 -> "";
            case 1 -> "by control";
            case 2 -> "another owner holds the profiler";
            case 3 -> "an error";
            case 4 -> "it is a forked child";
            default -> "reason " + whyOff + ", unknown to this version";
        };
    }

    /** One sentence for each kind of loss, and one if it is off for a reason of its own. */
    List<DataProblem> problems(String file, RankSet ranks) {
        List<DataProblem> list = new ArrayList<>();
        if (state == RingState.OFF && whyOff != 1) {
            list.add(new DataProblem(
                    "producer-off", ranks, SafeText.of(file) + ": the producer is off, because of: " + whyOffWords()));
        }
        dropped.forEach((reason, count) -> {
            if (reason != LossReason.NOT_RECORDED) {
                list.add(new DataProblem(
                        "records-dropped",
                        ranks,
                        SafeText.of(file) + ": " + count + " records are missing, because " + reason.sentence()));
            }
        });
        return list;
    }
}
