package dev.argus.server.access;

/** What a request needs to be let through. */
public enum Need {
    /** Nothing: whether the server lives. */
    NOTHING,
    /** To read: a token, unless only this host can reach the server. */
    READ,
    /** To change or to ask something costly: the token of the operator, always. */
    OPERATE,
    /** To send as an agent of a job: a token of that job's agents, or the operator's, always. */
    SHIP
}
