/**
 * Rows in an embedded DuckDB, state beside it. Entry: {@link dev.argus.storage.duck.DuckStore}; what is kept where and why: {@code docs/design/0013-storage.md}.
 *
 * <p>Threads: {@code DuckStore} is thread-safe; each other class says. Must import nothing of {@code object} but {@code ObjectKeys}.
 */
@NullMarked
package dev.argus.storage.duck;

import org.jspecify.annotations.NullMarked;
