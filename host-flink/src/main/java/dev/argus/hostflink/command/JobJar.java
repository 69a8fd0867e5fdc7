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
            "storage-",
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

    /** What writing Parquet into a bucket needs beside: some 60 MB, so it goes in only where it is wanted. */
    private static final Pattern SUMMARIES =
            Pattern.compile("(duckdb_jdbc|reactive-streams|annotations|arns|auth|aws-core"
                    + "|aws-query-protocol|aws-xml-protocol|checksums|checksums-spi|crt-core|endpoints-spi|eventstream|http-auth"
                    + "|http-auth-aws|http-auth-aws-eventstream|http-auth-spi|http-client-spi|identity-spi|json-utils|metrics-spi"
                    + "|profiles|protocol-core|regions|retries|retries-spi|s3|sdk-core|third-party-jackson-core"
                    + "|url-connection-client|utils|utils-lite)-[0-9].*");

    /** DuckDB for systems that no machine of Flink has. */
    private static final Pattern OTHER_SYSTEMS = Pattern.compile("libduckdb_java\\.so_(osx|macos|windows).*");

    /** Our own room of that name, not Kafka's jars. */
    private static final Pattern KAFKA_ROOM = Pattern.compile("kafka-[0-9].*");

    private static final String SERVICES = "META-INF/services/";

    private JobJar() {}

    /**
     * The jars of this process that go in.
     *
     * @param summaries whether the job writes Parquet
     */
    static List<Path> parts(boolean summaries) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(p -> p.toString().endsWith(".jar"))
                .filter(p -> goesIn(p.getFileName().toString(), summaries))
                .toList();
    }

    static boolean goesIn(String jar, boolean summaries) {
        return (summaries && SUMMARIES.matcher(jar).matches())
                || PARTS.stream().anyMatch(jar::startsWith)
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
        if (entry.isDirectory() || signature || OTHER_SYSTEMS.matcher(name).matches()) {
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
