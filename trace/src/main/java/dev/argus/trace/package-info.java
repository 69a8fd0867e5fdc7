/**
 * Foreign formats in, Perfetto out. Input is hostile: what cannot be used is counted and named, never dropped in
 * silence.
 *
 * <p>Threads: a reader belongs to one thread; files are read in parallel by one reader each.
 *
 * <p>Must not import {@code engine} or any higher floor.
 */
@NullMarked
package dev.argus.trace;

import org.jspecify.annotations.NullMarked;
