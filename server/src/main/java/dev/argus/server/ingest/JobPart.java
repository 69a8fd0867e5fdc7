package dev.argus.server.ingest;

/**
 * What a checkpoint keeps of a job: everything it was told before one moment.
 *
 * @param job name
 * @param rows rows since the last part was taken
 * @param state state at that moment; not copied
 * @param workNanos what it took to write it
 */
@SuppressWarnings("ArrayRecordComponent")
record JobPart(String job, JobRows rows, byte[] state, long workNanos) {}
