/**
 * The verdict for a person at a terminal: the card, the proof, the data quality, the progress line.
 *
 * <p>Entry: {@link dev.argus.cli.text.TextReport}.
 *
 * <p>Threads: everything here belongs to one thread or is immutable, unless the type says otherwise.
 *
 * <p>Must not import the other packages of the command line. Every string from outside passes
 * {@link dev.argus.model.SafeText}.
 */
@NullMarked
package dev.argus.cli.text;

import org.jspecify.annotations.NullMarked;
