/**
 * Timelines and stacks as JSON and text, for viewers other than Perfetto's own format serves.
 *
 * <p>Threads: a writer belongs to one thread.
 */
@NullMarked
package dev.argus.cli.export;

import org.jspecify.annotations.NullMarked;
