package dev.argus.testkit;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets file descriptor 2 of this process be a file, where the build says that it is fuzzing and the system is a POSIX one. */
final class FuzzLog implements BeforeAllCallback {
    private static final int STDERR = 2;
    private static final int MODE = 0644;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        Optional<String> folder = context.getConfigurationParameter("jazzer.internal.basedir");
        if (folder.isPresent()) {
            Files.createDirectories(Path.of(folder.get()));
            String name = context.getRequiredTestClass().getSimpleName() + ".log";
            redirect(Path.of(folder.get(), name).toString());
        }
    }

    private static void redirect(String file) {
        Optional<MethodHandle> create = function("creat", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
        Optional<MethodHandle> duplicate = function("dup2", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        if (create.isEmpty() || duplicate.isEmpty()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(file);
            int descriptor = (int) create.get().invokeExact(path, MODE);
            if (descriptor < 0 || (int) duplicate.get().invokeExact(descriptor, STDERR) < 0) {
                throw new IllegalStateException("cannot write " + file);
            }
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @SuppressWarnings("restricted")
    private static Optional<MethodHandle> function(String name, FunctionDescriptor types) {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup().find(name).map(address -> linker.downcallHandle(address, types));
    }
}
