package dev.argus.agent.ship;

import dev.argus.kafka.KafkaAddress;
import dev.argus.model.SafeText;
import dev.argus.transport.SenderStatus;
import java.net.URI;

/**
 * What an operator should hear about the way to the server, or topic: one line when it works, one when it does not any more, one when it does again; and
 * one when it fails for another reason, at most each half minute.
 */
final class WayNotices {
    private static final long AGAIN_NANOS = 30_000_000_000L;

    private final String job;
    private final URI to;
    private String said = "";
    private boolean down;
    private boolean up;
    private long saidNanos;

    WayNotices(String job, URI to) {
        this.job = job;
        this.to = to;
    }

    /** The line to say now, empty for none. */
    String next(SenderStatus status, long frames, long nowNanos) {
        String problem = status.problem();
        if (!problem.isEmpty()) {
            boolean other = !problem.equals(said) && nowNanos - saidNanos >= AGAIN_NANOS;
            if (down && !other) {
                return "";
            }
            down = true;
            up = false;
            said = problem;
            saidNanos = nowNanos;
            return of("cannot ship: " + problem + "; " + frames(frames) + " in the spool, to be sent when it can be");
        }
        if (status.shipments() > 0 && !up) {
            String line = down
                    ? (KafkaAddress.isOne(to.toString()) ? "the topic at " : "the server at ") + to
                            + " takes frames again; " + frames(frames) + " on the way"
                    : "shipping to " + to;
            up = true;
            down = false;
            said = "";
            return of(line);
        }
        return "";
    }

    private static String frames(long n) {
        return n + (n == 1 ? " frame is" : " frames are");
    }

    private String of(String line) {
        return (job.isEmpty() ? "" : "job " + SafeText.of(job, 80) + ": ") + SafeText.sentence(line);
    }
}
