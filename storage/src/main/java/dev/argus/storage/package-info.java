/**
 * What a server keeps. Rows lie in an embedded database behind {@link dev.argus.storage.Store}, objects behind {@link dev.argus.storage.ObjectStore}.
 *
 * <p>Threads: each class says. Must not import {@code wire}, {@code digest}, {@code engine} or any higher floor.
 */
@NullMarked
package dev.argus.storage;

import org.jspecify.annotations.NullMarked;
