package dev.argus.server.http;

import dev.argus.server.Samples;
import dev.argus.server.Served;
import java.nio.file.Path;

/** A server in a process of its own, for limits that are read once a process: prints its port, ends when its input does. */
final class FrontProgram {
    private FrontProgram() {}

    /**
     * Serves.
     *
     * @param arguments the data folder, then settings as name=value
     */
    public static void main(String[] arguments) throws Exception {
        String[] flags = java.util.Arrays.copyOfRange(arguments, 1, arguments.length);
        try (Served served = new Served(Path.of(arguments[0]), flags)) {
            Samples.fill(served.fleet, served.store, served.objects);
            System.out.println(served.port());
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }
}
