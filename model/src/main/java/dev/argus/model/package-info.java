/**
 * The words of Argus as immutable records: kernel events, step digests, topology, findings, incidents.
 *
 * <p>Nothing to enter: read the glossary first, then the records.
 *
 * <p>Threads: everything here is immutable and may be shared between threads.
 *
 * <p>Must not import anything of Argus; it is the lowest floor.
 */
@NullMarked
package dev.argus.model;

import org.jspecify.annotations.NullMarked;
