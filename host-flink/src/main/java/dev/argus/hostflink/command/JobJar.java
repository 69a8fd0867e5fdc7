package dev.argus.hostflink.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The job as one jar: the rooms it is made of and what they need beside Flink, which the cluster has. */
final class JobJar {
    /** Begins of the names of jars that go in; the rest is Flink's, or the cluster's. */
    private static final List<String> PARTS = List.of(
            "model-",
            "stats-",
            "wire-",
            "sketch-",
            "digest-",
            "trace-",
            "transport-",
            "engine-",
            "host-local-",
            "host-flink-",
            "flink-connector-base-",
            "flink-connector-kafka-",
            "kafka-clients-",
            "zstd-jni-",
            "lz4-java-",
            "snappy-java-",
            "jackson-core-3",
            "picocli-");

    /** Our own room of that name, not Kafka's jars. */
    private static final Pattern KAFKA_ROOM = Pattern.compile("kafka-[0-9].*");

    private static final String SERVICES = "META-INF/services/";

    private JobJar() {}

    /** {@return the jars of this process that go in} */
    static List<Path> parts() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(p -> p.toString().endsWith(".jar"))
                .filter(p -> goesIn(p.getFileName().toString()))
                .toList();
    }

    static boolean goesIn(String jar) {
        return PARTS.stream().anyMatch(jar::startsWith)
                || KAFKA_ROOM.matcher(jar).matches();
    }

    /**
     * Writes it.
     *
     * @param to the file
     * @param parts what goes in; of entries there twice the first counts, but services are put together
     */
    static void write(Path to, List<Path> parts) throws IOException {
        if (parts.isEmpty()) {
            throw new IOException("no jars on the class path; start by ./argus flink");
        }
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, JobMain.class.getName());
        Set<String> seen = new HashSet<>(Set.of(JarFile.MANIFEST_NAME, "META-INF/", "module-info.class"));
        Map<String, StringBuilder> services = new TreeMap<>();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(to), manifest)) {
            for (Path part : parts) {
                try (JarFile jar = new JarFile(part.toFile())) {
                    for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
                        copy(jar, all.nextElement(), seen, services, out);
                    }
                }
            }
            for (var service : services.entrySet()) {
                out.putNextEntry(new JarEntry(service.getKey()));
                out.write(service.getValue().toString().getBytes(UTF_8));
            }
        }
    }

    private static void copy(
            JarFile jar, JarEntry entry, Set<String> seen, Map<String, StringBuilder> services, JarOutputStream out)
            throws IOException {
        String name = entry.getName();
        boolean signature = name.startsWith("META-INF/") && name.matches(".*\\.(SF|RSA|DSA)");
        if (entry.isDirectory() || signature) {
            return;
        }
        try (InputStream in = jar.getInputStream(entry)) {
            if (name.startsWith(SERVICES)) {
                services.computeIfAbsent(name, n -> new StringBuilder())
                        .append(new String(in.readAllBytes(), UTF_8))
                        .append('\n');
            } else if (seen.add(name)) {
                out.putNextEntry(new JarEntry(name));
                in.transferTo(out);
            }
        }
    }
}
