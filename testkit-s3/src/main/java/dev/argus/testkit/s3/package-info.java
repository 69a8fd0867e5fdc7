/**
 * A real S3 server for tests: {@link dev.argus.testkit.s3.S3Server}. Never shipped.
 *
 * <p>It is a process with a class path of its own, so that none of its libraries is ever on that of a test; the class path is written into this room when that is built.
 *
 * <p>Threads: none. Must not import anything but the JDK.
 */
@NullMarked
package dev.argus.testkit.s3;

import org.jspecify.annotations.NullMarked;
