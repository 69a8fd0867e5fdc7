package dev.argus.engine;

/** What a stretch of excess is good for. */
enum Weight {
    /** It accuses its rank. */
    ACCUSES,
    /** Too small or too short to act on, but no accident: worth an observation. */
    OBSERVED,
    /** What its rank has had in most of what was seen, too little to act on: a state of the job, no event, that costs all the time. */
    LASTING,
    /** It may be chance or a busy host: it counts only together with others. */
    HINT,
    /** A short pause of one step that the job waited for: it counts only together with those of other ranks. */
    SEEN,
    /** All ranks of the peer set have it in the same step: its rank is a typical one and accused of nothing. */
    EVERYBODY,
    /** All ranks of the peer set have it in every step since one: likewise. */
    EVER_SINCE,
    /** All ranks of the peer set that load data for others have it in the same step: likewise. */
    LOADERS;

    /** True for what all ranks have: its rank is an example. */
    boolean ofAll() {
        return this == EVERYBODY || this == EVER_SINCE || this == LOADERS;
    }
}
