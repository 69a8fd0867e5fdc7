/**
 * The verdict as JSON, {@code argus.verdict/1}.
 *
 * <p>Entry: {@link dev.argus.cli.json.VerdictJson}.
 *
 * <p>Threads: a writer belongs to one thread.
 *
 * <p>Must not import the other packages of the command line.
 */
@NullMarked
package dev.argus.cli.json;

import org.jspecify.annotations.NullMarked;
