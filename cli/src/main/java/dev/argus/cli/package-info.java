/**
 * The command line: assembles the rooms below and prints what they found.
 *
 * <p>Entry: {@link dev.argus.cli.Main}.
 *
 * <p>Threads: commands run on the main thread and may start workers of their own.
 *
 * <p>Must not import {@code benchmarks}, {@code testkit}.
 */
@NullMarked
package dev.argus.cli;

import org.jspecify.annotations.NullMarked;
