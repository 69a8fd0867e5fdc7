package dev.argus.server.api;

import dev.argus.server.http.Call;
import dev.argus.server.http.Param;
import dev.argus.server.http.Problem;
import dev.argus.server.job.Fleet;
import dev.argus.server.job.JobView;
import dev.argus.storage.Rows;
import dev.argus.storage.Store;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Finds the job and the attempt that a request is about, among those watched and those kept. */
final class Known {
    /** Attempts looked at. */
    static final int MOST_ATTEMPTS = 10_000;

    /** The name of a job in an address. */
    static final Param JOB = Param.text("job", "Exact name of the job, percent-encoded.");

    /** An attempt. */
    static final Param ATTEMPT =
            Param.whole("attempt", 0, Integer.MAX_VALUE, "Attempt of the job; the newest when it is not given.");

    /** First step. */
    static final Param FROM = Param.whole("from", 0, Long.MAX_VALUE, 0, "First step.");

    /** Last step. */
    static final Param TO = Param.whole("to", 0, Long.MAX_VALUE, Long.MAX_VALUE, "Last step.");

    private final Fleet fleet;
    private final Store store;

    Known(ApiParts parts) {
        fleet = parts.fleet();
        store = parts.store();
    }

    /** A job that is watched. */
    JobView live(String name) throws Problem {
        return fleet.job(name).orElseThrow(Known::missing);
    }

    /** Attempts of a job that were kept, newest first. */
    List<Rows.Job> attempts(String name) throws IOException {
        return store.jobs(MOST_ATTEMPTS).stream()
                .filter(row -> row.job().equals(name))
                .toList();
    }

    /** The attempt that a request is about. */
    int attempt(Call call) throws Problem, IOException {
        String name = call.text(JOB.name());
        OptionalLong given = call.wholeOrNone(ATTEMPT.name());
        Optional<JobView> live = fleet.job(name);
        if (live.isPresent()) {
            return Math.toIntExact(given.orElse(Math.max(0, live.get().attempt())));
        }
        List<Rows.Job> attempts = attempts(name);
        if (attempts.isEmpty()) {
            throw missing();
        }
        return Math.toIntExact(given.orElse(attempts.getFirst().attempt()));
    }

    static Problem missing() {
        return Problem.missing("no job of this name is known", "a name of " + Api.ROOT + "/jobs, percent-encoded");
    }
}
