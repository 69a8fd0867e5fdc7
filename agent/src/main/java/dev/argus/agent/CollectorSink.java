package dev.argus.agent;

import dev.argus.hostlocal.live.RankStep;
import dev.argus.model.DataProblem;
import dev.argus.model.FlightRecord;
import dev.argus.model.OverheadReading;
import dev.argus.model.RankDeclaration;
import dev.argus.model.RankState;
import dev.argus.model.StackRecord;
import java.util.List;

/** Takes what the processes of a host report, job by job. One thread. Times are nanoseconds since the Unix epoch. */
public interface CollectorSink {
    /** Who a rank is. */
    void declare(String job, RankDeclaration declaration, long nowNanos);

    /** One step of a rank. */
    void step(String job, RankStep step, long nowNanos);

    /** How a rank is doing. */
    void state(String job, RankState state, long nowNanos);

    /** Which collectives a rank has called and not seen end. */
    void flight(String job, FlightRecord flight, long nowNanos);

    /** What a rank's threads did in the last window. */
    void stacks(String job, StackRecord record, long nowNanos);

    /** Records of a rank are missing: a count more of a reason. */
    void lost(String job, int rank, String reason, long count, long nowNanos);

    /** What watching a job cost since the last reading. */
    void overhead(String job, OverheadReading reading, long nowNanos);

    /** Time has passed. */
    void tick(long nowNanos);

    /** What could not be done, each once; bounded. */
    default List<DataProblem> problems() {
        return List.of();
    }
}
