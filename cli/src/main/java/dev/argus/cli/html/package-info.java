/**
 * The verdict as one page for a browser: a single file that loads nothing and works from a disk, a chat or a mail.
 *
 * <p>Entry: {@link dev.argus.cli.html.HtmlReport}. The page's script and style are resources beside it ({@code base.js} to {@code page.js}, put
 * together in one scope, and {@code report.css}) and behind {@link dev.argus.hostlocal.report.PageLook}, which it shares with the page of a server;
 * its policy admits these two, by their hashes, and nothing else. All data lies in one JSON block, escaped so that it cannot end the block, and
 * reaches the page as text only.
 *
 * <p>Threads: everything here belongs to one thread or is immutable.
 */
@NullMarked
package dev.argus.cli.html;

import org.jspecify.annotations.NullMarked;
