/**
 * What is told of incidents as JSON, the same from {@code diagnose}, agent and server.
 *
 * <p>Entry: {@link dev.argus.wire.json.JsonWriter}, {@link dev.argus.wire.json.IncidentJson}.
 *
 * <p>Threads: a writer belongs to one thread.
 *
 * <p>Must not import the rest of {@code wire}.
 */
@NullMarked
package dev.argus.wire.json;

import org.jspecify.annotations.NullMarked;
