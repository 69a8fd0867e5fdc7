package dev.argus.digest;

import dev.argus.model.KernelClass;
import dev.argus.model.NameTable;
import dev.argus.model.Phase;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What names of kernels, of launching calls and of ranges say, each looked at once: whoever assembles step after step keeps one for all. At most three bytes for each name of the table. Belongs to
 * one thread.
 */
public final class NameKinds {
    private static final KernelClass[] CLASSES = KernelClass.values();
    private static final Phase[] PHASES = Phase.values();
    private static final int NO_PHASE = 100;
    private static final int LAUNCHES = 1;
    private static final int LAUNCHES_NOT = 2;
    private static final int LAUNCHES_GRAPH = 3;
    private static final int GRAPH = 4;
    private static final String WHOLE_GRAPH = "CUDA graph ";

    private final NameTable names;
    private byte[] classes = new byte[256]; // ordinal + 1
    private byte[] calls = new byte[256];
    private byte[] phases = new byte[256]; // ordinal + 1

    /** Of the names of a table, as they are asked for. */
    public NameKinds(NameTable names) {
        this.names = names;
    }

    NameTable names() {
        return names;
    }

    /** Class of a kernel by its name. */
    public KernelClass classOf(int name) {
        if (name >= classes.length) {
            classes = Arrays.copyOf(classes, room(name, classes.length));
        }
        if (classes[name] == 0) {
            classes[name] = (byte) (1 + KernelClasses.classOf(names.name(name)).ordinal());
        }
        return CLASSES[classes[name] - 1];
    }

    /** Phase of a range by its name ({@link Phases#of}), or null. */
    @Nullable
    Phase phaseOf(int name) {
        if (name >= phases.length) {
            phases = Arrays.copyOf(phases, room(name, phases.length));
        }
        if (phases[name] == 0) {
            Phase phase = Phases.of(names.name(name));
            phases[name] = (byte) (phase == null ? NO_PHASE : 1 + phase.ordinal());
        }
        return phases[name] == NO_PHASE ? null : PHASES[phases[name] - 1];
    }

    /** True for the calls of CUDA and HIP that must leave a kernel in the record. */
    public boolean startsKernel(int name) {
        return call(name) == LAUNCHES || call(name) == LAUNCHES_GRAPH;
    }

    /** True for those of them that start all the kernels of a graph. */
    public boolean startsGraph(int name) {
        return call(name) == LAUNCHES_GRAPH;
    }

    /** True for the name under which all the kernels of a graph are told as one: {@code CUDA graph N}. */
    public boolean isGraph(int name) {
        return call(name) == GRAPH;
    }

    private byte call(int name) {
        if (name >= calls.length) {
            calls = Arrays.copyOf(calls, room(name, calls.length));
        }
        if (calls[name] == 0) {
            calls[name] = called(names.name(name));
        }
        return calls[name];
    }

    private static byte called(String call) {
        if (!call.contains("Launch") || call.contains("HostFunc")) {
            return (byte) (call.startsWith(WHOLE_GRAPH) ? GRAPH : LAUNCHES_NOT);
        }
        return (byte) (call.contains("GraphLaunch") ? LAUNCHES_GRAPH : LAUNCHES);
    }

    private static int room(int name, int length) {
        return Math.max(name + 1, 2 * length);
    }
}
