package dev.argus.hostlocal.live;

import dev.argus.digest.AssembledTrace;
import dev.argus.model.TraceHeader;

/**
 * Who a rank is and whom it meets: said when it appears, and again whenever it has changed.
 *
 * @param attempt attempt of the job; a higher one ends the one before
 * @param rank global rank
 * @param header what it says about itself
 * @param trace which groups it used so far, and its GPU
 */
public record RankDeclaration(int attempt, int rank, TraceHeader header, AssembledTrace trace) {}
