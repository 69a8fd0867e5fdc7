package dev.argus.agent.ship;

import static dev.argus.agent.SimulatedRank.MILLI;

import dev.argus.agent.SimulatedRank;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A training process for tests that kill it: some hundred steps a second into a ring, and the number of steps made so far in a file.
 * Arguments: folder of the rings, rank, ranks, file of the count.
 */
final class KillProducer {
    private KillProducer() {}

    public static void main(String[] args) throws Exception {
        int rank = Integer.parseInt(args[1]);
        int pid = (int) ProcessHandle.current().pid();
        String[] stat = Files.readString(Path.of("/proc/self/stat"))
                .replaceAll("(?s)^.*\\) ", "")
                .split(" ", -1);
        long startTicks = Long.parseLong(stat[19]);
        try (SimulatedRank ring = new SimulatedRank(
                        Path.of(args[0]), "killed", rank, Integer.parseInt(args[2]), pid, startTicks, 0, 1 << 16);
                FileChannel count =
                        FileChannel.open(Path.of(args[3]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
            for (long step = 0; ; step++) {
                long start = System.nanoTime();
                Thread.sleep(4);
                long now = System.nanoTime();
                ring.step(step, start, MILLI / 2, MILLI, Math.max(now, start + 2 * MILLI));
                number.clear().putLong(step + 1).flip();
                count.write(number, 0);
            }
        }
    }
}
