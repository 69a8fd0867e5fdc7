package dev.argus.ring;

import java.nio.file.Path;

/** A process that writes numbered kernels until it is killed: arguments are folder and capacity. */
final class WritingChild {
    private WritingChild() {}

    public static void main(String[] args) throws Exception {
        RingHeader header = Rings.header(Long.parseLong(args[1]));
        try (RingWriter writer = RingWriter.create(Path.of(args[0]), header)) {
            System.out.println(writer.path());
            System.out.flush();
            for (long number = 0; ; number++) {
                Rings.numbered(writer, writer.name(Numbered.nameOf(number)), number);
                if (number % 256 == 0) {
                    writer.tick(number, System.nanoTime(), 1);
                }
            }
        } catch (RingException refused) {
            System.out.println("refused: " + refused.getMessage());
        }
    }

    static ProcessBuilder command(Path folder, long capacity) {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-Xmx64m",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WritingChild.class.getName(),
                        folder.toString(),
                        Long.toString(capacity))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
    }
}
