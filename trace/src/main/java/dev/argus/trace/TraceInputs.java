package dev.argus.trace;

import dev.argus.model.DataProblem;
import dev.argus.model.RankSet;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Files found under what the user named, in an order that depends on their labels only.
 *
 * <p>Every readable file is listed, whatever it is called: the reader decides by content. A file reached by two ways is
 * listed once; links are followed, loops are not; hidden files and folders (a leading dot) are passed over.
 *
 * @param files files by label
 * @param problems paths that do not exist, cannot be read or hold nothing: one clear line each
 */
public record TraceInputs(List<TraceFile> files, List<DataProblem> problems) {
    /** Copies defensively. */
    public TraceInputs {
        files = List.copyOf(files);
        problems = List.copyOf(problems);
    }

    /** Finds the files under the given folders and files. */
    public static TraceInputs find(List<Path> paths) {
        List<TraceFile> files = new ArrayList<>();
        List<DataProblem> problems = new ArrayList<>();
        Set<Path> seen = new HashSet<>();
        for (Path path : paths) {
            add(path, files, problems, seen);
        }
        distinguish(files);
        files.sort(Comparator.comparing(TraceFile::label).thenComparing(TraceFile::path));
        return new TraceInputs(files, problems);
    }

    private static void add(Path path, List<TraceFile> files, List<DataProblem> problems, Set<Path> seen) {
        if (!Files.exists(path)) {
            problems.add(problem("missing-path", path + ": does not exist; expected a folder or file of traces"));
            return;
        }
        int before = problems.size();
        Finder finder = new Finder(path, files, problems, seen);
        try {
            Files.walkFileTree(path, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, finder);
        } catch (IOException broken) {
            problems.add(problem("unreadable-path", path + ": " + FileRead.reason(broken)));
        }
        if (!finder.metFile && problems.size() == before) {
            problems.add(problem("empty-folder", path + ": holds no file; expected the traces of one job"));
        }
    }

    /** Files of several arguments may have one label: then the whole path tells them apart. */
    private static void distinguish(List<TraceFile> files) {
        Map<String, Integer> count = new HashMap<>();
        files.forEach(f -> count.merge(f.label(), 1, Integer::sum));
        files.replaceAll(f -> count.getOrDefault(f.label(), 0) > 1
                ? new TraceFile(f.path(), f.path().toString().replace('\\', '/'), f.bytes())
                : f);
    }

    private static DataProblem problem(String kind, String detail) {
        return new DataProblem(kind, RankSet.EMPTY, detail);
    }

    private static final class Finder extends SimpleFileVisitor<Path> {
        private final Path root;
        private final List<TraceFile> files;
        private final List<DataProblem> problems;
        private final Set<Path> seen;
        private boolean metFile;

        Finder(Path root, List<TraceFile> files, List<DataProblem> problems, Set<Path> seen) {
            this.root = root;
            this.files = files;
            this.problems = problems;
            this.seen = seen;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return isHidden(folder) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (!attributes.isRegularFile() || isHidden(file)) {
                return FileVisitResult.CONTINUE;
            }
            metFile = true;
            Path real = real(file);
            if (seen.add(real)) {
                if (real.startsWith("/proc") || real.startsWith("/sys")) {
                    problems.add(problem(
                            "unreadable-path", file + ": leads to " + real + ", which is no file of a disk; left out"));
                } else if (Files.isReadable(file)) {
                    files.add(new TraceFile(file, label(file), attributes.size()));
                } else {
                    problems.add(problem("unreadable-path", file + ": no permission to read; make it readable"));
                }
            }
            return FileVisitResult.CONTINUE;
        }

        /** Where links lead; the path itself when that cannot be told, as for a file that just vanished. */
        private static Path real(Path file) {
            try {
                return file.toRealPath();
            } catch (IOException gone) {
                return file.toAbsolutePath();
            }
        }

        private static String reason(IOException failure) {
            return switch (failure) {
                case FileSystemLoopException e -> "is a link to a folder it lies in; such links are not followed";
                case AccessDeniedException e -> "no permission to read; make it readable";
                case NoSuchFileException e -> "vanished while it was looked at, or is a link to nothing";
                default -> "cannot be read; expected a readable file or folder";
            };
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            problems.add(problem("unreadable-path", file + ": " + reason(failure)));
            return FileVisitResult.CONTINUE;
        }

        private boolean isHidden(Path path) {
            Path name = path.getFileName();
            return !path.equals(root) && name != null && name.toString().startsWith(".");
        }

        private String label(Path file) {
            Path relative = file.equals(root) ? file.getFileName() : root.relativize(file);
            return String.valueOf(relative).replace('\\', '/');
        }
    }
}
