package dev.argus.engine;

import dev.argus.model.Incident;
import java.util.List;

/**
 * What the job-wide diagnosis says about one attempt.
 *
 * @param attempt attempt of the job
 * @param incidents incidents, most costly first
 * @param observations observations, most costly first
 * @param notes what was checked and what could not be, in sentences
 * @param lostNanos step time lost over the job's steps against the typical step, claimed or not
 * @param claimedNanos part of it that incidents and observations claim
 * @param measuredNanos step time measured
 * @param quietSteps true when there were steps without trouble to hold the others against; without them prices are upper bounds
 * @param pace how fast the attempt was
 */
public record Concluded(
        int attempt,
        List<Incident> incidents,
        List<Incident> observations,
        List<String> notes,
        double lostNanos,
        double claimedNanos,
        double measuredNanos,
        boolean quietSteps,
        Pace pace)
        implements Partial {}
