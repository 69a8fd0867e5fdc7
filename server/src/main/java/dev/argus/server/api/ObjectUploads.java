package dev.argus.server.api;

import dev.argus.storage.Rows;
import java.io.IOException;
import java.io.InputStream;

/** Who takes the objects that agents were asked for. Called by many threads. */
@FunctionalInterface
public interface ObjectUploads {
    /**
     * Keeps an object.
     *
     * @param job job whose agent sends it
     * @param name name, {@code [A-Za-z0-9._-]}, at most 128 characters
     * @param body its bytes, at most as many as the settings allow; reading beyond them, or beyond a connection that broke, throws: then nothing is to be kept
     * @return what was kept
     * @throws NotOrderedException if no agent of the job was asked for an object of this name
     * @throws IOException if the body or the store fails
     */
    Rows.StoredObject keep(String job, String name, InputStream body) throws NotOrderedException, IOException;
}
