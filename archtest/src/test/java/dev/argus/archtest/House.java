package dev.argus.archtest;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.argus.testkit.Shared;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The plan of the house that the rules check the classes against: the floor of every room. */
final class House {
    static final String ROOT = "dev.argus.";

    /** Floor by room, as in ARCHITECTURE.md. A room that is missing here fails {@code RoomsTest}. */
    private static final Map<String, Integer> FLOORS = new TreeMap<>(Map.ofEntries(
            Map.entry("model", 0),
            Map.entry("stats", 0),
            Map.entry("wire", 1),
            Map.entry("sketch", 1),
            Map.entry("digest", 1),
            Map.entry("trace", 2),
            Map.entry("stacks", 2),
            Map.entry("ring", 2),
            Map.entry("transport", 2),
            Map.entry("storage", 2),
            Map.entry("engine", 3),
            Map.entry("simulator", 3),
            Map.entry("kafka", 3),
            Map.entry("hostlocal", 4),
            Map.entry("agent", 5),
            Map.entry("hostflink", 5),
            Map.entry("server", 5),
            Map.entry("cli", 6),
            Map.entry("benchmarks", 7)));

    private static final Set<String> APART = Set.of("testkit", "archtest");

    private static final JavaClasses MAIN = new ClassFileImporter()
            .importPackages("dev.argus")
            .that(DescribedPredicate.describe("are not of the tests", type -> !APART.contains(roomOf(type))));

    private House() {}

    /** {@return the classes that are shipped, and the benchmarks} */
    static JavaClasses mainClasses() {
        return MAIN;
    }

    static Map<String, Integer> floors() {
        return FLOORS;
    }

    /** {@return the room of a class of ours, the empty string for any other class} */
    static String roomOf(JavaClass type) {
        return roomOf(type.getPackageName());
    }

    static String roomOf(String packageName) {
        if (!packageName.startsWith(ROOT)) {
            return "";
        }
        String rest = packageName.substring(ROOT.length());
        int dot = rest.indexOf('.');
        return dot < 0 ? rest : rest.substring(0, dot);
    }

    /** {@return the folder of a room} */
    static String folderOf(String room) {
        return switch (room) {
            case "hostlocal" -> "host-local";
            case "hostflink" -> "host-flink";
            default -> room;
        };
    }

    /** {@return the root of the repository} */
    static Path repository() {
        return Shared.repository();
    }
}
