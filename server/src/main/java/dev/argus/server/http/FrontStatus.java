package dev.argus.server.http;

/**
 * What a front has done since it began.
 *
 * @param answered requests answered as asked
 * @param refused requests refused: status 4xx
 * @param failed requests that could not be answered: status 5xx
 */
public record FrontStatus(long answered, long refused, long failed) {}
