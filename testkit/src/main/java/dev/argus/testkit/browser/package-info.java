/**
 * A browser without a window that tests and benchmarks drive. Entry: {@link dev.argus.testkit.browser.Chromium}.
 *
 * <p>Speaks the protocol of the browser's own tools over a web socket; needs nothing but a JDK and {@code chromium} on the path.
 */
@NullMarked
package dev.argus.testkit.browser;

import org.jspecify.annotations.NullMarked;
