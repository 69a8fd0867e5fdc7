/**
 * Questions in SQL to the store of a server. Entry: {@link dev.argus.cli.query.Inquiry}.
 *
 * <p>Threads: everything belongs to the thread of the command.
 */
@NullMarked
package dev.argus.cli.query;

import org.jspecify.annotations.NullMarked;
