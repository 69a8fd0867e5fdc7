package dev.argus.server.ingest;

import dev.argus.engine.Thresholds;
import dev.argus.hostlocal.live.LiveOptions;
import dev.argus.server.job.FleetListener;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What all jobs of a server share.
 *
 * @param thresholds what counts as evidence
 * @param options how jobs are watched
 * @param clock the time
 * @param executor lends threads to detectors
 * @param lanes how many tasks of detectors run at a time, the job's own thread among them
 * @param listener hears of everything
 * @param queued bytes of frames that wait, over all jobs
 * @param queueBytes most of them
 * @param ranks ranks declared, over all jobs
 * @param mostRanks most of them
 * @param mostJobs jobs at a time
 * @param nameBytes bytes that the names of all jobs may take
 * @param heatBytes bytes of one job's heat map
 * @param stacks takes what ranks of an incident were doing when it opened
 */
record JobSetup(
        Thresholds thresholds,
        LiveOptions options,
        ServerClock clock,
        Executor executor,
        int lanes,
        FleetListener listener,
        AtomicLong queued,
        long queueBytes,
        AtomicInteger ranks,
        int mostRanks,
        int mostJobs,
        long nameBytes,
        long heatBytes,
        Ingest.StackSink stacks) {}
