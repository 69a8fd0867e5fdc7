package dev.argus.archtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.ConstructorCallTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.argus.archtest.fixture.unclean.Unclean;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Logic owns no thread, clock, I/O or unseeded randomness: the same input gives the same findings, in any host, on any
 * replay. And only the command line prints.
 */
class PurityTest {
    private static final Set<String> PURE_ROOMS = Set.of("engine", "digest", "sketch", "stats");
    private static final Set<String> PRINTING_ROOMS = Set.of("cli", "benchmarks");

    /** In memory only, or the type in which I/O errors of a caller's stream travel. */
    private static final Set<String> HARMLESS_IO = Set.of(
            "java.io.Serializable",
            "java.io.IOException",
            "java.io.UncheckedIOException",
            "java.io.EOFException",
            "java.io.ByteArrayInputStream",
            "java.io.ByteArrayOutputStream",
            "java.io.StringWriter",
            "java.io.PrintWriter",
            "java.io.ObjectStreamException",
            "java.io.InvalidObjectException");

    private static final Set<String> CLOCKS = Set.of(
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.time.Instant.now",
            "java.time.LocalDateTime.now",
            "java.time.LocalDate.now",
            "java.time.ZonedDateTime.now",
            "java.time.OffsetDateTime.now",
            "java.time.Clock.systemUTC",
            "java.time.Clock.systemDefaultZone");

    @Test
    void pureRoomsOwnNoThreadClockIoOrUnseededRandomness() {
        Set<String> found = new TreeSet<>();
        for (JavaClass type : House.mainClasses()) {
            if (PURE_ROOMS.contains(House.roomOf(type))) {
                found.addAll(impurities(type));
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void onlyTheCommandLinePrints() {
        Set<String> found = new TreeSet<>();
        for (JavaClass type : House.mainClasses()) {
            if (!PRINTING_ROOMS.contains(House.roomOf(type))) {
                found.addAll(prints(type));
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void everyRuleFires() {
        JavaClasses unclean = new ClassFileImporter().importClasses(Unclean.class);
        JavaClass type = unclean.get(Unclean.class);

        assertThat(impurities(type))
                .anyMatch(line -> line.contains("clock: ") && line.contains("nanoTime"))
                .anyMatch(line -> line.contains("clock: ") && line.contains("Instant.now"))
                .anyMatch(line -> line.contains("thread: java.lang.Thread"))
                .anyMatch(line -> line.contains("thread: ") && line.contains(".parallel"))
                .anyMatch(line -> line.contains("I/O: java.nio.file.Files"))
                .anyMatch(line -> line.contains("randomness: java.util.Random"))
                .anyMatch(line -> line.contains("randomness: java.lang.Math.random"));
        assertThat(prints(type)).hasSize(1);
    }

    private static Set<String> impurities(JavaClass type) {
        Set<String> found = new TreeSet<>();
        for (JavaAccess<?> access : type.getAccessesFromSelf()) {
            impurity(access).ifPresent(what -> found.add(access.getOrigin().getFullName() + " uses " + what));
        }
        return found;
    }

    private static Optional<String> impurity(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        String target = owner + "." + access.getTarget().getName();
        if (CLOCKS.contains(target)) {
            return Optional.of("clock: " + target);
        }
        if (isThreading(access, owner)) {
            return Optional.of("thread: " + target);
        }
        if (isIo(owner)) {
            return Optional.of("I/O: " + target);
        }
        if (isUnseeded(access, owner, target)) {
            return Optional.of("randomness: " + target);
        }
        return Optional.empty();
    }

    private static boolean isThreading(JavaAccess<?> access, String owner) {
        String name = access.getTarget().getName();
        return (owner.equals("java.lang.Thread") && !name.equals("onSpinWait"))
                || owner.startsWith("java.lang.Thread$")
                || owner.endsWith("Executor")
                || owner.endsWith("ExecutorService")
                || owner.equals("java.util.concurrent.Executors")
                || owner.equals("java.util.concurrent.CompletableFuture")
                || owner.equals("java.util.concurrent.ForkJoinPool")
                || owner.equals("java.util.Timer")
                || name.equals("parallelStream")
                || (name.equals("parallel") && owner.startsWith("java.util.stream."))
                || (owner.equals("java.util.Arrays") && name.startsWith("parallel"));
    }

    private static boolean isIo(String owner) {
        return !HARMLESS_IO.contains(owner)
                && (owner.startsWith("java.io.")
                        || owner.startsWith("java.net.")
                        || owner.startsWith("java.nio.file.")
                        || owner.startsWith("java.nio.channels."));
    }

    private static boolean isUnseeded(JavaAccess<?> access, String owner, String target) {
        boolean withoutSeed = access.getTarget() instanceof ConstructorCallTarget constructor
                && constructor.getRawParameterTypes().isEmpty();
        return target.equals("java.lang.Math.random")
                || owner.equals("java.util.concurrent.ThreadLocalRandom")
                || owner.equals("java.security.SecureRandom")
                || target.equals("java.util.UUID.randomUUID")
                || ((owner.equals("java.util.Random") || owner.equals("java.util.SplittableRandom")) && withoutSeed)
                || target.equals("java.util.random.RandomGenerator.getDefault");
    }

    private static Set<String> prints(JavaClass type) {
        Set<String> found = new TreeSet<>();
        for (JavaAccess<?> access : type.getFieldAccessesFromSelf()) {
            String target =
                    access.getTargetOwner().getName() + "." + access.getTarget().getName();
            if (target.equals("java.lang.System.out") || target.equals("java.lang.System.err")) {
                found.add(access.getOrigin().getFullName() + " uses " + target);
            }
        }
        return found;
    }
}
