/**
 * Objects in a folder ({@link dev.argus.storage.object.FolderObjects}) or in a bucket ({@link dev.argus.storage.object.S3Objects}).
 *
 * <p>Threads: all are thread-safe. Must not import {@code duck}.
 */
@NullMarked
package dev.argus.storage.object;

import org.jspecify.annotations.NullMarked;
