package dev.argus.hostlocal;

import dev.argus.hostlocal.TraceLoader.LoadedFile;
import dev.argus.trace.Status;
import java.util.ArrayList;
import java.util.List;

/** Which of a folder's files are judged. */
final class JobFiles {
    private JobFiles() {}

    /**
     * What is judged: where there are traces, without logs; else with the longest log, for each has the steps of the whole job.
     *
     * @param unused takes a line for each log that is not
     */
    static List<LoadedPart> judged(List<LoadedFile> files, List<String> unused) {
        boolean traces = files.stream().flatMap(f -> f.parts().stream()).anyMatch(p -> p.hasEvents() && !p.isLog());
        int longest = -1;
        for (int i = 0; i < files.size(); i++) {
            boolean log = files.get(i).parts().stream().anyMatch(LoadedPart::isLog);
            if (!traces && log && (longest < 0 || steps(files.get(i)) > steps(files.get(longest)))) {
                longest = i;
            }
        }
        List<LoadedPart> parts = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            LoadedFile f = files.get(i);
            if (i == longest || f.parts().stream().noneMatch(LoadedPart::isLog)) {
                parts.addAll(f.parts());
            } else {
                unused.add("log: the steps of " + f.file().label() + " are listed; "
                        + (traces ? "the traces, which say more, are judged" : "a log with more steps is judged"));
            }
        }
        return parts;
    }

    private static int steps(LoadedFile f) {
        return f.parts().stream().mapToInt(p -> p.steps().size()).sum();
    }

    /** Why there is nothing to judge. */
    static String nothing(List<LoadedFile> files) {
        for (LoadedFile f : files) {
            if (f.outcome().status() == Status.FAILED && !f.outcome().problems().isEmpty()) {
                String more = files.size() == 1 ? "" : " (and " + (files.size() - 1) + " more files without a trace)";
                return f.outcome().problems().getFirst().detail() + more;
            }
        }
        return files.size() + (files.size() == 1 ? " file was" : " files were")
                + " found, none of them a trace; expected PyTorch profiler traces (.json, .json.gz, .json.zst)"
                + ", Nsight Systems exports (.sqlite), flight recorder dumps or CPU stacks";
    }
}
