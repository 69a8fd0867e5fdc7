package dev.argus.server.job;

/**
 * Values of ranks and steps.
 *
 * @param attempt attempt of the job
 * @param ranks global rank of each row
 * @param steps number of each column, ascending
 * @param seconds value of row r and column c at {@code r * steps.length + c}; NaN where nothing was reported. Not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record HeatMapData(int attempt, int[] ranks, long[] steps, float[] seconds) {}
