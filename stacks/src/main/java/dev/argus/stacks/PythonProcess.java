package dev.argus.stacks;

import dev.argus.stacks.ProcFiles.Mapping;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a CPython process keeps what is needed: found once, by the symbols of the files it has mapped.
 *
 * <p>A file is opened as the process sees it ({@code /proc/PID/root}, {@code /proc/PID/map_files}), so that containers work, and must
 * begin as the memory it is mapped to. The types of code, strings and bytes are known by address: a pointer to anything else is no code
 * object.
 *
 * @param identity which process
 * @param version PY_VERSION_HEX
 * @param layout where the fields are
 * @param interpreter address of the main interpreter; others are not read
 * @param gilHolder address of the word that says who holds the GIL
 * @param gilLocked address of the word that says whether anybody does; 0 if the other is then null
 * @param codeType address of the type of code objects
 * @param stringType likewise
 * @param bytesType likewise
 * @param innerPid the pid inside its own namespace
 */
record PythonProcess(
        ProcessIdentity identity,
        long version,
        PythonLayout layout,
        long interpreter,
        long gilHolder,
        long gilLocked,
        long codeType,
        long stringType,
        long bytesType,
        int innerPid) {
    private static final String RUNTIME = "_PyRuntime";
    private static final String VERSION = "Py_Version";
    private static final String CODE = "PyCode_Type";
    private static final String STRING = "PyUnicode_Type";
    private static final String BYTES = "PyBytes_Type";
    private static final List<String> NAMES = List.of(RUNTIME, VERSION, CODE, STRING, BYTES);
    private static final int MAX_CANDIDATES = 32;
    private static final int FILE_HEAD = 64;
    private static final int TYPE_NAME = 24;

    /**
     * Finds it.
     *
     * @throws StackAccessException if it is no Python, not one that is read, or the rights are missing; the message says which
     */
    static PythonProcess of(ForeignMemory memory) throws StackAccessException {
        int pid = memory.pid();
        ProcessIdentity identity = ProcessIdentity.of(pid);
        StackAccess.require(memory);
        String maps;
        String status;
        try {
            maps = ProcFiles.text(pid, "maps");
            status = ProcFiles.text(pid, "status");
        } catch (IOException closed) {
            throw new StackAccessException(
                    "the memory map of process " + pid + " cannot be read: " + closed.getMessage());
        }
        String why = "";
        for (Mapping candidate : candidates(pid, ProcFiles.mappings(maps))) {
            try {
                Map<String, Long> symbols = symbols(memory, candidate);
                if (symbols.containsKey(RUNTIME)) {
                    return of(memory, identity, symbols, ProcFiles.innerId(status, pid));
                }
            } catch (IOException broken) {
                why = "; " + candidate.fileName() + ": " + broken.getMessage();
            }
        }
        throw new StackAccessException("process " + pid + " has no Python: expected a mapped file with the symbol "
                + RUNTIME + ", as python3 and libpython3.so have it unless they were stripped of it" + why);
    }

    /** Files that can hold the interpreter, likeliest first; only their first mapping counts. */
    private static List<Mapping> candidates(int pid, List<Mapping> mappings) {
        String executable = "";
        try {
            executable = Files.readSymbolicLink(ProcFiles.of(pid, "exe")).toString();
        } catch (IOException hidden) {
            // then by its name only
        }
        List<Mapping> found = new ArrayList<>();
        for (Mapping mapping : mappings) {
            String name = mapping.fileName();
            boolean likely = name.startsWith("libpython") || name.startsWith("python");
            if (mapping.offset() == 0
                    && (likely || mapping.path().equals(executable))
                    && found.size() < MAX_CANDIDATES
                    && found.stream().noneMatch(m -> m.path().equals(mapping.path()))) {
                found.add(mapping);
            }
        }
        found.sort(Comparator.comparing(m -> !m.fileName().startsWith("libpython")));
        return found;
    }

    /** Addresses in the process. */
    private static Map<String, Long> symbols(ForeignMemory memory, Mapping mapping) throws IOException {
        int pid = memory.pid();
        String range = Long.toHexString(mapping.start()) + "-" + Long.toHexString(mapping.end());
        IOException first = null;
        List<Path> ways = new ArrayList<>();
        if (!mapping.deleted()) {
            ways.add(Path.of("/proc/" + pid + "/root" + mapping.path()));
        }
        ways.add(ProcFiles.of(pid, "map_files/" + range));
        ways.add(ProcFiles.of(pid, "exe"));
        for (Path way : ways) {
            try (FileChannel file = FileChannel.open(way, StandardOpenOption.READ)) {
                if (!sameHead(memory, mapping, file)) {
                    throw new IOException("the file was replaced since the process began");
                }
                ElfSymbols elf = ElfSymbols.of(file, NAMES);
                long bias = elf.fixed() ? 0 : mapping.start() - (elf.firstAddress() - elf.firstOffset());
                Map<String, Long> addresses = new HashMap<>();
                elf.values().forEach((name, value) -> addresses.put(name, value + bias));
                return addresses;
            } catch (IOException | IllegalArgumentException next) {
                first = first == null ? new IOException(next.getMessage(), next) : first;
            }
        }
        throw first == null ? new IOException("no way to open it") : first;
    }

    private static boolean sameHead(ForeignMemory memory, Mapping mapping, FileChannel file) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(FILE_HEAD);
        return file.read(head, 0) == FILE_HEAD
                && memory.readOnly(mapping.start(), FILE_HEAD)
                && Arrays.equals(head.array(), memory.bytes(0, FILE_HEAD));
    }

    private static PythonProcess of(
            ForeignMemory memory, ProcessIdentity identity, Map<String, Long> symbols, int innerPid)
            throws StackAccessException {
        long runtime = symbols.getOrDefault(RUNTIME, 0L);
        memory.begin();
        int at = memory.add(runtime, DebugOffsets.LENGTH);
        int versionAt = memory.add(symbols.getOrDefault(VERSION, 0L), 8);
        if (at < 0 || memory.read() != ForeignMemory.COMPLETE) {
            throw new StackAccessException(
                    "the interpreter of process " + memory.pid() + " is not where its file says");
        }
        PythonLayout layout;
        long version;
        if (DebugOffsets.recognises(memory, at)) {
            version = DebugOffsets.version(memory, at);
            layout = DebugOffsets.layout(memory, at);
        } else {
            if (versionAt < 0) {
                throw new StackAccessException("Python without the symbol " + VERSION
                        + ", so older than 3.11: 3.11 to 3.14 can be read; use py-spy for others");
            }
            version = memory.getLong(versionAt);
            int minor = PythonVersions.supported(version);
            PythonLayout known = PythonLayout.ofMinor(minor);
            if (known == null) {
                throw new StackAccessException(
                        "Python " + PythonVersions.text(version)
                                + " without its offsets for debuggers, which 3.13 and newer have; the process may still be starting");
            }
            layout = known;
        }
        long interpreter = pointer(memory, runtime + layout.interpretersHead() + 8, "its main interpreter");
        long holder = runtime + layout.gilHolder();
        long locked = 0;
        if (layout.gil() != PythonLayout.Gil.IN_RUNTIME) {
            long gil = layout.gil() == PythonLayout.Gil.IN_INTERPRETER
                    ? interpreter
                    : pointer(memory, interpreter + layout.gilPointer(), "its GIL");
            holder = gil + layout.gilHolder();
            locked = gil + layout.gilLocked();
        }
        long[] types = new long[3];
        String[] names = {CODE, STRING, BYTES};
        String[] expected = {"code", "str", "bytes"};
        for (int i = 0; i < 3; i++) {
            types[i] = symbols.getOrDefault(names[i], 0L);
            requireType(memory, types[i], names[i], expected[i]);
        }
        return new PythonProcess(
                identity, version, layout, interpreter, holder, locked, types[0], types[1], types[2], innerPid);
    }

    private static long pointer(ForeignMemory memory, long address, String what) throws StackAccessException {
        if (!memory.readOnly(address, 8)
                || !ForeignMemory.possible(memory.getLong(0))
                || (memory.getLong(0) & 7) != 0) {
            throw new StackAccessException("Python in process " + memory.pid() + " does not say where " + what
                    + " is; it may still be starting");
        }
        return memory.getLong(0);
    }

    private static void requireType(ForeignMemory memory, long type, String symbol, String name)
            throws StackAccessException {
        String found = "";
        if (memory.readOnly(type + TYPE_NAME, 8) && memory.readOnly(memory.getLong(0), name.length() + 1)) {
            found = new String(memory.bytes(0, name.length() + 1), StandardCharsets.ISO_8859_1);
        }
        if (!(name + "\0").equals(found)) {
            throw new StackAccessException(symbol + " of process " + memory.pid() + " is no type called " + name
                    + ": the file is another one than was loaded, or the process is still starting");
        }
    }
}
