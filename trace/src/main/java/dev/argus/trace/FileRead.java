package dev.argus.trace;

import dev.argus.model.DataProblem;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.TraceHeader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One reading of one file; used once. */
final class FileRead {
    static final int WINDOW = 256 << 10;

    private final TraceFile file;
    private final NameTable jobNames;
    private final SinkFactory sinks;
    private final LongConsumer bytesRead;

    private final NameCache names;
    private final PartSink sink;
    private final TraceClock clock;
    private final KinetoEvents events;
    private final EventFields fields = new EventFields(false, false);
    private final HeaderBuilder header = new HeaderBuilder();
    private final List<DataProblem> problems = new ArrayList<>();

    private String format = "none";
    private boolean sawEvents;
    private boolean probed;
    private boolean timeline;
    private int beside;
    private boolean tracesOnly;

    /** Bit by format: which its first bytes speak for. */
    private int hints;

    private boolean uncategorised;
    private long goodUntil;
    private long cutNames;
    private long statedBase;

    FileRead(TraceFile file, NameTable jobNames, SinkFactory sinks, LongConsumer bytesRead) {
        this.file = file;
        this.jobNames = jobNames;
        this.sinks = sinks;
        long[] room = {file.bytes()}; // a file that is opened again is told of once
        this.bytesRead = n -> {
            long told = Math.min(n, room[0]);
            room[0] -= told;
            bytesRead.accept(told);
        };
        names = new NameCache(jobNames);
        sink = new PartSink(sinks, 0);
        clock = new TraceClock(() -> TimeBase.find(file.path()));
        events = new KinetoEvents(sink, names, clock);
    }

    ReadOutcome run() {
        try (InputStream stream = ByteSource.open(file.path(), bytesRead)) {
            BufferedInputStream buffered = new BufferedInputStream(stream, FileHead.ROOM);
            FileHead head = FileHead.of(buffered);
            if (Pickle.mayBegin(head.bytes(), head.bytes().length)) {
                return new FlightRecorderRead(file, jobNames).pickle();
            }
            if (SqliteFile.begins(head.bytes())) {
                ReadOutcome export = new NsysRead(file, jobNames, sinks, bytesRead).run();
                bytesRead.accept(file.bytes());
                return export;
            }
            if (!tracesOnly) {
                hints = head.hints();
            }
            boolean json = head.isJson();
            if (json && head.first() == '[' && PySpyRead.recognisesJson(head.text())) {
                return new PySpyRead(file, jobNames, "py-spy-json").json();
            }
            ReadOutcome text = json ? null : TextRead.read(file, jobNames, sinks, head.bytes(), head.isWhole());
            if (text != null) {
                return text;
            }
            TrailScanner in = new TrailScanner(buffered, WINDOW);
            ReadOutcome early = opening(in);
            return early != null ? early : read(in);
        } catch (IOException | LinkageError broken) {
            return failed("cannot be opened: " + reason(broken) + "; check permission and that it was copied whole", 0);
        }
    }

    /** Decides what needs no parsing; null if it looks like JSON. */
    private @Nullable ReadOutcome opening(TrailScanner in) {
        in.skipByteOrderMark();
        int first = in.peek();
        if (first == '{' || first == '[') {
            return null;
        }
        IOException failure = in.failure();
        if (first < 0 && failure != null) {
            return failed("nothing could be decompressed: " + reason(failure) + "; copy the file again", 0);
        }
        if (first < 0) {
            return failed("the file is empty; the profiler of this rank wrote nothing", 0);
        }
        String found = "does not begin as JSON but with " + shown(first);
        return FileNames.claimsJson(file.label())
                ? failed(found + "; expected a profiler trace, '{' or '['", in.offset())
                : ignored(found);
    }

    private ReadOutcome read(TrailScanner in) {
        JsonError broken = null;
        try {
            in.mark();
            if (in.peek() == '{') {
                format = "kineto";
                object(in);
            } else {
                format = "kineto-list";
                in.take();
                sawEvents = true;
                events(in);
            }
        } catch (JsonError error) {
            broken = error;
        }
        if (timeline) {
            return new TimelineRead(file, jobNames, sinks).run();
        }
        if (beside != 0) {
            ReadOutcome side = switch (beside) {
                case TraceMembers.FLIGHT -> new FlightRecorderRead(file, jobNames).json();
                case TraceMembers.PROFILES -> new SpeedscopeRead(file, jobNames).run();
                default -> new PrometheusRead(file, jobNames).run();
            };
            return side.status() == Status.IGNORED ? again() : side;
        }
        return outcome(in, broken);
    }

    /** A member called like one of a format beside traces was none: what else the file holds is read. */
    private ReadOutcome again() {
        FileRead plain = new FileRead(file, jobNames, sinks, bytesRead);
        plain.hints = 0;
        plain.tracesOnly = true;
        return plain.run();
    }

    // ---------------------------------------------------------------- walking

    private void object(TrailScanner in) {
        in.take();
        while (!timeline && beside == 0) {
            in.peek();
            in.mark();
            int member = in.nextKey(TraceMembers.ALL);
            if (member < 0) {
                return;
            }
            member(in, member);
        }
    }

    private void member(TrailScanner in, int member) {
        if (member == TraceMembers.EVENTS && in.peek() == '[') {
            sawEvents = true;
            in.take();
            events(in);
        } else if (member == TraceMembers.BASE_TIME) {
            statedBase = in.integer();
            clock.base(statedBase);
        } else if (TraceMembers.isBeside(member) && !sawEvents && (hints >> member & 1) != 0 && isOpening(in.peek())) {
            beside = member;
        } else if (member == KeyTable.UNKNOWN || member >= TraceMembers.EVENTS) {
            in.skipValue();
        } else {
            headerMember(in, member);
        }
    }

    private static boolean isOpening(int c) {
        return c == '{' || c == '[';
    }

    private void headerMember(TrailScanner in, int member) {
        boolean quoted = in.peek() == '"';
        in.mark();
        in.rawText();
        byte[] b = in.bytes();
        int from = in.base() + in.textFrom();
        int to = in.base() + in.textTo();
        try {
            header.put(member, quoted ? JsonText.decode(b, from, to, in.textEscaped()) : JsonTree.parse(b, from, to));
        } catch (JsonError unreadable) {
            problem("unreadable-header", unreadable.text() + " in the header; rank and groups may be missing");
        }
    }

    private void events(TrailScanner in) {
        while (in.nextElement()) {
            if (in.peek() != '{') {
                in.mark();
                in.skipValue();
                continue;
            }
            if (!probed) {
                probe(in);
                if (timeline) {
                    return;
                }
            } else if (fields.read(in)) {
                events.accept(fields);
            }
            cutNames += fields.nameCut ? 1 : 0;
            goodUntil = in.offset();
        }
    }

    /** The first complete event, read without dropping any, tells a timeline and a list without categories. */
    private void probe(TrailScanner in) {
        EventFields first = new EventFields(true, true);
        if (!first.read(in) || first.isMetadata()) {
            return;
        }
        probed = true;
        if (TimelineRead.recognises(first)) {
            timeline = true;
            return;
        }
        uncategorised = first.category == Category.ABSENT;
        if (wanted(first)) {
            events.accept(first);
        }
    }

    /** What reading with dropping would have let through, the operators aside, which are judged by duration again. */
    private static boolean wanted(EventFields e) {
        return e.category != Category.OTHER;
    }

    // ---------------------------------------------------------------- outcome

    private ReadOutcome outcome(TrailScanner in, @Nullable JsonError broken) {
        long bytes = in.offset();
        if (!sawEvents && broken == null) {
            return ignored("JSON without traceEvents: no profiler trace");
        }
        if (uncategorised && format.equals("kineto-list")) {
            format = "torch-list";
        }
        if (broken != null) {
            String where = describe(broken, in.failure());
            if (sink.delivered == 0) {
                return failed(where + "; no event could be used", bytes);
            }
            problem(in.failure() != null || isEnd(broken) ? "cut-file" : "broken-file", where);
        } else if (isUnrelated()) {
            // What was set aside may have been the steps and kernels: such a file is broken, and belongs to the job.
            long aside = sink.aside.values().stream().mapToLong(Long::longValue).sum();
            if (aside > sink.delivered) {
                String of = aside + " of " + (aside + sink.delivered) + " events cannot be and were set aside ";
                return failed(of + sink.aside + "; no step, kernel or collective is left", bytes);
            }
            return ignored("no GPU events, no steps, no collectives, no rank: a launcher or helper process");
        }
        sink.openIfNot();
        TraceHeader built = header.build(file.label());
        remarks(in, built, broken != null);
        Status status = broken == null ? Status.COMPLETE : Status.PARTIAL;
        return new ReadOutcome(status, format, List.of(new Part(0, built, file.label())), problems, bytes);
    }

    private boolean isUnrelated() {
        return sink.gpuEvents == 0
                && sink.steps == 0
                && sink.collectives == 0
                && header.statedRank() < 0
                && (sink.spans == 0 || FileNames.rank(file.label()) < 0);
    }

    private String describe(JsonError broken, @Nullable IOException failure) {
        String why = failure != null ? reason(failure) : broken.text() + " at byte " + broken.offset();
        return "readable until byte " + goodUntil + " (uncompressed): " + why
                + "; totals of this rank are not comparable";
    }

    private static boolean isEnd(JsonError broken) {
        return broken.text().startsWith("the text ends");
    }

    private void remarks(TrailScanner in, TraceHeader built, boolean partial) {
        if (sink.gpuEvents == 0) {
            problem("no-gpu-events", "no GPU events: only the CPU side of this rank can be judged");
        }
        if (built.rank() < 0) {
            problem(
                    "rank-unknown",
                    "rank unknown: neither distributedInfo nor the file name tells it; rename to rankN");
        }
        if (names.malformed() > 0) {
            problem("invalid-text", names.malformed() + " names are not UTF-8; bad bytes were replaced");
        }
        if (cutNames > 0) {
            problem("cut-name", cutNames + " names above " + (JsonScanner.MAX_TEXT >> 20) + " MiB were cut there");
        }
        if (clock.withoutBase() && sink.delivered > 0) {
            problem(
                    "relative-time",
                    "times count from an unknown moment: no baseTimeNanoseconds; steps are compared, " + "not moments");
        } else if (statedBase != 0 && clock.base() != 0 && statedBase != clock.base()) {
            problem(
                    "time-base",
                    "two values of baseTimeNanoseconds: " + clock.base() + " used, " + statedBase + " not");
        }
        if (!partial) {
            trailing(in);
        }
    }

    private void trailing(TrailScanner in) {
        int next = in.peek();
        IOException failure = in.failure();
        if (failure != null) {
            problem("damaged-file", "complete, but its end is damaged: " + reason(failure));
        } else if (next > 0) {
            problem("trailing-bytes", "bytes behind the end of the JSON, from byte " + in.offset() + ", were not read");
        }
    }

    private ReadOutcome failed(String why, long bytes) {
        problem("unreadable-file", why);
        return new ReadOutcome(Status.FAILED, format, List.of(), problems, bytes);
    }

    private ReadOutcome ignored(String why) {
        problem("ignored-file", why);
        return new ReadOutcome(Status.IGNORED, "none", List.of(), problems, 0);
    }

    private void problem(String kind, String detail) {
        int rank = header.build(file.label()).rank();
        RankSet ranks = rank < 0 ? RankSet.EMPTY : RankSet.of(rank);
        problems.add(new DataProblem(kind, ranks, file.label() + ": " + detail));
    }

    static String reason(Throwable broken) {
        String message = broken.getMessage();
        return message == null ? broken.getClass().getSimpleName() : message;
    }

    private static String shown(int c) {
        return c > ' ' && c < 0x7F ? "'" + (char) c + "'" : String.format("byte 0x%02x", c);
    }
}
