/**
 * The page at the address of a server: its files, as they are, from the class path. Entry: {@link dev.argus.server.page.LivePage}.
 *
 * <p>The files are plain modules of JavaScript and two style sheets; nothing is built, and nothing is loaded from elsewhere. All they know comes from the API, so a page in a
 * browser can do what its token may and nothing else. Why it is so: {@code docs/design/0016-live-page.md}.
 *
 * <p>Threads: everything is immutable.
 *
 * <p>Must not import the other packages of the server but {@code http}.
 */
@NullMarked
package dev.argus.server.page;

import org.jspecify.annotations.NullMarked;
