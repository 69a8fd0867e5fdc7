package dev.argus.hostlocal.report;

import dev.argus.model.Incident;
import dev.argus.model.JobShape;
import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pictures of kernels of a job that goes on, from the windows that are kept of it. */
public final class KernelPictures {
    /** Windows that are kept. */
    public interface Windows {
        /** Steps they came with, ascending. */
        long[] steps();

        /** The window of a rank that came with a step; null where there is none. */
        @Nullable
        KernelWindow of(long step, int rank);
    }

    private KernelPictures() {}

    /** True if kernels say something about an incident. */
    public static boolean concerns(Incident incident) {
        return KernelPictureBuilder.concerns(incident);
    }

    /** The kernels of an incident's suspects and of their peers, in its steps. Bounded as a {@link KernelPicture} is. */
    public static List<KernelPicture> of(Incident incident, JobShape shape, NameTable names, Windows windows) {
        return fill(new KernelPictureBuilder(incident, shape, names, windows.steps()), windows);
    }

    /** The kernels of a rank and of its peers in the newest step with a window of it, at most so many kernels. */
    public static List<KernelPicture> of(int rank, int most, JobShape shape, NameTable names, Windows windows) {
        long[] steps = windows.steps();
        for (int i = steps.length - 1; i >= 0; i--) {
            if (windows.of(steps[i], rank) != null) {
                return fill(new KernelPictureBuilder(rank, steps[i], most, shape, names), windows);
            }
        }
        return List.of();
    }

    private static List<KernelPicture> fill(KernelPictureBuilder builder, Windows windows) {
        for (long step : windows.steps()) {
            builder.wanted(step).stream().forEach(rank -> {
                KernelWindow window = windows.of(step, rank);
                if (window != null) {
                    builder.take(window);
                }
            });
        }
        return builder.build();
    }
}
