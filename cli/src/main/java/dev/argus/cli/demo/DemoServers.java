package dev.argus.cli.demo;

/** The servers that a demonstration can have. */
public final class DemoServers {
    private DemoServers() {}

    /** The server itself. */
    public static DemoServer.Starter argus() {
        return DemoArgusServer::start;
    }

    /** No server at all: the agent diagnoses by itself. */
    public static DemoServer.Starter none() {
        return (data, port, changes, problems) -> new DemoWithoutServer(changes);
    }
}
